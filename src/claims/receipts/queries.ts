/** SQL of the keys that sign receipts. */
import type { Selectable } from 'kysely';
import type { Queryable, Transaction } from '../../store/database.ts';
import type { ReceiptKeysTable } from '../../store/tables/claims.ts';

type ReceiptKey = Selectable<ReceiptKeysTable>;

/** The key that signs; `null` where none was made yet. */
export async function findSigningKey(
  db: Queryable,
): Promise<{ readonly kid: string; readonly privateKey: string } | null> {
  const row = await db
    .selectFrom('receipt_keys')
    .select(['kid', 'private_key as privateKey'])
    .where('private_key', 'is not', null)
    .$narrowType<{ privateKey: string }>()
    .executeTakeFirst();
  return row ?? null;
}

/** The public halves of all keys that ever signed, the newest first. */
export async function listPublicKeys(db: Queryable): Promise<string[]> {
  const rows = await db
    .selectFrom('receipt_keys')
    .select('public_key')
    .orderBy('created_at', 'desc')
    .orderBy('kid')
    .execute();
  return rows.map(({ public_key }) => public_key);
}

/** Inserts the key that signs from now on. Changes nothing where there is one. */
export async function insertSigningKey(
  tx: Transaction,
  key: Omit<ReceiptKey, 'private_key'> & { readonly private_key: string },
): Promise<void> {
  await tx
    .insertInto('receipt_keys')
    .values(key)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Deletes the private half of the key that signs; its public half stays. */
export async function retireSigningKey(tx: Transaction): Promise<void> {
  await tx
    .updateTable('receipt_keys')
    .set({ private_key: null })
    .where('private_key', 'is not', null)
    .execute();
}
