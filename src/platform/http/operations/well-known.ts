/** `/.well-known/`: the public keys for receipts (RFC 7517), and where to report a vulnerability (RFC 9116). */
import { DAY_MS } from '../../text/durations.ts';
import type { EpochMs } from '../../text/time-text.ts';

export const JWKS_PATH = '/.well-known/jwks.json';

export const JWKS_HEADERS = {
  'Content-Type': 'application/jwk-set+json',
  // Short, because a client fetches the keys again when it sees an unknown `kid`, and a cache must not return old keys.
  'Cache-Control': 'public, max-age=300',
} as const;

export const SECURITY_TXT_PATH = '/.well-known/security.txt';

/** How far `Expires` is in the future. RFC 9116 section 2.5.5 recommends less than a year. */
const VALID_MS = 180 * DAY_MS;

/** `Canonical` must be an https URL (RFC 9116 section 2.5.2), so it is omitted if the base URL is not https. */
export const securityTxt = (contact: string, baseUrl: string, now: EpochMs): string =>
  [
    `Contact: ${contact}`,
    `Expires: ${new Date(now + VALID_MS).toISOString()}`,
    'Preferred-Languages: en',
    ...(baseUrl.startsWith('https://') ? [`Canonical: ${baseUrl}${SECURITY_TXT_PATH}`] : []),
    '',
  ].join('\n');
