/** SQL of receipts: the keys that sign them, and the claims they are about. */
import { type Selectable, sql } from 'kysely';
import type { Mode } from '../../keys/key.ts';
import type { DatabaseReader, Queryable, Transaction } from '../../store/database.ts';
import { DIALECTS } from '../../store/dialects.ts';
import type { ReceiptKeysTable } from '../../store/tables/claims.ts';
import type { RedeemedClaim } from './receipt.ts';

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

/** Changes nothing where another process was first. */
export async function replacePrivateKey(
  tx: Transaction,
  kid: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await tx
    .updateTable('receipt_keys')
    .set({ private_key: to })
    .where('kid', '=', kid)
    .where('private_key', '=', from)
    .execute();
}

/** `offer` and `kind` are `null` where it is not known what they were at the redemption. */
type ClaimForReceipt = Omit<RedeemedClaim, 'redeemed_at' | 'offer' | 'kind'> & {
  readonly offer: string | null;
  readonly kind: string | null;
  readonly redeemed_at: string | null;
};

/**
 * A claim for its receipt; `undefined` where the account and mode have none with this id. Offer and kind are those of
 * the redemption: its claim names them where it came with an Idempotency-Key, and an offer that was never reworded has
 * only these.
 */
export const findClaimForReceipt = (
  { engine, read }: DatabaseReader,
  { accountId, mode, id }: { readonly accountId: string; readonly mode: Mode; readonly id: string },
): Promise<ClaimForReceipt | undefined> => {
  const unlessReworded = (column: 'offer' | 'kind') => sql<string | null>`
    case (select count(*) from offer_wordings w where w.offer_id = claims.offer_id)
      when 1 then ${sql.ref(`offers.${column}`)} end`;
  return read
    .selectFrom('claims')
    .innerJoin('offers', 'offers.id', 'claims.offer_id')
    .innerJoin('listings', 'listings.id', 'claims.listing_id')
    .select(({ fn }) => [
      'claims.id',
      'claims.mode',
      'claims.offer_id',
      fn.coalesce('claims.redeemed_offer', unlessReworded('offer')).as('offer'),
      fn.coalesce('claims.redeemed_kind', unlessReworded('kind')).as('kind'),
      'listings.slug as listing',
      'claims.via',
      'claims.claimed_at',
      'claims.redeemed_at',
    ])
    .where(DIALECTS[engine].hasClaimId([id]))
    .where('claims.account_id', '=', accountId)
    .where('claims.mode', '=', mode)
    .executeTakeFirst();
};
