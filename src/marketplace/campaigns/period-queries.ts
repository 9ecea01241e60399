/** Each statement reads counts and deltas in one snapshot: a concurrent aggregation moves deltas into counts. */
import { type RawBuilder, sql } from 'kysely';
import type { Queryable } from '../../platform/store/database.ts';
import { readAccountNumber } from '../../platform/store/numbers.ts';
import type { Day, Period } from '../../platform/text/time-zone.ts';
import { chartUnitOf } from './chart-points.ts';
import { COUNTED, type DatedCounts } from './funnel.ts';
import {
  COUNTS,
  COUNTS_OF_D,
  dayOf,
  type LabelTotal,
  NEGATIVE_COUNTS_OF_D,
  NEGATIVE_SUMS,
  rowsOf,
  SUMS,
} from './queries.ts';
import { partsOf } from './range.ts';

export const deltasOf = ({ days, end }: Period) =>
  end === null ? sql`at >= ${days[0]!.start}` : sql`at >= ${days[0]!.start} and at < ${end}`;

/** Rows `d` whose counts add up to the counts of the days, without waiting deltas. */
export const countRowsOf = (days: readonly Day[]) =>
  partsOf(days[0]!.day, days.at(-1)!.day).map(({ unit, first, last, isExcluded }) => ({
    unit,
    table: sql`${sql.table(`label_${unit}s`)} d`,
    isInPart: sql`${sql.ref(`d.${unit}`)} >= ${first} and ${sql.ref(`d.${unit}`)} <= ${last}`,
    counts: isExcluded ? NEGATIVE_COUNTS_OF_D : COUNTS_OF_D,
    sums: isExcluded ? NEGATIVE_SUMS : SUMS,
  }));

/** Number of days at the end of a period that usually include all waiting deltas. */
const RECENT_DAYS = 3;

/**
 * Reads deltas by day, with `day` as SQL for the day. The SQL for all days of three years takes longer than the rest of
 * the statement, so it is used only if an earlier delta waits, such as during an import.
 */
export async function readByDay<Row extends { readonly day: string | null }>(
  days: readonly Day[],
  read: (day: RawBuilder<string>) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const rows = await read(dayOf('at', days.slice(-RECENT_DAYS)));
  return rows.some(({ day }) => day === null) ? await read(dayOf('at', days)) : rows;
}

/** Months from the monthly counts: with many labels, the days of a year are too slow for a page. */
export async function sumPeriods(
  db: Queryable,
  { accountId, listingId }: { readonly accountId: string; readonly listingId: string },
  period: Period,
  before: Period,
): Promise<(LabelTotal & { readonly isBefore: number })[]> {
  const of = await rowsOf(db, accountId, listingId);
  const counts = [period, before].flatMap((one, isBefore) =>
    countRowsOf(one.days).map(
      ({ table, isInPart, counts }) =>
        sql`select via, ${sql.lit(isBefore)} as "isBefore", ${counts} from ${table} where ${of} and ${isInPart}`,
    ),
  );
  const isBefore = sql`case when at < ${period.days[0]!.start} then 1 else 0 end`;
  const { rows } = await sql<LabelTotal & { readonly isBefore: number }>`
    select via, "isBefore", ${SUMS} from (
      ${sql.join(counts, sql` union all `)}
      union all
      select via, ${isBefore} as "isBefore", ${COUNTS} from label_deltas
      where ${of} and ${deltasOf({ days: before.days, end: period.end })}
    ) parts group by via, "isBefore"`.execute(db);
  // A label whose counts of a month are all on days outside the period has a row of zeros.
  return rows.filter((row) => COUNTED.some((count) => row[count] !== 0));
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
  return await readByDay(days, async (day) => {
    const result = await sql<{ listing_id: string; day: string; claims: number }>`
      select listing_id, day, sum(claims) as claims from (
        select account_number, listing_id, day, claims from label_days
        where ${of} and day >= ${days[0]!.day} and day <= ${days.at(-1)!.day}
        union all
        select account_number, listing_id, ${day} as day, claims from label_deltas
        where ${of} and ${deltasOf(period)}
      ) parts group by account_number, listing_id, day`.execute(db);
    return result.rows;
  });
}

