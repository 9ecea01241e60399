import type { Insertable } from 'kysely';
import type { Queryable, Transaction } from '../../platform/store/database.ts';
import type { ReceiptKeysTable } from '../../platform/store/tables/claims.ts';

/** Returns the purpose under which the private key is encrypted. */
export const purposeOfKey = (kid: string): string => `receipt:${kid}`;

export const findSigningKey = (db: Queryable) =>
  db
    .selectFrom('receipt_keys')
    .select(['kid', 'private_key as privateKey'])
    .where('private_key', 'is not', null)
    .$narrowType<{ privateKey: string }>()
    .executeTakeFirst();

/** Public keys of all signing keys, including retired keys, newest first. */
export async function listPublicKeys(db: Queryable): Promise<string[]> {
  const rows = await db
    .selectFrom('receipt_keys')
    .select('public_key')
    .orderBy('created_at', 'desc')
    .orderBy('kid')
    .execute();
  return rows.map(({ public_key }) => public_key);
}

export async function insertSigningKey(tx: Transaction, key: Insertable<ReceiptKeysTable>): Promise<void> {
  await tx
    .insertInto('receipt_keys')
    .values(key)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function retireSigningKey(tx: Transaction): Promise<void> {
  await tx
    .updateTable('receipt_keys')
    .set({ private_key: null })
    .where('private_key', 'is not', null)
    .execute();
}
