import { describe, expect, test } from 'vitest';
import { lastDays } from '../../platform/text/time-zone.ts';
import { chartPoints, dayText } from './chart-points.ts';

const countsOn = (day: string, visits: number) => ({
  ...{ day, visits, visitors: 5, claims: 3, arrived: 2, redeemed: 1, code_claims: 1 },
});

describe('chartPoints()', () => {
  test('fills days without counts with zeros and ignores days outside the period', () => {
    const days = lastDays('UTC', Date.parse('2026-03-01T00:00:00.000Z'), 3);
    const counts = [countsOn('2026-02-28', 8), countsOn('2026-02-01', 9)];
    expect(chartPoints(days, counts, false)).toEqual({
      unit: 'day',
      days: ['27 Feb', '28 Feb', '1 Mar'],
      counts: {
        visits: [0, 8, 0],
        visitors: [0, 5, 0],
        claims: [0, 3, 0],
        arrived: [0, 2, 0],
        redeemed: [0, 1, 0],
        code_claims: [0, 1, 0],
      },
      isOver: false,
    });
    expect(dayText(days.at(-1)!)).toBe('1 Mar');
  });

  test('ends the last week on the last day and drops an incomplete first week', () => {
    const days = lastDays('UTC', Date.parse('2026-03-16T00:00:00.000Z'), 121);
    const weeks = chartPoints(
      days,
      days.map(({ day }) => countsOn(day, 2)),
      false,
    );
    expect(weeks).toMatchObject({ unit: 'week', isOver: true });
    expect(weeks.days).toHaveLength(17);
    expect(weeks.days.slice(-2)).toEqual(['3 Mar', '10 Mar']);
    expect(weeks.counts.visits).toEqual(Array.from({ length: 17 }, () => 14));
  });

  test('charts more than a year by month and drops an incomplete first month', () => {
    const days = lastDays('UTC', Date.parse('2026-03-16T00:00:00.000Z'), 367);
    const counts = [
      // The first day of the period, in a dropped month.
      countsOn('2025-03-15', 1),
      // A complete month.
      countsOn('2025-04-01', 20),
      countsOn('2026-03-01', 2),
      countsOn('2026-03-16', 3),
    ];
    const months = chartPoints(days, counts, false);
    expect(months).toMatchObject({ unit: 'month', isOver: false });
    expect([months.days.length, months.days[0], months.days.at(-1)]).toEqual([12, 'Apr 2025', 'Mar 2026']);
    expect(months.counts.visits).toEqual([20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5]);
    expect(chartPoints(days.slice(1), counts, false).unit).toBe('week');
  });
});
