/** Times as text, in UTC. */
import { invalid } from './errors.ts';
import { quote } from './text.ts';

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

/** The times that PostgreSQL reads in the form of `toIso`: it has no year 0. */
export const FIRST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');
const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z?$/;

/**
 * Milliseconds since the epoch of an ISO 8601 time or day whose form was checked. `null` where PostgreSQL has no such
 * year, and where there is no such day or hour: `Date.parse` takes 30 February for 2 March, and 24:00 for the next day.
 */
export function parseIso(text: string): number | null {
  const day = text.slice(0, 10);
  const dayMs = Date.parse(day);
  if (Number.isNaN(dayMs) || toIso(dayMs).slice(0, 10) !== day || text.slice(11, 13) === '24') return null;
  const ms = Date.parse(text);
  return ms >= FIRST_MS && ms <= LAST_MS ? ms : null;
}

/**
 * The time from which a period counts, or up to which (exclusive), from a day (`2026-11-20`, UTC; as an end it is counted
 * too) or a time. Throws `invalid_request`; `rule` begins its sentence: "The first day is written like 2026-11-20".
 */
export function parseBound(text: string, end: 'since' | 'until', rule: string): string {
  const isDay = DAY.test(text);
  const ms = isDay || TIME.test(text) ? parseIso(isDay || text.endsWith('Z') ? text : `${text}Z`) : null;
  const bound = ms === null ? Number.NaN : ms + (isDay && end === 'until' ? DAY_MS : 0);
  if (!(bound <= LAST_MS)) throw invalid(`${rule}; found ${quote(text)}.`);
  return toIso(bound);
}
