/** Every way in which a call can end, and how a program of the documentation must treat it. */
import { randomUUID } from 'node:crypto';
import { setPlan } from '../../src/accounts/edit.ts';
import { revokeKey } from '../../src/keys/end.ts';
import { issueTokens, type Owner } from '../support/marketplace.ts';
import type { Program } from './conversation.ts';
import type { Fault, Recorded } from './faulty-proxy.ts';
import type { Setting } from './setting.ts';
import type { Trial } from './trial.ts';

export interface Outcome {
  readonly name: string;
  /** By default a token that nobody has used. `last`: the token of the outcome before. */
  readonly token?: 'last' | 'unknown';
  /** `null`: no key. By default a key that is used once. */
  readonly key?: string | null;
  /** Faults of the first requests. */
  readonly faults?: (setting: Setting) => readonly Fault[] | Promise<readonly Fault[]>;
  /** The state of the service, before the call. */
  readonly before?: (setting: Setting, owner: Owner) => Promise<unknown>;
  /** The status that the program reports. */
  readonly ends: 'redeemed' | 'valid' | 'already_redeemed' | 'not_found' | 'failure';
  /** How often the service is asked. */
  readonly requests: number;
  /** Shortest pause between the first two requests. */
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
/** Timers of some languages round to whole milliseconds and use a different clock, so a pause may look too short. */
const TIMER_SLACK_MS = 10;

/** Decided by the first answer. */
export const DECISIONS: readonly Outcome[] = [
  { name: 'looked at', key: null, ends: 'valid', requests: 1 },
  { name: 'redeemed', token: 'last', key: 'order-1', ends: 'redeemed', requests: 1 },
  { name: 'redeemed earlier, by another order', token: 'last', ends: 'already_redeemed', requests: 1 },
  { name: 'looked at, redeemed earlier', token: 'last', key: null, ends: 'already_redeemed', requests: 1 },
  { name: 'asked again by the same order', token: 'last', key: 'order-1', ends: 'redeemed', requests: 1 },
  { name: 'not found', token: 'unknown', ends: 'not_found', requests: 1 },
  { name: 'looked at, not found', token: 'unknown', key: null, ends: 'not_found', requests: 1 },
  { name: 'a key of another redemption (422)', key: 'order-1', ends: 'failure', requests: 1 },
  { name: 'a mistyped path (404)', faults: () => ['mistyped path'], ends: 'failure', requests: 1 },
  { name: 'a mistyped host (404)', faults: () => [NO_WEB_PAGE], ends: 'failure', requests: 1 },
  { name: 'a mistyped host (200)', faults: () => [WEB_PAGE], ends: 'failure', requests: 1 },
  { name: 'away for an hour', faults: () => [AWAY_FOR_AN_HOUR], ends: 'failure', requests: 1 },
];

/** The service asks the caller to try again in a second. */
const DELAYS: readonly Outcome[] = [
  {
    name: 'over the rate limit (429)',
    faults: async ({ answers }) => [(await answers).rateLimited],
    ends: 'redeemed',
    requests: 2,
    pauseMs: 1_000,
  },
  {
    name: 'no database for a moment (503)',
    faults: async ({ answers }) => [(await answers).unavailable],
    ends: 'redeemed',
    requests: 2,
    pauseMs: 1_000,
  },
];

const BROKEN_CONNECTIONS: readonly Outcome[] = [
  { name: 'a cut connection', faults: () => ['cut'], ends: 'redeemed', requests: 2 },
  { name: 'a lost answer', faults: () => ['lost answer'], ends: 'redeemed', requests: 2 },
  { name: 'half an answer', faults: () => ['half an answer'], ends: 'redeemed', requests: 2 },
  { name: 'no connection', faults: () => ['cut', 'cut', 'cut', 'cut'], ends: 'failure', requests: 3 },
];

/** Each of these takes seconds, and may happen at the same time as the others. */
export const DELAYED: readonly Outcome[] = [...DELAYS, ...BROKEN_CONNECTIONS];

export const NO_ANSWER: readonly Outcome[] = [
  { name: 'no answer in time', faults: () => ['silence'], ends: 'redeemed', requests: 2 },
];

/** After each of these, the owner’s API key can no longer be used. */
export const REFUSALS: readonly Outcome[] = [
  {
    name: 'a plan without API keys (403)',
    before: ({ service }, { accountId }) =>
      setPlan(service.context, { account: accountId, plan: 'starter', actor: ACTOR }),
    ends: 'failure',
    requests: 1,
  },
  {
    name: 'a revoked key (401)',
    before: async ({ service }, { accountId, liveKeyId }) => {
      await setPlan(service.context, { account: accountId, plan: 'studio', actor: ACTOR });
      await revokeKey(service.context, { accountId, keyId: liveKeyId, actor: ACTOR });
    },
    ends: 'failure',
    requests: 1,
  },
];

/** Each mutation of `mutations.ts` gets some of these wrong. */
export const OUTCOMES_OF_MISTAKES: readonly Outcome[] = [
  { name: 'redeemed', key: 'telling-1', ends: 'redeemed', requests: 1 },
  { name: 'redeemed earlier, by another order', token: 'last', ends: 'already_redeemed', requests: 1 },
  { name: 'a mistyped path (404)', faults: () => ['mistyped path'], ends: 'failure', requests: 1 },
  { name: 'a lost answer', faults: () => ['lost answer'], ends: 'redeemed', requests: 2 },
];

/** Takes a program through outcomes, one after another; resolves to its mistakes. */
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
    const seen = proxy.seen.get(token) ?? [];
    const pauseSeenMs = seen.length > 1 ? seen[1]!.atMs - seen[0]!.atMs : 0;
    const keys = new Set(
      seen.map(({ headers }) => String(headers['idempotency-key'] ?? '').replaceAll('"', '')),
    );
    const is = {
      ends: status ?? 'failure',
      applied: applied.length,
      requests: seen.length,
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
      if (seen !== expected) mistakes.push(`${name}: ${member} ${seen} and not ${expected} ${error ?? ''}`);
    }
  }
  return mistakes;
}

/** The same, with all outcomes at once. */
export const mistakesAtOnce = async (program: Program, trial: Trial, outcomes: readonly Outcome[]) =>
  (await Promise.all(outcomes.map((outcome) => mistakesOf(program, trial, [outcome])))).flat();
