/**
 * SQL of the owner's lists of claims. A list merges the index entries of its offers, which are in order of time for an
 * offer or for one of its labels, so any page of ten million claims is a short read. No index has the columns that a
 * redemption changes, so a filter on the state reads a limited number of rows at a time.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Mode } from '../keys/key.ts';
import { listingKey } from '../listings/listing.ts';
import type { Offer } from '../offers/queries.ts';
import type { DatabaseReader, Engine, Queryable } from '../store/database.ts';
import { DIALECTS } from '../store/dialects.ts';
import { numberOfAccount, readAccountNumber } from '../store/numbers.ts';
import type { TimePosition } from '../store/time-cursor.ts';
import { isUuid } from '../store/uuid.ts';
import type { Claim } from './claim.ts';

/** The claims of an offer and mode: an index range that lists merge. */
export interface Branch {
  /** The owner's number, the same in all branches of a list. With it Citus asks only one node. */
  readonly accountNumber: number;
  readonly offerNumber: number;
  readonly mode: Mode;
}

/** Most branches in one statement; SQLite allows 500. */
const BRANCHES_PER_STATEMENT = 200;

/** A filter that an index answers. */
export interface Range {
  /** The first and, exclusive, the last time of claiming; ISO 8601 UTC. */
  readonly since: string | null;
  readonly until: string | null;
  /** `null`: no label; `undefined`: any or none. */
  readonly via: string | null | undefined;
  readonly after: TimePosition | null;
  readonly order: 'newest' | 'oldest';
}

/** A filter that no index answers. */
export interface RedemptionFilter {
  readonly isRedeemed: boolean;
  /** The first and, exclusive, the last time of the redemption; ISO 8601 UTC. */
  readonly since: string | null;
  readonly until: string | null;
}

export type ListedClaim = Pick<
  Claim,
  'seq' | 'id' | 'mode' | 'offer_id' | 'via' | 'claimed_at' | 'redeemed_at' | 'replaced_at'
> &
  Pick<Offer, 'offer' | 'kind'> & {
    /** Its slug. */
    readonly listing: string;
    /** An outside reference. */
    readonly claimant: string | null;
    /** 1: its offer gives only a code, so it is never redeemed here. */
    readonly code_only: number;
  };

/**
 * The branches that have claims: of an account, of one of its listings (slug or id), or of the offer with this id.
 * Offers without claims cost one index look-up and no part of a list.
 */
export async function findBranches(
  db: Queryable,
  accountId: string,
  of: {
    readonly listing?: string | undefined;
    readonly offerId?: string | undefined;
    readonly mode?: Mode | undefined;
  },
): Promise<Branch[]> {
  const { listing, offerId } = of;
  if (offerId !== undefined && !isUuid(offerId)) return [];
  const [key, value] = listing === undefined ? [] : listingKey(listing);
  const account = await readAccountNumber(db, accountId);
  const modes: readonly Mode[] = of.mode === undefined ? ['live', 'test'] : [of.mode];
  const branchesOfMode = async (mode: Mode): Promise<Branch[]> => {
    const rows = await db
      .selectFrom('offers')
      .select('offers.number')
      .where('offers.account_id', '=', accountId)
      .$if(offerId !== undefined, (query) => query.where('offers.id', '=', offerId!))
      .$if(key !== undefined, (query) =>
        query.where('offers.listing_id', 'in', (eb) =>
          eb
            .selectFrom('listings')
            .select('listings.id')
            .where('listings.account_id', '=', accountId)
            .where(`listings.${key!}`, '=', value!),
        ),
      )
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('claim_rows')
            .select('claim_rows.seq')
            // The number itself: with it Citus asks one node.
            .where('claim_rows.account_number', '=', account)
            .whereRef('claim_rows.offer_number', '=', 'offers.number')
            .where('claim_rows.mode', '=', mode)
            // The first entry of an index range. Without the offset PostgreSQL may group all claims of the account,
            // and without the order it may look for one row by row.
            .orderBy('claim_rows.claimed_at')
            .limit(1)
            .offset(0),
        ),
      )
      .orderBy('offers.id')
      .execute();
    return rows.map(({ number }) => ({ accountNumber: account, offerNumber: number, mode }));
  };
  return (await Promise.all(modes.map(branchesOfMode))).flat();
}

/** The columns that rows are filtered and ordered by. */
const COLUMNS = sql`seq, claimed_at, redeemed_at`;

const direction = (range: Range) => (range.order === 'newest' ? sql`desc` : sql`asc`);

/**
 * The rows of the branches in order, `limit` of them after the first `offset`. SQLite merges ordered branches itself;
 * for PostgreSQL each branch has its own order, or it would read and sort all rows.
 */
