import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseIso, toIso } from './time-text.ts';

test('toIso returns the same text as toISOString', () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (time) => {
      expect(toIso(time.getTime())).toBe(time.toISOString());
    }),
    { numRuns: 2_000, examples: [[new Date(-1)], [new Date(8.64e15)], [new Date(-8.64e15)]] },
  );
  expect(toIso(1.9)).toBe('1970-01-01T00:00:00.001Z');
  expect(toIso(-1.9)).toBe('1969-12-31T23:59:59.999Z');
  expect(() => toIso(Number.NaN)).toThrow(RangeError);
});

test.each([
  ['2026-02-28', Date.UTC(2026, 1, 28)],
  ['2028-02-29T10:00Z', Date.UTC(2028, 1, 29, 10)],
  ['2026-12-31T23:59:59.999Z', Date.UTC(2026, 11, 31, 23, 59, 59, 999)],
  ['2026-03-01T00:30:00+02:00', Date.UTC(2026, 1, 28, 22, 30)],
])('parseIso parses %s', (text, ms) => {
  expect(parseIso(text)).toBe(ms);
});

test.each([
  '2026-02-29',
  '2026-02-30T10:00:00Z',
  '2026-04-31T10:00:00+02:00',
  '2026-13-01',
  '2026-11-00',
  '2026-11-20T24:00:00Z',
  '2026-11-20T10:60:00Z',
  '0000-01-01',
  '9999-12-31T23:59:59-02:00',
])('parseIso rejects %s', (text) => {
  expect(parseIso(text)).toBeNull();
});
