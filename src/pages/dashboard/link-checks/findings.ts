import { isOnlyInBrowser, isUnderWay, type Visit } from '../../../background/link-checks/link-check.ts';
import { guidePath } from '../../../base/paths.ts';
import { claimParameter } from '../../../marketplace/offers/redemption-link.ts';
import { type Message, message, storedText, t } from '../../../platform/languages/translate.ts';
import { MINUTE_MS } from '../../../platform/text/durations.ts';
import type { StepState } from '../../ui/steps.tsx';
import type { CheckedCall, Evidence } from './evidence.ts';

export interface Finding {
  readonly title: string;
  readonly state: Exclude<StepState, 'done' | 'now' | 'open'>;
  readonly text: string;
  readonly fix?: string;
  readonly page?: readonly [path: string, title: Message];
  readonly requestId?: string;
}

const RECOMMENDED_PAGE = [guidePath('recommended-page'), message('The recommended page')] as const;

export const WATCHED_MS = 15 * MINUTE_MS;

export interface Findings {
  readonly steps: readonly Finding[];
  /** The owner's next step in the browser. `null`: nothing to do. */
  readonly next: 'open' | 'redeem' | 'reopen' | null;
  readonly isLive: boolean;
}

const STEPS = [
  [
    message('Your page answers'),
    message('The service opens the link without signing in and expects a page.'),
    responds,
  ],
  [
    message('Opening the link redeems nothing'),
    message('After the service has opened the link, the claim is still unused.'),
    redeemsNothing,
  ],
  [
    message('Your server calls verify'),
    message('You open the link in your browser, and your server verifies the token with a test key.'),
    callsVerify,
  ],
  [
    message('The token arrives unchanged'),
    message('Your server sends exactly the token from the link.'),
    tokenUnchanged,
  ],
  [
    message('The claim is redeemed once'),
    message('You press the button on your page, and your server redeems the claim.'),
    redeemedOnce,
  ],
  [
    message('A second visit is refused'),
    message('You open the same link again and press the button, and your page refuses the claim.'),
    refusedAgain,
  ],
] as const;

export const EXPECTATIONS = STEPS.map(([title, expected]) => ({ title, expected }));

export function findingsOf(evidence: Evidence): Findings {
  const { check, nowMs, redeemedAt } = evidence;
  const steps = STEPS.map(([title, _expected, look]) => ({ title: t(title), ...look(evidence) }));
  // Calls are matched to visits by time, so the browser may open the link only after the service's visits.
  if (isUnderWay(check, nowMs)) return { steps, next: null, isLive: true };
  if (steps.at(-1)?.state !== 'waiting' && redeemedAt !== null) return { steps, next: null, isLive: false };
  const lastAt = check.reopened_at ?? check.opened_at ?? check.started_at;
  const isWatched = nowMs - Date.parse(lastAt) < WATCHED_MS;
  const next = check.opened_at === null ? 'open' : redeemedAt === null ? 'redeem' : 'reopen';
  return { steps, next, isLive: isWatched };
}

type UntitledFinding = Omit<Finding, 'title'>;

function notVisited({ check, nowMs }: Evidence): UntitledFinding {
  if (isUnderWay(check, nowMs)) return { state: 'waiting', text: t('Opening your link…') };
  return isOnlyInBrowser(check)
    ? later(t('Not known: the service never opens pages on your computer or in a private network.'))
    : later(t('Not known: the service was restarted. Check the link again.'));
}

const later = (text: string): UntitledFinding => ({ state: 'later', text });