function merged(
  engine: Engine,
  branches: readonly Branch[],
  range: Range,
  columns: RawBuilder<unknown>,
  window: { readonly limit: number; readonly offset: number },
): RawBuilder<unknown> {
  const { since, until, via, after } = range;
  const way = direction(range);
  const rows = window.limit + window.offset;
  const further = range.order === 'newest' ? sql`<` : sql`>`;
  const time = DIALECTS[engine].compactTime;
  const parts = branches.map(({ accountNumber, offerNumber, mode }) => {
    const conditions = [
      sql`account_number = ${accountNumber} and offer_number = ${offerNumber} and mode = ${mode}`,
      ...(via === undefined ? [] : [via === null ? sql`via is null` : sql`via = ${via}`]),
      ...(since === null ? [] : [sql`claimed_at >= ${time(since)}`]),
      ...(until === null ? [] : [sql`claimed_at < ${time(until)}`]),
      ...(after === null ? [] : [sql`(claimed_at, seq) ${further} (${time(after.at)}, ${after.seq})`]),
    ];
    const branch = sql`select ${columns} from claim_rows where ${sql.join(conditions, sql` and `)}`;
    return branches.length === 1
      ? branch
      : DIALECTS[engine].unionPart(branch, sql`order by claimed_at ${way}, seq ${way} limit ${rows}`);
  });
  return sql`${sql.join(parts, sql` union all `)}
    order by claimed_at ${way}, seq ${way} limit ${window.limit} offset ${window.offset}`;
}

/** Claims with the texts of their offers, of some rows of an account. */
const described = (account: number, rows: RawBuilder<unknown>, way: RawBuilder<unknown>) => sql<ListedClaim>`
  select c.seq, c.id, c.mode, l.slug as listing, c.offer_id, o.offer, o.kind, c.via, c.claimant_ref as claimant,
    c.claimed_at, c.redeemed_at, c.replaced_at,
    case when o.redemption_link is null then 1 else 0 end as code_only
  from (${rows}) r join claims c on c.account_number = ${account} and c.seq = r.seq
    join offers o on o.id = c.offer_id join listings l on l.id = c.listing_id
  order by r.claimed_at ${way}, r.seq ${way}`;

/** Limits of a scan: rows read, and matching rows returned. */
export interface Bounds {
  readonly scanned: number;
  readonly limit: number;
}

export interface Scan {
  readonly claims: readonly ListedClaim[];
  /** End of the rows read; `null` if none are left. */
  readonly end: TimePosition | null;
}

/** The matching claims among the next `scanned` rows, at most `limit`. `redemption`: `undefined` for any. */
export function scanClaims(
  { engine, read }: DatabaseReader,
  ...[branches, range, redemption, bounds]: ScanArguments
): Promise<Scan> {
  return DIALECTS[engine].inIndexOrder(read, (db) =>
    scanBranches({ db, engine }, branches, range, redemption, bounds),
  );
}

type ScanArguments = [
  branches: readonly Branch[],
  range: Range,
  redemption: RedemptionFilter | undefined,
  bounds: Bounds,
];

interface Store {
  readonly db: Queryable;
  readonly engine: Engine;
}

async function scanBranches(
  store: Store,
  branches: readonly Branch[],
  range: Range,
  redemption: RedemptionFilter | undefined,
  bounds: Bounds,
): Promise<Scan> {
  const groups: Branch[][] = [];
  for (let start = 0; start < branches.length; start += BRANCHES_PER_STATEMENT) {
    groups.push(branches.slice(start, start + BRANCHES_PER_STATEMENT));
  }
  const scans: Scan[] = [];
  for (const group of groups) scans.push(await scanGroup(store, group, range, redemption, bounds));
  if (scans.length === 1) return scans[0]!;
  const sign = range.order === 'newest' ? -1 : 1;
  const inOrder = (a: TimePosition, b: TimePosition) =>
    sign * (a.at === b.at ? a.seq - b.seq : a.at < b.at ? -1 : 1);
  // Rows after the end of one group are read again in the next scan.
  const end = scans.flatMap((scan) => scan.end ?? []).sort(inOrder)[0] ?? null;
  const claims = scans
    .flatMap((scan) => scan.claims)
    .filter((claim) => end === null || inOrder(positionOf(claim), end) <= 0)
    .sort((a, b) => inOrder(positionOf(a), positionOf(b)));
  return { claims: claims.slice(0, bounds.limit), end };
}

export const positionOf = (claim: Pick<ListedClaim, 'claimed_at' | 'seq'>): TimePosition => ({
  at: claim.claimed_at,
  seq: claim.seq,
});

