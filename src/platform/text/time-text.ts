import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './durations.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A time in ISO 8601, UTC, with milliseconds: `2026-11-20T10:00:00.000Z`. */
export type Iso = string;
/** Milliseconds since the epoch. */
export type EpochMs = number;

export type TimePrecision = 'day' | 'minute' | 'second';

/** Formats an ISO 8601 time in UTC as `20 Nov 2026, 10:00`. */
export function utcText(at: string, precision: TimePrecision): string {
  const day = `${Number(at.slice(8, 10))} ${MONTHS[Number(at.slice(5, 7)) - 1]} ${at.slice(0, 4)}`;
  if (precision === 'day') return day;
  return `${day}, ${at.slice(11, precision === 'second' ? 19 : 16)}`;
}

/** Length of `hh:mm:ss.sssZ`. */
const CLOCK_LENGTH = 13;

const digits = (count: number, length: number): readonly string[] =>
  Array.from({ length: count }, (_, value) => String(value).padStart(length, '0'));
const TWO_DIGITS = digits(60, 2);
const THREE_DIGITS = digits(1_000, 3);

/** The day of the last converted time. `text` ends with `T`. */
let lastDay = { number: Number.NaN, text: '' };

/** Three times as fast as `toISOString`, because the day is cached. Every verification calls this function. */
export function toIso(ms: EpochMs): Iso {
  const whole = Math.trunc(ms);
  const number = Math.floor(whole / DAY_MS);
  if (number !== lastDay.number) {
    lastDay = { number, text: new Date(whole).toISOString().slice(0, -CLOCK_LENGTH) };
  }
  const rest = whole - number * DAY_MS;
  const hour = TWO_DIGITS[Math.floor(rest / HOUR_MS)];
  const minute = TWO_DIGITS[Math.floor(rest / MINUTE_MS) % 60];
  const second = TWO_DIGITS[Math.floor(rest / SECOND_MS) % 60];
  return `${lastDay.text}${hour}:${minute}:${second}.${THREE_DIGITS[rest % SECOND_MS]}Z`;
}

/** The first and last time that both PostgreSQL and the format of `toIso` can represent. PostgreSQL has no year 0. */
export const FIRST_MS = Date.parse('0001-01-01T00:00:00.000Z');
export const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');
export const DAY = /^\d{4}-\d\d-\d\d$/;
export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?Z?$/;
/** RFC 3339 section 5.6, except that the seconds are optional. */
const ZONED_TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?([Zz]|[+-]\d\d:\d\d)$/;

/**
 * Milliseconds since the epoch, or `null` outside `FIRST_MS` to `LAST_MS` and for days and hours that don't exist:
 * `Date.parse` would read 30 February as 2 March, and 24:00 as the next day.
 */
export function parseIso(text: string): number | null {
  const day = text.slice(0, 10);
  const dayMs = Date.parse(day);
  if (Number.isNaN(dayMs) || toIso(dayMs).slice(0, 10) !== day || text.slice(11, 13) === '24') return null;
  const ms = Date.parse(text);
  return ms >= FIRST_MS && ms <= LAST_MS ? ms : null;
}

/** Like `parseIso`, for a time with `Z` or an offset such as `+01:00`; `null` for other texts. */
export const parseZonedTime = (text: string): number | null =>
  ZONED_TIME.test(text) ? parseIso(text.toUpperCase().replace(' ', 'T')) : null;