function responds(evidence: Evidence): UntitledFinding {
  if (evidence.visits === null) return notVisited(evidence);
  const { get } = evidence.visits;
  const failure =
    get.failure === null ? t('The redirect has no URL that a browser can open.') : storedText(get.failure);
  if (get.status === null) {
    return {
      state: 'bad',
      text:
        get.redirects === 0
          ? failure
          : t('After {count, plural, one {# redirect} other {# redirects}}: {failure}', {
              count: get.redirects,
              failure,
            }),
      fix: t(
        'Open the link yourself. If the page is not public yet, continue in your browser: the other steps still work.',
      ),
    };
  }
  const facts = factsOf(get, get.status);
  if (get.failure !== null || (get.status >= 300 && get.status < 400)) {
    return {
      state: 'bad',
      text: `${facts} ${failure}`,
      fix: t('Answer with a page that a browser without cookies can open.'),
    };
  }
  if (get.status >= 400) {
    const isRefused = get.status === 401 || get.status === 403;
    return {
      state: 'bad',
      text: facts,
      fix: isRefused
        ? t(
            'Let everyone, including programs, open the page without signing in. Customers come from email and chat, and can sign in later.',
          )
        : t('Respond with 200 to a GET request, whether or not the claim has been redeemed.'),
      page: RECOMMENDED_PAGE,
    };
  }
  return get.leftTo === null ? { state: 'good', text: facts } : leavesOrigin(facts, get.leftTo);
}

/**
 * Claimants open the link by submitting a form on the marketplace. Chrome applies the `form-action` policy of that
 * form's page to redirects too. The policy allows other origins only over https.
 */
const leavesOrigin = (facts: string, leftTo: string): UntitledFinding => ({
  state: leftTo.startsWith('https:') ? 'note' : 'bad',
  text: leftTo.startsWith('https:')
    ? t('{facts} The link redirects to another origin, {leftTo}.', { facts, leftTo })
    : t(
        '{facts} The link redirects to {leftTo}, without TLS. Browsers such as Chrome block this redirect when the claimant presses the button, so nothing opens.',
        { facts, leftTo },
      ),
  fix: t('Use the final URL as the offer’s redemption link, or respond without the redirect.'),
});

function factsOf({ tls, origin, redirects, tookMs }: Visit, status: number): string {
  const host = new URL(origin).host;
  const statusText = t('GET got {status} after {tookMs} ms.', { status, tookMs });
  const followed =
    redirects === 0
      ? ''
      : t('It followed {count, plural, one {# redirect} other {# redirects}} to {host}.', {
          count: redirects,
          host,
        });
  return [statusText, followed, connectionOf(tls, host)].filter((sentence) => sentence !== '').join(' ');
}

function connectionOf(tls: Visit['tls'], host: string): string {
  if (tls === null) return t('The connection to {host} had no TLS.', { host });
  const { protocol, validTo } = tls;
  return validTo === null
    ? t('The connection used {protocol}.', { protocol })
    : t('The connection used {protocol}, with a certificate valid until {day}.', {
        protocol,
        day: validTo.slice(0, 10),
      });
}

function redeemsNothing(evidence: Evidence): UntitledFinding {
  if (evidence.visits === null) return notVisited(evidence);
  const { head, get } = evidence.visits;
  const culprit = [head, get].find(({ hasRedeemed }) => hasRedeemed);
  if (culprit !== undefined) {
    return {
      state: 'bad',
      text: t(
        'A {method} request redeemed the claim. Mail filters, chat previews and virus scanners open links too, and would use up your customers’ claims.',
        { method: culprit.method },
      ),
      fix: t('Show a button on GET, and redeem on the POST that the button sends.'),
      page: RECOMMENDED_PAGE,
    };
  }
  return get.status === null
    ? later(t('Not known, because the page did not answer.'))
    : { state: 'good', text: t('Neither HEAD nor GET redeemed the claim, so link scanners won’t either.') };
}

const VERIFY_PAGE = [guidePath('verify'), message('Verify')] as const;
const RETRIES_PAGE = [guidePath('safe-retries'), message('Safe retries')] as const;

