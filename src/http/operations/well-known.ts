/**
 * The documents under `/.well-known/`: `jwks.json` has the public keys of receipts (RFC 7517), `security.txt` says
 * where to report a vulnerability (RFC 9116).
 */
import { DAY_MS } from '../../text/durations.ts';
import type { EpochMs } from '../../text/time-text.ts';

export const JWKS_PATH = '/.well-known/jwks.json';

export const JWKS_HEADERS = {
  'Content-Type': 'application/jwk-set+json',
  // Short, so that caches don't keep old keys for long: a client that sees an unknown `kid` fetches the keys again.
  'Cache-Control': 'public, max-age=300',
} as const;

export const SITEMAP_PATH = '/sitemap.xml';

export const SECURITY_TXT_PATH = '/.well-known/security.txt';

/** Time from the response until the text expires. RFC 9116 section 2.5.5 asks for less than a year. */
const VALID_MS = 180 * DAY_MS;

/** RFC 9116 asks for https in `Canonical`, so the field is left out if the base URL has no https. */
export const securityTxt = (contact: string, baseUrl: string, now: EpochMs): string =>
  [
    `Contact: ${contact}`,
    `Expires: ${new Date(now + VALID_MS).toISOString()}`,
    'Preferred-Languages: en',
    ...(baseUrl.startsWith('https://') ? [`Canonical: ${baseUrl}${SECURITY_TXT_PATH}`] : []),
    '',
  ].join('\n');
