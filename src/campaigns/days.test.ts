import { expect, it } from 'vitest';
import { dailyCounts, dayText, lastDays } from './days.ts';

it('the last days end today, and a day without counts has zeros', () => {
  const days = lastDays(Date.parse('2026-03-01T00:00:00.000Z'), 3);
  expect(days).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
  const counts = [
    { day: '2026-02-28', claims: 3, redeemed: 1 },
    { day: '2026-02-01', claims: 9, redeemed: 9 },
  ];
  expect(dailyCounts(days, counts)).toEqual({ claims: [0, 3, 0], redeemed: [0, 1, 0] });
  expect(dayText('2026-03-01')).toBe('1 Mar');
});
