import type { Selectable } from 'kysely';
import { Refusal } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import { compileOnce } from '../../platform/store/compile-once.ts';
import {
  type Engine,
  type IdPage,
  isFound,
  type Queryable,
  type Transaction,
} from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { numberOfAccount } from '../../platform/store/numbers.ts';
import type { AccountsTable, MailboxMarksTable } from '../../platform/store/tables/accounts.ts';
import { isUuid, NIL_UUID } from '../../platform/store/uuid.ts';
import { quote } from '../../platform/text/text.ts';
import { mailboxOf, spelledEmail } from './account.ts';

export type Account = Omit<Selectable<AccountsTable>, 'number' | 'mailbox'>;

type NewAccountRow = Pick<
  Account,
  | 'id'
  | 'email'
  | 'name'
  | 'plan'
  | 'operator_since'
  | 'email_verified_at'
  | 'terms_version'
  | 'terms_accepted_at'
  | 'created_at'
>;

/** `null` if the email address is taken, even by a concurrent transaction. */
export async function insertAccount(tx: Transaction, account: NewAccountRow): Promise<Account | null> {
  const [row = null] = await insertUnlessTaken(tx, { ...account, mailbox: mailboxOf(account.email) });
  return row;
}

const insertUnlessTaken = compileOnce((db, account: NewAccountRow & { mailbox: string }) =>
  db
    .insertInto('accounts')
    .values(account)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returningAll(),
);

/** `reference`: an id or email address. Throws `unknown_account`. */
export async function findAccount(db: Queryable, reference: string): Promise<Account> {
  const text = spelledEmail(reference);
  const column = isUuid(text) ? 'id' : 'email';
  const row = await db.selectFrom('accounts').selectAll().where(column, '=', text).executeTakeFirst();
  if (row === undefined)
    throw new Refusal(
      'unknown_account',
      message('There is no account with the id or email address {text}.', { text: quote(reference) }),
    );
  return row;
}

const selectByEmail = compileOnce((db, { email }: { email: string }) =>
  db.selectFrom('accounts').selectAll().where('email', '=', email),
);

export const findByEmail = async (db: Queryable, email: string): Promise<Account | undefined> =>
  (await selectByEmail(db, { email }))[0];

export const readAccountNames = async (db: Queryable, ids: readonly string[]) =>
  ids.length === 0
    ? []
    : await db.selectFrom('accounts').select(['id', 'name']).where('id', 'in', ids).execute();

/** Locks the account until the transaction ends, so that limits checked under the lock still hold at commit. */
export const lockAccount = (tx: Transaction, engine: Engine, id: string): Promise<void> =>
  DIALECTS[engine].takeLock(tx, id);

export const listAccounts = (db: Queryable, { after, limit }: IdPage = {}): Promise<Account[]> =>
  db
    .selectFrom('accounts')
    .selectAll()
    .$if(after !== undefined, (query) => query.where('id', '>', after!))
    .$if(limit !== undefined, (query) => query.limit(limit!))
    .orderBy('id')
    .execute();

/** Counts accounts with addresses at the domain or its subdomains that were created before a time, up to `limit`. */
export async function countAccountsOfDomain(
  db: Queryable,
  domain: string,
  { before, limit }: { readonly before: string; readonly limit: number },
): Promise<number> {
  const rows = await db
    .selectFrom('accounts')
    .select('id')
    .where('created_at', '<', before)
    .where((eb) => eb.or([eb('email', 'like', `%@${domain}`), eb('email', 'like', `%.${domain}`)]))
    .limit(limit)
    .execute();
  return rows.length;
}

export const updateAccount = (
  tx: Transaction,
  id: string,
  change: Partial<Omit<Account, 'id' | 'email'>>,
): Promise<unknown> => tx.updateTable('accounts').set(change).where('id', '=', id).execute();

/** False if another account has `email`; the caller must then roll back. */
export async function updateEmail(
  tx: Transaction,
  engine: Engine,
  id: string,
  email: string,
  at: string,
): Promise<boolean> {
  try {
    const values = { email, mailbox: mailboxOf(email), email_verified_at: at };
    await tx.updateTable('accounts').set(values).where('id', '=', id).execute();
  } catch (error) {
    if (DIALECTS[engine].isUniqueViolation(error)) return false;
    throw error;
  }
  return true;
}

/** Starts an `update` that returns the account's id, for `isFound`. */
export const changing = (tx: Transaction, id: string) =>
  tx.updateTable('accounts').where('id', '=', id).returning('id');

export const hasOperator = (db: Queryable): Promise<boolean> =>
  isFound(db.selectFrom('accounts').select('id').where('operator_since', 'is not', null).limit(1));

export const hasOtherOperator = (tx: Transaction, id: string): Promise<boolean> =>
  isFound(
    tx
      .selectFrom('accounts')
      .select('id')
      .where('operator_since', 'is not', null)
      .where('suspended_at', 'is', null)
      .where('id', '<>', id)
      .limit(1),
  );

