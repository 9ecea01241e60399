import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../durations.ts';
import { DELAYS_MS, nextDelayMs, parseRetryAfter } from './schedule.ts';

const NOW = Date.UTC(2026, 10, 20, 10);

describe('the schedule of attempts', () => {
  it('is that of the specification: ten attempts within 75 hours and 35 minutes', () => {
    const total = DELAYS_MS.reduce((sum, delay) => sum + delay, 0);
    expect(total).toBe(75 * HOUR_MS + 35 * 60_000 + 5_000);
    expect(DELAYS_MS.map((_, attempts) => nextDelayMs(attempts, 0, null))).toEqual([...DELAYS_MS]);
    expect(nextDelayMs(DELAYS_MS.length, 0, null)).toBeNull();
  });

  it('is stretched by chance, by a fifth at most', () => {
    expect(nextDelayMs(1, 0, null)).toBe(5_000);
    expect(nextDelayMs(1, 0.5, null)).toBe(5_500);
    expect(nextDelayMs(1, 1, null)).toBe(6_000);
  });

  it('is stretched by what the answer asks for, to twice the delay at most', () => {
    expect(nextDelayMs(1, 0, 1_000)).toBe(5_000);
    expect(nextDelayMs(1, 0, 7_000)).toBe(7_000);
    expect(nextDelayMs(1, 0, 86_400_000)).toBe(10_000);
  });
});

describe('Retry-After', () => {
  it.each([
    ['120', 120_000],
    ['0', 0],
    [new Date(NOW + 60_000).toUTCString(), 60_000],
    [new Date(NOW - 60_000).toUTCString(), 0],
    ['soon', null],
    ['', null],
    [undefined, null],
    ['9999999999', null],
  ])('%s', (text, ms) => expect(parseRetryAfter(text, NOW)).toBe(ms));
});
