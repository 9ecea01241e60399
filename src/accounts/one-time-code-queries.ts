/** SQL of codes that work once. Only their hash under the secret key is stored. */
import { invalid } from '../errors.ts';
import { emptyMails } from '../mail/queries.ts';
import type { SecretBox } from '../secrets/secret-keys.ts';
import type { Queryable, Transaction } from '../store/database.ts';
import { toIso } from '../text/time-text.ts';
import { CODE_IS_SPENT, CODE_LIFETIME_MS, type CodePurpose, newCode } from './one-time-code.ts';

interface CodeContext {
  readonly now: () => number;
  readonly secretBox: SecretBox;
}

export interface CodeSubject {
  readonly purpose: CodePurpose;
  readonly accountId: string | null;
  readonly email?: string | undefined;
}

/** Makes a code; an earlier one for the same purpose and account stops working. */
export async function issueCode(
  tx: Transaction,
  context: CodeContext & { readonly random: (bytes: number) => Uint8Array },
  subject: CodeSubject,
): Promise<string> {
  const { purpose, accountId } = subject;
  const code = newCode(context.random);
  const replaced = await tx
    .deleteFrom('one_time_codes')
    .where('purpose', '=', purpose)
    .where('account_id', accountId === null ? 'is' : '=', accountId)
    .returning('code_hash')
    .execute();
  await emptyMails(
    tx,
    replaced.map(({ code_hash }) => code_hash),
  );
  await keepCode(tx, context, code, subject);
  return code;
}

/** Stores a code, or another text that works once, until it is used or too old. */
export async function keepCode(
  tx: Transaction,
  context: CodeContext,
  code: string,
  { purpose, accountId, email }: CodeSubject,
): Promise<void> {
  const now = context.now();
  await tx
    .insertInto('one_time_codes')
    .values({
      code_hash: context.secretBox.hashesOfCode(code)[0],
      purpose,
      account_id: accountId,
      email: email ?? null,
      created_at: toIso(now),
      expires_at: toIso(now + CODE_LIFETIME_MS[purpose]),
    })
    .execute();
}

export const hasCode = async (
  db: Queryable,
  context: Pick<CodeContext, 'now'>,
  { purpose, accountId, email }: CodeSubject,
): Promise<boolean> => {
  let query = db
    .selectFrom('one_time_codes')
    .select('code_hash')
    .where('purpose', '=', purpose)
    .where('account_id', '=', accountId)
    .where('expires_at', '>', toIso(context.now()));
  if (email !== undefined) query = query.where('email', '=', email);
  return (await query.executeTakeFirst()) !== undefined;
};

/** The account of a code, without using it up; `null` where the code does not work. */
export async function accountOfCode(
  db: Queryable,
  context: CodeContext,
  purpose: CodePurpose,
  code: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('one_time_codes')
    .select('account_id')
    .where('code_hash', 'in', context.secretBox.hashesOfCode(code))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', toIso(context.now()))
    .executeTakeFirst();
  return row?.account_id ?? null;
}

/**
 * Uses a code up; of several concurrent uses one succeeds. Gives the same refusal for an unknown, used or expired code
 * and, with `accountId`, for another account's.
 */
export async function consumeCode(
  tx: Transaction,
  context: CodeContext,
  purpose: CodePurpose,
  code: string,
  accountId?: string,
): Promise<{ readonly accountId: string | null; readonly email: string | null }> {
  let query = tx
    .deleteFrom('one_time_codes')
    .where('code_hash', 'in', context.secretBox.hashesOfCode(code))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', toIso(context.now()))
    .returning(['account_id', 'email']);
  if (accountId !== undefined) query = query.where('account_id', '=', accountId);
  const row = await query.executeTakeFirst();
  if (row === undefined) throw invalid(CODE_IS_SPENT);
  await emptyMails(tx, context.secretBox.hashesOfCode(code));
  return { accountId: row.account_id, email: row.email };
}

export function deleteCodes(tx: Transaction, purpose: CodePurpose, accountId?: string): Promise<unknown> {
  const query = tx.deleteFrom('one_time_codes').where('purpose', '=', purpose);
  return (accountId === undefined ? query : query.where('account_id', '=', accountId)).execute();
}

export const deleteCodesOf = (tx: Transaction, codeHashes: readonly string[]): Promise<unknown> =>
  tx.deleteFrom('one_time_codes').where('code_hash', 'in', codeHashes).execute();
