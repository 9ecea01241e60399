/** Why a call to verify got its response. An outcome can have several causes; failures are counted by cause. */
import type { Mode } from '../../people/keys/key.ts';
import { ERRORS, type ErrorCode, isErrorCode } from '../../platform/errors.ts';
import { Message, message } from '../../platform/languages/translate.ts';

export const STATUSES = ['redeemed', 'valid', 'already_redeemed', 'not_found'] as const;

/** A `status`, or the `code` of a problem. */
export type Outcome = (typeof STATUSES)[number] | ErrorCode;

interface CauseEntry {
  readonly outcome: Outcome;
  readonly what: Message;
  /** What the owner should do; `null`: nothing is wrong. */
  readonly fix: Message | null;
}

const entry = <O extends Outcome, F extends Message | null>(outcome: O, what: Message, fix: F) => ({
  outcome,
  what,
  fix,
});

const ofError = <Code extends ErrorCode>(code: Code) =>
  entry(code, new Message(ERRORS[code].meaning), new Message(ERRORS[code].fix));

const WHOLE_TOKEN = message(
  'Send the value of the link’s parameter exactly as it arrived: not the whole link, not shortened, not decoded twice, and without spaces, quotes or line breaks around it.',
);
const USUAL_BODY = message('Send {body}, optionally with "reference", and nothing else.', {
  body: '{"token": "…", "redeem": true}',
});

const OF_CLAIMS = {
  redeemed: entry('redeemed', message('The claim was redeemed by this call.'), null),
  repeated: entry(
    'redeemed',
    message('The same Idempotency-Key was sent again, so the call got the same response.'),
    null,
  ),
  valid: entry('valid', message('The claim is valid. Nothing was redeemed.'), null),
  already_redeemed: entry('already_redeemed', message('The claim had already been redeemed.'), null),
  token_unknown: entry(
    'not_found',
    message('No claim on your listings has this token.'),
    message(
      '{whole} Anybody can open your page with a made-up token, so a few of these requests are normal.',
      { whole: WHOLE_TOKEN },
    ),
  ),
  link_sent: entry(
    'not_found',
    message('A whole link was sent as the token.'),
    message('Send only the value of the link’s parameter, from the query of the URL that was opened.'),
  ),
  text_around_token: entry(
    'not_found',
    message('A token was sent with other text around it, such as a space, a quote or another parameter.'),
    WHOLE_TOKEN,
  ),
  token_altered: entry(
    'not_found',
    message('The token was changed on the way: its checksum is wrong.'),
    WHOLE_TOKEN,
  ),
  placeholder_sent: entry(
    'not_found',
    message('The placeholder {placeholder} itself was sent as the token.', { placeholder: '{claim}' }),
    message(
      'Read the token from the URL that was opened. In that URL, the service has replaced {placeholder} with the token.',
      { placeholder: '{claim}' },
    ),
  ),
  test_token_with_live_key: entry(
    'not_found',
    message('A test token was sent with a live key.'),
    message('Use a test key for a test token, or send the token of a real claim.'),
  ),
  live_token_with_test_key: entry(
    'not_found',
    message('A live token was sent with a test key.'),
    message('Use a live key for a live token.'),
  ),
  body_unreadable: entry(
    'invalid_request',
    message('The body was empty, was not UTF-8, or began with a byte order mark.'),
    USUAL_BODY,
  ),
  body_not_json: entry('invalid_request', message('The body was not JSON.'), USUAL_BODY),
  body_not_object: entry('invalid_request', message('The body was JSON, but not an object.'), USUAL_BODY),
  member_unknown: entry('invalid_request', message('The body had an unknown member.'), USUAL_BODY),
  member_twice: entry('invalid_request', message('The body had the same member twice.'), USUAL_BODY),
  token_missing: entry('invalid_request', message('The body had no member "token".'), USUAL_BODY),
  token_malformed: entry(
    'invalid_request',
    message('The member "token" was empty, too long or not a string.'),
    message('Send the token from the link as a string.'),
  ),
  redeem_malformed: entry(
    'invalid_request',
    message('The member "redeem" was neither true nor false.'),
    message('Send true or false without quotation marks.'),
  ),
  reference_malformed: entry(
    'invalid_request',
    message(
      'The member "reference" was empty, was too long, was not a single line of text, or contained a secret.',
    ),
    message('Send at most 100 characters, such as the order number.'),
  ),
  idempotency_key_malformed: entry(
    'invalid_request',
    message('The Idempotency-Key was malformed.'),
    message('Send 1 to 255 visible ASCII characters, such as the order number.'),
  ),
  idempotency_key_reused: ofError('idempotency_key_reused'),
  invalid_api_key: entry(
    'invalid_api_key',
    message('The API key is revoked or has expired.'),
    message('Put an active key on your server.'),
  ),
  network_not_allowed: entry(
    'invalid_api_key',
    message('The call came from an address outside the networks of the API key.'),
    message(
      'If the address belongs to your server, add it to the networks of the key. Otherwise, somebody else has the key: roll it.',
    ),
  ),
  plan_without_api_keys: ofError('plan_without_api_keys'),
  account_suspended: ofError('account_suspended'),
  browser_call: ofError('browser_call'),
  method_not_allowed: entry(
    'method_not_allowed',
    message('The call was not a POST.'),
    message('Send a POST to the exact URL: a redirect from http to https turns a POST into a GET.'),
  ),
  unsupported_media_type: ofError('unsupported_media_type'),
  body_too_large: entry('body_too_large', message('The body was larger than 4 KiB.'), USUAL_BODY),
  rate_limited: ofError('rate_limited'),
} as const satisfies Record<string, CauseEntry>;

