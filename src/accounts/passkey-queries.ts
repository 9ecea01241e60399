/** SQL of passkeys. */
import type { Selectable } from 'kysely';
import { isFound, type Queryable, type Transaction } from '../store/database.ts';
import type { PasskeysTable } from '../store/tables/accounts.ts';

type PasskeyRow = Selectable<PasskeysTable>;

export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

export const listPasskeys = (db: Queryable, accountId: string): Promise<Passkey[]> =>
  db
    .selectFrom('passkeys')
    .select(['id', 'name', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();

export const listCredentials = (
  db: Queryable,
  accountId: string,
): Promise<Pick<PasskeyRow, 'credential_id' | 'transports'>[]> =>
  db
    .selectFrom('passkeys')
    .select(['credential_id', 'transports'])
    .where('account_id', '=', accountId)
    .execute();

/** Finds a passkey by its credential id, which is unique over all accounts. */
export const findPasskey = (db: Queryable, credentialId: string): Promise<PasskeyRow | undefined> =>
  db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst();

/** False where any account has the passkey already. */
export const insertPasskey = (tx: Transaction, passkey: PasskeyRow): Promise<boolean> =>
  isFound(
    tx
      .insertInto('passkeys')
      .values(passkey)
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .returning('id'),
  );

/** Returns the name of the deleted passkey; `null` where the account has none with this id. */
export async function deletePasskey(tx: Transaction, accountId: string, id: string): Promise<string | null> {
  const row = await tx
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returning('name')
    .executeTakeFirst();
  return row?.name ?? null;
}

export const deletePasskeys = (
  tx: Transaction,
  accountId: string,
): Promise<Pick<PasskeyRow, 'id' | 'name'>[]> =>
  tx.deleteFrom('passkeys').where('account_id', '=', accountId).returning(['id', 'name']).execute();

export const updatePasskeyUse = (
  tx: Transaction,
  id: string,
  counter: number,
  at: string,
): Promise<unknown> =>
  tx.updateTable('passkeys').set({ counter, last_used_at: at }).where('id', '=', id).execute();
