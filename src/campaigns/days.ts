/** Counts by UTC day, such as `2026-11-20`. */
import { utcText } from '../time-text.ts';

const DAY_MS = 86_400_000;

/** Numbers for each day, in order. */
export interface DailyCounts {
  readonly claims: readonly number[];
  readonly redeemed: readonly number[];
}

/** The last days up to now, today included, oldest first, without a gap. `now`: milliseconds since the epoch. */
export const lastDays = (now: number, amount: number): readonly string[] =>
  Array.from({ length: amount }, (_, at) =>
    new Date(now - (amount - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  );

/** The counts of each of these days; 0 on a day that has none. */
export function dailyCounts(
  days: readonly string[],
  counts: readonly { readonly day: string; readonly claims: number; readonly redeemed: number }[],
): DailyCounts {
  const byDay = new Map(counts.map((count) => [count.day, count]));
  return {
    claims: days.map((day) => byDay.get(day)?.claims ?? 0),
    redeemed: days.map((day) => byDay.get(day)?.redeemed ?? 0),
  };
}

/** `20 Nov`. */
export const dayText = (day: string): string => utcText(day, 'day').replace(/ \d{4}$/, '');
