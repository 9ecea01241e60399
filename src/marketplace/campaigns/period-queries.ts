/** Each statement reads counts and deltas in one snapshot: a concurrent aggregation moves deltas into counts. */
import { sql } from 'kysely';
import type { Queryable } from '../../platform/store/database.ts';
import { readAccountNumber } from '../../platform/store/numbers.ts';
import type { Period } from '../../platform/text/time-zone.ts';
import { chartUnitOf } from './chart-points.ts';
import type { DatedCounts } from './funnel.ts';
import { COUNTS, dayOf, type LabelTotal, rowsOf, SUMS } from './queries.ts';
import { partsOf } from './range.ts';

export const deltasOf = ({ days, end }: Period) =>
  end === null ? sql`at >= ${days[0]!.start}` : sql`at >= ${days[0]!.start} and at < ${end}`;

export const countTablesOf = ({ days }: Period) =>
  partsOf(days[0]!.day, days.at(-1)!.day).map(({ unit, first, last }) => ({
    table: `label_${unit}s` as const,
    column: unit,
    first,
    last,
  }));

/** Complete months from the monthly counts: with many labels, the days of a year are too slow for a page. */
export async function sumPeriods(
  db: Queryable,
  { accountId, listingId }: { readonly accountId: string; readonly listingId: string },
  period: Period,
  before: Period,
): Promise<(LabelTotal & { readonly isBefore: number })[]> {
  const of = await rowsOf(db, accountId, listingId);
  const counts = [period, before].flatMap((one, isBefore) =>
    countTablesOf(one).map(({ table, column, first, last }) => {
      const at = sql.ref(column);
      return sql`select via, ${sql.lit(isBefore)} as "isBefore", ${COUNTS} from ${sql.table(table)}
        where ${of} and ${at} >= ${first} and ${at} <= ${last}`;
    }),
  );
  const isBefore = sql`case when at < ${period.days[0]!.start} then 1 else 0 end`;
  const { rows } = await sql<LabelTotal & { readonly isBefore: number }>`
    select via, "isBefore", ${SUMS} from (
      ${sql.join(counts, sql` union all `)}
      union all
      select via, ${isBefore} as "isBefore", ${COUNTS} from label_deltas
      where ${of} and ${deltasOf({ days: before.days, end: period.end })}
    ) parts group by via, "isBefore"`.execute(db);
  return rows;
}

/** Claims by listing and day. Rows include the account, so that a distributed database aggregates locally. */
export async function sumClaimsOfListings(
  db: Queryable,
  listings: readonly { readonly id: string; readonly account_id: string }[],
  period: Period,
): Promise<readonly { readonly listing_id: string; readonly day: string; readonly claims: number }[]> {
  if (listings.length === 0) return [];
  const accountIds = [...new Set(listings.map(({ account_id }) => account_id))];
  const accounts = await db.selectFrom('accounts').select('number').where('id', 'in', accountIds).execute();
  const of = sql`account_number in (${sql.join(accounts.map(({ number }) => number))})
    and listing_id in (${sql.join(listings.map(({ id }) => id))}) and claims > 0`;
  const { days } = period;
  const { rows } = await sql<{ listing_id: string; day: string; claims: number }>`
    select listing_id, day, sum(claims) as claims from (
      select account_number, listing_id, day, claims from label_days
      where ${of} and day >= ${days[0]!.day} and day <= ${days.at(-1)!.day}
      union all
      select account_number, listing_id, ${dayOf('at', days)} as day, claims from label_deltas
      where ${of} and ${deltasOf(period)}
    ) parts group by account_number, listing_id, day`.execute(db);
  return rows.map((row) => ({ ...row, claims: Number(row.claims) }));
}

/**
 * Without `listingId`, sums all of the account's listings. `label`: `null` sums all labels. In a period that is charted
 * by month, the counts of a complete month are one row, dated on the first of the month.
 */
export async function sumDays(
  db: Queryable,
  { accountId, listingId }: { readonly accountId: string; readonly listingId?: string },
  period: Period,
  label: string | null = null,
): Promise<DatedCounts[]> {
  const account = await readAccountNumber(db, accountId);
  const listings =
    listingId === undefined
      ? // The condition on `listing_id` makes the engine read one index range of days per listing.
        sql`listing_id in (select id from listings where account_id = ${accountId})`
      : sql`listing_id = ${listingId}`;
  const which = label === null ? sql`` : sql` and via = ${label}`;
  const of = sql`account_number = ${account} and ${listings}${which}`;
  const { days } = period;
  const parts =
    chartUnitOf(days) === 'month'
      ? countTablesOf(period)
      : ([{ table: 'label_days', column: 'day', first: days[0]!.day, last: days.at(-1)!.day }] as const);
  const counts = parts.map(({ table, column, first, last }) => {
    const at = sql.ref(column);
    const day = column === 'day' ? at : sql`${at} || '-01'`;
    // The primary key orders a listing's rows by day, so grouping needs no sort.
    return sql`select ${day} as day, ${SUMS} from ${sql.table(table)}
      where ${of} and ${at} >= ${first} and ${at} <= ${last} group by ${at}`;
  });
  const { rows } = await sql<DatedCounts>`
    select day, ${SUMS} from (
      ${sql.join(counts, sql` union all `)}
      union all
      select ${dayOf('at', days)} as day, ${COUNTS} from label_deltas where ${of} and ${deltasOf(period)}
    ) parts group by day order by day`.execute(db);
  return rows;
}
