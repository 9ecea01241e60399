/** A step of a check-up in words, and the sentences that several steps share. */
import type { CheckUp } from '../../checkups/check-up.ts';
import { VERIFY_PATH } from '../../claims/verify/verification.ts';
import type { Mode } from '../../keys/key.ts';
import type { Diagnosis } from '../requests/diagnosis.ts';

/** `later`: not known yet, since an earlier step must happen first; `note`: fine, with something to know. */
export type FindingState = 'good' | 'note' | 'bad' | 'waiting' | 'later';

export interface Finding {
  readonly title: string;
  readonly state: FindingState;
  readonly text: string;
  /** What to change. */
  readonly fix?: string;
  /** Text to copy for the change. */
  readonly snippet?: string;
  /** A page about it: its path and title. */
  readonly page?: readonly [path: string, title: string];
  /** Id of the request that shows it. */
  readonly requestId?: string;
}

/** A call that the check-up caused, or may have caused. */
export interface ExaminedCall {
  readonly at: string;
  readonly requestId: string;
  readonly outcome: string;
  readonly redeem: boolean;
  readonly ip: string | null;
  readonly keyName: string | null;
  readonly keyMode: Mode | null;
  /** During which part it came. */
  readonly part: 'walk' | 'browser';
  /** It has the token of the link. */
  readonly isOwn: boolean;
  /** What was wrong with it; `null`: nothing. */
  readonly diagnosis: Diagnosis | null;
}

export interface Examination {
  readonly checkUp: CheckUp;
  /** Oldest first. */
  readonly calls: readonly ExaminedCall[];
  /** When the claim of the browser was redeemed. */
  readonly redeemedAt: string | null;
  /** Names of active keys that a browser has sent and that were not rolled since. */
  readonly exposedKeys: readonly string[];
  /** Whether a call of the account was not recorded in the request log since the check-up began. */
  readonly hasUnrecorded: boolean;
  readonly baseUrl: string;
  readonly nowMs: number;
}

export const RECOMMENDED_PAGE = ['/docs/recommended-page', 'The recommended page'] as const;
const VERIFY_PAGE = ['/docs/verify', 'Verify'] as const;

const TWO_KEYS_SNIPPET = `key = CLAIMCHECK_TEST_KEY if token begins with "clm_test_"
      else CLAIMCHECK_API_KEY`;

/** What the calls of a part show: a good call with its token, else a failed call. `null`: there is neither. */
export function judged(
  title: string,
  calls: readonly ExaminedCall[],
  visitedAt: readonly string[],
  baseUrl: string,
): Finding | null {
  const own = calls.filter(({ isOwn }) => isOwn);
  const good = own.find(({ diagnosis }) => diagnosis === null);
  if (good !== undefined) {
    return { title, state: 'good', text: factsOf(good, visitedAt), requestId: good.requestId };
  }
  const live = own.find(({ keyMode }) => keyMode === 'live');
  if (live !== undefined) {
    return {
      title,
      state: 'note',
      text: `${factsOf(live, visitedAt)} It is a live key, which knows live claims only, so this test claim was not found. For real claims it is the right key.`,
      fix: 'To see the other steps, let your page use a test key for test tokens, or examine a copy of it that has a test key.',
      snippet: TWO_KEYS_SNIPPET,
      page: ['/docs/test-mode', 'Test mode'],
      requestId: live.requestId,
    };
  }
  const failed = own[0] ?? calls.find(({ diagnosis }) => diagnosis !== null);
  return failed === undefined ? null : failedCall(title, failed, visitedAt, baseUrl);
}

export const failedCall = (
  title: string,
  call: ExaminedCall,
  visitedAt: readonly string[],
  baseUrl: string,
): Finding => ({
  title,
  state: 'bad',
  text: `${factsOf(call, visitedAt)}${call.diagnosis === null ? '' : ` ${call.diagnosis.what}`}`,
  ...(call.diagnosis !== null && { fix: call.diagnosis.fix }),
  snippet: snippetOfCall(baseUrl, call.redeem),
  page: VERIFY_PAGE,
  requestId: call.requestId,
});

/** `visitedAt`: when the page was opened, oldest first. */
export function factsOf(call: ExaminedCall, visitedAt: readonly string[]): string {
  const { keyName, keyMode, ip, at, outcome } = call;
  const by = keyName === null ? 'without a known key' : `with the ${keyMode} key “${keyName}”`;
  const from = ip === null ? '' : `, from ${ip}`;
  const visit = visitedAt.findLast((visited) => visited <= at) ?? visitedAt[0];
  const ms = visit === undefined ? 0 : Math.max(0, Date.parse(at) - Date.parse(visit));
  const after = ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
  const when = visit === undefined ? '' : `, ${after} after the page was opened`;
  return `A call came ${by}${from}${when}. The answer was ${outcome}.`;
}

/** In place of "no call came", where a call may have come. */
export const UNRECORDED =
  'No call is in the request log. Some calls of your server were not recorded since this check-up began, so one may have come. Examine the offer again when your server makes fewer calls.';

/** The advice to ask when the page is opened. */
export const askFirst = (baseUrl: string): Pick<Finding, 'fix' | 'snippet' | 'page'> => ({
  fix: 'Better is to ask with redeem: false when the page is opened, and to show what the person gets.',
  snippet: snippetOfCall(baseUrl, false),
  page: VERIFY_PAGE,
});

export const snippetOfCall = (baseUrl: string, redeem: boolean): string =>
  `POST ${baseUrl}${VERIFY_PATH}
Authorization: Bearer <API key>
Content-Type: application/json
${redeem ? 'Idempotency-Key: <attempt>\n' : ''}
{"token": "<value of the parameter>", "redeem": ${redeem}}`;

/** `a, b and c`. */
export const listOf = (texts: readonly string[]): string =>
  texts.length < 2 ? (texts[0] ?? '') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
