/** Codes that work once, in links of mails and of the terminal. Only their SHA-256 is kept. */
import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { checksumBase62, endsInChecksum, isBase62, randomBase62, sha256 } from '../secrets.ts';
import type { Queryable, Transaction } from '../store/database.ts';

export type CodePurpose =
  | 'set-up'
  | 'set-password'
  | 'confirm-email'
  | 'change-email'
  | 'sign-in'
  /** Challenges that a passkey signs. */
  | 'add-passkey'
  | 'use-passkey';

const MINUTE_MS = 60_000;
/** How long a code of each purpose works. */
export const CODE_LIFETIME_MS: Readonly<Record<CodePurpose, number>> = {
  'set-up': 30 * MINUTE_MS,
  'set-password': 60 * MINUTE_MS,
  'confirm-email': 24 * 60 * MINUTE_MS,
  'change-email': 60 * MINUTE_MS,
  'sign-in': 24 * 60 * MINUTE_MS,
  'add-passkey': 5 * MINUTE_MS,
  'use-passkey': 5 * MINUTE_MS,
};

/** 143 bits of chance, and a checksum that catches mistyping. */
const RANDOM_LENGTH = 24;
const CODE_LENGTH = 30;

export interface CodeSubject {
  readonly purpose: CodePurpose;
  readonly accountId: string | null;
  /** The address to confirm, where it is about one. */
  readonly email?: string | undefined;
}

const hashOf = (code: string): string => Buffer.from(sha256(code)).toString('base64url');

/** Makes a code; one made earlier for the same purpose and account stops working. */
export async function issueCode(
  tx: Transaction,
  context: Pick<Context, 'now' | 'random'>,
  subject: CodeSubject,
): Promise<string> {
  const { purpose, accountId } = subject;
  const text = randomBase62(context.random, RANDOM_LENGTH);
  const code = text + checksumBase62(text);
  await tx
    .deleteFrom('one_time_codes')
    .where('purpose', '=', purpose)
    .where('account_id', accountId === null ? 'is' : '=', accountId)
    .execute();
  await keepCode(tx, context, code, subject);
  return code;
}

/** Keeps a code, or another text that works once, until it is consumed or too old. */
export async function keepCode(
  tx: Transaction,
  context: Pick<Context, 'now'>,
  code: string,
  { purpose, accountId, email }: CodeSubject,
): Promise<void> {
  const now = context.now();
  await tx
    .insertInto('one_time_codes')
    .values({
      code_hash: hashOf(code),
      purpose,
      account_id: accountId,
      email: email ?? null,
      created_at: new Date(now).toISOString(),
      expires_at: new Date(now + CODE_LIFETIME_MS[purpose]).toISOString(),
    })
    .execute();
}

/** The code as typed or pasted, white space aside. Refuses what is mistyped, before it is looked up. */
export function parseCode(text: string): string {
  const code = text.replace(/\s+/g, '');
  if (code === '') throw invalid('The code is missing.');
  if (code.length !== CODE_LENGTH || !isBase62(code, 0) || !endsInChecksum(code)) {
    throw invalid(`The code is not complete or mistyped: it has ${CODE_LENGTH} letters and digits.`);
  }
  return code;
}

export const CODE_IS_SPENT = 'This code does not work (any more): it was used, or is too old.';

/** The account that a code was made for, without using it up; `null` where it does not work. */
export async function accountOfCode(
  db: Queryable,
  context: Pick<Context, 'now'>,
  purpose: CodePurpose,
  code: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('one_time_codes')
    .select('account_id')
    .where('code_hash', '=', hashOf(code))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', new Date(context.now()).toISOString())
    .executeTakeFirst();
  return row?.account_id ?? null;
}

/**
 * Uses a code up: of several who try at once, one gets it. Refuses one that is unknown, used or too old, or another
 * account's where `accountId` says whose it must be, alike.
 */
export async function consumeCode(
  tx: Transaction,
  context: Pick<Context, 'now'>,
  purpose: CodePurpose,
  code: string,
  accountId?: string,
): Promise<{ readonly accountId: string | null; readonly email: string | null }> {
  let query = tx
    .deleteFrom('one_time_codes')
    .where('code_hash', '=', hashOf(code))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', new Date(context.now()).toISOString())
    .returning(['account_id', 'email']);
  if (accountId !== undefined) query = query.where('account_id', '=', accountId);
  const row = await query.executeTakeFirst();
  if (row === undefined) throw invalid(CODE_IS_SPENT);
  return { accountId: row.account_id, email: row.email };
}
