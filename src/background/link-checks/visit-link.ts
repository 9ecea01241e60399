/** The service's part of a link check: requests the link with HEAD and then with GET, as link scanners do. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../base/context.ts';
import type { CallWithKey } from '../../claims/attempts/queries.ts';
import { openClaim } from '../../claims/claimants/open.ts';
import { hashToken } from '../../claims/token.ts';
import { PLACEHOLDER } from '../../marketplace/offers/redemption-link.ts';
import { countIfWithin } from '../../people/sign-in/limits/throttle.ts';
import { message } from '../../platform/languages/translate.ts';
import { OutgoingFailure } from '../../platform/network/outgoing-failure.ts';
import type { Outgoing, OutgoingResponse } from '../../platform/network/outgoing-request.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { domainCharge } from './check-link.ts';
import { isOnlyInBrowser, type LinkCheck, linkWithTestClaim, type Visit, type Visits } from './link-check.ts';
import { findTestClaim, readCalls, updateLinkCheck } from './queries.ts';

/** Bytes read from a page. Some servers stop rendering, and so don't call verify, when the client disconnects. */
const MAX_PAGE_BYTES = 256 * 1024;
const MAX_REDIRECTS = 5;
/** Contains `MAX_REDIRECTS` as a literal, because `storedText` translates only texts without values. */
const TOO_MANY_REDIRECTS = message('The link redirects more than 5 times.');
const TOO_MANY_VISITS = message(
  'The link redirects to a domain that link checks have opened too often in the last hour. Try again later.',
);
const POLL_MS = 200;

/** A visit with its redirects, and the wait for its call. `2 * visitMs + callMs` must be below `MAX_VISITS_MS`. */
const TIMES = { visitMs: 20_000, callMs: 3_000 };

const HEADERS = { 'user-agent': 'Claimcheck-Link-Check', accept: 'text/html,*/*;q=0.8' };

interface Visitor {
  readonly context: Context;
  readonly outgoing: Pick<Outgoing, 'request'>;
  readonly signal: AbortSignal;
  readonly token: string;
  readonly times: typeof TIMES;
}

/** Failures of the owner's page are recorded, not thrown. */
export async function visitLink(
  context: Context,
  outgoing: Pick<Outgoing, 'request'>,
  check: LinkCheck,
  signal: AbortSignal,
  times = TIMES,
): Promise<void> {
  if (isOnlyInBrowser(check)) return;
  const { account_id: accountId, claim_id: claimId } = check;
  const { token } = await openClaim(context, { claimantAccountId: accountId, claimId });
  const link = linkWithTestClaim(check, token);
  const visitor: Visitor = { context, outgoing, signal, token, times };
  const isRedeemed = async () => (await findTestClaim(context.db, accountId, claimId)).redeemed_at !== null;

  const head = await visit(visitor, 'HEAD', link);
  const isRedeemedByHead = await isRedeemed();
  const get = await visit(visitor, 'GET', link);
  if (get.failure === null && get.status !== null && get.status < 400) {
    await waitForCall(visitor, accountId, get.at);
  }
  const visits: Visits = {
    head: { ...head, hasRedeemed: isRedeemedByHead },
    get: { ...get, hasRedeemed: !isRedeemedByHead && (await isRedeemed()) },
  };
  const change = { visits: JSON.stringify(visits), visited_at: context.at() };
  await context.db.transaction((tx) => updateLinkCheck(tx, check, change));
}

/** Only GET follows redirects, because link scanners don't follow them with HEAD. */
async function visit(
  { context, outgoing, signal, token, times }: Visitor,
  method: Visit['method'],
  link: string,
): Promise<Omit<Visit, 'hasRedeemed'>> {
  const startedMs = context.now();
  const tooLong = AbortSignal.timeout(times.visitMs);
  let url = withoutFragment(new URL(link));
  let redirects = 0;
  let leftTo: string | null = null;
  const done = (response: OutgoingResponse | null, failure: string | null) => ({
    method,
    at: toIso(startedMs),
    tookMs: context.now() - startedMs,
    origin: url.origin,
    redirects,
    leftTo,
    status: response?.status ?? null,
    failure,
    tls: response?.tls ?? null,
  });
  for (;;) {
    try {
      const response = await outgoing.request({
        method,
        url: url.href,
        headers: HEADERS,
        maxBodyBytes: MAX_PAGE_BYTES,
        signal: AbortSignal.any([signal, tooLong]),
      });
      const next = method === 'HEAD' ? null : redirectOf(response, url);
      if (next === null) return done(response, null);
      if (redirects >= MAX_REDIRECTS) return done(response, String(TOO_MANY_REDIRECTS));
      if (!(await mayFollow(context, url, next))) return done(response, String(TOO_MANY_VISITS));
      url = next;
      redirects += 1;
      if (url.origin !== new URL(link).origin) leftTo ??= url.origin;
    } catch (error) {
      if (error instanceof OutgoingFailure) return done(null, error.message.replaceAll(token, PLACEHOLDER));
      if (signal.aborted)
        return done(null, String(message('The service was stopped during the visit. Check the link again.')));
      if (tooLong.aborted) return done(null, `No response within ${times.visitMs / 1_000} seconds.`);
      throw error;
    }
  }
}

/** A redirect to another domain counts like a link check of that domain. */
async function mayFollow(context: Context, from: URL, to: URL): Promise<boolean> {
  const [of, next] = [domainCharge(from), domainCharge(to)];
  return of[1] === next[1] || (await countIfWithin(context, [next]));
}

/** Removes the fragment, because browsers don't send fragments. */
function withoutFragment(url: URL): URL {
  url.hash = '';
  return url;
}

function redirectOf({ status, headers }: OutgoingResponse, url: URL): URL | null {
  const { location } = headers;
  if (status < 300 || status > 399 || typeof location !== 'string') return null;
  const next = URL.parse(location, url);
  return next === null ? null : withoutFragment(next);
}

/** Polls the request log, which is written with a delay, for at most `callMs`. */
async function waitForCall(
  { context, signal, token, times }: Visitor,
  accountId: string,
  visitedAt: string,
): Promise<void> {
  const hash = hashToken(token);
  const since = { from: visitedAt, tokenHashes: [hash], openings: [] };
  // A call with a live key and a different token may come from a customer.
  const isCaused = ({ key_mode, token_hash }: CallWithKey) =>
    key_mode !== 'live' || (token_hash !== null && Buffer.compare(token_hash, hash) === 0);
  for (let waited = 0; waited < times.callMs && !signal.aborted; waited += POLL_MS) {
    if ((await readCalls(context.db.read, accountId, since)).some(isCaused)) return;
    await sleep(POLL_MS, undefined, { signal, ref: false }).catch(() => {});
  }
}
