import type { Context } from '../../../base/context.ts';
import { FAILURES_PATH, FOLLOWED_PATH, FOLLOWS, REQUESTS_PATH, requestsPath } from '../../../base/paths.ts';
import {
  ATTEMPT_FILTER_NAMES,
  type AttemptFilterTexts,
  parseAttemptFilter,
} from '../../../claims/attempts/attempt-filter.ts';
import { type CallScope, findUnrecordedCalls } from '../../../claims/attempts/queries.ts';
import {
  groupFailures,
  type ListedAttempt,
  searchAttempts,
} from '../../../claims/attempts/search-queries.ts';
import { expiry, type RequestLogLimits } from '../../../claims/attempts/sweep.ts';
import { NOT_FOUND_BODY } from '../../../claims/verify/decision/verification.ts';
import { FIXED_DETAIL, REFUSALS } from '../../../claims/verify/endpoint/responses.ts';
import { type SentAgain, sendAgain } from '../../../claims/verify/endpoint/send-again.ts';
import type { Verifier } from '../../../claims/verify/verifier.ts';
import { planHasApiKeys } from '../../../people/accounts/account.ts';
import type { Mode } from '../../../people/keys/key.ts';
import { listNewestKeys } from '../../../people/keys/queries.ts';
import { createProblems } from '../../../platform/http/operations/problem.ts';
import { sealedCursors } from '../../../platform/http/operations/query-parameters.ts';
import { t } from '../../../platform/languages/translate.ts';
import { HOUR_MS, MINUTE_MS } from '../../../platform/text/durations.ts';
import { toIso } from '../../../platform/text/time-text.ts';
import { DEFAULT_TIME_ZONE } from '../../../platform/text/time-zone.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import {
  fragment,
  type PageContext,
  page,
  readForm,
  redirect,
  requireFound,
  wantsFragment,
} from '../../frame/pages.ts';
import { fingerprintOf } from '../../ui/live.tsx';
import { filterProblems, filterTexts } from '../../ui/searched-list.tsx';
import type { Viewer } from '../../ui/viewer.ts';
import { listFilterListings } from '../claims/queries.ts';
import { readCall } from './exchange.ts';
import { FAILURE_PERIODS, FailuresPage, WHOLE_LOG } from './failures-page.tsx';
import { type CallResults, Calls, type Follow, RequestsPage } from './list-page.tsx';
import { RequestPage, type RequestPageProps, type ResponseNow } from './request-page.tsx';

const FOLLOW_MS = 15 * MINUTE_MS;
/** The filter offers at most this many API keys. */
const FILTER_KEYS = 200;

export function requestPages(
  app: PageRouter,
  context: Context,
  verifier: Verifier,
  limits: RequestLogLimits,
): void {
  listPages(app, context, limits);
  failuresPage(app, context, limits);
  callPages(app, context, verifier);
}

function listPages(
  app: PageRouter,
  { db, now, marketplace, secretBox }: Context,
  limits: RequestLogLimits,
): void {
  app.get(REQUESTS_PATH, { for: 'member' }, async (c, viewer) => {
    const { accountId } = viewer;
    const { timeZone } = marketplace;
    const texts = textsOf(c);
    const problems = filterProblems(texts, 'outcome', (some) => parseAttemptFilter(some, timeZone));
    const mode = problems.mode === undefined ? modeOf(texts, viewer) : viewer.mode;
    const after = sealedCursors(secretBox, 'calls', accountId).open(c.req.query('after'));
    const follows = c.req.query('follow') === FOLLOWS && after === undefined;
    const isFine = Object.keys(problems).length === 0;
    const [keys, listings, results] = await Promise.all([
      listNewestKeys(db.read, accountId, toIso(now()), FILTER_KEYS),
      listFilterListings(db.read, accountId),
      isFine ? findCalls({ accountId, mode }, texts, after, follows ? now() + FOLLOW_MS : null) : null,
    ]);
    const hasKeys = planHasApiKeys(viewer.plan);
    return page(
      c,
      <RequestsPage
        {...{ hasKeys, keys, listings, mode, texts, problems, timeZone, results, limits }}
        now={now()}
      />,
      { title: t('Requests'), mode },
    );
  });

  app.get(FOLLOWED_PATH, { for: 'member' }, async (c, viewer) => {
    const texts = textsOf(c);
    if (!wantsFragment(c)) return redirect(c, requestsPath(texts, { follow: FOLLOWS }));
    const end = Math.min(Number(c.req.query('end')) || 0, now() + FOLLOW_MS);
    const scope = { accountId: viewer.accountId, mode: modeOf(texts, viewer) };
    const results = await findCalls(scope, texts, undefined, end);
    if (results.follow?.fingerprint === c.req.query('seen') && now() < end) return c.body(null, 204);
    return fragment(c, <Calls results={results} texts={texts} limits={limits} now={now()} />);
  });

  async function findCalls(
    scope: CallScope,
    texts: AttemptFilterTexts,
    after: string | undefined,
    followsUntil: number | null,
  ): Promise<CallResults> {
    const filter = parseAttemptFilter(texts, marketplace.timeZone);
    const [{ next, ...attempts }, unrecorded] = await Promise.all([
      searchAttempts(db, scope, filter, { after }),
      findUnrecordedCalls(db.read, scope.accountId),
    ]);
    const cursors = sealedCursors(secretBox, 'calls', scope.accountId);
    const calls = { ...attempts, next: next && cursors.seal(next) };
    const isFirst = after === undefined;
    const follow = followsUntil === null ? null : followOf(attempts.rows, followsUntil, now());
    return { page: calls, unrecorded, isFirst, follow };
  }
}

