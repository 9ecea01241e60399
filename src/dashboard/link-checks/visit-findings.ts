/** What the service found when it opened the link. */
import { isOnlyInBrowser, isUnderWay, type Visit, type Visits } from '../../link-checks/link-check.ts';
import { amountOf } from '../../text/text.ts';
import type { Evidence } from './evidence.ts';
import { type Finding, RECOMMENDED_PAGE } from './finding.ts';

const ANSWERS = 'Your page answers';
const REDEEMS_NOTHING = 'Opening the link redeems nothing';

export function visitFindings({ check, visits, nowMs }: Evidence): readonly Finding[] {
  if (visits !== null) return [answers(visits.get), redeemsNothing(visits)];
  if (isUnderWay(check, nowMs)) return both('waiting', 'Opening your link…');
  return isOnlyInBrowser(check)
    ? both('later', 'Not known: the service never opens pages on your computer or in a private network.')
    : both('later', 'Not known: the service was restarted. Check the link again.');
}

const both = (state: Finding['state'], text: string): readonly Finding[] =>
  [ANSWERS, REDEEMS_NOTHING].map((title) => ({ title, state, text }));

function answers(get: Visit): Finding {
  const title = ANSWERS;
  if (get.status === null) {
    return {
      title,
      state: 'bad',
      text: `${get.redirects === 0 ? '' : `After ${amountOf(get.redirects, 'redirect')}: `}${get.failure}`,
      fix: 'Open the link yourself. If the page is not public yet, continue in your browser: the steps below work without this one.',
    };
  }
  const facts = `GET answered ${get.status} after ${get.tookMs} ms${describeTls(get)}${describeRedirects(get)}.`;
  if (get.failure !== null || (get.status >= 300 && get.status < 400)) {
    return {
      title,
      state: 'bad',
      text: `${facts} ${get.failure ?? 'The redirect has no address that a browser can open.'}`,
      fix: 'Answer with a page that a browser without cookies can open.',
    };
  }
  if (get.status >= 400) {
    const isRefused = get.status === 401 || get.status === 403;
    return {
      title,
      state: 'bad',
      text: facts,
      fix: isRefused
        ? 'Let the page open without signing in, for programs too. Customers come from mail and chat, and can sign in after that.'
        : 'Answer 200 to a GET with a token of yours, redeemed or not.',
      page: RECOMMENDED_PAGE,
    };
  }
  return get.leftTo === null ? { title, state: 'good', text: facts } : leavesOrigin(facts, get.leftTo);
}

/** The claimant's button is a form, and the policy of its page lets redirects leave the origin by https only. */
const leavesOrigin = (facts: string, leftTo: string): Finding => ({
  title: ANSWERS,
  state: leftTo.startsWith('https:') ? 'note' : 'bad',
  text: leftTo.startsWith('https:')
    ? `${facts} The link redirects to another origin, ${leftTo}.`
    : `${facts} The link redirects to ${leftTo}, without TLS. Browsers such as Chrome block this redirect after the claimant’s button, so nothing opens.`,
  fix: 'Use the final address as the offer’s redemption link, or answer without the redirect.',
});

function describeTls({ tls, origin }: Visit): string {
  if (tls === null) return ` from ${new URL(origin).host}, without TLS`;
  const valid = tls.validTo === null ? '' : `, with a certificate valid until ${tls.validTo.slice(0, 10)}`;
  return ` over ${tls.protocol}${valid}`;
}

const describeRedirects = ({ redirects, origin }: Visit): string =>
  redirects === 0 ? '' : `, after ${amountOf(redirects, 'redirect')} to ${new URL(origin).host}`;

function redeemsNothing({ head, get }: Visits): Finding {
  const title = REDEEMS_NOTHING;
  const culprit = [head, get].find(({ hasRedeemed }) => hasRedeemed);
  if (culprit !== undefined) {
    return {
      title,
      state: 'bad',
      text: `A ${culprit.method} request redeemed the claim. Mail filters, chat previews and virus scanners open links too, and would use up your customers’ claims.`,
      fix: 'Show a button on GET, and redeem on the POST that the button sends.',
      page: RECOMMENDED_PAGE,
    };
  }
  return get.status === null
    ? { title, state: 'later', text: 'Not known, because the page did not answer.' }
    : {
        title,
        state: 'good',
        text: 'Neither HEAD nor GET redeemed the claim, so link scanners don’t either.',
      };
}
