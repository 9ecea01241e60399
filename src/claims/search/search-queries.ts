/**
 * Claims are indexed by offer and time, and by offer, label and time. A page merges the index ranges of the offers whose
 * claims come next, so it is read quickly, even in a list of ten million claims or ten thousand offers. Redemption times
 * are not indexed, because every redemption would have to update the index. A filter on redemption times scans a limited
 * number of rows per page.
 */
import { type RawBuilder, sql } from 'kysely';
import { listingKey } from '../../marketplace/listings/listing.ts';
import type { Mode } from '../../people/keys/key.ts';
import type { DatabaseReader, Engine, Queryable } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { readAccountNumber } from '../../platform/store/numbers.ts';
import type { FirstOfRange, RangesToFind, TimeList } from '../../platform/store/scan.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { LISTED_SQL, type ListedClaim } from '../queries.ts';
import type { ClaimFilter } from './claim-filter.ts';
import { withThisShortId } from './lookup-queries.ts';

/** Limits a list to claims of an account's offers, in some modes. */
interface ListScope {
  readonly account: number;
  /** A `select` of the numbers of the offers. */
  readonly offers: RawBuilder<unknown>;
  readonly modes: readonly Mode[];
}

function scopeOf(
  account: number,
  accountId: string,
  { listing, offer, mode }: Pick<ClaimFilter, 'listing' | 'offer' | 'mode'>,
): ListScope {
  const [key, value] = listing === undefined ? [] : listingKey(listing);
  const conditions = [
    sql`account_id = ${accountId}`,
    ...(offer === undefined ? [] : [sql`id = ${offer}`]),
    ...(key === undefined
      ? []
      : [
          sql`listing_id in (select id from listings where account_id = ${accountId} and ${sql.ref(key)} = ${value})`,
        ]),
  ];
  return {
    account,
    offers: sql`select number from offers where ${sql.join(conditions, sql` and `)}`,
    modes: mode === undefined ? ['live', 'test'] : [mode],
  };
}

export async function findClaimList(
  { engine, read }: DatabaseReader,
  accountId: string,
  filter: ClaimFilter,
  order: 'newest' | 'oldest',
): Promise<TimeList<ListedClaim>> {
  const account = await readAccountNumber(read, accountId);
  const scope = scopeOf(account, accountId, filter);
  const { claimant, reference, short_id: shortId } = filter;
  const isLookedUp =
    shortId === undefined &&
    claimant === undefined &&
    reference !== undefined &&
    (await isRare(read, account, reference));
  const storedTime = (at: string) => DIALECTS[engine].compactTime(at);
  return {
    ranges:
      shortId === undefined
        ? rangesOf(engine, scope, { claimant, reference: isLookedUp ? reference : undefined })
        : [ofShortId(engine, scope, { shortId, claimant })],
    indexed: indexedOf(filter, storedTime),
    scanned: [
      ...scannedOf(filter, storedTime),
      ...(reference === undefined || isLookedUp ? [] : [hasReference(account, reference)]),
    ],
    columns: COLUMNS,
    position: { time: 'claimed_at', number: 'seq' },
    storedTime,
    order,
    describe: (rows, inOrder) => describe(account, rows, inOrder('r')),
    positionOf: ({ claimed_at: at, seq }) => ({ at, seq }),
  };
}

const COLUMNS = sql`seq, claimed_at, redeemed_at`;

/** A reference with at most this many claims is rare. The claims of a rare reference are looked up by index. */
const CLAIMS_OF_RARE_REFERENCE = 1_000;

function rangesOf(
  engine: Engine,
  scope: ListScope,
  { claimant, reference }: Pick<ClaimFilter, 'claimant' | 'reference'>,
): TimeList<ListedClaim>['ranges'] {
  if (claimant !== undefined) return [ofClaimant(scope, claimant)];
  if (reference !== undefined) return [ofReference(scope, reference)];
  return (db, which) => findRanges({ db, engine }, scope, which);
}

/**
 * The ranges of the offers whose claims come first. Reads a few index entries for each offer of the account, so that a
 * page of an account with thousands of offers merges only the ranges that it needs.
 */
