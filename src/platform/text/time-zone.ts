/** Days and local times in the marketplace's time zone (IANA). Unless stated otherwise, times are ISO 8601 UTC. */

import { invalid } from '../errors.ts';
import { currentLanguage, ENGLISH } from '../languages/language.ts';
import { message, type Words } from '../languages/translate.ts';
import { quote } from './text.ts';
import {
  DAY,
  FIRST_MS,
  LAST_MS,
  parseIso,
  parseZonedTime,
  TIME,
  type TimePrecision,
  toIso,
  utcText,
} from './time-text.ts';

export const DEFAULT_TIME_ZONE = 'UTC';

/** The canonical name of a time zone; `null` if the zone is unknown or `text` is an offset such as `+01:00`. */
export function parseTimeZone(text: string): string | null {
  if (!/^[A-Za-z]/.test(text)) return null;
  try {
    const name = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return name;
  } catch {
    return null;
  }
}

const zoned = (at: string, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.from(at).toZonedDateTimeISO(zone);

export const dayIn = (zone: string, at: string): string => zoned(at, zone).toPlainDate().toString();

/** The local date and time in the format of `datetime-local` fields: `2026-11-20T10:00:00`. */
export const localIn = (zone: string, at: string): string =>
  zoned(at, zone).toPlainDateTime().toString({ smallestUnit: 'second' });

/** Returns `20 Nov 2026, 10:00` in the current language, for pages that name the time zone. `at` may be a day. */
export function timeText(zone: string, at: string, precision: TimePrecision = 'minute'): string {
  const language = currentLanguage();
  if (language !== ENGLISH) {
    const isDay = at.length === DAY_LENGTH;
    return formatOf(language.code, isDay ? DEFAULT_TIME_ZONE : zone, precision).format(Date.parse(at));
  }
  if (at.length === DAY_LENGTH || zone === DEFAULT_TIME_ZONE) return utcText(at, precision);
  return utcText(`${localIn(zone, at)}.000Z`, precision);
}

/** Like `timeText`, but omits the current year (`20 Nov, 10:00`), to keep lists short. */
export function briefTimeText(zone: string, at: string, now: number, precision: TimePrecision): string {
  if (dayIn(zone, at).slice(0, 4) !== dayIn(zone, toIso(now)).slice(0, 4))
    return timeText(zone, at, precision);
  return timeTextWithoutYear(zone, at, precision);
}

export function timeTextWithoutYear(zone: string, at: string, precision: TimePrecision): string {
  const language = currentLanguage();
  if (language === ENGLISH) return timeText(zone, at, precision).replace(/ \d+(?=,|$)/, '');
  return formatOf(language.code, zone, precision, false).format(Date.parse(at));
}

/** Returns `20 Nov 2026, 10:00 CET`, for times that people must not miss, and outside pages. */
export const timeTextWithZone = (zone: string, at: string, precision?: TimePrecision): string =>
  `${timeText(zone, at, precision)} ${zoneName(zone, at)}`;

/** Each knows the names of the zones of its region, such as CET, EST and AEST. The others have names like GMT+9. */
const ENGLISH_REGIONS = ['en-GB', 'en-US', 'en-AU', 'en-NZ'];

function zoneName(zone: string, at: string): string {
  if (zone === DEFAULT_TIME_ZONE) return 'UTC';
  const language = currentLanguage();
  const names = (language === ENGLISH ? ENGLISH_REGIONS : [language.code]).map((locale) => {
    const make = () => new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'short' });
    const parts = formats.getOrInsertComputed(`${locale} ${zone} name`, make).formatToParts(Date.parse(at));
    return parts.find(({ type }) => type === 'timeZoneName')!.value;
  });
  return names.find((name) => !name.startsWith('GMT')) ?? names[0]!;
}

/** Returns the zone's name for all seasons, such as Central European Time, in the current language. */
export function zoneText(zone: string): string {
  if (zone === DEFAULT_TIME_ZONE) return 'UTC';
  const { code } = currentLanguage();
  const make = () => new Intl.DateTimeFormat(code, { timeZone: zone, timeZoneName: 'longGeneric' });
  const parts = formats.getOrInsertComputed(`${code} ${zone} zone`, make).formatToParts(RECENT_MS);
  return parts.find(({ type }) => type === 'timeZoneName')!.value;
}

