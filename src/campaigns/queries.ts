/** SQL of campaign labels. The exact count of a label is the folded count plus the deltas not folded yet. */
import { type RawBuilder, sql } from 'kysely';
import { sumClaims } from '../listings/counted-queries.ts';
import type { Listing } from '../listings/queries.ts';
import type { Engine, Queryable, Transaction } from '../store/database.ts';
import { insertionOf } from '../store/insert-rows.ts';
import { readAccountNumber } from '../store/numbers.ts';
import { isUuid } from '../store/uuid.ts';
import { type Day, daysBetween } from '../text/time-zone.ts';

export const findListingOf = (db: Queryable, accountId: string, reference: string) =>
  db
    .selectFrom('listings')
    .select(LISTED_COLUMNS)
    .where(isUuid(reference) ? 'id' : 'slug', '=', reference.toLowerCase())
    .where('account_id', '=', accountId)
    .executeTakeFirst();

const LISTED_COLUMNS = ['id', 'account_id', 'slug', 'name', 'state'] as const;
export type ListedListing = Pick<Listing, (typeof LISTED_COLUMNS)[number]>;

/** Listings that a menu lists. A link to another one still works. */
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

/** A label as in the tables: '' means no label. */
export interface LabelTotal {
  readonly via: string;
  readonly claims: number;
  readonly redeemed: number;
}

export async function sumLabels(db: Queryable, accountId: string, listingId: string): Promise<LabelTotal[]> {
  const sums = await sumClaims(db, accountId, [listingId], 'via');
  return sums
    .map(({ of, ...counts }) => ({ via: of, ...counts }))
    .sort((a, b) => b.claims - a.claims || (a.via < b.via ? -1 : 1));
}

/** SQL for the day of a time column. `days`: at least two consecutive days that cover all times. */
export function dayOf(column: string, days: readonly Day[]): RawBuilder<string> {
  const laterDays = days.slice(1);
  const cases = laterDays.map(
    ({ start }, at) => sql`when ${sql.ref(column)} < ${start} then ${days[at]!.day}`,
  );
  return sql`case ${sql.join(cases, sql` `)} else ${laterDays.at(-1)!.day} end`;
}

/** Live claims of a listing by label whose offer gives only a code: a range of an index for each of these offers. */
export async function countCodeClaimsByLabel(
  db: Queryable,
  accountId: string,
  listingId: string,
): Promise<ReadonlyMap<string | null, number>> {
  const account = await readAccountNumber(db, accountId);
  const rows = await db
    .selectFrom('claim_rows')
    .select(({ fn }) => ['via', fn.countAll<number>().as('claims')])
    .where('account_number', '=', account)
    .where('mode', '=', 'live')
    .where('offer_number', 'in', (eb) =>
      eb
        .selectFrom('offers')
        .select('offers.number')
        .where('offers.listing_id', '=', listingId)
        .where('offers.redemption_link', 'is', null),
    )
    .groupBy('via')
    .execute();
  return new Map(rows.map(({ via, claims }) => [via, claims]));
}

/**
 * Counts by day, from the first of `days` on, of a listing or (without it) all listings of an account: of all labels
 * together, or of each of `labels`. One statement, like `sumClaims`.
 */
export async function sumDays(
  db: Queryable,
  { accountId, listingId }: { readonly accountId: string; readonly listingId?: string },
  days: readonly Day[],
  labels: readonly string[] | null = null,
): Promise<(LabelTotal & { readonly day: string })[]> {
  const account = await readAccountNumber(db, accountId);
  const listings =
    listingId === undefined
      ? // With the listings named, the engine reads only the requested days of each.
        sql`listing_id in (select id from listings where account_id = ${accountId})`
      : sql`listing_id = ${listingId}`;
  const via = labels === null ? sql`'' as via` : sql`via`;
  const which = labels === null ? sql`` : sql` and via in (${sql.join(labels)})`;
  const of = sql`account_number = ${account} and ${listings}${which}`;
  const { rows } = await sql<LabelTotal & { readonly day: string }>`
    select day, via, sum(claims) as claims, sum(redeemed) as redeemed from (
      select day, ${via}, claims, redeemed from label_days where ${of} and day >= ${days[0]!.day}
      union all
      select ${dayOf('at', days)} as day, ${via}, claims, redeemed from label_deltas
      where ${of} and at >= ${days[0]!.start}
    ) parts group by day, via order by day`.execute(db);
  return rows;
}

