import { type RawBuilder, sql } from 'kysely';
import type { Engine, Queryable, Transaction } from '../../platform/store/database.ts';
import { daysBetween } from '../../platform/text/time-zone.ts';
import { COUNTED, type Counts } from './funnel.ts';
import { COUNTS, COUNTS_OF_D, dayOf, SUMS } from './queries.ts';

/** How many deltas wait, and since when. Counts are exact with a backlog: readers add the deltas. */
export const readAggregationBacklog = (db: Queryable) =>
  db
    .selectFrom('label_deltas')
    .select(({ fn }) => [fn.countAll<number>().as('waiting'), fn.min<string | null>('at').as('since')])
    .executeTakeFirstOrThrow();

export type AggregationBacklog = Awaited<ReturnType<typeof readAggregationBacklog>>;

/** The assignments after `on conflict do update set`. */
const addedTo = (table: 'label_counts' | 'label_days' | 'label_months' | 'market_days') =>
  sql.join(
    COUNTED.map((count) => {
      const [old, more] = [sql.ref(`${table}.${count}`), sql.ref(`excluded.${count}`)];
      return sql`${sql.ref(count)} = ${old} + ${more}`;
    }),
  );

const KEYS = {
  label_counts: ['account_number', 'listing_id', 'via'],
  label_days: ['account_number', 'listing_id', 'day', 'via'],
  label_months: ['account_number', 'listing_id', 'month', 'via'],
} as const;

/** Adds in key order, so that concurrent aggregations don't deadlock. `day`: SQL for the day of a delta. */
export function addLabels(table: keyof typeof KEYS, deltas: RawBuilder<unknown>, day: RawBuilder<string>) {
  const keys = sql.join(KEYS[table].map((key) => sql.ref(key)));
  const values = KEYS[table].map((key) => {
    if (key === 'day') return sql`${day} as day`;
    return key === 'month' ? sql`substr(${day}, 1, 7) as month` : sql.ref(key);
  });
  return sql`
    insert into ${sql.table(table)} (${keys}, ${COUNTS})
    select ${sql.join(values)}, ${SUMS} from ${deltas} group by ${keys} order by ${keys}
    on conflict (${keys}) do update set ${addedTo(table)}`;
}

type Move = (tx: Transaction, timeZone: string, limit: number) => Promise<number>;

type MovedDay = Counts & { readonly day: string; readonly moved: number };

const amountOf = (days: readonly MovedDay[]): number => days.reduce((sum, { moved }) => sum + moved, 0);

/** The last step of an aggregation, because all aggregations contend for the rows of `market_days`. */
async function addToMarket(tx: Transaction, days: readonly MovedDay[]): Promise<void> {
  if (days.length === 0) return;
  const byDay = [...Map.groupBy(days, ({ day }) => day)].sort(([one], [other]) => (one < other ? -1 : 1));
  const rows = byDay.map(([day, parts]) => {
    const sums = COUNTED.map((count) => parts.reduce((sum, part) => sum + part[count], 0));
    return sql`(${sql.join([day, ...sums])})`;
  });
  await sql`
    insert into market_days (day, ${COUNTS}) values ${sql.join(rows)}
    on conflict (day) do update set ${addedTo('market_days')}`.execute(tx);
}

const movePostgres: Move = async (tx, timeZone, limit) => {
  const days = await takePostgres(tx, timeZone, limit);
  await addToMarket(tx, days);
  return amountOf(days);
};

/** `account`: whose deltas to read; `null` for all accounts. */
async function takePostgres(
  tx: Transaction,
  timeZone: string,
  limit: number,
  account: number | null = null,
): Promise<readonly MovedDay[]> {
  // The range covers all deltas, because only the statement below decides which deltas to aggregate: it skips locked
  // deltas. A delta that is appended after this read and lies outside the range waits for the next aggregation.
  const { first, last } = await tx
    .selectFrom('label_deltas')
    .select(({ fn }) => [fn.min('at').as('first'), fn.max('at').as('last')])
    .$if(account !== null, (query) => query.where('account_number', '=', account!))
    .executeTakeFirstOrThrow();
  if (first === null) return [];
  const days = daysBetween(timeZone, first, last, 1);
  const day = dayOf('at', days);
  const ofAccount = account === null ? sql`` : sql`and account_number = ${account}`;
  const result = await sql<MovedDay>`
    with taken as (
      select account_number, id from label_deltas
      where at >= ${days[0]!.start} and at < ${days.at(-1)!.start} ${ofAccount}
      order by account_number, id limit ${limit}
      for update skip locked
    ), moved as (
      delete from label_deltas d using taken t
      where d.account_number = ${account === null ? sql`t.account_number` : account} and d.id = t.id
      returning d.account_number, d.listing_id, d.via, d.at, ${COUNTS_OF_D}
    ),
    by_day as (${addLabels('label_days', sql`moved`, day)}),
    by_month as (${addLabels('label_months', sql`moved`, day)}),
    summed as (${addLabels('label_counts', sql`moved`, day)})
    select ${day} as day, count(*) as moved, ${SUMS} from moved group by 1`.execute(tx);
  return result.rows;
}

/** For engines that can't move rows of several accounts in one statement; on PostgreSQL forty times slower. */
const moveByAccount: Move = async (tx, timeZone, limit) => {
  const accounts = await tx
    .selectFrom('label_deltas')
    .select('account_number')
    .distinct()
    .orderBy('account_number')
    .limit(limit)
    .execute();
  const days: MovedDay[] = [];
  for (const { account_number } of accounts) {
    days.push(...(await takePostgres(tx, timeZone, limit - amountOf(days), account_number)));
    if (amountOf(days) >= limit) break;
  }
  await addToMarket(tx, days);
  return amountOf(days);
};

async function moveSqlite(tx: Transaction, timeZone: string, limit: number): Promise<number> {
  const taking = await sql<{ moved: number; id: number | null; first: string; last: string }>`
    select count(*) as moved, max(id) as id, min(at) as first, max(at) as last
    from (select id, at from label_deltas order by id limit ${limit})`.execute(tx);
  const row = taking.rows[0];
  if (row === undefined || row.id === null) return 0;
  const day = dayOf('at', daysBetween(timeZone, row.first, row.last, 1));
  const deltas = sql`label_deltas where id <= ${row.id}`;
  for (const table of ['label_counts', 'label_days', 'label_months'] as const) {
    await addLabels(table, deltas, day).execute(tx);
  }
  await sql`
    insert into market_days (day, ${COUNTS})
    select ${day}, ${SUMS} from ${deltas} group by 1
    on conflict (day) do update set ${addedTo('market_days')}`.execute(tx);
  await sql`delete from ${deltas}`.execute(tx);
  return row.moved;
}

/** Returns how many. On PostgreSQL, concurrent aggregations skip what another one has locked. */
export const moveDeltasIntoCounts: Readonly<Record<Engine, Move>> = {
  sqlite: moveSqlite,
  postgres: movePostgres,
  citus: moveByAccount,
};
