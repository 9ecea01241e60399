/** What the walk from here found, step by step. */
import { type CheckUp, isOnlyInBrowser, isWalking, type Visit } from '../../checkups/check-up.ts';
import { claimParameter, linkOrigin } from '../../offers/redemption-link.ts';
import { amountOf } from '../../text.ts';
import {
  askFirst,
  type Examination,
  type ExaminedCall,
  type Finding,
  judged,
  listOf,
  RECOMMENDED_PAGE,
  snippetOfCall,
  UNRECORDED,
} from './finding.ts';

export const walkFindings = (examination: Examination): readonly Finding[] =>
  isOnlyInBrowser(examination.checkUp)
    ? [notOpened(examination), unchanged(examination)]
    : [
        reached(examination),
        scanned(examination),
        asked(examination),
        unchanged(examination),
        kept(examination),
        keyInPage(examination),
      ];

const notOpened = ({ checkUp }: Examination): Finding => ({
  title: 'Only your browser opens this page',
  state: 'later',
  text: `${new URL(checkUp.template).host} is on your computer or in a private network, which this service never calls. Open your link below: your server’s calls are checked here all the same.`,
});

/** A step without a result: it waits while the walk is under way, and then remains unknown. */
const unknown = (title: string, { checkUp, nowMs }: Examination, why: string): Finding =>
  isWalking(checkUp, nowMs)
    ? { title, state: 'waiting', text: 'Under way…' }
    : { title, state: 'later', text: why };

const NOT_REACHED = 'Not known, since the page did not answer from here.';

const CUT_OFF = 'The walk was cut off. Examine the offer again.';

/** A page that takes longer makes people leave. */
const SLOW_MS = 3_000;

function reached(examination: Examination): Finding {
  const title = 'Your page answers';
  const { head, get, page } = examination.checkUp.walk;
  if (get === null) return unknown(title, examination, CUT_OFF);
  if (get.status === null) {
    const redirected = get.redirects === 0 ? '' : `After ${amountOf(get.redirects, 'redirect')}: `;
    return {
      title,
      state: 'bad',
      text: `${redirected}${get.failure ?? 'There was no answer.'}`,
      fix: 'Open the link yourself. Where the page is not public yet, go on in your browser: the second part works without this one.',
    };
  }
  const facts = `${get.method} answered ${get.status} after ${get.tookMs} ms${tlsText(get, head)}${redirectText(get)}.`;
  if (get.failure !== null || (get.status >= 300 && get.status < 400)) {
    return {
      title,
      state: 'bad',
      text: `${facts} ${get.failure ?? 'The redirect leads nowhere.'}`,
      fix: 'Answer the link with a page. A browser without cookies must reach it.',
    };
  }
  if (get.status >= 400) {
    return {
      title,
      state: 'bad',
      text: facts,
      fix:
        get.status === 401 || get.status === 403
          ? 'The page must open without a sign-in, also for a program: people come from mail and chat, and sign in on the way.'
          : 'The page must answer 200 to a GET with a token of yours, whether redeemed or not.',
      page: RECOMMENDED_PAGE,
    };
  }
  if (get.leftTo !== null) return leftOrigin(title, facts, get.leftTo, examination.checkUp);
  if (page?.refreshHost) {
    return {
      title,
      state: 'note',
      text: `${facts} It leads on to ${page.refreshHost} by itself, with <meta http-equiv="refresh">. The walk from here does not go there: the steps below are about this page alone.`,
      fix: 'Redirect with status 303, or put the address that opens in the end into the redemption link of the offer.',
    };
  }
  if (get.tookMs > SLOW_MS) return { title, state: 'note', text: `${facts} That is slow.` };
  return { title, state: 'good', text: facts };
}

/** The button of the marketplace is a form. The policy of its page allows redirects to another origin by https only. */
const leftOrigin = (title: string, facts: string, leftTo: string, { template }: CheckUp): Finding => ({
  title,
  state: leftTo.startsWith('https:') ? 'note' : 'bad',
  text: leftTo.startsWith('https:')
    ? `${facts} The link leads on to ${leftTo}, with the token.`
    : `${facts} The link leads on to ${leftTo} without TLS: browsers such as Chrome do not follow a claimant’s button there, so nothing opens.`,
  fix: 'Put the address that opens in the end into the redemption link of the offer, or answer without the redirect.',
  snippet: template.replace(linkOrigin(template), leftTo),
});

function tlsText({ tls, origin }: Visit, head: Visit | null): string {
  if (tls === null) return ` from ${new URL(origin).host}, without TLS`;
  // The GET may resume the TLS session of the HEAD; then only the HEAD saw the certificate.
  const validTo = tls.validTo ?? (head?.origin === origin ? (head.tls?.validTo ?? null) : null);
  return ` over ${tls.protocol}${validTo === null ? '' : `, with a certificate until ${validTo.slice(0, 10)}`}`;
}

const redirectText = ({ redirects, origin }: Visit): string =>
  redirects === 0 ? '' : `, after ${amountOf(redirects, 'redirect')} to ${new URL(origin).host}`;

const SCANNER_SNIPPET = `GET   verify with {"token": "…", "redeem": false}, and show a button
POST  verify with {"token": "…", "redeem": true} and an Idempotency-Key,
      and apply the offer on "redeemed"`;

