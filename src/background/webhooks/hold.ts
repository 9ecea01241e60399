/** Reads from a response how long a receiver wants no more requests. */
import { HOUR_MS, SECOND_MS } from '../../platform/text/durations.ts';
import type { EpochMs } from '../../platform/text/time-text.ts';

/** Longest time for which a receiver can hold its queue. */
export const MAX_HOLD_MS = HOUR_MS;
const MIN_HOLD_MS = SECOND_MS;
/** Too many requests; unavailable, which holds the queue only if the response says for how long. */
export const HOLDING_STATUSES: readonly number[] = [429, 503];

interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/**
 * How long the endpoint's queue waits after the response; `null`: it doesn't wait. Reads `Retry-After` (RFC 9110), the
 * member `retry_after` of Discord, and Discord's headers about the rest of its rate limit, which may hold the queue
 * after a success too.
 */
export function holdAfter({ status, headers, body }: Response, nowMs: EpochMs): number | null {
  const header = (name: string): string => [headers[name] ?? ''].flat()[0] ?? '';
  if (!HOLDING_STATUSES.includes(status)) {
    const isUsedUp = header('x-ratelimit-remaining') === '0';
    const resetMs = isUsedUp ? secondsIn(header('x-ratelimit-reset-after')) : null;
    return resetMs === null ? null : Math.min(resetMs, MAX_HOLD_MS);
  }
  const waits = [retryAfterMs(header('retry-after'), nowMs), status === 429 ? retryAfterIn(body) : null];
  const given = waits.filter((ms) => ms !== null);
  // A 503 that doesn't say when to retry is an ordinary failure.
  if (given.length === 0 && status === 503) return null;
  return Math.min(Math.max(MIN_HOLD_MS, ...given), MAX_HOLD_MS);
}

const secondsIn = (text: string): number | null =>
  /^\d{1,9}(?:\.\d{1,9})?$/.test(text) ? Math.ceil(Number(text) * SECOND_MS) : null;

function retryAfterMs(text: string, nowMs: EpochMs): number | null {
  const ms = secondsIn(text);
  if (ms !== null) return ms;
  const atMs = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}

function retryAfterIn(body: Buffer): number | null {
  try {
    const { retry_after: seconds } = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
    return typeof seconds === 'number' && seconds >= 0 ? Math.ceil(seconds * SECOND_MS) : null;
  } catch {
    return null;
  }
}