/** SQL for the day of rows `d` in a chart by month. */
const FIRST_OF_MONTH = { day: sql`substr(d.day, 1, 7) || '-01'`, month: sql`d.month || '-01'` } as const;

/** Rows `d` of a chart of all labels. */
const rowsOfChart = (days: readonly Day[], months: readonly string[]) =>
  months.length > 0
    ? countRowsOf(days).map((part) => ({ ...part, day: FIRST_OF_MONTH[part.unit] }))
    : [
        {
          unit: 'day' as const,
          table: sql`label_days d`,
          isInPart: sql`d.day >= ${days[0]!.day} and d.day <= ${days.at(-1)!.day}`,
          sums: SUMS,
          day: sql.ref('d.day'),
        },
      ];

/** Rows `d` of a chart of one label. Lists each day and month, so that the engine doesn't read other labels' rows. */
function rowsOfLabel(days: readonly Day[], months: readonly string[]) {
  const [completeMonths, lastMonth] = [months.slice(0, -1), months.at(-1) ?? ''];
  const otherDays = days.map(({ day }) => day).filter((day) => day.startsWith(lastMonth));
  const rows = [
    { unit: 'month', values: completeMonths, day: FIRST_OF_MONTH.month },
    { unit: 'day', values: otherDays, day: sql.ref('d.day') },
  ] as const;
  return rows
    .filter(({ values }) => values.length > 0)
    .map(({ unit, values, day }) => ({
      unit,
      table: sql`${sql.table(`label_${unit}s`)} d`,
      isInPart: sql`${sql.ref(`d.${unit}`)} in (${sql.join(values)})`,
      sums: SUMS,
      day,
    }));
}

/**
 * Without `listingId`, sums all of the account's listings. `label`: `null` sums all labels. In a period that is charted
 * by month, the stored counts of a month are one row, dated on the first of the month, and the days before the first
 * complete month are omitted, as in the chart.
 */
export async function sumDays(
  db: Queryable,
  { accountId, listingId }: { readonly accountId: string; readonly listingId?: string },
  period: Period,
  label: string | null = null,
): Promise<readonly DatedCounts[]> {
  const account = await readAccountNumber(db, accountId);
  const listings =
    listingId === undefined
      ? // The condition on `listing_id` makes the engine read one index range of days per listing.
        sql`listing_id in (select id from listings where account_id = ${accountId})`
      : sql`listing_id = ${listingId}`;
  const which = label === null ? sql`` : sql` and via = ${label}`;
  const of = sql`account_number = ${account} and ${listings}${which}`;
  const { days } = period;
  const isByMonth = chartUnitOf(days) === 'month';
  const charted = isByMonth ? days.slice(days.findIndex(({ day }) => day.endsWith('-01'))) : days;
  const months = isByMonth ? [...new Set(charted.map(({ day }) => day.slice(0, 'yyyy-mm'.length)))] : [];
  const rows = label === null ? rowsOfChart(charted, months) : rowsOfLabel(charted, months);
  const counts = rows.map(
    // The primary key orders a listing's rows by day, so grouping needs no sort.
    ({ unit, table, isInPart, sums, day }) =>
      sql`select ${day} as day, ${sums} from ${table} where ${of} and ${isInPart} group by ${sql.ref(`d.${unit}`)}`,
  );
  return await readByDay(days, async (day) => {
    const { rows } = await sql<DatedCounts>`
      select day, ${SUMS} from (
        ${sql.join(counts, sql` union all `)}
        union all
        select ${day} as day, ${COUNTS} from label_deltas where ${of} and ${deltasOf(period)}
      ) parts group by day order by day`.execute(db);
    return rows;
  });
}