function scanned(examination: Examination): Finding {
  const title = 'Opening the link redeems nothing';
  const { head, get } = examination.checkUp.walk;
  const culprit = [head, get].find((visit) => visit?.hasRedeemed);
  if (culprit != null) {
    return {
      title,
      state: 'bad',
      text: `A mere ${culprit.method} redeemed the claim. Mail filters, chat previews and virus scanners open links too: they would use up your customers’ claims.`,
      fix: 'Show a button after GET, and redeem on the POST of the button.',
      snippet: SCANNER_SNIPPET,
      page: RECOMMENDED_PAGE,
    };
  }
  if (get === null || isWalking(examination.checkUp, examination.nowMs)) {
    return unknown(title, examination, CUT_OFF);
  }
  if (get.status === null) return { title, state: 'later', text: NOT_REACHED };
  return { title, state: 'good', text: 'Neither HEAD nor GET redeemed the claim, so link scanners do not.' };
}

const callsOfWalk = ({ calls }: Examination): readonly ExaminedCall[] =>
  calls.filter(({ part }) => part === 'walk');

function asked(examination: Examination): Finding {
  const title = 'Your server asks about the token';
  const { head, get } = examination.checkUp.walk;
  const visitedAt = [head, get].flatMap((visit) => (visit === null ? [] : [visit.at]));
  const finding = judged(title, callsOfWalk(examination), visitedAt, examination.baseUrl);
  if (finding !== null) return finding;
  if (get === null || isWalking(examination.checkUp, examination.nowMs)) {
    return unknown(title, examination, CUT_OFF);
  }
  if (get.status === null) return { title, state: 'later', text: NOT_REACHED };
  if (examination.hasUnrecorded) return { title, state: 'note', text: UNRECORDED };
  if (get.status >= 500) {
    return {
      title,
      state: 'bad',
      text: 'The page failed, and no call with a key of yours came. A call with an unknown key, or to another address, is in nobody’s log here.',
      fix: 'Read the log of your server: 401 means that the key is missing, quoted or cut; 404 unknown_path or a refused connection, that the address of the service is wrong.',
    };
  }
  return {
    title,
    state: 'note',
    text: 'No call came when the page was opened. That is fine where it asks after a click: the second part shows it.',
    ...(get.status < 300 && askFirst(examination.baseUrl)),
  };
}

/** Outcomes of a call whose token was looked up. */
const ANSWERED = ['redeemed', 'valid', 'already_redeemed', 'not_found'];

function unchanged(examination: Examination): Finding {
  const title = 'The token arrives unchanged';
  const { checkUp } = examination;
  if (examination.calls.some(({ isOwn }) => isOwn)) {
    return { title, state: 'good', text: 'Your server sent the token as it stands in the link.' };
  }
  const other = examination.calls.find(({ outcome }) => ANSWERED.includes(outcome));
  const parameter = claimParameter(checkUp.template);
  if (other !== undefined) {
    return {
      title,
      state: 'bad',
      text: `Your server sent another token than the one in the link.${other.diagnosis === null ? '' : ` ${other.diagnosis.what}`}`,
      fix: `Read the query parameter “${parameter}” as it is: neither cut, nor decoded a second time, nor in other letters.`,
      snippet: `const token = new URL(request.url).searchParams.get('${parameter}');`,
      page: RECOMMENDED_PAGE,
      requestId: other.requestId,
    };
  }
  if (checkUp.walk.get === null || isWalking(checkUp, examination.nowMs)) {
    return unknown(title, examination, CUT_OFF);
  }
  return { title, state: 'later', text: 'Known as soon as your server asks.' };
}

const NO_HTML =
  'Not looked at: the answer is no HTML, or is compressed though the request asked for plain text.';

const POLICY_SNIPPET = 'Referrer-Policy: strict-origin';

function kept(examination: Examination): Finding {
  const title = 'The token stays with you';
  const { get, page } = examination.checkUp.walk;
  if (get === null) return unknown(title, examination, CUT_OFF);
  if (get.status === null) return { title, state: 'later', text: NOT_REACHED };
  if (page === null) return { title, state: 'later', text: NO_HTML };
  if (page.toldByAddress.length > 0) {
    return {
      title,
      state: 'bad',
      text: `The page has the token in addresses of ${listOf(page.toldByAddress)}.`,
      fix: 'Take the token out of every address of another site: images, forms, analytics.',
      page: RECOMMENDED_PAGE,
    };
  }
  if (page.toldByReferer.length > 0) {
    return {
      title,
      state: 'bad',
      text: `Its referrer policy, ${page.referrerPolicy}, tells the whole address of the page to ${listOf(page.toldByReferer)}.`,
      fix: 'Answer the page with this header.',
      snippet: POLICY_SNIPPET,
      page: RECOMMENDED_PAGE,
    };
  }
  if (page.scriptHosts.length > 0) {
    return {
      title,
      state: 'note',
      text: `Scripts of ${listOf(page.scriptHosts)} run on the page, and a script can read its address.`,
      fix: 'Leave scripts of others out of this page, or take the token out of the address before they run.',
    };
  }
  return { title, state: 'good', text: 'No other site is told the address of the page.' };
}

function keyInPage(examination: Examination): Finding {
  const title = 'No API key is in the page';
  const { get, page } = examination.checkUp.walk;
  if (page?.holdsKey) {
    return {
      title,
      state: 'bad',
      text: 'An API key is in the HTML of the page, where everybody can read it.',
      fix: 'Roll the key now on the page of API keys, and call verify from your server.',
      snippet: snippetOfCall(examination.baseUrl, false),
      page: RECOMMENDED_PAGE,
    };
  }
  if (get === null) return unknown(title, examination, CUT_OFF);
  if (get.status === null) return { title, state: 'later', text: NOT_REACHED };
  if (page === null) return { title, state: 'later', text: NO_HTML };
  return { title, state: 'good', text: 'None was found in its HTML.' };
}
