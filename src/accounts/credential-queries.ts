/** Queries for passwords and email addresses. */
import { isFound, type Queryable, type Transaction } from '../store/database.ts';
import type { EndedAccess } from '../store/tables/accounts.ts';
import { toIso } from '../text/time-text.ts';
import type { Account } from './queries.ts';

export const findByEmail = (db: Queryable, email: string): Promise<Account | undefined> =>
  db.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirst();

export interface Credentials {
  readonly account: Account;
  /** Hash of the password; `null` if none has been set yet. */
  readonly hash: string | null;
}

export async function findCredentials(db: Queryable, email: string): Promise<Credentials | undefined> {
  const row = await db
    .selectFrom('accounts')
    .leftJoin('passwords', 'passwords.account_id', 'accounts.id')
    .selectAll('accounts')
    .select('passwords.hash')
    .where('accounts.email', '=', email)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { hash, ...account } = row;
  return { account, hash };
}

export async function putPassword(
  tx: Transaction,
  { now }: { readonly now: () => number },
  accountId: string,
  hash: string,
): Promise<void> {
  await tx
    .insertInto('passwords')
    .values({
      account_id: accountId,
      hash,
      created_at: toIso(now()),
    })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ hash }))
    .execute();
}

/** Ends steps begun with an earlier password or address: sent links, and sign-ins that wait for a code. */
export async function endSteps(tx: Transaction, accountId: string): Promise<void> {
  await tx.deleteFrom('one_time_codes').where('account_id', '=', accountId).execute();
  await tx.deleteFrom('sign_in_steps').where('account_id', '=', accountId).execute();
}

export async function findPasswordHash(db: Queryable, accountId: string): Promise<string | null> {
  const row = await db
    .selectFrom('passwords')
    .select('hash')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.hash ?? null;
}

export const deletePassword = (tx: Transaction, accountId: string): Promise<unknown> =>
  tx.deleteFrom('passwords').where('account_id', '=', accountId).execute();

/** Revokes the API keys of an account and disables its webhook endpoints. */
export async function endIntegrations(tx: Transaction, accountId: string, at: string): Promise<void> {
  await tx
    .updateTable('api_keys')
    .set({ revoked_at: at })
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .execute();
  await tx
    .updateTable('webhook_endpoints')
    .set({ disabled_at: at, disabled_reason: 'manual' })
    .where('account_id', '=', accountId)
    .where('disabled_at', 'is', null)
    .execute();
}

export const hasPassword = async (db: Queryable, accountId: string): Promise<boolean> =>
  (await findPasswordHash(db, accountId)) !== null;

/** Marks the email address as verified, unless it already is. */
export const confirmEmail = (tx: Transaction, accountId: string, at: string): Promise<unknown> =>
  tx
    .updateTable('accounts')
    .set({ email_verified_at: at })
    .where('id', '=', accountId)
    .where('email_verified_at', 'is', null)
    .execute();

export const hasOperator = (db: Queryable): Promise<boolean> =>
  isFound(db.selectFrom('accounts').select('id').where('operator_since', 'is not', null).limit(1));

export async function emptyTable(tx: Transaction, table: keyof EndedAccess): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom(table).executeTakeFirst();
  return Number(numDeletedRows);
}