function failuresPage(app: PageRouter, { db, now }: Context, limits: RequestLogLimits): void {
  app.get(FAILURES_PATH, { for: 'member' }, async (c, viewer) => {
    const modeText = c.req.query('mode') || undefined;
    const mode = modeOf({ mode: modeText }, viewer);
    const scope = { accountId: viewer.accountId, mode };
    const period = FAILURE_PERIODS.find(({ value }) => value === c.req.query('period')) ?? WHOLE_LOG;
    const { hours } = period;
    const since = hours === null ? expiry(now(), limits.days) : toIso(now() - hours * HOUR_MS);
    const [groups, unrecorded] = await Promise.all([
      groupFailures(db.read, scope, since),
      findUnrecordedCalls(db.read, viewer.accountId),
    ]);
    return page(
      c,
      <FailuresPage {...{ groups, since, unrecorded, period, mode, modeText, limits }} now={now()} />,
      { title: t('Failures'), mode },
    );
  });
}

function callPages(app: PageRouter, context: Context, verifier: Verifier): void {
  app.get(`${REQUESTS_PATH}/:id`, { for: 'member' }, (c, viewer) => callPage(c, viewer, null));

  app.post(`${REQUESTS_PATH}/:id/again`, { for: 'member' }, async (c, viewer) => {
    const form = await readForm(c);
    const call = { accountId: viewer.accountId, requestId: c.req.param('id') ?? '' };
    const sent = await form.attempt(null, async () => requireFound(await sendAgain(context, verifier, call)));
    const again = sent === null ? { refusal: form.refusal } : responseNow(sent, c.get('site').baseUrl);
    return callPage(c, viewer, again, form.status);
  });

  async function callPage(
    c: PageContext,
    { accountId }: Viewer,
    again: RequestPageProps['again'],
    status: 200 | 422 | 429 = 200,
  ) {
    const call = requireFound(await readCall(context.db, accountId, c.req.param('id') ?? ''));
    return page(c, <RequestPage call={call} baseUrl={c.get('site').baseUrl} again={again} />, {
      title: t('Request {requestId}', { requestId: call.request_id }),
      status,
      mode: call.mode,
    });
  }
}

const followOf = (attempts: readonly ListedAttempt[], endMs: number, nowMs: number): Follow => ({
  fingerprint: fingerprintOf(attempts.map(({ at, request_id }) => [at, request_id])),
  endMs,
  hasEnded: nowMs >= endMs,
});

const textsOf = (c: PageContext): AttemptFilterTexts =>
  filterTexts(ATTEMPT_FILTER_NAMES, (name) => c.req.query(name));

const modeOf = ({ mode }: AttemptFilterTexts, viewer: Viewer): Mode =>
  parseAttemptFilter({ mode }, DEFAULT_TIME_ZONE).mode ?? viewer.mode;

function responseNow({ response, latencyUs }: SentAgain, baseUrl: string): ResponseNow {
  if (response.kind === 'found') return { status: 200, body: response.body, latencyUs };
  if (response.kind !== 'error' && response.kind !== 'refused') {
    return { status: 404, body: NOT_FOUND_BODY, latencyUs };
  }
  const detail = response.kind === 'error' ? FIXED_DETAIL : REFUSALS[response.code];
  const { status, body } = createProblems(baseUrl)(response.code, detail, '');
  return { status, body, latencyUs };
}
