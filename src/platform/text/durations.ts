export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Parses text such as `24h` or `90d` into milliseconds. Returns `null` for any other text. */
export function parseHoursOrDays(text: string): number | null {
  const [, count, unit] = /^([1-9][0-9]{0,5})([hd])$/.exec(text) ?? [];
  return count === undefined ? null : Number(count) * (unit === 'h' ? HOUR_MS : DAY_MS);
}
