/** The walk of a check-up from here: HEAD and then GET of the real link, as link scanners send them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openClaim } from '../claims/open.ts';
import { hashToken } from '../claims/token.ts';
import type { Context } from '../context.ts';
import { fillRedemptionLink, PLACEHOLDER } from '../offers/redemption-link.ts';
import { type Outgoing, type OutgoingAnswer, OutgoingFailure } from '../outgoing-request.ts';
import { toIso } from '../time-text.ts';
import { type CheckUp, isOnlyInBrowser, NOTHING_FOUND, type Visit, type Walk } from './check-up.ts';
import type { PageFacts } from './page-facts.ts';
import { findExaminedClaim, readCalls, updateCheckUp } from './queries.ts';

/** Bytes of the page that are read. */
export const MAX_PAGE_BYTES = 256 * 1024;
/** Redirects that a visit follows. */
const MAX_REDIRECTS = 5;
const LOOK_MS = 200;

export interface WalkTimes {
  /** Longest time of a visit with all of its redirects. */
  readonly visitMs: number;
  /** Longest wait for a call of the owner's server after the page has answered. */
  readonly callMs: number;
}

/** Two visits and the wait end within `MAX_WALK_MS`. */
const WALK_TIMES: WalkTimes = { visitMs: 20_000, callMs: 3_000 };

const HEADERS = {
  'user-agent': 'Claimcheck-Doctor',
  accept: 'text/html,*/*;q=0.8',
  'accept-encoding': 'identity',
};

const CUT_OFF = 'The service was stopped during the walk. Examine the offer again.';

/** Walks and writes what it finds after each step. Never fails because of the owner's page. */
export async function walk(
  context: Context,
  outgoing: Pick<Outgoing, 'request'>,
  checkUp: CheckUp,
  signal: AbortSignal,
  times = WALK_TIMES,
): Promise<void> {
  const { accountId, claimId } = checkUp;
  if (isOnlyInBrowser(checkUp)) return;
  const { token } = await openClaim(context, { claimantAccountId: accountId, claimId });
  const link = fillRedemptionLink(checkUp.template, token);
  const visitor: Visitor = { context, outgoing, signal, token, times };
  let found: Walk = NOTHING_FOUND;
  const save = (change: Partial<Walk>, walkedAt: string | null = null) => {
    found = { ...found, ...change };
    const values = { walk: JSON.stringify(found), walked_at: walkedAt };
    return context.db.transaction((tx) => updateCheckUp(tx, checkUp, values));
  };
  const isRedeemed = async () =>
    (await findExaminedClaim(context.db, accountId, claimId)).redeemed_at !== null;

  const head = await visit(visitor, 'HEAD', link);
  const wasRedeemedByHead = await isRedeemed();
  await save({ head: { ...head.visit, hasRedeemed: wasRedeemedByHead } });
  const get = await visit(visitor, 'GET', link);
  await save({ get: { ...get.visit, hasRedeemed: false }, page: await pageOf(get, token) });
  if (isPage(get.visit)) await waitForCall(visitor, accountId, get.visit.at);
  const hasRedeemed = !wasRedeemedByHead && (await isRedeemed());
  await save({ get: { ...get.visit, hasRedeemed } }, toIso(context.now()));
}

/** Whether the owner's page answered, and may still call. */
const isPage = ({ status, failure }: Pick<Visit, 'status' | 'failure'>): boolean =>
  failure === null && status !== null && status < 400;

interface Visitor {
  readonly context: Context;
  readonly outgoing: Pick<Outgoing, 'request'>;
  readonly signal: AbortSignal;
  readonly token: string;
  readonly times: WalkTimes;
}

interface Visited {
  readonly visit: Omit<Visit, 'hasRedeemed'>;
  /** The last answer, and the address that gave it. */
  readonly answer: OutgoingAnswer | null;
  readonly url: string;
}

/** A HEAD follows no redirect, like the HEAD of a link scanner. */
async function visit(visitor: Visitor, method: Visit['method'], link: string): Promise<Visited> {
  const { context, outgoing, signal, token } = visitor;
  const startedMs = context.now();
  const tooLong = AbortSignal.timeout(visitor.times.visitMs);
  const either = AbortSignal.any([signal, tooLong]);
  let url = withoutFragment(new URL(link));
  let redirects = 0;
  let leftTo: string | null = null;
  const done = (answer: OutgoingAnswer | null, failure: string | null): Visited => ({
    answer,
    url,
    visit: {
      method,
      at: toIso(startedMs),
      tookMs: context.now() - startedMs,
      origin: new URL(url).origin,
      redirects,
      leftTo,
      status: answer?.status ?? null,
      failure,
      tls: answer?.tls ?? null,
    },
  });
  for (;;) {
    try {
      const answer = await outgoing.request({
        method,
        url,
        headers: HEADERS,
        maxBodyBytes: MAX_PAGE_BYTES,
        signal: either,
      });
      const next = method === 'HEAD' ? null : redirectOf(answer, url);
      if (next === null) return done(answer, null);
      if (redirects >= MAX_REDIRECTS) return done(answer, `It redirects more than ${MAX_REDIRECTS} times.`);
      url = next;
      redirects += 1;
      const { origin } = new URL(url);
      if (origin !== new URL(link).origin) leftTo ??= origin;
    } catch (error) {
      if (error instanceof OutgoingFailure) return done(null, error.message.replaceAll(token, PLACEHOLDER));
      if (signal.aborted) return done(null, CUT_OFF);
      if (tooLong.aborted) return done(null, `No answer within ${visitor.times.visitMs / 1_000} seconds.`);
      throw error;
    }
  }
}

/** The fragment stays in the browser. */
function withoutFragment(url: URL): string {
  url.hash = '';
  return url.href;
}

/** Where an answer sends a browser; `null`: nowhere. */
function redirectOf({ status, headers }: OutgoingAnswer, url: string): string | null {
  const { location } = headers;
  if (status < 300 || status > 399 || typeof location !== 'string') return null;
  const next = URL.parse(location, url);
  return next === null ? null : withoutFragment(next);
}

async function pageOf({ answer, url }: Visited, token: string): Promise<PageFacts | null> {
  const type = answer?.headers['content-type'];
  if (answer === null || typeof type !== 'string' || !/^text\/html\b/i.test(type)) return null;
  if ((answer.headers['content-encoding'] ?? 'identity') !== 'identity') return null;
  // Loaded at the first use, so that a start does not wait for the parser.
  const { factsOfPage } = await import('./page-facts.ts');
  const policy = answer.headers['referrer-policy'];
  return factsOfPage({
    html: answer.body.toString('utf8'),
    url,
    token,
    policyHeader: Array.isArray(policy) ? policy.join(',') : (policy as string | undefined),
  });
}

/** Waits until the request log has a call that the visit caused, at most for `callMs`. */
async function waitForCall(visitor: Visitor, accountId: string, visitedAt: string): Promise<void> {
  const { context, signal, token, times } = visitor;
  const tokenHash = hashToken(token);
  const looked = { from: visitedAt, tokenHashes: [tokenHash], visits: [] };
  for (let waited = 0; waited < times.callMs && !signal.aborted; waited += LOOK_MS) {
    const calls = await readCalls(context.db.read, accountId, looked);
    // A live key also sends the tokens of customers.
    if (calls.some((call) => call.key_mode !== 'live' || isSame(call.token_hash, tokenHash))) return;
    await sleep(LOOK_MS, undefined, { signal, ref: false }).catch(() => {});
  }
}

const isSame = (one: Uint8Array | null, other: Uint8Array): boolean =>
  one !== null && Buffer.compare(one, other) === 0;