export interface LabelDelta extends LabelTotal {
  readonly accountId: string;
  readonly listingId: string;
}

/** Sums the changes of one transaction, so that it appends one delta for each label. */
export function createDeltaSum(): { add(delta: LabelDelta): void; deltas(): LabelDelta[] } {
  const sums = new Map<string, LabelDelta>();
  return {
    add: (delta) => {
      const key = `${delta.listingId} ${delta.via}`;
      const before = sums.get(key) ?? { claims: 0, redeemed: 0 };
      const claims = before.claims + delta.claims;
      sums.set(key, { ...delta, claims, redeemed: before.redeemed + delta.redeemed });
    },
    deltas: () => [...sums.values()],
  };
}

/** The counts over time use the day of `at`. */
export async function appendLabelDeltas(
  tx: Transaction,
  engine: Engine,
  at: string,
  deltas: readonly LabelDelta[],
): Promise<void> {
  if (deltas.length === 0) return;
  const rows = deltas.map(({ accountId, listingId, ...counts }) => ({
    account_number: accountId,
    listing_id: listingId,
    ...counts,
    at,
  }));
  await insertionOf(engine, 'label_deltas', DELTA_COLUMNS, rows).execute(tx);
}

/** The account is given by its id; its number is stored. */
const DELTA_COLUMNS = {
  account_number: 'accountNumber',
  listing_id: 'uuid',
  via: 'text',
  claims: 'integer',
  redeemed: 'integer',
  at: 'time',
} as const;

/** Deltas that wait to be folded, and since when. They make no count wrong: readers add them to the folded counts. */
export const readFoldBacklog = (db: Queryable) =>
  db
    .selectFrom('label_deltas')
    .select(({ fn }) => [fn.countAll<number>().as('waiting'), fn.min<string | null>('at').as('since')])
    .executeTakeFirstOrThrow();

export type FoldBacklog = Awaited<ReturnType<typeof readFoldBacklog>>;

type Move = (tx: Transaction, timeZone: string, limit: number) => Promise<number>;

/** `account`: whose deltas to read; `null` for all accounts. */
async function movePostgres(
  tx: Transaction,
  timeZone: string,
  limit: number,
  account: number | null = null,
): Promise<number> {
  // Of all deltas, since which of them this fold takes depends on the locks of others. Later ones wait for the next fold.
  const { first, last } = await tx
    .selectFrom('label_deltas')
    .select(({ fn }) => [fn.min('at').as('first'), fn.max('at').as('last')])
    .executeTakeFirstOrThrow();
  if (first === null) return 0;
  const days = daysBetween(timeZone, first, last, 1);
  const day = dayOf('at', days);
  const ofAccount = account === null ? sql`` : sql`and account_number = ${account}`;
  const result = await sql<{ moved: number }>`
    with taken as (
      select account_number, id from label_deltas
      where at >= ${days[0]!.start} and at < ${days.at(-1)!.start} ${ofAccount}
      order by account_number, id limit ${limit}
      for update skip locked
    ), moved as (
      delete from label_deltas d using taken t
      where d.account_number = ${account === null ? sql`t.account_number` : account} and d.id = t.id
      returning d.account_number, d.listing_id, d.via, d.claims, d.redeemed, d.at
    ), by_day as (
      insert into label_days (account_number, listing_id, day, via, claims, redeemed)
      select account_number, listing_id, ${day} as day, via, sum(claims), sum(redeemed) from moved
      group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (account_number, listing_id, day, via) do update
        set claims = label_days.claims + excluded.claims, redeemed = label_days.redeemed + excluded.redeemed
    ), summed as (
      insert into label_counts (account_number, listing_id, via, claims, redeemed)
      select account_number, listing_id, via, sum(claims), sum(redeemed) from moved
      group by account_number, listing_id, via order by account_number, listing_id, via
      on conflict (account_number, listing_id, via) do update
        set claims = label_counts.claims + excluded.claims, redeemed = label_counts.redeemed + excluded.redeemed
    )
    select count(*) as moved from moved`.execute(tx);
  return result.rows[0]!.moved;
}

