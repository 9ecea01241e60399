/** All errors that callers can get. An operation can override the texts (`src/platform/http/operations/`). */
import { message, type Words } from './languages/translate.ts';
import type { Trace } from './process/trace.ts';

/** The `type` of a problem is `<baseUrl>/docs/errors/<code>`, the path of a page about the error. */
export const ERROR_PAGES_PATH = '/docs/errors';

export interface ErrorEntry {
  readonly status: number;
  readonly title: string;
  /** Also the `detail` of responses without a more specific text. */
  readonly meaning: string;
  readonly cause: string;
  readonly fix: string;
}

/** Texts in `message` are translated, because owners see them in the request log. */
const entry = (status: number, title: string, meaning: Words, cause: string, fix: Words): ErrorEntry => ({
  status,
  title,
  meaning: String(meaning),
  cause,
  fix: String(fix),
});

export const ERRORS = {
  invalid_request: entry(
    400,
    'Invalid request',
    'The request could not be understood, so nothing was done.',
    'The body, a parameter or a header is missing, unknown, malformed or of the wrong type, or the request itself is ambiguous (two Authorization headers, a missing or repeated Host header, an absolute-form target).',
    'The `detail` in the response says what is wrong.',
  ),
  missing_credentials: entry(
    401,
    'Missing credentials',
    'The call has no API key.',
    'The Authorization header is missing or does not use the Bearer scheme.',
    'Send `Authorization: Bearer <API_KEY>` with a key created under Settings → API keys.',
  ),
  invalid_api_key: entry(
    401,
    'Invalid API key',
    'The API key is not valid.',
    'The key is unknown, malformed, expired or revoked. The response is the same in all four cases on purpose. Common reasons are quotes around the key in a `.env` file, an environment variable that is not set, and a key that was not copied completely.',
    'Compare the first characters of the key that your server sends with the keys under Settings → API keys. If none matches, create or roll a key.',
  ),
  plan_without_api_keys: entry(
    403,
    'Plan without API keys',
    message('The account of this key is on a plan that has no API keys.'),
    'The account was moved to a plan without API keys. Its keys are kept and work again once the plan allows them.',
    message('Ask the operator for a plan with API keys, under Settings → Plan.'),
  ),
  account_suspended: entry(
    403,
    'Account suspended',
    message('The account of this key is suspended.'),
    'The operator suspended the account.',
    message('Ask the operator to restore the account. After that, the claims can be redeemed as before.'),
  ),
  browser_call: entry(
    403,
    'Call from a browser',
    message('The call came from a browser, so nothing was done.'),
    'An Origin or Sec-Fetch-Site header is present. An API key that reaches a browser can be read by anyone.',
    message('Call the operation from your server, and roll the key: it was sent by a browser.'),
  ),
  missing_scope: entry(
    403,
    'Missing scope',
    'The operator key does not have the scope for this operation, so nothing was done.',
    'The key was created without the scope that the operation needs.',
    'Create an operator key with the scope that /openapi.json lists for the operation.',
  ),
  foreign_request: entry(
    403,
    'Request from elsewhere',
    'The request did not come from a page of this service, so nothing was changed.',
    'The Sec-Fetch-Site or Origin header names another site, or the request has a cookie but neither of these headers.',
    'Use the pages of this service. A program that sends a form with a cookie must also send an Origin header that names this service.',
  ),
  unknown_path: entry(
    404,
    'Unknown path',
    'There is nothing at this path.',
    'The address is misspelled, or the base URL in your configuration is wrong.',
    'Correct the address: /openapi.json lists the paths of this service. A program that verifies claims must not treat this response as an invalid claim: a 404 means an invalid claim only if the `status` in its body is `not_found`.',
  ),
  unknown_account: entry(
    404,
    'Unknown account',
    'There is no account with this id or email address.',
    'The id or email address is mistyped, or the person has changed their email address.',
    'Use an id or email address from the list of accounts.',
  ),
  unknown_offer: entry(
    404,
    'Unknown offer',
    'There is no offer with this id.',
    'The id is mistyped, or belongs to another service.',
    "Use an id from the listing's list of offers.",
  ),
  unknown_key: entry(
    404,
    'Unknown API key',
    'There is no API key with this id.',
    'The id is mistyped, or belongs to another service.',
    "Use an id from the account's list of API keys. The id is not the key itself.",
  ),
  unknown_listing: entry(
    404,
    'Unknown listing',
    'The account of this key has no listing with this slug or id.',
    'The slug was changed or is mistyped, or the listing belongs to another account.',
    'Use a slug that the dashboard shows under Listings, or the id of the listing.',
  ),
  unknown_claim: entry(
    404,
    'Unknown claim',
    'No claim with this id is visible to this key.',
    'The id is mistyped, or the claim belongs to another account or has another mode: a live key sees only live claims, a test key only test claims.',
    'Use an `id` from a list of claims, and a key of the same mode as the claim.',
  ),
  method_not_allowed: entry(
    405,
    'Method not allowed',
    'The operation does not accept this method.',
    'The request used a different method, often because a redirect turned POST into GET or the URL was opened in a browser.',
    'Send one of the methods in the Allow header to the exact URL, with https if the service uses https.',
  ),
  request_timeout: entry(
    408,
    'Request too slow',
    'The request did not arrive in time.',
    'The headers took longer than 5 seconds or the whole request longer than 10 seconds.',
    'Send the request in one piece. Nothing was done, so it is safe to send it again.',
  ),
  claim_not_redeemed: entry(
    409,
    'Claim not redeemed',
    'The claim is not redeemed, so there is no receipt of its redemption.',
    'No verify call with `redeem: true` has succeeded for this claim.',
    'Redeem the claim first; a receipt proves a redemption.',
  ),
  cursor_gone: entry(
    410,
    'Cursor gone',
    'The event log cannot be followed from this cursor: the log is a different one, or some events after the cursor are gone.',
    'The database was restored to a state from before the cursor: redemptions that you have read may have been undone. Or the events after the cursor were deleted because of their age. Or the cursor belongs to another service. `detail` says which.',
    'Read from the start, without `after`, and compare the events with your records by the `id` of the claim. If the database was restored, redemptions that are now only in your records were lost. If old events were deleted, the redemptions are still in the list of claims, with `redeemed_at`.',
  ),
  body_too_large: entry(
    413,
    'Body too large',
    'The body is larger than the operation accepts.',
    'The body contains more than the operation expects.',
    'Send only the members that /openapi.json lists.',
  ),
  unsupported_media_type: entry(
    415,
    'Unsupported media type',
    message('The body is not declared as JSON.'),
    'Content-Type is missing, is not application/json, or names a charset other than utf-8. Or the request has a Content-Encoding header.',
    message('Send `Content-Type: application/json` and no Content-Encoding.'),
  ),
  expectation_failed: entry(
    417,
    'Expectation failed',
    'The request has an Expect header that this server does not support.',
    'The server knows only `Expect: 100-continue`.',
    'Leave the Expect header out.',
  ),
  idempotency_key_reused: entry(
    422,
    'Idempotency-Key reused',
    message('This Idempotency-Key has already redeemed another token, so this call redeemed nothing.'),
    'The key is a constant, or several orders share it.',
    message(
      'Use one key per order, or a new key each time a person tries to redeem; never use the same key for two tokens.',
    ),
  ),
  rate_limited: entry(
    429,
    'Too many requests',
    message('The API key exceeded its rate limit, so nothing was done.'),
    'The key has used up its rate limit, or too many calls with unknown keys came from the same network.',
    message('Wait the number of seconds in Retry-After, then send the same request again.'),
  ),
  headers_too_large: entry(
    431,
    'Headers too large',
    'The headers of the request are too large.',
    'The headers exceed the size limit of this server, often because of a large cookie.',
    'Send only the headers the operation needs.',
  ),
  internal_error: entry(
    500,
    'Internal error',
    'Something went wrong in the service. It is not known whether the request took effect.',
    'The service has a fault. Its log shows the cause, under the request ID.',
    'Give the operator the request ID.',
  ),
  unavailable: entry(
    503,
    'Unavailable',
    'The service cannot answer right now.',
    'The database is unavailable, the disk is nearly full, or the service is overloaded or shutting down.',
    'Wait the number of seconds in Retry-After, then send the same request again.',
  ),
  http_version_not_supported: entry(
    505,
    'HTTP version not supported',
    'The request line names an HTTP version that this server does not support.',
    'The client or a proxy sent something other than HTTP/1.1 or HTTP/1.0.',
    'Use HTTP/1.1.',
  ),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;

export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(ERRORS, text);

/** An error with a sentence for the caller. Pages, API responses and commands show the sentence. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly code: ErrorCode;
  /** Pages show the sentence in their language. `message` is the English sentence, for programs and logs. */
  readonly sentence: Words;

  constructor(code: ErrorCode, sentence: Words) {
    super(String(sentence));
    this.code = code;
    this.sentence = sentence;
  }
}

