/** Charts of counts: a period has a point per day, week or month, depending on its length. */
import { currentLanguage } from '../../platform/languages/language.ts';
import { type Day, DEFAULT_TIME_ZONE, timeTextWithoutYear } from '../../platform/text/time-zone.ts';
import { COUNTED, type DatedCounts, forEachCount } from './funnel.ts';

/** The claims of one listing on each day. `counts`: of several listings. */
export function claimsByDay(
  listingId: string,
  days: readonly Day[],
  counts: readonly { readonly listing_id: string; readonly day: string; readonly claims: number }[],
): readonly number[] {
  const ofListing = counts.filter(({ listing_id }) => listing_id === listingId);
  const byDay = new Map(ofListing.map(({ day, claims }) => [day, claims]));
  return days.map(({ day }) => byDay.get(day) ?? 0);
}

const MOST_DAYS_CHARTED = 120;
const MOST_DAYS_CHARTED_BY_WEEK = 366;
const WEEK_DAYS = 7;

type ChartUnit = 'day' | 'week' | 'month';

export function chartUnitOf(days: readonly Day[]): ChartUnit {
  if (days.length <= MOST_DAYS_CHARTED) return 'day';
  return days.length <= MOST_DAYS_CHARTED_BY_WEEK ? 'week' : 'month';
}

/** Whether a point starts on the day. The last week ends on the last day. */
const STARTS: Readonly<Record<ChartUnit, (day: Day, index: number, days: readonly Day[]) => boolean>> = {
  day: () => true,
  week: (_day, index, days) => (days.length - index) % WEEK_DAYS === 0,
  month: ({ day }) => day.endsWith('-01'),
};

/**
 * The counts of each point of a chart. Days before the first complete week or month are dropped. `counts`: of days, or
 * of complete months, dated on their first day. `isOver`: whether the last day of the period has passed.
 */
export function chartPoints(days: readonly Day[], counts: readonly DatedCounts[], isOver: boolean) {
  const unit = chartUnitOf(days);
  const starts = days.filter(STARTS[unit]);
  const values = forEachCount(() => starts.map(() => 0));
  let point = -1;
  const pointOf = new Map<string, number>();
  for (const [index, day] of days.entries()) {
    if (STARTS[unit](day, index, days)) point += 1;
    pointOf.set(day.day, point);
  }
  for (const row of counts) {
    const at = pointOf.get(row.day) ?? -1;
    if (at >= 0) for (const count of COUNTED) values[count][at]! += row[count];
  }
  // A week counts as complete even if its last day isn't.
  return {
    unit,
    days: starts.map(unit === 'month' ? monthText : dayText),
    counts: values,
    isOver: isOver || unit === 'week',
  };
}

/** Such as `20 Nov`. */
export const dayText = ({ day }: Day): string => timeTextWithoutYear(DEFAULT_TIME_ZONE, day, 'day');

/** Such as `Nov 2026`. */
const monthText = ({ day }: Day): string =>
  monthFormats
    .getOrInsertComputed(
      currentLanguage().code,
      (code) => new Intl.DateTimeFormat(code, { month: 'short', year: 'numeric', timeZone: 'UTC' }),
    )
    .format(Date.parse(day));

const monthFormats = new Map<string, Intl.DateTimeFormat>();
