import { expect, test } from 'vitest';
import { lastDays } from '../../platform/text/time-zone.ts';
import { byWeek, dailyCounts, dayText } from './count.ts';

test('dailyCounts() fills missing days with zeros and ignores days outside the range', () => {
  const days = lastDays('UTC', Date.parse('2026-03-01T00:00:00.000Z'), 3);
  const counts = [
    { day: '2026-02-28', visits: 8, visitors: 5, claims: 3, arrived: 2, redeemed: 1 },
    { day: '2026-02-01', visits: 9, visitors: 9, claims: 9, arrived: 9, redeemed: 9 },
  ];
  expect(dailyCounts(days, counts)).toEqual({
    visits: [0, 8, 0],
    visitors: [0, 5, 0],
    claims: [0, 3, 0],
    arrived: [0, 2, 0],
    redeemed: [0, 1, 0],
  });
  expect(dayText(days.at(-1)!)).toBe('1 Mar');
});

test('byWeek() ends the last week on the last day and drops an incomplete first week', () => {
  const days = lastDays('UTC', Date.parse('2026-03-16T00:00:00.000Z'), 16);
  const counts = days.map(({ day }) => ({ day, visits: 1, visitors: 1, claims: 2, arrived: 1, redeemed: 1 }));
  const weeks = byWeek(days, dailyCounts(days, counts));
  expect(weeks.days.map(dayText)).toEqual(['3 Mar', '10 Mar']);
  expect(weeks.counts).toMatchObject({ visits: [7, 7], claims: [14, 14] });
});
