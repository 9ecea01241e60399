/** Every possible outcome of a call, and how the documentation's example programs must handle it. */
import { randomUUID } from 'node:crypto';
import { setPlan } from '../../src/people/accounts/edit.ts';
import { revokeKey } from '../../src/people/keys/end.ts';
import { issueTokens, type Owner } from '../support/marketplace.ts';
import type { Program } from './conversation.ts';
import type { Fault, Recorded, Seen } from './faulty-proxy.ts';
import type { Setting } from './setting.ts';
import type { Trial } from './trial.ts';

export interface Outcome {
  readonly name: string;
  /** `last`: the previous outcome's token. `unknown`: a token that belongs to no claim. Default: a new token. */
  readonly token?: 'last' | 'unknown';
  /** The Idempotency-Key, or `null` to verify without redeeming. Default: a unique key. */
  readonly key?: string | null;
  /** Faults that the proxy injects into the first requests. */
  readonly faults?: (setting: Setting) => readonly Fault[] | Promise<readonly Fault[]>;
  /** Prepares the service before the call. */
  readonly before?: (setting: Setting, owner: Owner) => Promise<unknown>;
  /** The status that the program must report; `failure` is an error. */
  readonly ends: 'redeemed' | 'valid' | 'already_redeemed' | 'not_found' | 'failure';
  /** Number of requests that the program must send. */
  readonly requests: number;
  /** Minimum pause between the first two requests. */
  readonly pauseMs?: number;
}

const WEB_PAGE: Recorded = {
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html><title>Welcome</title>',
};
const NO_WEB_PAGE: Recorded = {
  status: 404,
  headers: { 'content-type': 'text/html' },
  body: '<html><body><h1>404 Not Found</h1></body></html>',
};
const AWAY_FOR_AN_HOUR: Recorded = {
  status: 503,
  headers: { 'content-type': 'text/html', 'retry-after': '3600' },
  body: '<html><body><h1>503 Service Unavailable</h1></body></html>',
};
const ACTOR = 'operator' as const;
/** Tolerance for languages whose timers round to whole milliseconds or use a different clock. */
const TIMER_SLACK_MS = 10;

/** Outcomes that need no retry. They run in order, because some reuse the previous token. */
export const DECISIONS: readonly Outcome[] = [
  { name: 'verified, valid', key: null, ends: 'valid', requests: 1 },
  { name: 'redeemed', token: 'last', key: 'order-1', ends: 'redeemed', requests: 1 },
  { name: 'already redeemed by another order', token: 'last', ends: 'already_redeemed', requests: 1 },
  { name: 'verified, already redeemed', token: 'last', key: null, ends: 'already_redeemed', requests: 1 },
  { name: 'retried by the same order', token: 'last', key: 'order-1', ends: 'redeemed', requests: 1 },
  { name: 'redeemed, unknown token', token: 'unknown', ends: 'not_found', requests: 1 },
  { name: 'verified, unknown token', token: 'unknown', key: null, ends: 'not_found', requests: 1 },
  { name: 'Idempotency-Key of another redemption (422)', key: 'order-1', ends: 'failure', requests: 1 },
  { name: 'mistyped path (404)', faults: () => ['mistyped path'], ends: 'failure', requests: 1 },
  { name: 'mistyped host (404)', faults: () => [NO_WEB_PAGE], ends: 'failure', requests: 1 },
  { name: 'mistyped host (200)', faults: () => [WEB_PAGE], ends: 'failure', requests: 1 },
  { name: 'unavailable for an hour (503)', faults: () => [AWAY_FOR_AN_HOUR], ends: 'failure', requests: 1 },
];

/** Outcomes in which the first response asks for a retry after one second. */
const DELAYS: readonly Outcome[] = [
  {
    name: 'rate limited (429)',
    faults: async ({ answers }) => [(await answers).rateLimited],
    ends: 'redeemed',
    requests: 2,
    pauseMs: 1_000,
  },
  {
    name: 'database briefly unavailable (503)',
    faults: async ({ answers }) => [(await answers).unavailable],
    ends: 'redeemed',
    requests: 2,
    pauseMs: 1_000,
  },
];

const BROKEN_CONNECTIONS: readonly Outcome[] = [
  { name: 'lost request', faults: () => ['cut'], ends: 'redeemed', requests: 2 },
  { name: 'lost response', faults: () => ['lost answer'], ends: 'redeemed', requests: 2 },
  { name: 'truncated response', faults: () => ['half an answer'], ends: 'redeemed', requests: 2 },
  { name: 'every request lost', faults: () => ['cut', 'cut', 'cut', 'cut'], ends: 'failure', requests: 3 },
];

/** Outcomes that take seconds and may run concurrently. */
export const DELAYED: readonly Outcome[] = [...DELAYS, ...BROKEN_CONNECTIONS];

export const NO_ANSWER: readonly Outcome[] = [
  { name: 'response timeout', faults: () => ['silence'], ends: 'redeemed', requests: 2 },
];

