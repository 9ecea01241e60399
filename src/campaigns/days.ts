/** Counts by day of the marketplace's time zone, such as `2026-11-20`. */
import { utcText } from '../text/time-text.ts';
import type { Day } from '../text/time-zone.ts';

/** Numbers for each day, in order. */
export interface DailyCounts {
  readonly claims: readonly number[];
  readonly redeemed: readonly number[];
}

/** The counts of each of these days; 0 on a day that has none. */
export function dailyCounts(
  days: readonly Day[],
  counts: readonly { readonly day: string; readonly claims: number; readonly redeemed: number }[],
): DailyCounts {
  const byDay = new Map(counts.map((count) => [count.day, count]));
  return {
    claims: days.map(({ day }) => byDay.get(day)?.claims ?? 0),
    redeemed: days.map(({ day }) => byDay.get(day)?.redeemed ?? 0),
  };
}

/** `20 Nov`. */
export const dayText = ({ day }: Day): string => utcText(day, 'day').replace(/ \d{4}$/, '');
