import { type InferResult, sql } from 'kysely';
import { publicState } from '../../marketplace/listings/queries.ts';
import type { Engine, Queryable, Transaction } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { insertionOf } from '../../platform/store/insert-rows.ts';

const claimableOffers = (db: Queryable, offerIds: readonly string[]) =>
  db
    .selectFrom('offers')
    .innerJoin('listings', 'listings.id', 'offers.listing_id')
    .innerJoin('accounts', 'accounts.id', 'offers.account_id')
    .select([
      'offers.id',
      'offers.number',
      'offers.account_id',
      'offers.account_number',
      'offers.listing_id',
      'offers.redemption_link',
      'offers.code',
      'offers.code_list',
      'offers.paused_at',
      'offers.starts_at',
      'offers.ends_at',
      'offers.claim_limit',
      'offers.hidden_since',
      'listings.slug as listing_slug',
      'listings.visibility',
      publicState.as('listing_state'),
    ])
    .where('offers.id', 'in', offerIds);

export type ClaimableOffer = InferResult<ReturnType<typeof claimableOffers>>[number];

export const findClaimableOffer = (db: Queryable, offerId: string): Promise<ClaimableOffer | undefined> =>
  claimableOffers(db, [offerId]).executeTakeFirst();

/** Takes the offer's lock. Every new claim on the offer and every change to the offer requires this lock. */
export async function lockOffer(
  tx: Transaction,
  engine: Engine,
  offerId: string,
): Promise<ClaimableOffer | undefined> {
  await DIALECTS[engine].takeLock(tx, offerId);
  return await findClaimableOffer(tx, offerId);
}

export async function readOffers(
  db: Queryable,
  offerIds: readonly string[],
): Promise<ReadonlyMap<string, ClaimableOffer>> {
  if (offerIds.length === 0) return new Map();
  const rows = await claimableOffers(db, offerIds).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export interface OfferCounts {
  /** Live claims, including imported ones. */
  readonly claims: number;
  readonly codes_left: number;
}

/** Keyed by offer id. Omits offers without counts. */
export async function readCountsOf(
  db: Queryable,
  offerIds: readonly string[],
): Promise<ReadonlyMap<string, OfferCounts>> {
  if (offerIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('offers')
    .innerJoin('offer_claims', (join) =>
      join
        .onRef('offer_claims.account_number', '=', 'offers.account_number')
        .onRef('offer_claims.offer_id', '=', 'offers.id'),
    )
    .select(['offers.id', 'offer_claims.claims', 'offer_claims.codes_left'])
    .where('offers.id', 'in', offerIds)
    .execute();
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}

export async function addOfferClaims(
  tx: Transaction,
  engine: Engine,
  offer: { readonly id: string; readonly account_id: string },
  added: number,
): Promise<void> {
  const row = { account_number: offer.account_id, offer_id: offer.id, claims: added };
  await sql`${insertionOf(engine, 'offer_claims', COUNT_COLUMNS, [row])}
    on conflict (account_number, offer_id) do update set claims = offer_claims.claims + excluded.claims`.execute(
    tx,
  );
}

const COUNT_COLUMNS = { account_number: 'accountNumber', offer_id: 'uuid', claims: 'integer' } as const;
