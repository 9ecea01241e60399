/**
 * Claims are indexed by offer and time, and by offer, label and time. A list merges the index ranges of its offers, so
 * every page is read quickly, even in a list of ten million claims. Redemption times are not indexed, because every
 * redemption would have to update the index. A filter on redemption times scans a limited number of rows per page.
 */
import { type RawBuilder, sql } from 'kysely';
import { listingKey } from '../marketplace/listings/listing.ts';
import type { Mode } from '../people/keys/key.ts';
import type { DatabaseReader, Engine, Queryable } from '../platform/store/database.ts';
import { DIALECTS } from '../platform/store/dialects.ts';
import { readAccountNumber } from '../platform/store/numbers.ts';
import type { TimeList } from '../platform/store/scan.ts';
import type { ClaimFilter } from './claim-filter.ts';
import { withThisShortId } from './lookup-queries.ts';
import { LISTED_SQL, type ListedClaim } from './queries.ts';

/** An account's offers that have claims in `mode`. */
interface ClaimedOffers {
  readonly mode: Mode;
  readonly offerNumbers: readonly number[];
}

/** Omits offers without claims, so that a list doesn't read their index ranges. */
export async function findClaimedOffers(
  db: Queryable,
  accountId: string,
  filter: Pick<ClaimFilter, 'listing' | 'offer' | 'mode'>,
): Promise<readonly ClaimedOffers[]> {
  const { listing, offer } = filter;
  const [key, value] = listing === undefined ? [] : listingKey(listing);
  const account = await readAccountNumber(db, accountId);
  const modes: readonly Mode[] = filter.mode === undefined ? ['live', 'test'] : [filter.mode];
  const ofMode = async (mode: Mode): Promise<ClaimedOffers> => {
    const rows = await db
      .selectFrom('offers')
      .select('offers.number')
      .where('offers.account_id', '=', accountId)
      .$if(offer !== undefined, (query) => query.where('offers.id', '=', offer!))
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
            // A constant rather than a subquery, so that the engine reads only this account's claims.
            .where('claim_rows.account_number', '=', account)
            .whereRef('claim_rows.offer_number', '=', 'offers.number')
            .where('claim_rows.mode', '=', mode)
            // Reads only the first entry of an index range. Without the offset, PostgreSQL may turn the subquery into a
            // join that reads all claims of the account. Without the order, PostgreSQL may scan the table.
            .orderBy('claim_rows.claimed_at')
            .limit(1)
            .offset(0),
        ),
      )
      .orderBy('offers.id')
      .execute();
    return { mode, offerNumbers: rows.map(({ number }) => number) };
  };
  const offersByMode = await Promise.all(modes.map(ofMode));
  return offersByMode.filter(({ offerNumbers }) => offerNumbers.length > 0);
}

export async function findClaimList(
  { engine, read }: DatabaseReader,
  accountId: string,
  filter: ClaimFilter,
  order: 'newest' | 'oldest' = 'newest',
): Promise<TimeList<ListedClaim>> {
  const account = await readAccountNumber(read, accountId);
  const offers = await findClaimedOffers(read, accountId, filter);
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
        ? rangesOf(account, offers, { claimant, reference: isLookedUp ? reference : undefined })
        : [ofShortId(engine, account, offers, { shortId, claimant })],
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
  account: number,
  offers: readonly ClaimedOffers[],
  { claimant, reference }: Pick<ClaimFilter, 'claimant' | 'reference'>,
): readonly RawBuilder<unknown>[] {
  if (offers.length === 0) return [];
  if (claimant !== undefined) return [ofClaimant(account, offers, claimant)];
  if (reference !== undefined) return [ofReference(account, offers, reference)];
  return offers.flatMap(({ mode, offerNumbers }) =>
    offerNumbers.map(
      (offer) =>
        sql`claim_rows where account_number = ${account} and offer_number = ${offer} and mode = ${mode}`,
    ),
  );
}

const inOffers = (offers: readonly ClaimedOffers[]): RawBuilder<unknown> => {
  const numbers = [...new Set(offers.flatMap(({ offerNumbers }) => offerNumbers))];
  return sql`offer_number in (${sql.join(numbers)}) and mode in (${sql.join(offers.map(({ mode }) => mode))})`;
};

/** Uses two partial indexes, one for current and one for replaced claims. The list sorts and pages the result. */
function ofClaimant(account: number, offers: readonly ClaimedOffers[], claimant: string) {
  const claims = sql`select ${COLUMNS}, via from claim_rows
    where account_number = ${account} and claimant_ref = ${claimant} and ${inOffers(offers)}`;
  return sql`(${claims} and replaced_at is null union all ${claims} and replaced_at is not null)
    of_claimant where true`;
}

function ofShortId(
  engine: Engine,
  account: number,
  offers: readonly ClaimedOffers[],
  { shortId, claimant }: { readonly shortId: string; readonly claimant: string | undefined },
) {
  const ofThisClaimant = claimant === undefined ? sql`true` : sql`claimant_ref = ${claimant}`;
  const inTheseOffers = offers.length === 0 ? sql`false` : inOffers(offers);
  return sql`${withThisShortId(engine, shortId)}
    where account_number = ${account} and ${inTheseOffers} and ${ofThisClaimant}`;
}

function ofReference(account: number, offers: readonly ClaimedOffers[], reference: string) {
  const claims = sql`select claim_seq from claim_references
    where account_number = ${account} and reference = ${reference}`;
  return sql`(select ${COLUMNS}, via from claim_rows
    where account_number = ${account} and seq in (${claims}) and ${inOffers(offers)}) of_reference where true`;
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