/** Outcomes that leave the owner’s API key unusable, so they run last. */
export const REFUSALS: readonly Outcome[] = [
  {
    name: 'plan without API keys (403)',
    before: ({ service }, { accountId }) =>
      setPlan(service.context, { account: accountId, plan: 'starter', actor: ACTOR }),
    ends: 'failure',
    requests: 1,
  },
  {
    name: 'revoked API key (401)',
    before: async ({ service }, { accountId, liveKeyId }) => {
      await setPlan(service.context, { account: accountId, plan: 'studio', actor: ACTOR });
      await revokeKey(service.context, { accountId, keyId: liveKeyId, actor: ACTOR });
    },
    ends: 'failure',
    requests: 1,
  },
];

/** Outcomes that a program with the bugs of `mutations.ts` gets wrong. */
export const OUTCOMES_OF_MISTAKES: readonly Outcome[] = [
  { name: 'redeemed', key: 'telling-1', ends: 'redeemed', requests: 1 },
  { name: 'already redeemed by another order', token: 'last', ends: 'already_redeemed', requests: 1 },
  { name: 'mistyped path (404)', faults: () => ['mistyped path'], ends: 'failure', requests: 1 },
  { name: 'lost response', faults: () => ['lost answer'], ends: 'redeemed', requests: 2 },
];

/** Runs a program through outcomes, one after another. Returns a message for each mistake. */
export async function mistakesOf(
  program: Program,
  { setting, owner }: Trial,
  outcomes: readonly Outcome[],
): Promise<readonly string[]> {
  const { proxy } = setting;
  const mistakes: string[] = [];
  let token = '';
  for (const outcome of outcomes) {
    const { name, ends, requests, pauseMs = 0, key = randomUUID() } = outcome;
    if (outcome.token === 'unknown') token = `unknown-${randomUUID()}`;
    else if (outcome.token !== 'last') token = (await issueTokens(setting.service.context, owner, 1))[0]!;
    await outcome.before?.(setting, owner);
    proxy.faults.set(token, [...((await outcome.faults?.(setting)) ?? [])]);
    proxy.seen.delete(token);
    const { status, error, applied } = await program.call({ token, ...(key !== null && { key }) });
    const arrivals = proxy.seen.get(token) ?? [];
    const [first, second] = arrivals;
    // Measured from the response, so that a busy machine can only lengthen the pause.
    const pauseSeenMs = second === undefined ? 0 : second.atMs - (first!.answeredAtMs ?? first!.atMs);
    const timeouts = arrivals.filter(hasTimedOut);
    const keys = new Set(
      arrivals.map(({ headers }) => String(headers['idempotency-key'] ?? '').replaceAll('"', '')),
    );
    const is = {
      ends: status ?? 'failure',
      applied: applied.length,
      requests: arrivals.length - timeouts.length,
      keys: [...keys],
      hasReason: status !== undefined || error !== '',
      hasPaused: pauseSeenMs >= pauseMs - TIMER_SLACK_MS,
    };
    const wanted = {
      ends,
      applied: ends === 'redeemed' ? 1 : 0,
      requests,
      keys: [key ?? ''],
      hasReason: true,
      hasPaused: true,
    };
    for (const member of Object.keys(wanted) as (keyof typeof wanted)[]) {
      const [seen, expected] = [JSON.stringify(is[member]), JSON.stringify(wanted[member])];
      if (seen !== expected)
        mistakes.push(
          `${name}: ${member} is ${seen}, expected ${expected} ${error ?? ''} (${traceOf(arrivals)})`,
        );
    }
  }
  return mistakes;
}

/** Half the timeout of the programs, because the proxy may receive a request late. */
const MIN_TIMEOUT_MS = 2_500;

/**
 * Whether the program stopped waiting for a response that was on its way. On a busy machine, a response may take longer
 * than the program's timeout; the program then retries correctly. A program that stops waiting too early makes a
 * mistake.
 */
const hasTimedOut = ({ atMs, abandonedAtMs }: Seen): boolean =>
  abandonedAtMs !== null && abandonedAtMs - atMs >= MIN_TIMEOUT_MS;

/** The fate of each request, to explain an unexpected number of requests. */
const traceOf = (arrivals: readonly Seen[]): string =>
  arrivals
    .map(({ atMs, status, answeredAtMs, abandonedAtMs }) => {
      const endedAtMs = answeredAtMs ?? abandonedAtMs ?? atMs;
      const fate = status ?? (abandonedAtMs === null ? 'no response' : 'abandoned');
      return `${fate} after ${Math.round(endedAtMs - atMs)} ms`;
    })
    .join(', ');

/** Like `mistakesOf`, but runs all outcomes concurrently. */
export const mistakesAtOnce = async (program: Program, trial: Trial, outcomes: readonly Outcome[]) =>
  (await Promise.all(outcomes.map((outcome) => mistakesOf(program, trial, [outcome])))).flat();
