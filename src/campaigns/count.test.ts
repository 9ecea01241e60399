import { expect, it } from 'vitest';
import { lastDays } from '../text/time-zone.ts';
import { dailyCounts, dayText } from './count.ts';

it('a day without counts has zeros', () => {
  const days = lastDays('UTC', Date.parse('2026-03-01T00:00:00.000Z'), 3);
  const counts = [
    { day: '2026-02-28', claims: 3, redeemed: 1 },
    { day: '2026-02-01', claims: 9, redeemed: 9 },
  ];
  expect(dailyCounts(days, counts)).toEqual({ claims: [0, 3, 0], redeemed: [0, 1, 0] });
  expect(dayText(days.at(-1)!)).toBe('1 Mar');
});
