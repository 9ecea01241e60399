import type { DisabledReason } from '../../base/events/catalogue/access.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../platform/text/durations.ts';
import { type EpochMs, toIso } from '../../platform/text/time-text.ts';
import type { DeliveryState } from './delivery-queries.ts';
import { HOLDING_STATUSES, MAX_HOLD_MS } from './hold.ts';
import type { SentAttempt } from './send.ts';

/** Delay of each attempt after the previous attempt, as in the schedule of the Standard Webhooks specification. */
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
/** Each delay is lengthened by up to this share, so that deliveries that fail together are not retried together. */
const JITTER = 0.2;
/** An endpoint is disabled after failing for this long without a success. */
export const FAILING_MS = 5 * DAY_MS;
/**
 * An endpoint is disabled as failing only if one delivery has been attempted this many times. Otherwise, one failure
 * would disable an endpoint whose previous request, days earlier, had failed too.
 */
export const ATTEMPTS_BEFORE_GIVING_UP = 3;

export const hasSucceeded = ({ attempt: { status } }: SentAttempt): boolean =>
  status !== null && status >= 200 && status < 300;

/** A delivery that a receiver has held for this long is then retried on the schedule, so it ends. */
const MAX_HELD_MS = 3 * DAY_MS;

/** Whether the receiver asked to wait. The attempt then counts neither for the schedule nor for the endpoint's health. */
export const isHeld = ({ attempt: { status, at }, delivery: { created_at }, holdMs }: SentAttempt): boolean =>
  holdMs !== null &&
  status !== null &&
  HOLDING_STATUSES.includes(status) &&
  Date.parse(at) - Date.parse(created_at) < MAX_HELD_MS;

/** A delivery that was held for long is retried less often, so that the number of requests stays small. */
const SHARE_OF_AGE = 1 / 60;

/** Until when the attempts hold the endpoint's queue (milliseconds since the epoch); `null`: they don't. */
export function heldUntilMs(sent: readonly SentAttempt[], nowMs: EpochMs): EpochMs | null {
  const ends = sent.flatMap((one) => {
    if (one.holdMs === null) return [];
    const ageMs = isHeld(one) ? nowMs - Date.parse(one.delivery.created_at) : 0;
    return [nowMs + Math.max(one.holdMs, Math.min(ageMs * SHARE_OF_AGE, MAX_HOLD_MS))];
  });
  return ends.length === 0 ? null : Math.max(...ends);
}

export const isGone = ({ attempt: { status } }: SentAttempt): boolean => status === 410;

/** `chance`: a random number from 0 to 1 that scales the jitter. */
export function stateAfter(sent: SentAttempt, nowMs: number, chance: number): DeliveryState {
  const { id, account_id, delivered_at, next_at: was_due_at } = sent.delivery;
  const attempts = sent.delivery.attempts + 1;
  const at = toIso(nowMs);
  const done = { id, account_id, attempts, next_at: null, delivered_at, failed_at: null, was_due_at };
  if (hasSucceeded(sent)) return { ...done, delivered_at: at, was_due_at: null };
  // A failed resend of a delivered event leaves it delivered.
  if (delivered_at !== null && !isHeld(sent)) return done;
  if (isHeld(sent)) return { ...done, attempts: sent.delivery.attempts, next_at: was_due_at };
  const delayMs = isGone(sent) ? undefined : DELAYS_MS[attempts];
  if (delayMs === undefined) return { ...done, failed_at: at };
  return { ...done, next_at: toIso(nowMs + Math.round(delayMs * (1 + JITTER * chance))) };
}

/**
 * `sent`: attempts of one endpoint, in the order they finished. `failingSince`: time of the first failure since the
 * last success. `disabled`: why the endpoint must be disabled; `null` if it may stay enabled.
 */
export function healthAfter(
  failingSince: string | null,
  sent: readonly SentAttempt[],
): { readonly failingSince: string | null; readonly disabled: DisabledReason | null } {
  let since = failingSince;
  for (const one of sent) {
    if (isHeld(one)) continue;
    since = hasSucceeded(one) ? null : (since ?? one.attempt.at);
    if (isGone(one)) return { failingSince: since, disabled: 'gone' };
    const hasFailedForLong = since !== null && Date.parse(one.attempt.at) - Date.parse(since) >= FAILING_MS;
    if (hasFailedForLong && one.delivery.attempts + 1 >= ATTEMPTS_BEFORE_GIVING_UP) {
      return { failingSince: since, disabled: 'failing' };
    }
  }
  return { failingSince: since, disabled: null };
}
