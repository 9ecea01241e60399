/** Reads raw headers in one pass and detects duplicates, which `request.headers` silently drops or joins. */

/** A class, so that V8 gives all instances the same hidden class. */
export class RequestHeaders {
  hosts = 0;
  host: string | undefined;
  authorization: string | undefined;
  contentType: string | undefined;
  contentLength: string | undefined;
  contentEncoding: string | undefined;
  transferEncoding: string | undefined;
  expect: string | undefined;
  idempotencyKey: string | undefined;
  origin: string | undefined;
  secFetchSite: string | undefined;
  /** Invalid (empty) if it was sent more than once. */
  traceparent: string | undefined;
  /** All X-Forwarded-For headers, joined in order. */
  forwardedFor: string | undefined;
  /** All Forwarded headers (RFC 7239), joined in order. */
  forwardedElements: string | undefined;
  forwardedHost: string | undefined;
  /** Whether there is a header that proxies add: `Forwarded`, `X-Forwarded-*` or one of `FORWARDING_NAMES`. */
  forwarded = false;
  upgrade = false;
  /** `Content-Type`, `Authorization` or `Idempotency-Key`, if it was sent more than once. For Host, see `hosts`. */
  duplicate: string | undefined;
}

/** Headers that proxies and content delivery networks add, except `forwarded` and `x-forwarded-…`. */
const FORWARDING_NAMES: ReadonlySet<string> = new Set([
  'cdn-loop',
  'cf-connecting-ip',
  'cf-connecting-ipv6',
  'cf-ray',
  'do-connecting-ip',
  'fastly-client-ip',
  'fly-client-ip',
  'forwarded-for',
  'proxy-client-ip',
  'true-client-ip',
  'via',
  'wl-proxy-client-ip',
  'x-amzn-trace-id',
  'x-appengine-user-ip',
  'x-azure-clientip',
  'x-azure-socketip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-envoy-external-address',
  'x-forwarded',
  'x-original-forwarded-for',
  'x-original-host',
  'x-originating-ip',
  'x-real-ip',
]);
const FORWARDING_PREFIX = 'x-forwarded-';

/** The five low bits of an ASCII letter are the same in upper and lower case. */
const LETTER_BITS = 5;
const LETTER_MASK = (1 << LETTER_BITS) - 1;

/** Returns a number that depends only on the first two characters of a name, ignoring case. */
const startOf = (name: string): number =>
  ((name.charCodeAt(0) & LETTER_MASK) << LETTER_BITS) | (name.charCodeAt(1) & LETTER_MASK);

const FORWARDING_STARTS = new Uint8Array(1 << (2 * LETTER_BITS));
for (const name of [...FORWARDING_NAMES, FORWARDING_PREFIX]) FORWARDING_STARTS[startOf(name)] = 1;

/** Checks the start of the name first, so that most names need not be converted to lower case. */
function isForwarding(name: string): boolean {
  if (FORWARDING_STARTS[startOf(name)] === 0) return false;
  const lower = name.toLowerCase();
  return lower.startsWith(FORWARDING_PREFIX) || FORWARDING_NAMES.has(lower);
}

/** `raw`: `IncomingMessage.rawHeaders`, alternating names and values. */
export function readHeaders(raw: readonly string[]): RequestHeaders {
  const headers = new RequestHeaders();
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]!;
    const mayBeKnown = KNOWN_LENGTHS[name.length] === 1;
    const isKnown = mayBeKnown && readKnown(headers, name.toLowerCase(), raw[i + 1]!);
    if (!isKnown && isForwarding(name)) headers.forwarded = true;
  }
  return headers;
}

/** Lengths of the names in `readKnown`. Checking the length first avoids most conversions to lower case. */
const KNOWN_LENGTHS = new Uint8Array(18);
for (const length of [4, 6, 7, 9, 11, 12, 13, 14, 15, 16, 17]) KNOWN_LENGTHS[length] = 1;

function readKnown(headers: RequestHeaders, name: string, value: string): boolean {
  switch (name) {
    case 'host':
      headers.hosts += 1;
      headers.host ??= value;
      return true;
    case 'content-type':
      if (headers.contentType !== undefined) headers.duplicate = 'Content-Type';
      headers.contentType ??= value;
      return true;
    case 'authorization':
      if (headers.authorization !== undefined) headers.duplicate = 'Authorization';
      headers.authorization ??= value;
      return true;
    case 'idempotency-key':
      if (headers.idempotencyKey !== undefined) headers.duplicate = 'Idempotency-Key';
      headers.idempotencyKey ??= value;
      return true;
    case 'content-length':
      headers.contentLength ??= value;
      return true;
    case 'content-encoding':
      headers.contentEncoding ??= value;
      return true;
    case 'transfer-encoding':
      headers.transferEncoding = joined(headers.transferEncoding, value);
      return true;
    case 'expect':
      headers.expect = joined(headers.expect, value);
      return true;
    case 'origin':
      headers.origin ??= value;
      return true;
    case 'sec-fetch-site':
      headers.secFetchSite ??= value;
      return true;
    case 'traceparent':
      headers.traceparent = headers.traceparent === undefined ? value : '';
      return true;
    case 'upgrade':
      headers.upgrade = true;
      return true;
    case 'x-forwarded-for':
      headers.forwarded = true;
      headers.forwardedFor = joined(headers.forwardedFor, value);
      return true;
    case 'forwarded':
      headers.forwarded = true;
      headers.forwardedElements = joined(headers.forwardedElements, value);
      return true;
    case 'x-forwarded-host':
      headers.forwarded = true;
      headers.forwardedHost = value.split(',').pop()!.trim();
      return true;
    default:
      return false;
  }
}

const joined = (before: string | undefined, value: string): string =>
  before === undefined ? value : `${before}, ${value}`;

const USER_AGENT = 'user-agent';

/** Not part of `readHeaders`, because few requests need the user agent. */
export function userAgentOf(raw: readonly string[]): string | null {
  const at = raw.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === USER_AGENT);
  return at < 0 ? null : raw[at + 1]!;
}