export function tried<T>(work: () => T): T | Refusal {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** The form that creates a key was submitted twice. Only the first response showed the secret. */
export class KeyMadeBefore extends Error {
  readonly keyName: string;

  constructor(keyName: string) {
    super('this form was sent before');
    this.name = 'KeyMadeBefore';
    this.keyName = keyName;
  }
}

/** A call that was rejected before the key lookup, because it had a wrong method or came from a browser. */
export interface RefusedCall {
  /** SHA-256 of the key that was sent; `null` if the call has no well-formed key, as in a preflight request. */
  readonly keyHash: Uint8Array | null;
  readonly detail: string;
  /** Method and path, without the query, which may contain secrets. */
  readonly requestLine: string;
  readonly origin: string | null;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly requestId: string;
  readonly trace: Trace | null;
}

export const invalid = (sentence: Words): Refusal => new Refusal('invalid_request', sentence);

/** The error for a resource that doesn't exist or is hidden from the viewer. */
export const nothingThere = (): Refusal =>
  new Refusal('unknown_path', message('There is nothing at this address.'));

/** The text of responses while the disk is nearly full (`src/platform/store/disk-reserve.ts`). */
export const DISK_FULL = message(
  'The disk of this service is nearly full, so nothing was changed. Redemptions still work; the operator must free space.',
);
