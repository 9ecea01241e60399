/** The SQL of passkeys. */
import type { Selectable } from 'kysely';
import type { Queryable, Transaction } from '../store/database.ts';
import type { PasskeysTable } from '../store/schema.ts';

type PasskeyRow = Selectable<PasskeysTable>;

export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

/** The passkeys of an account, the oldest first. */
export async function listPasskeys(db: Queryable, accountId: string): Promise<Passkey[]> {
  const rows = await db
    .selectFrom('passkeys')
    .select(['id', 'name', 'created_at', 'last_used_at'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }));
}

/** What tells a browser which passkeys an account has already. */
export const listCredentials = (
  db: Queryable,
  accountId: string,
): Promise<Pick<PasskeyRow, 'credential_id' | 'transports'>[]> =>
  db
    .selectFrom('passkeys')
    .select(['credential_id', 'transports'])
    .where('account_id', '=', accountId)
    .execute();

/** By the name that its browser has for it; unique over all accounts. */
export const findPasskey = (db: Queryable, credentialId: string): Promise<PasskeyRow | undefined> =>
  db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst();

/** False where the passkey is known already, to whichever account. */
export async function insertPasskey(tx: Transaction, passkey: PasskeyRow): Promise<boolean> {
  const row = await tx
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The name of the passkey that is gone; `null` where the account has no such one. */
export async function deletePasskey(tx: Transaction, accountId: string, id: string): Promise<string | null> {
  const row = await tx
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returning('name')
    .executeTakeFirst();
  return row?.name ?? null;
}

/** Ids and names of the passkeys that are gone: all of an account. */
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
