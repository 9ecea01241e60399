/** One-time codes in the database. */
import { type Selectable, sql } from 'kysely';
import { invalid } from '../../../platform/errors.ts';
import type { SecretBox } from '../../../platform/secrets/secret-keys.ts';
import { compileOnce } from '../../../platform/store/compile-once.ts';
import type { Queryable, Transaction } from '../../../platform/store/database.ts';
import type { OneTimeCodesTable } from '../../../platform/store/tables/accounts.ts';
import { toIso } from '../../../platform/text/time-text.ts';
import { emptyMails } from '../../mail/queries.ts';
import { CODE_IS_SPENT, CODE_LIFETIME_MS, type CodePurpose, newCode } from './one-time-code.ts';

interface CodeContext {
  readonly now: () => number;
  readonly secretBox: SecretBox;
}

interface CodeSubject {
  readonly purpose: CodePurpose;
  readonly accountId: string | null;
  readonly email?: string | undefined;
  /** The usual lifetime of the purpose if omitted. */
  readonly lifetimeMs?: number | undefined;
}

/** Revokes earlier codes for the same purpose and account. */
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
  const hashes = replaced.map(({ code_hash }) => code_hash);
  await emptyMails(tx, hashes);
  await keepCode(tx, context, code, subject);
  return code;
}

/** `code`: a one-time code, or another single-use value, such as a WebAuthn challenge. */
export async function keepCode(
  tx: Transaction,
  context: CodeContext,
  code: string,
  { purpose, accountId, email, lifetimeMs = CODE_LIFETIME_MS[purpose] }: CodeSubject,
): Promise<void> {
  const now = context.now();
  await insertCode(tx, {
    code_hash: context.secretBox.hashesOfCode(code)[0],
    purpose,
    account_id: accountId,
    email: email ?? null,
    created_at: toIso(now),
    expires_at: toIso(now + lifetimeMs),
  });
}

const insertCode = compileOnce((db, code: Selectable<OneTimeCodesTable>) =>
  db.insertInto('one_time_codes').values(code),
);

/** Returns when the code expires, in milliseconds since the epoch; `null`: there is no valid code. */
export async function codeUntilMs(
  db: Queryable,
  context: Pick<CodeContext, 'now'>,
  { purpose, accountId, email }: CodeSubject,
): Promise<number | null> {
  const row = await db
    .selectFrom('one_time_codes')
    .select('expires_at')
    .where('purpose', '=', purpose)
    .where('account_id', '=', accountId)
    .where('expires_at', '>', toIso(context.now()))
    .$if(email !== undefined, (query) => query.where('email', '=', email!))
    .executeTakeFirst();
  return row === undefined ? null : Date.parse(row.expires_at);
}

/** Returns the code of the setup link, which may have expired. */
export const findSetUpCode = (tx: Transaction) =>
  tx
    .selectFrom('one_time_codes')
    .select(['code_hash', 'created_at'])
    .where('purpose', '=', 'set-up')
    .executeTakeFirst();

/** Returns a valid code without consuming it. */
export const findCode = (db: Queryable, context: CodeContext, purpose: CodePurpose, code: string) =>
  db
    .selectFrom('one_time_codes')
    .select(['account_id', 'email', 'created_at'])
    .where('code_hash', 'in', context.secretBox.hashesOfCode(code))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', toIso(context.now()))
    .executeTakeFirst();

/** With `accountId`, another account's code is rejected with the same message as an unknown or used code. */
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

/** Also deletes the text of their mails, with a query that shares the round trip. */
export async function deleteCodesOf(tx: Transaction, codeHashes: readonly string[]): Promise<void> {
  if (codeHashes.length === 0) return;
  await Promise.all([deleteByHash(tx, { codeHashes }), emptyMails(tx, codeHashes)]);
}

const deleteByHash = compileOnce((db, { codeHashes }: { codeHashes: readonly string[] }, { isOneOf }) =>
  db.deleteFrom('one_time_codes').where(isOneOf(sql.ref('code_hash'), 'text', codeHashes)),
);