/** A time after the latest known changes of zones. Names depend on the zone's rules at the time. */
const RECENT_MS = Date.UTC(2026, 0);

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(language: string, timeZone: string, precision: TimePrecision, hasYear = true) {
  const make = () =>
    new Intl.DateTimeFormat(language, {
      ...{ day: 'numeric', month: 'short', timeZone },
      ...(hasYear && { year: 'numeric' }),
      ...(precision !== 'day' && { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
      ...(precision === 'second' && { second: '2-digit' }),
    });
  return formats.getOrInsertComputed(`${language} ${timeZone} ${precision} ${hasYear}`, make);
}

const DAY_LENGTH = '2026-11-20'.length;

/** The start of the day `daysLater` days after `day`. With daylight saving time, a day may start at 01:00. */
const startMs = (zone: string, day: string, daysLater = 0): number =>
  Temporal.PlainDate.from(day).add({ days: daysLater }).toZonedDateTime(zone).epochMilliseconds;

export interface Day {
  /** Such as `2026-11-20`. */
  readonly day: string;
  /** The start of the day, ISO 8601 UTC. */
  readonly start: string;
}

/** The days from `from` to `to` (inclusive), and `more` days after them. */
export function daysBetween(zone: string, from: string, to: string, more = 0): readonly Day[] {
  const first = zoned(from, zone).toPlainDate();
  const amount = first.until(zoned(to, zone).toPlainDate()).days + more + 1;
  return Array.from({ length: amount }, (_, later) => {
    const day = first.add({ days: later });
    return {
      day: day.toString(),
      // Computed when it is read: computing the starts of six years takes longer than most pages.
      get start() {
        return toIso(day.toZonedDateTime(zone).epochMilliseconds);
      },
    };
  });
}

/** Consecutive days. `end`: the start of the day after the last one, ISO 8601 UTC; `null`: the period ends now. */
export interface Period {
  readonly days: readonly Day[];
  readonly end: string | null;
}

export function periodOf(zone: string, first: string, last: string): Period {
  const days = daysBetween(zone, toIso(startMs(zone, first)), toIso(startMs(zone, last)), 1);
  return { days: days.slice(0, -1), end: days.at(-1)!.start };
}

/** The last `amount` days, including today, oldest first. `now` is in milliseconds since the epoch. */
export function lastDays(zone: string, now: number, amount: number): readonly Day[] {
  const today = toIso(now);
  const first = zoned(today, zone)
    .toPlainDate()
    .subtract({ days: amount - 1 });
  return daysBetween(zone, toIso(first.toZonedDateTime(zone).epochMilliseconds), today);
}

/**
 * A day, a local time, or a time with `Z` or an offset; else `null`. With `until`, a day means the start of the next day. Of a
 * local time that occurs twice, `since` means the first occurrence and `until` the second.
 */
function boundMs(zone: string, text: string, end: 'since' | 'until'): number | null {
  if (DAY.test(text)) return parseIso(text) === null ? null : startMs(zone, text, end === 'until' ? 1 : 0);
  const zonedMs = parseZonedTime(text);
  if (zonedMs !== null) return zonedMs;
  if (!TIME.test(text) || text.endsWith('Z') || parseIso(`${text}Z`) === null) return null;
  const disambiguation = end === 'since' ? 'earlier' : 'later';
  return Temporal.PlainDateTime.from(text).toZonedDateTime(zone, { disambiguation }).epochMilliseconds;
}

/** Returns `null` if the database cannot store the time. */
const storedIso = (ms: number | null): string | null =>
  ms !== null && ms >= FIRST_MS && ms <= LAST_MS ? toIso(ms) : null;

/** The start or exclusive end of a period. `rule`: how the refusal begins, such as "Enter a day such as 2026-11-20". */
export function parseBound(zone: string, text: string, end: 'since' | 'until', rule: Words): string {
  const bound = storedIso(boundMs(zone, text, end));
  if (bound === null) throw invalid(message('{rule}; found {text}.', { rule, text: quote(text) }));
  return bound;
}

/** Parses a day, a local time, or a time with `Z` or an offset such as `+01:00`; `null` for any other text. A day means its start. */
export const parseStart = (zone: string, text: string): string | null =>
  storedIso(boundMs(zone, text, 'since'));

/** Like `parseStart`, but a day means its last millisecond. */
export function parseEnd(zone: string, text: string): string | null {
  const ms = boundMs(zone, text, 'until');
  return storedIso(ms !== null && DAY.test(text) ? ms - 1 : ms);
}

const isEndOfDay = (zone: string, at: string): boolean =>
  startMs(zone, dayIn(zone, at), 1) - 1 === Date.parse(at);

/** What `parse` reads as `at`: local, or UTC if the local time would be parsed as a different instant. */
function typedTime(zone: string, at: string | null, parse: typeof parseStart): string {
  if (at === null) return '';
  const text = localIn(zone, at).replace(/(T\d\d:\d\d):00$/, '$1');
  return parse(zone, text) === at ? text : at;
}

export const typedStart = (zone: string, at: string | null): string => typedTime(zone, at, parseStart);

export const typedEnd = (zone: string, at: string | null): string =>
  at !== null && isEndOfDay(zone, at) ? dayIn(zone, at) : typedTime(zone, at, parseEnd);