/** The outcomes that fixed test tokens can produce: every status and every error code of verify. */
const FIXED_OUTCOMES = [
  ...STATUSES,
  'invalid_request',
  'missing_credentials',
  'invalid_api_key',
  'plan_without_api_keys',
  'account_suspended',
  'browser_call',
  'method_not_allowed',
  'request_timeout',
  'body_too_large',
  'unsupported_media_type',
  'expectation_failed',
  'idempotency_key_reused',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'unavailable',
  'http_version_not_supported',
] as const satisfies readonly Outcome[];

type FixedCause = `fixed_${(typeof FIXED_OUTCOMES)[number] | 'repeated' | 'lost'}`;

const FIXED_TOKEN = message('A fixed test token was sent, so the call got the response of this token.');

const OF_FIXED_TOKENS = {
  ...(Object.fromEntries(
    FIXED_OUTCOMES.map((outcome) => [`fixed_${outcome}`, entry(outcome, FIXED_TOKEN, null)]),
  ) as Record<FixedCause, CauseEntry>),
  fixed_repeated: entry('redeemed', message('The response of a fixed test token was repeated.'), null),
  fixed_lost: entry(
    'redeemed',
    message('A fixed test token was sent. Calls with this token deliberately get no response.'),
    null,
  ),
};

export const CAUSES = { ...OF_CLAIMS, ...OF_FIXED_TOKENS };

export type Cause = keyof typeof CAUSES;

export const fixedCauseOf = (outcome: Outcome): FixedCause => {
  const cause = `fixed_${outcome}`;
  return isCause(cause) ? (cause as FixedCause) : 'fixed_internal_error';
};

export const isFixed = (cause: Cause): boolean => !Object.hasOwn(OF_CLAIMS, cause);

export const ALL_CAUSES = Object.keys(CAUSES) as readonly Cause[];

export const isCause = (text: string): text is Cause => Object.hasOwn(CAUSES, text);

export const causesOf = (outcome: string): readonly Cause[] =>
  ALL_CAUSES.filter((cause) => CAUSES[cause].outcome === outcome);

export const isFailure = (cause: Cause): boolean => CAUSES[cause].fix !== null;

export const FAILURES: readonly Cause[] = ALL_CAUSES.filter(isFailure);

/** Returns an unknown cause unchanged: a newer version of the service may have written it. */
export const outcomeOf = (cause: string): string => (isCause(cause) ? CAUSES[cause].outcome : cause);

export function statusOf(cause: string): number {
  const outcome = outcomeOf(cause);
  if (outcome === 'not_found') return 404;
  return isErrorCode(outcome) ? ERRORS[outcome].status : 200;
}

/** Causes of calls that found a claim of the account. */
const CAUSES_WITH_CLAIM: readonly Cause[] = ['redeemed', 'repeated', 'valid', 'already_redeemed'];

export const isFound = (cause: Cause): boolean => CAUSES_WITH_CLAIM.includes(cause);

/** The last four characters of an unreplaced `{claim}`, plain or percent-encoded. No token ends this way. */
const PLACEHOLDER_ENDS: readonly (string | null)[] = ['aim}', 'm%7D', 'm%7d'];

export interface SentToken {
  readonly tokenLast4: string | null;
  /** `null`: the token is malformed and cannot match a claim. */
  readonly tokenHash: Uint8Array | null;
  /** The mode in the token's prefix; `null` without a prefix. */
  readonly tokenMode: Mode | null;
  readonly wrapping: 'link_sent' | 'text_around_token' | null;
}

/** The cause of a `not_found`, inferred from the token. */
export function causeOfNotFound(
  { tokenLast4, tokenHash, tokenMode, wrapping }: SentToken,
  keyMode: Mode,
): Cause {
  if (PLACEHOLDER_ENDS.includes(tokenLast4)) return 'placeholder_sent';
  if (wrapping !== null) return wrapping;
  if (tokenHash === null) return 'token_altered';
  if (tokenMode === null || tokenMode === keyMode) return 'token_unknown';
  return tokenMode === 'test' ? 'test_token_with_live_key' : 'live_token_with_test_key';
}
