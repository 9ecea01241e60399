import { expect, test } from 'vitest';
import { lastDays } from '../../platform/text/time-zone.ts';
import { byWeek, dailyCounts, dayText, rated } from './count.ts';

test('dailyCounts() fills missing days with zeros and ignores days outside the range', () => {
  const days = lastDays('UTC', Date.parse('2026-03-01T00:00:00.000Z'), 3);
  const counts = [
    { day: '2026-02-28', visits: 8, visitors: 5, claims: 3, arrived: 2, redeemed: 1, code_claims: 1 },
    { day: '2026-02-01', visits: 9, visitors: 9, claims: 9, arrived: 9, redeemed: 9, code_claims: 9 },
  ];
  expect(dailyCounts(days, counts)).toEqual({
    visits: [0, 8, 0],
    visitors: [0, 5, 0],
    claims: [0, 3, 0],
    arrived: [0, 2, 0],
    redeemed: [0, 1, 0],
    code_claims: [0, 1, 0],
  });
  expect(dayText(days.at(-1)!)).toBe('1 Mar');
});

test.each([
  ['half of the claims with a link', { claims: 6, code_claims: 4, redeemed: 1 }, 2, 0.5],
  ['only codes', { claims: 3, code_claims: 3, redeemed: 0 }, 0, 0],
  ['claims from before the period', { claims: 1, code_claims: 1, redeemed: 2 }, 2, 1],
])('rated() divides redemptions by the claims with a link: %s', (_, counts, redeemable, rate) => {
  expect(rated(counts)).toEqual({ redeemable, rate });
});

test('byWeek() ends the last week on the last day and drops an incomplete first week', () => {
  const days = lastDays('UTC', Date.parse('2026-03-16T00:00:00.000Z'), 16);
  const counts = days.map(({ day }) => ({
    day,
    visits: 1,
    visitors: 1,
    claims: 2,
    arrived: 1,
    redeemed: 1,
    code_claims: 0,
  }));
  const weeks = byWeek(days, dailyCounts(days, counts));
  expect(weeks.days.map(dayText)).toEqual(['3 Mar', '10 Mar']);
  expect(weeks.counts).toMatchObject({ visits: [7, 7], claims: [14, 14] });
});
