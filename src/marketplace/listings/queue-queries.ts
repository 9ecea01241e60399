import { type RawBuilder, sql } from 'kysely';
import type { IdPage, Queryable, Transaction } from '../../platform/store/database.ts';
import type { AccountRequestsTable } from '../../platform/store/tables/accounts.ts';
import type { Iso } from '../../platform/text/time-text.ts';
import type { Listing } from './queries.ts';
import type { ReviewedKind } from './review.ts';

export interface Waiting {
  readonly kind: ReviewedKind | 'report' | AccountRequestsTable['wish'];
  readonly since: Iso;
  /** For `link`, the offer's id; for requests, the request's id; otherwise the listing's id. */
  readonly id: string;
  /** `null` for requests. */
  readonly listingId: string | null;
  /** For requests, the account that made the request; otherwise `null`. */
  readonly accountId: string | null;
}

const isLive = sql<boolean>`listings.state in ('approved', 'suspended')`;

/** `of`: the SQL of each column. */
const columns = (of: { readonly [column in keyof Waiting]: string }) =>
  [
    sql<Waiting['kind']>`${sql.raw(of.kind)}`.as('kind'),
    sql<string>`${sql.raw(of.since)}`.as('since'),
    sql<string>`${sql.raw(of.id)}`.as('id'),
    sql<string | null>`${sql.raw(of.listingId)}`.as('listingId'),
    sql<string | null>`${sql.raw(of.accountId)}`.as('accountId'),
  ] as const;

const OF_LISTING = { listingId: 'listings.id', accountId: 'null' };

/** The conditions are literals, because SQLite uses partial indexes only for literal conditions. */
function submittedSources(db: Queryable) {
  return [
    db
      .selectFrom('listings')
      .select(
        columns({ kind: `'listing'`, since: 'listings.submitted_at', id: 'listings.id', ...OF_LISTING }),
      )
      .where(sql<boolean>`listings.state = 'pending'`),
    db
      .selectFrom('listings')
      .select(columns({ kind: `'url'`, since: 'listings.proposed_at', id: 'listings.id', ...OF_LISTING }))
      .where(sql<boolean>`listings.proposed_url is not null and listings.declined_reason is null`)
      .where(isLive),
    db
      .selectFrom('listings')
      .select(
        columns({ kind: `'texts'`, since: 'listings.texts_changed_at', id: 'listings.id', ...OF_LISTING }),
      )
      .where(sql<boolean>`listings.texts_changed_at is not null`)
      .where(isLive),
    db
      .selectFrom('offers')
      .innerJoin('listings', 'listings.id', 'offers.listing_id')
      .select(columns({ kind: `'link'`, since: 'offers.proposed_at', id: 'offers.id', ...OF_LISTING }))
      .where(sql<boolean>`offers.proposed_link is not null and offers.declined_reason is null`)
      .where(isLive),
    db
      .selectFrom('pictures')
      .innerJoin('listings', 'listings.id', 'pictures.listing_id')
      .select(
        columns({ kind: `'pictures'`, since: 'min(pictures.proposed_at)', id: 'listings.id', ...OF_LISTING }),
      )
      .where(sql<boolean>`pictures.proposed_at is not null and pictures.declined_reason is null`)
      .where(isLive)
      .groupBy('listings.id'),
  ] as const;
}

/** All open reports about a listing count as one item. */
function waitingSources(db: Queryable) {
  return [
    ...submittedSources(db),
    db
      .selectFrom('reports')
      .select(
        columns({
          kind: `'report'`,
          since: 'min(created_at)',
          id: 'listing_id',
          listingId: 'listing_id',
          accountId: 'null',
        }),
      )
      .where(sql<boolean>`closed_at is null`)
      .groupBy('listing_id'),
    db
      .selectFrom('account_requests')
      .select(
        columns({
          kind: 'wish',
          since: 'created_at',
          id: 'id',
          listingId: 'null',
          accountId: 'account_id',
        }),
      )
      .where(sql<boolean>`declined_at is null and approved_at is null`),
  ] as const;
}

export type WaitingCounts = ReadonlyMap<Waiting['kind'], number>;

/** Kinds without an item are missing. */
export async function countWaitingByKind(db: Queryable): Promise<WaitingCounts> {
  const counts = await Promise.all(
    waitingSources(db).map((source) =>
      db
        .selectFrom(source.as('waiting'))
        .select(({ fn }) => ['kind', fn.countAll<number>().as('items')])
        .groupBy('kind')
        .execute(),
    ),
  );
  return new Map(counts.flat().map(({ kind, items }) => [kind, items]));
}

