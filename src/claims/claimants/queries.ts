/** The claims of one person, for the person. */
import { type InferResult, sql } from 'kysely';
import { publicState } from '../../marketplace/listings/queries.ts';
import type { DatabaseReader, Engine, Queryable, Transaction } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { insertionOf } from '../../platform/store/insert-rows.ts';
import { numberOfAccount } from '../../platform/store/numbers.ts';
import { isUuid } from '../../platform/store/uuid.ts';
import { CLAIMANT_COLUMNS, claimsWithOpenings } from '../queries.ts';

const claimsOf = (db: Queryable, claimantId: string) =>
  claimsWithOpenings(db)
    .innerJoin('accounts', 'accounts.id', 'claims.account_id')
    .select([
      ...CLAIMANT_COLUMNS,
      'claims.seq',
      'claims.account_id',
      'claims.listing_id',
      'claims.mode',
      'claims.token_hash',
      'claims.token_origin',
      'claims.replaced_at',
      'offers.code',
      'offers.redemption_link',
      'offers.test_link',
      'offers.shop_url',
      'offers.conditions',
      'listings.name as listing_name',
      'listings.slug as listing_slug',
      'listings.url as listing_url',
      publicState.as('listing_state'),
      'accounts.suspended_at as owner_suspended_at',
      'accounts.deleted_at as owner_deleted_at',
      'claim_openings.opened_at',
    ])
    .where('claims.claimant_number', '=', numberOfAccount(claimantId));

export type ClaimantClaim = InferResult<ReturnType<typeof claimsOf>>[number];

export interface ClaimantCursor {
  readonly isRedeemed: boolean;
  readonly seq: number;
}

/** A person's live claims: unredeemed before redeemed, and newest first in each group. */
export function readClaimsOf(
  db: Queryable,
  claimantId: string,
  page: { readonly after: ClaimantCursor | null; readonly limit: number },
): Promise<ClaimantClaim[]> {
  let query = claimsOf(db, claimantId).where('claims.mode', '=', 'live');
  const { after } = page;
  if (after !== null) {
    const rest = sql<boolean>`claims.redeemed_at is ${after.isRedeemed ? sql`not null` : sql`null`} and claims.seq < ${after.seq}`;
    query = query.where(after.isRedeemed ? rest : sql<boolean>`(claims.redeemed_at is not null or ${rest})`);
  }
  return query
    .orderBy(sql`case when claims.redeemed_at is null then 0 else 1 end`)
    .orderBy('claims.seq', 'desc')
    .limit(page.limit)
    .execute();
}

/** `before`: only claims with a lower `seq`. */
export const readNewestClaimsOf = (
  db: Queryable,
  claimantId: string,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Promise<ClaimantClaim[]> =>
  claimsOf(db, claimantId)
    .where('claims.mode', '=', 'live')
    .$if(before !== null, (query) => query.where('claims.seq', '<', before!))
    .orderBy('claims.seq', 'desc')
    .limit(limit)
    .execute();

export type ClaimOnListing = Awaited<ReturnType<typeof readClaimsOnListing>>[number];

/** Live claims that were not replaced; at most one per offer. */
export const readClaimsOnListing = (db: Queryable, claimantId: string, listingId: string) =>
  db
    .selectFrom('claims')
    .innerJoin('offers', 'offers.id', 'claims.offer_id')
    .select(['claims.id', 'claims.offer_id', 'offers.offer', 'offers.kind', 'claims.redeemed_at'])
    .where('claims.claimant_number', '=', numberOfAccount(claimantId))
    .where('claims.listing_id', '=', listingId)
    .where('claims.mode', '=', 'live')
    .where('claims.replaced_at', 'is', null)
    .orderBy('claims.seq')
    .execute();

export async function findClaimOfPerson(
  { engine, read }: DatabaseReader,
  claimantId: string,
  claimId: string,
): Promise<ClaimantClaim | undefined> {
  if (!isUuid(claimId)) return undefined;
  return await claimsOf(read, claimantId)
    .where(DIALECTS[engine].hasClaimId([claimId]))
    .executeTakeFirst();
}

/** Returns false if the claim was already opened. */
export async function insertOpening(
  tx: Transaction,
  engine: Engine,
  opening: { readonly accountId: string; readonly claimId: string; readonly openedAt: string },
): Promise<boolean> {
  const row = {
    account_number: opening.accountId,
    claim_id: opening.claimId,
    opened_at: opening.openedAt,
  };
  const { rows } = await sql`${insertionOf(engine, 'claim_openings', OPENING_COLUMNS, [row])}
    on conflict do nothing returning claim_id`.execute(tx);
  return rows.length > 0;
}

const OPENING_COLUMNS = { account_number: 'accountNumber', claim_id: 'uuid', opened_at: 'time' } as const;
