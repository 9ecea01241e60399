/** Queries that read claims. Lists for owners are in `search/`, lists for claimants in `claimants/`. */
import { type InferResult, sql } from 'kysely';
import type { Mode } from '../people/keys/key.ts';
import type { DatabaseReader, Queryable } from '../platform/store/database.ts';
import { DIALECTS } from '../platform/store/dialects.ts';
import { readAccountNumber } from '../platform/store/numbers.ts';
import { isUuid } from '../platform/store/uuid.ts';
import type { Claim } from './claim.ts';

/** Columns in every query: the id, then the fields of a verify response in the order of the response. */
export const CLAIMANT_COLUMNS = [
  'claims.id',
  'claims.offer_id',
  'offers.offer',
  'offers.kind',
  'listings.slug as listing',
  'claims.via',
  'claims.claimed_at',
  'claims.redeemed_at',
] as const;

const OWNED = [...CLAIMANT_COLUMNS, 'claim_references.reference'] as const;

/** The columns of lists, exports and the page of a claim. */
const LISTED = [
  ...OWNED,
  'claims.seq',
  'claims.mode',
  'claims.claimant_ref as claimant',
  'claims.replaced_at',
  sql<number>`case when offers.redemption_link is null then 1 else 0 end`.as('code_only'),
] as const;

export type ListedClaim = Awaited<ReturnType<typeof findClaims>>[number] &
  Pick<Claim, 'seq' | 'mode' | 'replaced_at'> & {
    readonly claimant: string | null;
    /** 1 if the offer has no link, otherwise 0. Without a link, claims are never redeemed through this service. */
    readonly code_only: number;
  };

export const LISTED_SQL = sql.join(
  LISTED.map((column) => {
    if (typeof column !== 'string') return column;
    const [of, name] = column.split(' as ');
    return name === undefined ? sql.ref(of!) : sql`${sql.ref(of!)} as ${sql.ref(name)}`;
  }),
);

export const claimsWithOffers = (db: Queryable) =>
  db
    .selectFrom('claims')
    .innerJoin('offers', 'offers.id', 'claims.offer_id')
    .innerJoin('listings', 'listings.id', 'claims.listing_id')
    // Not joined in the view, because PostgreSQL doesn't reorder joins of more than eight tables.
    .leftJoin('claim_references', (join) =>
      join
        .onRef('claim_references.account_number', '=', 'claims.account_number')
        .onRef('claim_references.claim_seq', '=', 'claims.seq'),
    );

export type ClaimKey = { readonly id: string } | { readonly tokenHash: Uint8Array };

export const claimsWithOpenings = (db: Queryable) =>
  claimsWithOffers(db).leftJoin('claim_openings', (join) =>
    join
      .onRef('claim_openings.account_number', '=', 'claims.account_number')
      .onRef('claim_openings.claim_id', '=', 'claims.id'),
  );

const claimsInDetail = (db: Queryable) =>
  claimsWithOpenings(db)
    // The second condition hides the key of a former owner.
    .leftJoin('api_keys', (join) =>
      join
        .onRef('api_keys.id', '=', 'claims.redeemed_by_key_id')
        .onRef('api_keys.account_id', '=', 'claims.account_id'),
    )
    .select([
      ...LISTED,
      'claims.account_id',
      'claims.listing_id',
      'claims.token_hash',
      'claims.token_origin',
      'claims.claimant_id',
      'claims.redeemed_by_key_id',
      'claims.redeemed_offer',
      'claims.redeemed_kind',
      'listings.name as listing_name',
      'api_keys.name as redeemed_by_key_name',
      'api_keys.start as redeemed_by_key_start',
      'claim_openings.opened_at',
    ]);

export type DetailedClaim = InferResult<ReturnType<typeof claimsInDetail>>[number];

export async function findClaim(
  { engine, read }: DatabaseReader,
  accountId: string | null,
  key: ClaimKey,
): Promise<DetailedClaim | undefined> {
  if ('id' in key && !isUuid(key.id)) return undefined;
  // Read first: a distributed table is read on all nodes if the number comes from a subquery.
  const account = accountId === null ? null : await readAccountNumber(read, accountId);
  const query = claimsInDetail(read).$if(account !== null, (all) =>
    all.where('claims.account_number', '=', account!),
  );
  if ('id' in key) return await query.where(DIALECTS[engine].hasClaimId([key.id])).executeTakeFirst();
  return await query.where('claims.token_hash', '=', key.tokenHash).executeTakeFirst();
}

/** The claims that an API key may read. */
export interface ClaimScope {
  readonly accountId: string;
  readonly mode: Mode;
}

const ofScope = ({ engine, read }: DatabaseReader, { accountId, mode }: ClaimScope, ids: readonly string[]) =>
  claimsWithOffers(read)
    .where(DIALECTS[engine].hasClaimId(ids))
    .where('claims.account_id', '=', accountId)
    .where('claims.mode', '=', mode);

export const findClaims = (db: DatabaseReader, scope: ClaimScope, ids: readonly string[]) =>
  ofScope(db, scope, ids).select(OWNED).execute();

/** Includes the offer's wording at redemption, if known. */
export const findClaimForReceipt = (db: DatabaseReader, scope: ClaimScope, id: string) =>
  ofScope(db, scope, [id])
    .select([
      ...OWNED,
      'claims.redeemed_offer',
      'claims.redeemed_kind',
      sql<number>`(select count(*) from offer_wordings w where w.offer_id = claims.offer_id)`.as('wordings'),
    ])
    .executeTakeFirst();

export async function listOwners(db: Queryable): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('listings')
    .select('account_id')
    .distinct()
    .orderBy('account_id')
    .execute();
  return rows.map((row) => row.account_id);
}

/** Accounts to read one after the other; `[null]` if one index covers the claims of all accounts. */
export const accountsInTurn = async ({
  engine,
  read,
}: DatabaseReader): Promise<readonly (string | null)[]> =>
  DIALECTS[engine].isKeyedByAccount ? await listOwners(read) : [null];
