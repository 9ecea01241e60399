/**
 * Operator keys: `cko_`, 32 base62 characters (190 bits) and 6 of CRC-32 over the text before. Shown once; the database
 * keeps the SHA-256 and the first four characters after the prefix.
 */
import { invalid } from '../errors.ts';
import { CHECKSUM_LENGTH, endsInChecksum, isBase62, randomBase62, sha256, withChecksum } from '../secrets.ts';
import { parseLine, quote } from '../text.ts';

export const OPERATOR_KEY_PREFIX = 'cko_';
const SECRET_LENGTH = 32;
const START_LENGTH = 4;
const KEY_LENGTH = OPERATOR_KEY_PREFIX.length + SECRET_LENGTH + CHECKSUM_LENGTH;

/** Characters of an operator key's name. */
const MAX_OPERATOR_KEY_NAME_LENGTH = 100;
/** Active keys of one operator. */
export const MAX_ACTIVE_OPERATOR_KEYS = 20;

/** What a key may do: read or change one kind of thing. */
export const SCOPES = [
  'accounts:read',
  'accounts:write',
  'listings:read',
  'listings:write',
  'offers:read',
  'offers:write',
  'keys:read',
  'keys:write',
  'claims:read',
  'claims:write',
] as const;
export type Scope = (typeof SCOPES)[number];

export interface MintedOperatorKey {
  /** The whole key: shown once, never stored. */
  readonly key: string;
  readonly hash: Uint8Array;
  /** The first characters after the prefix, by which people recognise a key. */
  readonly start: string;
}

/** `random(n)` returns n cryptographically random bytes. */
export function mintOperatorKey(random: (bytes: number) => Uint8Array): MintedOperatorKey {
  const secret = randomBase62(random, SECRET_LENGTH);
  const key = withChecksum(OPERATOR_KEY_PREFIX + secret);
  return { key, hash: sha256(key), start: secret.slice(0, START_LENGTH) };
}

/** SHA-256 of a text sent as an operator key; `null` where it is malformed, which costs no database read. */
export function readOperatorKey(
  text: string,
): { readonly hash: Uint8Array; readonly kind: 'operator' } | null {
  const isWellFormed =
    text.length === KEY_LENGTH &&
    text.startsWith(OPERATOR_KEY_PREFIX) &&
    isBase62(text, OPERATOR_KEY_PREFIX.length) &&
    endsInChecksum(text);
  return isWellFormed ? { hash: sha256(text), kind: 'operator' } : null;
}

export const parseOperatorKeyName = (text: string): string =>
  parseLine(text, 'The name of the operator key', MAX_OPERATOR_KEY_NAME_LENGTH);

/** Each scope once, in the order of `SCOPES`. */
export function parseScopes(texts: readonly string[]): readonly Scope[] {
  const wrong = texts.find((text) => !SCOPES.some((scope) => scope === text));
  if (wrong !== undefined) throw invalid(`A scope is one of ${SCOPES.join(', ')}; found ${quote(wrong)}.`);
  const scopes = SCOPES.filter((scope) => texts.includes(scope));
  if (scopes.length === 0) throw invalid(`An operator key needs a scope: ${SCOPES.join(', ')}.`);
  return scopes;
}

/** Scopes as the database keeps them. */
export const joinScopes = (scopes: readonly Scope[]): string => scopes.join(' ');
export const splitScopes = (text: string): readonly string[] => text.split(' ');