export const countWaiting = async (db: Queryable): Promise<number> =>
  [...(await countWaitingByKind(db)).values()].reduce((sum, items) => sum + items, 0);

/** `way`: `asc` sorts the oldest first. */
export async function readWaiting(
  db: Queryable,
  input: {
    readonly where?: RawBuilder<boolean>;
    readonly way?: 'asc' | 'desc';
    readonly limit: number;
    readonly isSubmitted?: true;
  },
): Promise<readonly Waiting[]> {
  const { where = sql<boolean>`true`, way = 'asc', limit } = input;
  const sources = input.isSubmitted ? submittedSources(db) : waitingSources(db);
  const rowsOfSources = await Promise.all(
    sources.map((source) =>
      db
        .selectFrom(source.as('waiting'))
        .selectAll()
        .where(where)
        .orderBy('since', way)
        .orderBy('id', way)
        .limit(limit)
        .execute(),
    ),
  );
  const byAge = rowsOfSources.flat().sort((a, b) => order(a.since, b.since) || order(a.id, b.id));
  return (way === 'asc' ? byAge : byAge.reverse()).slice(0, limit);
}

/** Listings with changed texts that need a decision, in order of creation. */
export const listListingsWithChangedTexts = (
  db: Queryable,
  { after, limit }: IdPage,
): Promise<readonly Listing[]> =>
  db
    .selectFrom('listings')
    .selectAll()
    .where(sql<boolean>`listings.texts_changed_at is not null`)
    .where(isLive)
    .$if(after !== undefined, (query) => query.where('id', '>', after!))
    .$if(limit !== undefined, (query) => query.limit(limit!))
    .orderBy('id')
    .execute();

const order = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/**
 * Returns listings that have something to review and need a probe. A listing needs a probe if it was never probed, or
 * if its last probe was before `before` and the listing has changed since then. Listings whose last probe is longest ago
 * come first, so that an owner who keeps changing listings doesn't delay others.
 */
export async function findUnprobedListings(
  db: Queryable,
  before: string,
  limit: number,
): Promise<readonly Listing[]> {
  const rowsOfSources = await Promise.all(
    submittedSources(db).map((source) =>
      db
        .selectFrom(source.as('waiting'))
        .innerJoin('listings', 'listings.id', 'waiting.listingId')
        .leftJoin('link_probes', 'link_probes.listing_id', 'listings.id')
        .selectAll('listings')
        .select(['link_probes.at as probedAt', 'waiting.since'])
        .where(
          sql<boolean>`(link_probes.at is null or (link_probes.version <> listings.version and link_probes.at < ${before}))`,
        )
        .orderBy('link_probes.at', (at) => at.asc().nullsFirst())
        .orderBy('waiting.since')
        .limit(limit)
        .execute(),
    ),
  );
  const byProbe = rowsOfSources
    .flat()
    .sort((a, b) => order(a.probedAt ?? '', b.probedAt ?? '') || order(a.since, b.since));
  return [...new Map(byProbe.map((listing) => [listing.id, listing])).values()].slice(0, limit);
}

export interface LinkResponse {
  readonly link: string;
  /** `null` if there was no response. */
  readonly status: number | null;
  readonly failure: string | null;
}

export interface LinkProbes {
  readonly listingId: string;
  readonly version: number;
  readonly at: string;
  readonly responses: readonly LinkResponse[];
}

/** `undefined` if the link has not been probed. */
export const responseOf = (probes: LinkProbes | null, link: string): LinkResponse | undefined =>
  probes?.responses.find((response) => response.link === link);

export async function readLinkProbes(
  db: Queryable,
  listingIds: readonly string[],
): Promise<ReadonlyMap<string, LinkProbes>> {
  if (listingIds.length === 0) return new Map();
  const rows = await db.selectFrom('link_probes').selectAll().where('listing_id', 'in', listingIds).execute();
  return new Map(
    rows.map(({ listing_id, version, at, answers }) => [
      listing_id,
      { listingId: listing_id, version, at, responses: JSON.parse(answers) as readonly LinkResponse[] },
    ]),
  );
}

export async function putLinkProbes(
  tx: Transaction,
  { listingId, version, at, responses }: LinkProbes,
): Promise<void> {
  const values = { version, at, answers: JSON.stringify(responses) };
  await tx
    .insertInto('link_probes')
    .values({ listing_id: listingId, ...values })
    .onConflict((conflict) => conflict.column('listing_id').doUpdateSet(values))
    .execute();
}