function describe({ key_name, key_mode, ip, delayMs, outcome }: CheckedCall): string {
  const values = {
    delay:
      delayMs < 1_000
        ? t('{delayMs} ms', { delayMs })
        : t('{seconds, number} s', { seconds: Math.round(delayMs / 100) / 10 }),
    outcome,
    ip: ip ?? t('an unknown address'),
  };
  return key_name === null
    ? t(
        'A call without a known API key arrived from {ip}, {delay} after the page was opened. The response was {outcome}.',
        values,
      )
    : t(
        'A call with the {mode, select, test {test} other {live}} key “{name}” arrived from {ip}, {delay} after the page was opened. The response was {outcome}.',
        { ...values, mode: key_mode ?? '', name: key_name },
      );
}

const failedCall = (call: CheckedCall): UntitledFinding => ({
  state: 'bad',
  text: `${describe(call)} ${call.diagnosis?.what ?? ''}`,
  ...(call.diagnosis !== null && { fix: call.diagnosis.fix }),
  page: VERIFY_PAGE,
  requestId: call.request_id,
});

function callsVerify(evidence: Evidence): UntitledFinding {
  const { calls } = evidence;
  const own = calls.filter(({ isOwn }) => isOwn);
  const good = own.find(({ diagnosis }) => diagnosis === null);
  if (good !== undefined) return { state: 'good', text: describe(good), requestId: good.request_id };
  const live = own.find(({ key_mode }) => key_mode === 'live');
  if (live !== undefined) {
    return {
      state: 'note',
      text: t('{describe} A live key does not find test claims. It is the right key for real claims.', {
        describe: describe(live),
      }),
      fix: t(
        'To see the other steps, use a test key for tokens that begin with clm_test_, or check a copy of the page whose server uses a test key.',
      ),
      page: [guidePath('test-mode'), message('Test mode')],
      requestId: live.request_id,
    };
  }
  const failed = own[0] ?? calls.find(({ diagnosis }) => diagnosis !== null);
  return failed === undefined ? noCall(evidence) : failedCall(failed);
}

function noCall({ check, visits, nowMs }: Evidence): UntitledFinding {
  if (check.opened_at !== null || isUnderWay(check, nowMs)) {
    return { state: 'waiting', text: t('Waiting for a call from your server…') };
  }
  const status = visits?.get.status ?? null;
  if (status === null) return later(t('Open your link first.'));
  if (status >= 500) {
    return {
      state: 'bad',
      text: t(
        'The page failed, and your request log has no call from it. The log doesn’t contain calls with an unknown API key or to a different URL.',
      ),
      fix: t(
        'Check your server’s log. 401 means the API key is missing, is in quotation marks, or is cut off; 404 unknown_path or a refused connection means the URL of verify is wrong.',
      ),
    };
  }
  return {
    state: 'note',
    text: t(
      'Your server did not call verify when the page was opened. That is fine if your server calls verify after a click: open the link in your browser to check.',
    ),
    fix: t('Call verify with redeem: false when the page is opened, and show what the customer gets.'),
    page: VERIFY_PAGE,
  };
}

/** Outcomes of calls that looked up a token. */
const OUTCOMES = ['redeemed', 'valid', 'already_redeemed', 'not_found'];

function tokenUnchanged({ calls, check }: Evidence): UntitledFinding {
  if (calls.some(({ isOwn }) => isOwn)) {
    return { state: 'good', text: t('Your server sent the token exactly as it is in the link.') };
  }
  const other = calls.find(({ outcome }) => OUTCOMES.includes(outcome));
  if (other === undefined) return later(t('Known once your server calls verify.'));
  return {
    state: 'bad',
    text: t('Your server sent a different token from the one in the link. {what}', {
      what: other.diagnosis?.what ?? '',
    }),
    fix: t(
      'Send the query parameter “{parameter}” as it is: don’t truncate it, decode it twice or change its case.',
      { parameter: claimParameter(check.link) },
    ),
    page: RECOMMENDED_PAGE,
    requestId: other.request_id,
  };
}

