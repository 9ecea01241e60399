/** SQL for campaign labels. The exact count of a label is its stored count plus the deltas that still wait. */
import { type RawBuilder, sql } from 'kysely';
import type { DatabaseReader, Engine, Queryable, Transaction } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { insertionOf } from '../../platform/store/insert-rows.ts';
import { readAccountNumber } from '../../platform/store/numbers.ts';
import type { Day, Period } from '../../platform/text/time-zone.ts';
import { listingKey } from '../listings/listing.ts';
import type { Listing } from '../listings/queries.ts';
import { COUNTED, type Counts } from './funnel.ts';

/** `reference`: slug or id, in any case. */
export async function findListingOf(db: Queryable, accountId: string, reference: string) {
  const [key, value] = listingKey(reference.toLowerCase());
  return await db
    .selectFrom('listings')
    .select(LISTED_COLUMNS)
    .where(key, '=', value)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

const LISTED_COLUMNS = ['id', 'account_id', 'slug', 'name', 'state', 'visibility'] as const;
export type ListedListing = Pick<Listing, (typeof LISTED_COLUMNS)[number]>;

/** Maximum number of listings in the menu of the campaigns page. Links to listings outside the menu still work. */
export const LISTED_LISTINGS = 500;

export const listListingsOf = (db: Queryable, accountId: string): Promise<ListedListing[]> =>
  db
    .selectFrom('listings')
    .select(LISTED_COLUMNS)
    .where('account_id', '=', accountId)
    .orderBy('name')
    .orderBy('id')
    .limit(LISTED_LISTINGS)
    .execute();

/** `via`: as in the tables, where '' means no label. */
export interface LabelTotal extends Counts {
  readonly via: string;
}

export const COUNTS = sql.join(COUNTED.map((count) => sql.ref(count)));
export const COUNTS_OF_D = sql.join(COUNTED.map((count) => sql.ref(`d.${count}`)));
/** The counts of days to subtract (see `partsOf`). */
export const NEGATIVE_COUNTS_OF_D = sql.join(
  COUNTED.map((count) => sql`-${sql.ref(`d.${count}`)} as ${sql.ref(count)}`),
);
/** Nulls count as 0, because deltas store null for counts that they don't change. */
const sumsWith = (sign: RawBuilder<unknown>) =>
  sql.join(COUNTED.map((count) => sql`coalesce(sum(${sign}${sql.ref(count)}), 0) as ${sql.ref(count)}`));
export const SUMS = sumsWith(sql``);
export const NEGATIVE_SUMS = sumsWith(sql`-`);

export const byClaims = (one: LabelTotal, other: LabelTotal): number =>
  other.claims - one.claims || other.visits - one.visits || (one.via < other.via ? -1 : 1);

/** Reads counts and deltas in one statement, so that a concurrent aggregation can't cause double or missing counts. */
export async function sumLabels(db: Queryable, accountId: string, listingId: string): Promise<LabelTotal[]> {
  const of = await rowsOf(db, accountId, listingId);
  const { rows } = await sql<LabelTotal>`
    select via, ${SUMS} from (
      select via, ${COUNTS} from label_counts where ${of}
      union all
      select via, ${COUNTS} from label_deltas where ${of}
    ) parts group by via`.execute(db);
  return rows.sort(byClaims);
}

/** Filters by the account's number, so that a distributed database runs the query on one server, in one snapshot. */
export const rowsOf = async (db: Queryable, accountId: string, listingId: string) =>
  sql`account_number = ${await readAccountNumber(db, accountId)} and listing_id = ${listingId}`;

/** SQL for the day of a time. Null before the first of these consecutive days. */
export function dayOf(column: string, days: readonly Day[]): RawBuilder<string> {
  // The latest day first, because most rows are recent.
  const cases = days
    .toReversed()
    .map(({ day, start }) => sql`when ${sql.ref(column)} >= ${start} then ${day}`);
  return sql`case ${sql.join(cases, sql` `)} end`;
}

/** Which of the labels the listing has. */
export async function findLabels(
  db: Queryable,
  { accountId, listingId }: { readonly accountId: string; readonly listingId: string },
  labels: readonly string[],
): Promise<ReadonlySet<string>> {
  const of = sql`${await rowsOf(db, accountId, listingId)} and via in (${sql.join(labels)})`;
  const { rows } = await sql<{ via: string }>`
    select via from label_counts where ${of} union
    select via from label_deltas where ${of}`.execute(db);
  return new Set(rows.map(({ via }) => via));
}

type Reader = Pick<DatabaseReader, 'engine' | 'read'>;

/** Builds a query that counts an account's live claims in a period. The column is named `claims`. */
export function countLiveClaims({ engine, read }: Reader, account: number, { days, end }: Period) {
  const { compactTime } = DIALECTS[engine];
  return read
    .selectFrom('claim_rows')
    .select(({ fn }) => fn.countAll<number>().as('claims'))
    .where('account_number', '=', account)
    .where('mode', '=', 'live')
    .where('claimed_at', '>=', compactTime(days[0]!.start))
    .$if(end !== null, (claims) => claims.where('claimed_at', '<', compactTime(end!)));
}

export interface LabelDelta extends Partial<Counts> {
  readonly via: string;
  readonly accountId: string;
  readonly listingId: string;
}

type Writable<T> = { -readonly [Member in keyof T]: T[Member] };

/** Merges the deltas of a transaction, so that the transaction appends one row per listing and label. */
export function createDeltaSum(): { add(delta: LabelDelta): void; deltas(): LabelDelta[] } {
  const sums = new Map<string, Writable<LabelDelta>>();
  return {
    add: (delta) => {
      const key = `${delta.listingId} ${delta.via}`;
      const sum = sums.get(key);
      if (sum === undefined) {
        sums.set(key, { ...delta });
        return;
      }
      for (const count of COUNTED) {
        const more = delta[count];
        if (more !== undefined) sum[count] = (sum[count] ?? 0) + more;
      }
    },
    deltas: () => [...sums.values()],
  };
}

/** `at` determines the day on which the deltas count. */
export async function appendLabelDeltas(
  tx: Transaction,
  engine: Engine,
  at: string,
  deltas: readonly LabelDelta[],
): Promise<void> {
  if (deltas.length === 0) return;
  const rows = deltas.map(({ accountId, listingId, via, ...counts }) => ({
    account_number: accountId,
    listing_id: listingId,
    via,
    at,
    ...{ claims: 0, redeemed: 0, arrived: null, visits: null, visitors: null, code_claims: null },
    ...counts,
  }));
  await insertionOf(engine, 'label_deltas', DELTA_COLUMNS, rows).execute(tx);
}

/** `account_number` is given as the account's id. The insertion converts the id to the number. */
const DELTA_COLUMNS = {
  account_number: 'accountNumber',
  listing_id: 'uuid',
  via: 'text',
  claims: 'integer',
  redeemed: 'integer',
  at: 'time',
  arrived: 'integer',
  visits: 'integer',
  visitors: 'integer',
  code_claims: 'integer',
} as const;

/**
 * Maximum number of invalid labels per listing that get a separate row. All other invalid labels share one row. For a
 * claim's label, only rows with claims count toward the limit, because anybody can use up the limit with visits.
 */
const MAX_UNREADABLE = 20;

export async function countUnreadableLabel(
  tx: Transaction,
  { account_number, listing_id }: { readonly account_number: number; readonly listing_id: string },
  label: string,
  counted: { readonly claims: number } | { readonly visits: number },
): Promise<void> {
  const rows = await tx
    .selectFrom('unreadable_labels')
    .select(['found', 'claims'])
    .where('account_number', '=', account_number)
    .where('listing_id', '=', listing_id)
    .execute();
  const countedRows = 'claims' in counted ? rows.filter(({ claims }) => claims > 0) : rows;
  const hasOwnRow = countedRows.length < MAX_UNREADABLE || rows.some((row) => row.found === label);
  await tx
    .insertInto('unreadable_labels')
    .values({
      account_number,
      listing_id,
      found: hasOwnRow ? label : '',
      ...{ claims: 0, visits: 0 },
      ...counted,
    })
    .onConflict((conflict) =>
      conflict.columns(['account_number', 'listing_id', 'found']).doUpdateSet({
        claims: sql`unreadable_labels.claims + excluded.claims`,
        visits: sql`unreadable_labels.visits + excluded.visits`,
      }),
    )
    .execute();
}

/** `found` is '' in the row that counts the labels over the limit. */
export async function listUnreadableLabels(db: Queryable, accountId: string, listingId: string) {
  return await db
    .selectFrom('unreadable_labels')
    .select(['found', 'claims', 'visits'])
    .where('account_number', '=', await readAccountNumber(db, accountId))
    .where('listing_id', '=', listingId)
    .orderBy('claims', 'desc')
    .orderBy('visits', 'desc')
    .orderBy('found')
    .execute();
}