async function scanGroup(
  { db, engine }: Store,
  branches: readonly Branch[],
  range: Range,
  redemption: RedemptionFilter | undefined,
  { scanned, limit }: Bounds,
): Promise<Scan> {
  const way = direction(range);
  const all = redemption === undefined;
  const window = { limit: all ? limit : scanned, offset: 0 };
  const { accountNumber } = branches[0]!;
  const rows = merged(engine, branches, range, COLUMNS, window);
  const found = all
    ? rows
    : sql`select * from (${rows}) scanned where ${conditionOf(engine, redemption)}
        order by claimed_at ${way}, seq ${way} limit ${limit}`;
  const { rows: claims } = await described(accountNumber, found, way).execute(db);
  const last = claims[limit - 1];
  // A full page ends with its last claim; further rows are read again by the next page.
  if (last !== undefined) return { claims, end: positionOf(last) };
  if (all) return { claims, end: null };
  const border = merged(engine, branches, range, COLUMNS, { limit: 1, offset: scanned - 1 });
  const { rows: ends } = await described(accountNumber, border, way).execute(db);
  return { claims, end: ends[0] === undefined ? null : positionOf(ends[0]) };
}

function conditionOf(engine: Engine, { isRedeemed, since, until }: RedemptionFilter): RawBuilder<unknown> {
  const time = DIALECTS[engine].compactTime;
  if (!isRedeemed) return sql`redeemed_at is null`;
  const conditions = [
    sql`redeemed_at is not null`,
    ...(since === null ? [] : [sql`redeemed_at >= ${time(since)}`]),
    ...(until === null ? [] : [sql`redeemed_at < ${time(until)}`]),
  ];
  return sql.join(conditions, sql` and `);
}

/** Most claims of one outside reference in a search. */
const CLAIMS_OF_CLAIMANT = 1_000;

/** The claims of an outside reference, newest first. */
export async function findClaimsOfClaimant(
  db: Queryable,
  branches: readonly Branch[],
  claimantRef: string,
): Promise<readonly ListedClaim[]> {
  const offers = [...new Set(branches.map(({ offerNumber }) => offerNumber))];
  const modes = [...new Set(branches.map(({ mode }) => mode))];
  const first = branches[0];
  if (first === undefined) return [];
  const account = sql`account_number = ${first.accountNumber}`;
  const places = sql`offer_number in (${sql.join(offers)}) and mode in (${sql.join(modes)})`;
  const rows = sql`select ${COLUMNS} from claim_rows where ${account} and ${places}
      and claimant_ref = ${claimantRef} and replaced_at is null
    union all select ${COLUMNS} from claim_rows where ${account}
      and claimant_ref = ${claimantRef} and replaced_at is not null and ${places}
    limit ${CLAIMS_OF_CLAIMANT}`;
  return (await described(first.accountNumber, rows, sql`desc`).execute(db)).rows;
}

/** What identifies one claim. */
export type ClaimKey = { readonly id: string } | { readonly tokenHash: Uint8Array };

export type FoundClaim = ListedClaim &
  Pick<
    Claim,
    'account_id' | 'listing_id' | 'token_hash' | 'token_origin' | 'claimant_id' | 'redeemed_by_key_id'
  > & {
    readonly listing_name: string;
    readonly redeemed_by_key_name: string | null;
    readonly redeemed_by_key_start: string | null;
    readonly opened_at: string | null;
  };

/** A claim of an account. `accountId` `null`: of any account. */
export function findClaim(
  { engine, read }: DatabaseReader,
  accountId: string | null,
  key: ClaimKey,
): Promise<FoundClaim | undefined> {
  const query = read
    .selectFrom('claims')
    .innerJoin('offers', 'offers.id', 'claims.offer_id')
    .innerJoin('listings', 'listings.id', 'claims.listing_id')
    .leftJoin('api_keys', 'api_keys.id', 'claims.redeemed_by_key_id')
    .leftJoin('claim_openings', (join) =>
      join
        .onRef('claim_openings.account_number', '=', 'claims.account_number')
        .onRef('claim_openings.claim_id', '=', 'claims.id'),
    )
    .select([
      'claims.seq',
      'claims.id',
      'claims.account_id',
      'claims.listing_id',
      'claims.mode',
      'listings.slug as listing',
      'listings.name as listing_name',
      'claims.offer_id',
      'offers.offer',
      'offers.kind',
      'claims.via',
      'claims.claimant_ref as claimant',
      'claims.claimed_at',
      'claims.redeemed_at',
      'claims.replaced_at',
      sql<number>`case when offers.redemption_link is null then 1 else 0 end`.as('code_only'),
      'claims.token_hash',
      'claims.token_origin',
      'claims.claimant_id',
      'claims.redeemed_by_key_id',
      'api_keys.name as redeemed_by_key_name',
      'api_keys.start as redeemed_by_key_start',
      'claim_openings.opened_at',
    ])
    .$if(accountId !== null, (all) => all.where('claims.account_number', '=', numberOfAccount(accountId!)));
  if ('id' in key) return query.where(DIALECTS[engine].hasClaimId([key.id])).executeTakeFirst();
  return query.where('claims.token_hash', '=', key.tokenHash).executeTakeFirst();
}