/** For an engine without statements that move the rows of several accounts; on PostgreSQL it would take forty times as long. */
const moveByAccount: Move = async (tx, timeZone, limit) => {
  const accounts = await tx
    .selectFrom('label_deltas')
    .select('account_number')
    .distinct()
    .orderBy('account_number')
    .limit(limit)
    .execute();
  let moved = 0;
  for (const { account_number } of accounts) {
    moved += await movePostgres(tx, timeZone, limit - moved, account_number);
    if (moved >= limit) break;
  }
  return moved;
};

async function moveSqlite(tx: Transaction, timeZone: string, limit: number): Promise<number> {
  const taking = await sql<{ moved: number; id: number | null; first: string; last: string }>`
    select count(*) as moved, max(id) as id, min(at) as first, max(at) as last
    from (select id, at from label_deltas order by id limit ${limit})`.execute(tx);
  const row = taking.rows[0];
  if (row === undefined || row.id === null) return 0;
  const day = dayOf('at', daysBetween(timeZone, row.first, row.last, 1));
  const taken = sql`id <= ${row.id}`;
  // SQLite's parser needs the `where` to know that the `on conflict` belongs to the insert.
  await sql`
    insert into label_counts (account_number, listing_id, via, claims, redeemed)
    select account_number, listing_id, via, sum(claims), sum(redeemed) from label_deltas where ${taken}
    group by account_number, listing_id, via
    on conflict (account_number, listing_id, via) do update
      set claims = claims + excluded.claims, redeemed = redeemed + excluded.redeemed`.execute(tx);
  await sql`
    insert into label_days (account_number, listing_id, day, via, claims, redeemed)
    select account_number, listing_id, ${day}, via, sum(claims), sum(redeemed)
    from label_deltas where ${taken}
    group by 1, 2, 3, 4
    on conflict (account_number, listing_id, day, via) do update
      set claims = claims + excluded.claims, redeemed = redeemed + excluded.redeemed`.execute(tx);
  await sql`delete from label_deltas where ${taken}`.execute(tx);
  return row.moved;
}

/**
 * Moves up to `limit` deltas into the counts and returns how many. Concurrent folds share the work: on PostgreSQL each
 * takes rows that no other one has locked and updates the counts in one order; on SQLite only one can write.
 */
export const moveDeltasIntoCounts: Readonly<Record<Engine, Move>> = {
  sqlite: moveSqlite,
  postgres: movePostgres,
  citus: moveByAccount,
};

/** Invalid labels of a listing that are counted separately; claims with any other are counted together. */
const MAX_UNREADABLE = 20;

/** Counts a claim that came with an unreadable label. `found`: the text that arrived, shortened. */
export async function countUnreadableLabel(
  tx: Transaction,
  { account_number, listing_id }: { readonly account_number: number; readonly listing_id: string },
  found: string,
): Promise<void> {
  const known = await tx
    .selectFrom('unreadable_labels')
    .select('found')
    .where('account_number', '=', account_number)
    .where('listing_id', '=', listing_id)
    .execute();
  const isApart = known.length < MAX_UNREADABLE || known.some((row) => row.found === found);
  await tx
    .insertInto('unreadable_labels')
    .values({ account_number, listing_id, found: isApart ? found : '', claims: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['account_number', 'listing_id', 'found'])
        .doUpdateSet({ claims: sql`unreadable_labels.claims + 1` }),
    )
    .execute();
}

/** `found`: '' for labels that are counted together. */
export async function listUnreadableLabels(db: Queryable, accountId: string, listingId: string) {
  return await db
    .selectFrom('unreadable_labels')
    .select(['found', 'claims'])
    .where('account_number', '=', await readAccountNumber(db, accountId))
    .where('listing_id', '=', listingId)
    .orderBy('claims', 'desc')
    .orderBy('found')
    .execute();
}