async function findRanges(
  { db, engine }: { readonly db: Queryable; readonly engine: Engine },
  { account, offers, modes }: ListScope,
  { conditions, way, limit }: RangesToFind,
): Promise<FirstOfRange[]> {
  const range = (offer: RawBuilder<unknown>, mode: RawBuilder<unknown>) =>
    sql`claim_rows where account_number = ${account} and offer_number = ${offer} and mode = ${mode}`;
  const rows = sql.join([range(sql`o.number`, sql`m.mode`), ...conditions], sql` and `);
  const first = (columns: RawBuilder<unknown>) =>
    sql`(select ${columns} from ${rows} order by claimed_at ${way}, seq ${way} limit 1)`;
  const ofModes = sql.join(
    modes.map((mode) => sql`select ${sql.lit(mode)} as mode`),
    sql` union all `,
  );
  const offersAndModes = sql`(${offers}) o cross join (${ofModes}) m`;
  const lateral = sql`select o.number, m.mode, f.at, f.seq from ${offersAndModes}
    cross join lateral ${first(sql`claimed_at as at, seq`)} f`;
  // SQLite has no lateral joins, so it reads each index entry twice.
  const all: Record<Engine, RawBuilder<unknown>> = {
    sqlite: sql`select o.number, m.mode, ${first(sql`claimed_at`)} as at, ${first(sql`seq`)} as seq
      from ${offersAndModes}`,
    postgres: lateral,
    citus: lateral,
  };
  // Materialized: otherwise, SQLite would run each subquery again for the condition and for the order.
  const { rows: firsts } = await sql<FirstClaim>`
    with firsts as materialized (${all[engine]})
    select * from firsts where at is not null order by at ${way}, seq ${way} limit ${limit}`.execute(db);
  return firsts.map(({ number, mode, at, seq }) => ({
    range: range(sql`${number}`, sql`${mode}`),
    first: { at: toIso(new Date(at).getTime()), seq },
  }));
}

interface FirstClaim {
  readonly number: number;
  readonly mode: Mode;
  /** As it is stored: milliseconds on SQLite. */
  readonly at: number | string;
  readonly seq: number;
}

const inScope = ({ account, offers, modes }: ListScope): RawBuilder<unknown> =>
  sql`account_number = ${account} and offer_number in (${offers}) and mode in (${sql.join(modes)})`;

/** Uses two partial indexes, one for current and one for replaced claims. The list sorts and pages the result. */
function ofClaimant(scope: ListScope, claimant: string) {
  const claims = sql`select ${COLUMNS}, via from claim_rows
    where ${inScope(scope)} and claimant_ref = ${claimant}`;
  return sql`(${claims} and replaced_at is null union all ${claims} and replaced_at is not null)
    of_claimant where true`;
}

function ofShortId(
  engine: Engine,
  scope: ListScope,
  { shortId, claimant }: { readonly shortId: string; readonly claimant: string | undefined },
) {
  const ofThisClaimant = claimant === undefined ? sql`true` : sql`claimant_ref = ${claimant}`;
  return sql`${withThisShortId(engine, shortId)} where ${inScope(scope)} and ${ofThisClaimant}`;
}

function ofReference(scope: ListScope, reference: string) {
  const claims = sql`select claim_seq from claim_references
    where account_number = ${scope.account} and reference = ${reference}`;
  return sql`(select ${COLUMNS}, via from claim_rows
    where ${inScope(scope)} and seq in (${claims})) of_reference where true`;
}

/** For a reference with many claims, a scan in time order fills a page faster than a lookup. */
async function isRare(db: Queryable, account: number, reference: string): Promise<boolean> {
  const extraClaim = await db
    .selectFrom('claim_references')
    .select('claim_seq')
    .where('account_number', '=', account)
    .where('reference', '=', reference)
    .limit(1)
    .offset(CLAIMS_OF_RARE_REFERENCE)
    .executeTakeFirst();
  return extraClaim === undefined;
}

const hasReference = (account: number, reference: string): RawBuilder<unknown> =>
  sql`exists (select 1 from claim_references
    where account_number = ${account} and claim_seq = seq and reference = ${reference})`;

type StoredTime = TimeList<ListedClaim>['storedTime'];

function indexedOf(
  { via, claimed_from, claimed_to, redeemed_to }: ClaimFilter,
  storedTime: StoredTime,
): readonly RawBuilder<unknown>[] {
  // Claims redeemed before `redeemed_to` were also created before `redeemed_to`, so this bound narrows the index range.
  const [until] = [claimed_to, redeemed_to].filter((at) => at !== undefined).sort();
  return [
    ...(via === undefined ? [] : [via === null ? sql`via is null` : sql`via = ${via}`]),
    ...(claimed_from === undefined ? [] : [sql`claimed_at >= ${storedTime(claimed_from)}`]),
    ...(until === undefined ? [] : [sql`claimed_at < ${storedTime(until)}`]),
  ];
}

function scannedOf(
  { state, redeemed_from, redeemed_to }: ClaimFilter,
  storedTime: StoredTime,
): readonly RawBuilder<unknown>[] {
  return [
    ...(state === undefined
      ? []
      : [state === 'redeemed' ? sql`redeemed_at is not null` : sql`redeemed_at is null`]),
    ...(redeemed_from === undefined ? [] : [sql`redeemed_at >= ${storedTime(redeemed_from)}`]),
    ...(redeemed_to === undefined ? [] : [sql`redeemed_at < ${storedTime(redeemed_to)}`]),
  ];
}

const describe = (
  account: number,
  rows: RawBuilder<unknown>,
  inOrder: RawBuilder<unknown>,
): RawBuilder<ListedClaim> => sql<ListedClaim>`
  select ${LISTED_SQL}
  from (${rows}) r join claims on claims.account_number = ${account} and claims.seq = r.seq
    join offers on offers.id = claims.offer_id join listings on listings.id = claims.listing_id
    left join claim_references on claim_references.account_number = ${account} and claim_references.claim_seq = r.seq
  order by ${inOrder}`;