function redeemedOnce({ calls, redeemedAt, check }: Evidence): UntitledFinding {
  const { opened_at, reopened_at } = check;
  if (opened_at === null) return later(t('Open your link, then press the button on your page.'));
  const ofVisit = calls.filter(({ at }) => at >= opened_at && (reopened_at === null || at < reopened_at));
  if (redeemedAt === null) {
    const last = ofVisit.at(-1);
    const hasVerified = ofVisit.some(({ isOwn, diagnosis }) => isOwn && diagnosis === null);
    if (hasVerified && last !== undefined && last.diagnosis !== null) return failedCall(last);
    return {
      state: 'waiting',
      text: t('Waiting for a call with redeem: true. Press the button on your page.'),
    };
  }
  const redeeming = ofVisit.filter(({ isOwn, redeem }) => isOwn && redeem === 1);
  const redeemed = redeeming.find(({ outcome }) => outcome === 'redeemed');
  if (redeemed === undefined) return { state: 'good', text: t('The claim was redeemed.') };
  const result = { text: describe(redeemed), requestId: redeemed.request_id };
  if (redeeming.some(({ outcome }) => outcome === 'already_redeemed')) {
    return {
      ...result,
      state: 'bad',
      text: t('{text} A second call with redeem: true arrived for the same visit and got already_redeemed.', {
        text: result.text,
      }),
      fix: t(
        'When a call is retried or the button is pressed twice, send the same Idempotency-Key, so that each call gets the status “redeemed” in its response. Otherwise, customers see an error for the offer they just redeemed.',
      ),
      page: RETRIES_PAGE,
    };
  }
  if (isTooSoon(redeemed, calls, opened_at)) {
    return {
      ...result,
      state: 'note',
      text: t(
        '{text} Nobody presses a button that soon after the page has loaded, so a script or {tag} probably redeemed the claim. A link scanner that runs scripts would use up the claim.',
        { text: result.text, tag: '<meta http-equiv="refresh">' },
      ),
      fix: t('Redeem only when the button on your page is pressed.'),
      page: RECOMMENDED_PAGE,
    };
  }
  return { ...result, state: 'good' };
}

/** People need at least this long to read the page and press its button. */
export const TOO_SOON_MS = 1_000;

/**
 * Whether the claim was redeemed less than `TOO_SOON_MS` after the page load. If the page calls verify when it is
 * opened, the first call of the browser's visit marks the page load. Otherwise, the redirect to the page marks it.
 */
function isTooSoon(redeemed: CheckedCall, calls: readonly CheckedCall[], openedAt: string): boolean {
  const own = calls.filter(({ isOwn }) => isOwn);
  const verifiesFirst = own.some(({ at, redeem }) => at < openedAt && redeem === 0);
  const first = own.find(({ at }) => at >= openedAt);
  const loadedAt = verifiesFirst && first !== undefined && first !== redeemed ? first.at : openedAt;
  return Date.parse(redeemed.at) - Date.parse(loadedAt) < TOO_SOON_MS;
}

function refusedAgain({ calls, redeemedAt, check }: Evidence): UntitledFinding {
  const { reopened_at } = check;
  if (redeemedAt === null) return later(t('Once the claim is redeemed, open the same link again.'));
  if (reopened_at === null) return { state: 'waiting', text: t('Open the same link again.') };
  const ofVisit = calls.filter(({ isOwn, at }) => isOwn && at >= reopened_at);
  const again = ofVisit.find(({ outcome }) => outcome === 'redeemed');
  if (again !== undefined) {
    return {
      state: 'bad',
      text: t(
        'The second visit sent the same Idempotency-Key as the first, so the response was “redeemed” again.',
      ),
      fix: t(
        'Derive the Idempotency-Key from the order or from one person’s attempt, never from the token alone: otherwise everyone who opens the link gets the status “redeemed”.',
      ),
      page: RETRIES_PAGE,
      requestId: again.request_id,
    };
  }
  const refused = ofVisit.find(({ outcome }) => outcome === 'already_redeemed');
  if (refused === undefined)
    return { state: 'waiting', text: t('Waiting for another call from your server…') };
  return {
    state: 'good',
    text: t(
      'Your server got already_redeemed. Make sure that your page says so and does not apply the offer.',
    ),
    requestId: refused.request_id,
  };
}
