import fc from 'fast-check';
import { expect, test } from 'vitest';
import { daysBetween } from '../../platform/text/time-zone.ts';
import { MAX_PERIOD_DAYS, partsOf, periodsOf, spanOf, wantedSpan } from './range.ts';

const TODAY = '2026-11-20';

test.each([
  ['7', '2026-11-14'],
  ['30', '2026-10-22'],
  ['90', '2026-08-23'],
  ['year', '2026-01-01'],
] as const)('the range %s starts on %s', (range, from) => {
  expect(spanOf(range, TODAY)).toEqual({ from, to: TODAY });
});

test.each([
  [{}, null],
  [{ from: '2026-11-01' }, { from: '2026-11-01', to: TODAY }],
  [
    { from: '2026-11-01', to: '2026-11-01' },
    { from: '2026-11-01', to: '2026-11-01' },
  ],
  [{ from: '2023-11-21' }, { from: '2023-11-21', to: TODAY }],
])('wantedSpan(%j) returns %j', (days, span) => {
  expect(wantedSpan(days, TODAY)).toEqual(span);
});

test.each([
  [{ to: TODAY }, 'needs a first day (from)'],
  [{ from: '2026-11-21' }, 'not be after the last day'],
  [{ from: '2026-02-30' }, 'between 1970-01-01 and 2999-12-31'],
  [{ from: '0001-01-01', to: '0001-01-02' }, 'between 1970-01-01 and 2999-12-31'],
  [{ from: '20261101' }, 'found "20261101"'],
  [{ from: '2026-11-01', to: 'x' }, 'The last day must be'],
  [{ from: '2023-11-20' }, `at most ${MAX_PERIOD_DAYS.toLocaleString('en')} days`],
])('wantedSpan(%j) throws: %s', (days, sentence) => {
  expect(() => wantedSpan(days, TODAY)).toThrow(sentence);
});

test('the previous period has the same number of days, even across a clock change', () => {
  const { period, before } = periodsOf('Europe/Berlin', { from: '2026-10-20', to: '2026-11-02' });
  expect([period.days.length, before.days.length]).toEqual([14, 14]);
  expect(before.days[0]!.day).toBe('2026-10-06');
  expect(before.end).toBe(period.days[0]!.start);
  expect(period.end).toBe('2026-11-02T23:00:00.000Z');
});

test('the parts of a span add up to its days, with at most half a month of days at each end', () => {
  const day = fc.integer({ min: 0, max: 1_200 }).map((n) => new Date(Date.UTC(2024, 0, 1 + n)).toISOString());
  const around = daysBetween('UTC', '2023-12-01T00:00:00Z', '2027-05-31T00:00:00Z').map(({ day }) => day);
  fc.assert(
    fc.property(day, day, (one, other) => {
      const [from, to] = [one, other].sort().map((at) => at.slice(0, 10)) as [string, string];
      const parts = partsOf(from, to);
      expect(parts.length).toBeLessThanOrEqual(3);
      const sums = around.map((each) => {
        const covering = parts.filter(({ unit, first, last }) => {
          const at = each.slice(0, unit === 'day' ? 10 : 7);
          return at >= first && at <= last;
        });
        return covering.reduce((sum, { isExcluded }) => sum + (isExcluded ? -1 : 1), 0);
      });
      expect(sums).toEqual(around.map((each) => (each >= from && each <= to ? 1 : 0)));
      for (const { first, last } of parts.filter(({ unit }) => unit === 'day')) {
        expect(around.filter((each) => each >= first && each <= last).length).toBeLessThanOrEqual(15);
      }
    }),
  );
});
