/** Times as text, in UTC. */
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export type TimePrecision = 'day' | 'minute' | 'second';

/** `20 Nov 2026, 10:00 UTC`, from an ISO 8601 time in UTC. */
export function utcText(at: string, precision: TimePrecision = 'minute'): string {
  const day = `${Number(at.slice(8, 10))} ${MONTHS[Number(at.slice(5, 7)) - 1]} ${at.slice(0, 4)}`;
  if (precision === 'day') return day;
  return `${day}, ${at.slice(11, precision === 'second' ? 19 : 16)} UTC`;
}

/** ISO 8601 UTC, of milliseconds since the epoch. */
export const toIso = (ms: number): string => new Date(ms).toISOString();
