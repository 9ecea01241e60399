/** When a delivery is attempted, and for how long an endpoint may fail. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../text/durations.ts';

/** Delay before each attempt, after the previous one: the schedule of the Standard Webhooks specification. */
export const DELAYS_MS: readonly number[] = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** A delay is up to this share longer, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;
/** An endpoint is disabled after it has failed for this long without a success. */
export const FAILING_MS = 5 * DAY_MS;

/** Milliseconds until the next attempt; `null`: there is none. `attempts`: how many were made. `chance`: from 0 to 1. */
export function nextDelayMs(attempts: number, chance: number): number | null {
  const delay = DELAYS_MS[attempts];
  return delay === undefined ? null : Math.round(delay * (1 + JITTER * chance));
}
