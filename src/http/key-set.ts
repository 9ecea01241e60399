/** `/.well-known/jwks.json`: the public keys with which the receipts of this service are checked (RFC 7517). */

export const JWKS_PATH = '/.well-known/jwks.json';

export const JWKS_HEADERS = {
  'Content-Type': 'application/jwk-set+json',
  // Short: a reader that meets an unknown `kid` asks again, and every cache has a new key soon.
  'Cache-Control': 'public, max-age=300',
} as const;