/** Whose log has the events about the marketplace itself that nobody in particular caused; `null`: nobody's. */
export async function findFirstOperator(db: Queryable): Promise<string | null> {
  const row = await db
    .selectFrom('accounts')
    .select('id')
    .where('operator_since', 'is not', null)
    .orderBy('operator_since')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

type Since = 'operator_since' | 'publisher_since' | 'suspended_at' | 'email_verified_at' | 'two_factor_at';

/** Sets the column only if it is `null`; an `at` of `null` clears it. Returns false if nothing has changed. */
export const setSince = (tx: Transaction, id: string, column: Since, at: string | null): Promise<boolean> =>
  isFound(
    changing(tx, id)
      .set({ [column]: at })
      .where(column, at === null ? 'is not' : 'is', null),
  );

/** False if no deletion is planned, or if the deletion has begun. */
export const unplanDeletionOf = (tx: Transaction, id: string): Promise<boolean> =>
  isFound(
    changing(tx, id)
      .set({ delete_at: null, delete_reason: null })
      .where('delete_at', 'is not', null)
      .where('deleted_at', 'is', null),
  );

/** Accounts whose deletion is due or in progress, the most overdue first. */
export async function findDueDeletions(db: Queryable, at: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('accounts')
    .select('id')
    .where('delete_at', '<=', at)
    .orderBy('delete_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

const upsertUse = compileOnce((db, { accountId, at }: Readonly<Record<'accountId' | 'at', string>>) =>
  db
    .insertInto('account_uses')
    .values({ account_id: accountId, last_used_at: at })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ last_used_at: at })),
);

export const putUse = (tx: Transaction, accountId: string, at: string): Promise<unknown> =>
  upsertUse(tx, { accountId, at });

/**
 * Tables in which the rows of an account are deleted with the account. Add new tables with personal data here, or to
 * `MANY_ROWS_OF_PERSON` if an account can have thousands of rows.
 */
export const TABLES_OF_PERSON = [
  'sessions',
  'passwords',
  'two_factors',
  'backup_codes',
  'passkeys',
  'one_time_codes',
  'sign_in_steps',
  'oidc_identities',
  'account_uses',
  'account_requests',
  'memberships',
  'invitations',
  'access_grants',
  'mail_settings',
] as const;

export async function deleteRowsOf(
  tx: Transaction,
  accountId: string,
  ...tables: readonly (typeof TABLES_OF_PERSON)[number][]
): Promise<number> {
  let deleted = 0;
  for (const table of tables) {
    const { numDeletedRows } = await tx
      .deleteFrom(table)
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    deleted += Number(numDeletedRows);
  }
  return deleted;
}

export const findClaimedOffers = (db: Queryable, accountId: string) =>
  db
    .selectFrom('claim_rows')
    .innerJoin('offers', 'offers.number', 'claim_rows.offer_number')
    .select(['claim_rows.account_number', 'offers.id as offer_id'])
    .distinct()
    .where('claim_rows.claimant_number', '=', numberOfAccount(accountId))
    .where('claim_rows.mode', '=', 'live')
    .execute();

export type MailboxMark = Selectable<MailboxMarksTable>;

const MARKS_A_STATEMENT = 500;

export async function insertMailboxMarks(tx: Transaction, marks: readonly MailboxMark[]): Promise<void> {
  for (let from = 0; from < marks.length; from += MARKS_A_STATEMENT) {
    await tx
      .insertInto('mailbox_marks')
      .values(marks.slice(from, from + MARKS_A_STATEMENT))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

export const readStanding = async (tx: Transaction, accountId: string): Promise<string | null> => {
  const account = tx.selectFrom('accounts').select('standing_since').where('id', '=', accountId);
  return (await account.executeTakeFirstOrThrow()).standing_since;
};

export const setStanding = (tx: Transaction, accountId: string, standing_since: string | null) =>
  tx.updateTable('accounts').set({ standing_since }).where('id', '=', accountId).execute();

const someListing = (db: Queryable, accountId: string) =>
  db.selectFrom('listings').select('id').where('account_id', '=', accountId).limit(1);

export const hasListing = (db: Queryable, accountId: string, exceptId = NIL_UUID): Promise<boolean> =>
  isFound(someListing(db, accountId).where('id', '<>', exceptId));

/** Whether an operator has ever approved a listing of the account: an approval sets the origin for good. */
export const hasApprovedListing = (db: Queryable, accountId: string): Promise<boolean> =>
  isFound(someListing(db, accountId).where('origin', 'is not', null));

export const hasSubmittedListing = (db: Queryable, accountId: string): Promise<boolean> =>
  isFound(someListing(db, accountId).where('submitted_at', 'is not', null));

/** Gives the account's pending listings a new version, so that decisions about the old one are refused. */
export const renewPendingListings = (tx: Transaction, accountId: string) =>
  tx
    .updateTable('listings')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('account_id', '=', accountId)
    .where('state', '=', 'pending')
    .execute();

/** Includes revoked keys. */
export const hasUsedKey = (db: Queryable, accountId: string): Promise<boolean> =>
  isFound(db.selectFrom('api_key_uses').select('api_key_id').where('account_id', '=', accountId).limit(1));
