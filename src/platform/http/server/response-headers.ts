import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';

const PREFIX_BYTES = 6;

/** A request ID consists of a random prefix per process and a counter. It is unique but not secret. */
export function createRequestIds(): () => string {
  let count = 0;
  const head = `req_${randomBytes(PREFIX_BYTES).toString('base64url')}_`;
  return () => {
    count += 1;
    return head + count.toString(36);
  };
}

const requestId = Symbol('request ID');
type Identified = ServerResponse & { [requestId]?: string };

export const requestIdOf = (response: Identified): string => response[requestId]!;

export const setRequestId = (response: Identified, id: string): void => {
  response[requestId] = id;
};

/** A year: the minimum that OWASP ASVS 3.4.1 requires. */
const HSTS_MAX_AGE_S = 365 * 24 * 60 * 60;

const NO_PAGE_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** `list`: alternating names and values. */
export const pairsOf = (list: readonly string[]): [name: string, value: string][] =>
  Array.from({ length: list.length / 2 }, (_, i) => [list[2 * i]!, list[2 * i + 1]!]);

/** Headers of every response, besides its ID. Pages replace some of them. */
export const commonHeaders = (baseUrl: string): [name: string, value: string][] =>
  pairsOf(['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff', ...policyHeaders(baseUrl)]);

/** Alternating names and values. Browsers ignore Strict-Transport-Security over http (RFC 6797 section 8.1). */
export const policyHeaders = (baseUrl: string): readonly string[] => [
  'Content-Security-Policy',
  NO_PAGE_POLICY,
  ...(baseUrl.startsWith('https:')
    ? ['Strict-Transport-Security', `max-age=${HSTS_MAX_AGE_S}; includeSubDomains`]
    : []),
];
