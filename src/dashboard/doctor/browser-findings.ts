/** What was found in the owner's browser, step by step. */
import {
  type Examination,
  type ExaminedCall,
  type Finding,
  factsOf,
  failedCall,
  judged,
  listOf,
  RECOMMENDED_PAGE,
  snippetOfCall,
  UNRECORDED,
} from './finding.ts';

export const browserFindings = (examination: Examination): readonly Finding[] => [
  askedInBrowser(examination),
  redeemedOnce(examination),
  refused(examination),
  keySeen(examination),
];

/** A step behind one that has not happened. */
const afterwards = (title: string, text: string): Finding => ({ title, state: 'later', text });

const callsInBrowser = ({ calls }: Examination): readonly ExaminedCall[] =>
  calls.filter(({ part }) => part === 'browser');

const openedAt = ({ checkUp }: Examination): readonly string[] =>
  [checkUp.openedAt, checkUp.openedAgainAt].filter((at) => at !== null);

function askedInBrowser(examination: Examination): Finding {
  const title = 'Your page opens and asks';
  if (examination.checkUp.openedAt === null) return afterwards(title, 'Open your link with a test claim.');
  const finding = judged(title, callsInBrowser(examination), openedAt(examination), examination.baseUrl);
  if (finding !== null) return finding;
  const text = examination.hasUnrecorded ? UNRECORDED : 'Waiting for your server to ask about the token…';
  return { title, state: 'waiting', text };
}

const ATTEMPT_SNIPPET = `GET   <input type="hidden" name="attempt" value="<random id>">
POST  Idempotency-Key: <the attempt that the form sent>`;

/** Nobody reads a page and presses its button in this time. */
const SOON_MS = 1_000;

const isSoon = ({ at }: ExaminedCall, openedAt: string): boolean =>
  Date.parse(at) - Date.parse(openedAt) < SOON_MS;

function redeemedOnce(examination: Examination): Finding {
  const title = 'The claim is redeemed';
  const { redeemedAt, checkUp, hasUnrecorded, baseUrl } = examination;
  if (checkUp.openedAt === null) return afterwards(title, 'Then press the button of your page.');
  const calls = callsInBrowser(examination);
  if (redeemedAt === null) {
    const last = calls.at(-1);
    const hasAsked = calls.some(({ isOwn, diagnosis }) => isOwn && diagnosis === null);
    if (hasAsked && last !== undefined && last.diagnosis !== null) {
      return failedCall(title, last, openedAt(examination), baseUrl);
    }
    return {
      title,
      state: 'waiting',
      text: 'Waiting for a call with redeem: true. Press the button of your page.',
      snippet: snippetOfCall(baseUrl, true),
    };
  }
  const { openedAgainAt } = checkUp;
  const ofFirstVisit = calls.filter(({ at }) => openedAgainAt === null || at < openedAgainAt);
  const redeeming = ofFirstVisit.filter(({ isOwn, redeem }) => isOwn && redeem);
  const redeemed = redeeming.find(({ outcome }) => outcome === 'redeemed');
  const text = redeemed === undefined ? 'It was redeemed.' : factsOf(redeemed, openedAt(examination));
  if (redeemed !== undefined && redeeming.some(({ outcome }) => outcome === 'already_redeemed')) {
    return {
      title,
      state: 'bad',
      text: `${text} Another call with redeem: true came for the same visit, and was told already_redeemed.`,
      fix: 'Send the same Idempotency-Key when a call is repeated or a button is pressed twice, so that each is told redeemed. Otherwise the customer is refused what they have just got.',
      snippet: ATTEMPT_SNIPPET,
      page: ['/docs/safe-retries', 'Safe retries'],
      requestId: redeemed.requestId,
    };
  }
  const isFirst = redeemed !== undefined && redeemed === calls[0] && !hasUnrecorded;
  if (isFirst && isSoon(redeemed, checkUp.openedAt)) {
    return {
      title,
      state: 'note',
      text: `${text} That is sooner than a person presses a button, so the page seems to redeem by itself. A scanner that runs scripts would use up the claim.`,
      fix: 'Redeem when the button of your page is pressed, and not before.',
      page: RECOMMENDED_PAGE,
      requestId: redeemed.requestId,
    };
  }
  return { title, state: 'good', text, ...(redeemed && { requestId: redeemed.requestId }) };
}

export function refused(examination: Examination): Finding {
  const title = 'The second time it is refused';
  const { redeemedAt, checkUp } = examination;
  if (redeemedAt === null) return afterwards(title, 'Then open the same link once more.');
  const { openedAgainAt } = checkUp;
  if (openedAgainAt === null) return { title, state: 'waiting', text: 'Open the same link once more.' };
  const later = examination.calls.filter(({ isOwn, at }) => isOwn && at >= openedAgainAt);
  const again = later.find(({ outcome }) => outcome === 'redeemed');
  if (again !== undefined) {
    return {
      title,
      state: 'bad',
      text: 'The second visit sent the Idempotency-Key of the first, and was told redeemed again.',
      fix: 'Make the Idempotency-Key of the order, or of the attempt of a person, never of the token alone: everybody who opens the link would be told redeemed.',
      snippet: ATTEMPT_SNIPPET,
      page: ['/docs/safe-retries', 'Safe retries'],
      requestId: again.requestId,
    };
  }
  const told = later.find(({ outcome }) => outcome === 'already_redeemed');
  if (told !== undefined) {
    return {
      title,
      state: 'good',
      text: 'Your server was told already_redeemed. See that your page says so, and does not apply the offer.',
      requestId: told.requestId,
    };
  }
  return { title, state: 'waiting', text: 'Waiting for your server to ask again…' };
}

function keySeen({ exposedKeys, baseUrl }: Examination): Finding {
  const title = 'No API key was sent by a browser';
  if (exposedKeys.length === 0) return { title, state: 'good', text: 'None of your active keys was.' };
  return {
    title,
    state: 'bad',
    text: `A browser has sent ${listOf(exposedKeys.map((name) => `“${name}”`))}, so anyone who opened that page can read it.`,
    fix: 'Take the key out of the page, let your server make the call, and roll the key on the page of API keys.',
    snippet: snippetOfCall(baseUrl, false),
    page: RECOMMENDED_PAGE,
  };
}
