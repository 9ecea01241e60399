import { expect, test } from 'vitest';
import { HOUR_MS } from '../../platform/text/durations.ts';
import { DELAYS_MS, FAILING_MS, healthAfter, heldUntilMs, stateAfter } from './outcome.ts';
import type { SentAttempt } from './send.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 10);
const iso = (ms: number) => new Date(ms).toISOString();

/** An attempt at `atMs`, after `attempts` earlier attempts. */
const sent = (
  status: number | null,
  {
    atMs = NOW_MS,
    attempts = 0,
    delivered_at = null as string | null,
    created_at = iso(NOW_MS),
    holdMs = null as number | null,
  } = {},
) =>
  ({
    delivery: { id: 'd', account_id: 'a', attempts, next_at: iso(atMs), delivered_at, created_at },
    attempt: { at: iso(atMs), status },
    holdMs,
  }) as SentAttempt;

test('a delivery succeeds with any 2xx status and is retried after other statuses', () => {
  for (const status of [200, 204, 299]) {
    expect(stateAfter(sent(status), NOW_MS, 0)).toMatchObject({ next_at: null, delivered_at: iso(NOW_MS) });
  }
  for (const status of [null, 100, 199, 300, 302, 400, 404, 429, 500, 503]) {
    expect(stateAfter(sent(status), NOW_MS, 0)).toMatchObject({
      next_at: iso(NOW_MS + DELAYS_MS[1]!),
      delivered_at: null,
      failed_at: null,
    });
  }
});

test('a delivery fails permanently after the last attempt, or immediately after a 410', () => {
  const last = sent(500, { attempts: DELAYS_MS.length - 1 });
  const failed = { next_at: null, delivered_at: null, failed_at: iso(NOW_MS) };
  expect(stateAfter(last, NOW_MS, 0)).toMatchObject(failed);
  expect(stateAfter(sent(410), NOW_MS, 0)).toMatchObject(failed);
});

test('a delivered event stays delivered if a resend fails', () => {
  const delivered = { next_at: null, delivered_at: iso(NOW_MS - 1_000), failed_at: null };
  expect(stateAfter(sent(500, delivered), NOW_MS, 0)).toMatchObject(delivered);
});

test('an endpoint is failing from its first failure until the next success', () => {
  const started = NOW_MS - 1_000;
  const failing = (failingSince: string | null) => ({ failingSince, disabled: null });
  expect(healthAfter(null, [sent(500, { atMs: started }), sent(500)])).toEqual(failing(iso(started)));
  expect(healthAfter(iso(started), [sent(500), sent(200)])).toEqual(failing(null));
  expect(healthAfter(iso(started), [sent(200), sent(500)])).toEqual(failing(iso(NOW_MS)));
});

test('an endpoint is disabled after five days of failures if one delivery failed three times', () => {
  const since = iso(NOW_MS - FAILING_MS);
  const disabled = (attempts: number, atMs = NOW_MS) =>
    healthAfter(since, [sent(500, { attempts, atMs })]).disabled;
  expect([disabled(0), disabled(1), disabled(2), disabled(9)]).toEqual([null, null, 'failing', 'failing']);
  expect(disabled(9, NOW_MS - 1)).toBeNull();
});

test('an endpoint is disabled immediately after a 410', () => {
  expect(healthAfter(null, [sent(200), sent(410), sent(200)])).toEqual({
    failingSince: iso(NOW_MS),
    disabled: 'gone',
  });
});

test('retries follow the schedule of the Standard Webhooks specification', () => {
  const total = DELAYS_MS.reduce((sum, delay) => sum + delay, 0);
  expect([DELAYS_MS.length, total]).toEqual([10, 75 * HOUR_MS + 35 * 60_000 + 5_000]);
  const delayMs = (attempts: number, chance: number) =>
    Date.parse(stateAfter(sent(500, { attempts }), NOW_MS, chance).next_at!) - NOW_MS;
  expect(DELAYS_MS.slice(1).map((_, attempts) => delayMs(attempts, 0))).toEqual(DELAYS_MS.slice(1));
  // Jitter lengthens a delay by up to 20%.
  expect([0, 0.5, 1].map((chance) => delayMs(0, chance))).toEqual([5_000, 5_500, 6_000]);
});

test('a response that asks to wait holds the queue, and does not count as a failed attempt', () => {
  for (const status of [429, 503]) {
    const held = sent(status, { attempts: 2, holdMs: 7_000 });
    expect(stateAfter(held, NOW_MS, 0)).toMatchObject({ attempts: 2, next_at: iso(NOW_MS), failed_at: null });
    expect(healthAfter(null, [held])).toEqual({ failingSince: null, disabled: null });
    expect(heldUntilMs([held, sent(200)], NOW_MS)).toBe(NOW_MS + 7_000);
  }
  expect(heldUntilMs([sent(500), sent(200)], NOW_MS)).toBeNull();
});

test('a delivery that is held again and again is retried less often and ends', () => {
  const old = (hours: number) => sent(429, { holdMs: 1_000, created_at: iso(NOW_MS - hours * HOUR_MS) });
  expect(heldUntilMs([old(10)], NOW_MS)).toBe(NOW_MS + HOUR_MS / 6);
  expect(stateAfter(old(72), NOW_MS, 0)).toMatchObject({ attempts: 1, next_at: iso(NOW_MS + DELAYS_MS[1]!) });
});
