/**
 * `clm_` (test mode: `clm_test_`), 27 base62 characters (160 bits) and a CRC-32 in 6. The 27 are an HMAC of the claim's
 * id, so the service can show a link again although it stores only a hash of the token.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { Mode } from '../people/keys/key.ts';
import { invalid } from '../platform/errors.ts';
import type { SecretKeys } from '../platform/secrets/secret-keys.ts';
import {
  CHECKSUM_LENGTH,
  encodeBase62,
  endsInChecksum,
  isBase62,
  shortHash,
  withChecksum,
} from '../platform/secrets/secrets.ts';
import { amountOf } from '../platform/text/text.ts';
import type { SentToken } from './attempts/cause.ts';

export const MAX_TOKEN_LENGTH = 200;
export const MIN_IMPORTED_TOKEN_LENGTH = 8;

const PREFIX = 'clm_';
const PREFIXES: Readonly<Record<Mode, string>> = { live: PREFIX, test: 'clm_test_' };
/** 20 bytes fit into 27 base62 characters, because 62^27 is greater than 2^160. */
const SECRET_BYTES = 20;
const SECRET_LENGTH = 27;
const TAIL_LENGTH = SECRET_LENGTH + CHECKSUM_LENGTH;

/** Domain separation: a hash for this use of the secret key is never valid for another use. */
const TOKEN_USE = 'claimcheck/claim-token/1';

/** Creates the `ClaimTokens` of a context. Throws a RangeError if a secret key is empty. */
export function createClaimTokens(...secretKeys: SecretKeys) {
  if (secretKeys.includes('')) throw new RangeError('the secret key is empty');
  const keys = secretKeys.map((key) => createSecretKey(key, 'utf8'));
  return {
    derive: (claimId: string, mode: Mode): string => deriveToken(keys[0]!, claimId, mode),
    recover(claimId: string, mode: Mode, tokenHash: Uint8Array) {
      for (const [keyIndex, key] of keys.entries()) {
        const token = deriveToken(key, claimId, mode);
        if (Buffer.compare(hashToken(token), tokenHash) === 0) return { token, keyIndex };
      }
      return null;
    },
  };
}

function deriveToken(key: KeyObject, claimId: string, mode: Mode): string {
  const hash = createHmac('sha256', key).update(`${TOKEN_USE}\n${mode}\n${claimId}`).digest();
  return withChecksum(PREFIXES[mode] + encodeBase62(hash.subarray(0, SECRET_BYTES), SECRET_LENGTH));
}

/** Returns a test token that matches no claim. `name` replaces the HMAC and must be base62. */
export const namedToken = (name: string): string =>
  withChecksum(PREFIXES.test + name.padEnd(SECRET_LENGTH, '0'));

/** `impossible`: starts with `clm_` but is malformed or has a wrong checksum, so no lookup is needed. */
export function classifyToken(token: string): 'derived' | 'impossible' | 'imported' {
  if (!token.startsWith(PREFIX)) return 'imported';
  const prefix = token.startsWith(PREFIXES.test) ? PREFIXES.test : PREFIXES.live;
  if (token.length !== prefix.length + TAIL_LENGTH || !isBase62(token, prefix.length)) return 'impossible';
  return endsInChecksum(token) ? 'derived' : 'impossible';
}

export const modeOfDerived = (token: string): Mode => (token.startsWith(PREFIXES.test) ? 'test' : 'live');

const TOKEN_WITHIN = new RegExp(`${PREFIX}(?:test_)?[0-9A-Za-z]{${TAIL_LENGTH}}(?![0-9A-Za-z])`);

/** Detects whether `text` is a link, or a token with other text around it. Imported tokens never contain `://`. */
export function wrappingOf(text: string): SentToken['wrapping'] {
  if (text.includes('://')) return 'link_sent';
  if (!text.includes(PREFIX)) return null;
  const within = TOKEN_WITHIN.exec(text);
  return within !== null && within[0].length < text.length ? 'text_around_token' : null;
}

const URL_SAFE = /^[A-Za-z0-9._~-]*$/;

/**
 * Parses a token from another system: 8–200 unreserved URL characters (RFC 3986 section 2.3), not starting with `clm_`.
 * Error messages do not repeat the token, because it is a secret.
 */
export function parseImportedToken(text: string): string {
  if (text.length < MIN_IMPORTED_TOKEN_LENGTH || text.length > MAX_TOKEN_LENGTH) {
    throw invalid(
      `The token has ${amountOf(text.length, 'character')}; it must have ${MIN_IMPORTED_TOKEN_LENGTH} to ${MAX_TOKEN_LENGTH}.`,
    );
  }
  if (!URL_SAFE.test(text)) {
    throw invalid(
      'The token may contain only letters, digits, ".", "_", "~" and "-"; another character was found.',
    );
  }
  if (text.startsWith(PREFIX)) {
    throw invalid(
      `The token starts with "${PREFIX}", which is reserved for tokens that this service creates.`,
    );
  }
  return text;
}

/** The database stores this hash instead of the token. */
export const hashToken = (token: string): Uint8Array => shortHash(token);
