/** Security headers of every answer of the service. */

/** A year, the least that ASVS 3.4.1 asks for. */
const HSTS_MAX_AGE_S = 365 * 24 * 60 * 60;

/** For answers that are no page: nothing in them may run, load or be framed. Pages replace it with their own. */
const NO_PAGE_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Names and values in turn. Browsers ignore Strict-Transport-Security over http (RFC 6797 section 8.1). */
export const policyHeaders = (baseUrl: string): readonly string[] => [
  'Content-Security-Policy',
  NO_PAGE_POLICY,
  ...(baseUrl.startsWith('https:')
    ? ['Strict-Transport-Security', `max-age=${HSTS_MAX_AGE_S}; includeSubDomains`]
    : []),
];
