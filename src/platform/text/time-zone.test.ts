import { expect, test } from 'vitest';
import { inLanguage } from '../languages/language.ts';
import { HOUR_MS } from './durations.ts';
import {
  briefTimeText,
  dayIn,
  lastDays,
  localIn,
  parseBound,
  parseEnd,
  parseStart,
  parseTimeZone,
  timeText,
  timeTextWithZone,
  zoneText,
} from './time-zone.ts';

const bounds = (zone: string, day: string) => [
  parseBound(zone, day, 'since', ''),
  parseBound(zone, day, 'until', ''),
];

test.each([
  ['UTC', '2026-11-20', 24, '2026-11-20T00:00:00.000Z'],
  ['Europe/Berlin', '2026-03-29', 23, '2026-03-28T23:00:00.000Z'],
  ['Europe/Berlin', '2026-10-25', 25, '2026-10-24T22:00:00.000Z'],
  ['Pacific/Auckland', '2026-11-20', 24, '2026-11-19T11:00:00.000Z'],
  ['Asia/Kathmandu', '2026-11-20', 24, '2026-11-19T18:15:00.000Z'],
  // The day starts at 01:00, because the clock jumps from 00:00 to 01:00.
  ['Africa/Cairo', '2026-04-24', 23, '2026-04-23T22:00:00.000Z'],
  // Daylight saving time moves the clock by half an hour.
  ['Australia/Lord_Howe', '2026-10-04', 23.5, '2026-10-03T13:30:00.000Z'],
])('in %s, the day %s has %d hours, and its bounds agree with dayIn', (zone, day, hours, start) => {
  const [since, until] = bounds(zone, day);
  expect([since, (Date.parse(until!) - Date.parse(since!)) / HOUR_MS]).toEqual([start, hours]);
  const at = (ms: number) => new Date(ms).toISOString();
  const [first, last] = [Date.parse(since!), Date.parse(until!) - 1];
  expect([first - 1, first, last, last + 1].map((ms) => dayIn(zone, at(ms)) === day)).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect(parseEnd(zone, day)).toBe(at(last));
  const days = lastDays(zone, last + 1, 3);
  expect(days.find((one) => one.day === day)?.start).toBe(since);
});

test.each([
  ['2026-11-20T10:00:00+00:00', '2026-11-20T10:00:00.000Z'],
  ['2026-11-20T10:00+05:45', '2026-11-20T04:15:00.000Z'],
  ['2026-11-20T10:00:00.123456-08:00', '2026-11-20T18:00:00.123Z'],
  ['2026-11-20 10:00:00z', '2026-11-20T10:00:00.000Z'],
  ['2026-11-20T10:00:00.123456', '2026-11-20T09:00:00.123Z'],
  ['2026-02-30T10:00+01:00', null],
  ['2026-11-20T24:00Z', null],
  ['2026-11-20T10:00+99:00', null],
  ['2026-11-20T10:00+0100', null],
])('the time %s has an offset or fractions as programs write them', (text, at) => {
  expect(parseStart('Europe/Berlin', text)).toBe(at);
});

test('a time is interpreted in the time zone, or in UTC if it ends with Z', () => {
  expect(parseBound('Europe/Berlin', '2026-11-20T10:00', 'since', '')).toBe('2026-11-20T09:00:00.000Z');
  expect(parseBound('Europe/Berlin', '2026-11-20T10:00Z', 'since', '')).toBe('2026-11-20T10:00:00.000Z');
  expect(localIn('Europe/Berlin', '2026-11-20T09:00:00.000Z')).toBe('2026-11-20T10:00:00');
  // 02:30 occurs twice on this day. `since` means the first occurrence, and `until` means the second.
  expect(parseBound('Europe/Berlin', '2026-10-25T02:30', 'since', '')).toBe('2026-10-25T00:30:00.000Z');
  expect(parseBound('Europe/Berlin', '2026-10-25T02:30', 'until', '')).toBe('2026-10-25T01:30:00.000Z');
});

test('zones have a name for all seasons', () => {
  expect(zoneText('UTC')).toBe('UTC');
  expect(zoneText('Europe/Berlin')).toBe('Central European Time');
  expect(zoneText('Europe/Kyiv')).toBe('Eastern European Time');
  const german = () => zoneText('Europe/Vienna');
  expect(inLanguage('de', german)).toBe('Mitteleuropäische Zeit');
});

test('times are formatted in the time zone, and timeTextWithZone appends the name of the zone', () => {
  const at = '2026-12-31T23:30:00.000Z';
  expect(timeText('Europe/Berlin', at)).toBe('1 Jan 2027, 00:30');
  expect(timeText('Europe/Berlin', '2026-12-31', 'day')).toBe('31 Dec 2026');
  expect(timeText('UTC', at, 'second')).toBe('31 Dec 2026, 23:30:00');
  expect(timeTextWithZone('Europe/Berlin', at)).toBe('1 Jan 2027, 00:30 CET');
  expect(timeTextWithZone('UTC', at)).toBe('31 Dec 2026, 23:30 UTC');
  expect(timeTextWithZone('UTC', at, 'second')).toBe('31 Dec 2026, 23:30:00 UTC');
  const names = ['America/New_York', 'Australia/Sydney', 'Asia/Kolkata', 'Europe/London'].map((zone) =>
    timeTextWithZone(zone, '2026-07-01T12:00:00.000Z').split(' ').at(-1),
  );
  expect(names).toEqual(['EDT', 'AEST', 'GMT+5:30', 'BST']);
  expect(inLanguage('de', () => timeTextWithZone('Europe/Berlin', at))).toBe('1. Jan. 2027, 00:30 MEZ');
});

test('briefTimeText omits the year if it is the current year in the time zone', () => {
  const at = '2026-12-31T23:30:00.000Z';
  const brief = (zone: string, now: string) => briefTimeText(zone, at, Date.parse(now), 'minute');
  expect(brief('UTC', '2026-12-31T23:45:00.000Z')).toBe('31 Dec, 23:30');
  expect(brief('UTC', '2027-01-01T00:00:00.000Z')).toBe('31 Dec 2026, 23:30');
  expect(brief('Europe/Berlin', '2026-12-31T23:45:00.000Z')).toBe('1 Jan, 00:30');
  expect(brief('Europe/Berlin', '2026-12-31T22:45:00.000Z')).toBe('1 Jan 2027, 00:30');
});

test.each([
  ['UTC', '9999-12-31', 'until'],
  ['Asia/Tokyo', '0001-01-01', 'since'],
  ['Europe/Berlin', '2026-02-30', 'since'],
  ['Europe/Berlin', '2026-11-20T24:00', 'since'],
  ['Europe/Berlin', '2026-11-20T10:00+0100', 'since'],
  ['Europe/Berlin', 'noon', 'until'],
] as const)('in %s, %j is rejected as a bound', (zone, text, end) => {
  expect(() => parseBound(zone, text, end, 'The day')).toThrow(`The day; found "${text}".`);
});

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  ['Etc/UTC', 'UTC'],
  ['+01:00', null],
  ['Mars/Olympus', null],
  ['', null],
  ['Europe/Berlin\n', null],
])('the time zone %j is parsed as %j', (text, name) => {
  expect(parseTimeZone(text)).toBe(name);
});
