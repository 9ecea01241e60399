/** `/.well-known/jwks.json`: the public keys with which the receipts of this service are checked (RFC 7517). */

export const JWKS_PATH = '/.well-known/jwks.json';

export const JWKS_HEADERS = {
  'Content-Type': 'application/jwk-set+json',
  // Short, so that a reader that asks again for an unknown `kid` soon gets the new key from every cache.
  'Cache-Control': 'public, max-age=300',
} as const;
