import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../text/durations.ts';
import { DELAYS_MS, nextDelayMs } from './schedule.ts';

describe('the schedule of attempts', () => {
  it('is that of the specification: ten attempts within 75 hours and 35 minutes', () => {
    const total = DELAYS_MS.reduce((sum, delay) => sum + delay, 0);
    expect(total).toBe(75 * HOUR_MS + 35 * 60_000 + 5_000);
    expect(DELAYS_MS.map((_, attempts) => nextDelayMs(attempts, 0))).toEqual([...DELAYS_MS]);
    expect(nextDelayMs(DELAYS_MS.length, 0)).toBeNull();
  });

  it('is lengthened by chance, by a fifth at most', () => {
    expect(nextDelayMs(1, 0)).toBe(5_000);
    expect(nextDelayMs(1, 0.5)).toBe(5_500);
    expect(nextDelayMs(1, 1)).toBe(6_000);
  });
});
