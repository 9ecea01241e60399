/**
 * API keys of owners (`cck_live_…`, `cck_test_…`) and operator keys (`cko_…`): a prefix, 32 random base62 characters
 * (190 bits), and a CRC-32 of both in 6. Stored are the SHA-256 and the first four random characters.
 */

import { invalid } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import { normalNetwork } from '../../platform/network/network.ts';
import {
  CHECKSUM_LENGTH,
  endsInChecksum,
  isBase62,
  randomBase62,
  sha256,
  withChecksum,
} from '../../platform/secrets/secrets.ts';
import { DAY_MS, parseHoursOrDays } from '../../platform/text/durations.ts';
import { parseLine, quote } from '../../platform/text/text.ts';
import { toIso } from '../../platform/text/time-text.ts';

/** Live keys see only live claims, and test keys only test claims. */
export type Mode = 'live' | 'test';

export const otherMode = (mode: Mode): Mode => (mode === 'live' ? 'test' : 'live');

export const KEY_PREFIXES = { live: 'cck_live_', test: 'cck_test_', operator: 'cko_' } as const;
const SECRET_LENGTH = 32;
const START_LENGTH = 4;

export const MAX_KEY_NAME_LENGTH = 100;
/** The limit per account, for live and test keys together. The operator's command line may exceed the limit. */
export const MAX_ACTIVE_KEYS = 100;
export const MAX_ACTIVE_OPERATOR_KEYS = 20;

export interface MintedKey {
  /** The complete key, which is never stored. */
  readonly key: string;
  readonly hash: Uint8Array;
  /** The first four characters after the prefix, by which people recognize a key. */
  readonly start: string;
}

export function mintKey(random: (bytes: number) => Uint8Array, type: keyof typeof KEY_PREFIXES): MintedKey {
  const secret = randomBase62(random, SECRET_LENGTH);
  const key = withChecksum(KEY_PREFIXES[type] + secret);
  return { key, hash: hashKey(key), start: secret.slice(0, START_LENGTH) };
}

const isWellFormed = (text: string, prefix: string): boolean =>
  text.length === prefix.length + SECRET_LENGTH + CHECKSUM_LENGTH &&
  text.startsWith(prefix) &&
  isBase62(text, prefix.length) &&
  endsInChecksum(text);

/** A published test key, the same in all installations. It has no account and works only with the sandbox tokens. */
export const SANDBOX_KEY = withChecksum(`${KEY_PREFIXES.test}${'Sandbox'.padEnd(SECRET_LENGTH, '0')}`);

export const hashKey = (key: string): Uint8Array => sha256(key);

/** `null` if the text is not a well-formed API key, so that malformed keys need no database lookup. */
export function readKey(text: string): { readonly hash: Uint8Array; readonly kind: Mode | 'sandbox' } | null {
  const mode = (['live', 'test'] as const).find((one) => isWellFormed(text, KEY_PREFIXES[one]));
  if (mode === undefined) return null;
  return { hash: hashKey(text), kind: text === SANDBOX_KEY ? 'sandbox' : mode };
}

export const readOperatorKey = (
  text: string,
): { readonly hash: Uint8Array; readonly kind: 'operator' } | null =>
  isWellFormed(text, KEY_PREFIXES.operator) ? { hash: hashKey(text), kind: 'operator' } : null;

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

/** Returns the scopes without duplicates, in the order of `SCOPES`. */
export function parseScopes(texts: readonly string[]): readonly Scope[] {
  const wrong = texts.find((text) => !SCOPES.some((scope) => scope === text));
  const names = SCOPES.join(', ');
  if (wrong !== undefined) {
    throw invalid(message('A scope must be one of {names}; found {text}.', { names, text: quote(wrong) }));
  }
  const scopes = SCOPES.filter((scope) => texts.includes(scope));
  if (scopes.length === 0) {
    throw invalid(message('An operator key needs at least one of these scopes: {names}.', { names }));
  }
  return scopes;
}

/** Scopes are stored separated by spaces. */
export const joinScopes = (scopes: readonly Scope[]): string => scopes.join(' ');
export const splitScopes = (text: string): readonly string[] => text.split(' ');

export function parseKeyMode(text: string): Mode {
  if (text !== 'live' && text !== 'test')
    throw invalid(message('The mode must be "live" or "test"; found {text}.', { text: quote(text) }));
  return text;
}

export const parseKeyName = (text: string): string =>
  parseLine(text, message('The name of the key'), MAX_KEY_NAME_LENGTH);

export const parseOperatorKeyName = (text: string): string =>
  parseLine(text, message('The name of the operator key'), MAX_KEY_NAME_LENGTH);

/** Addresses and networks per key. */
export const MAX_KEY_NETWORKS = 20;

/**
 * Parses addresses and networks in CIDR notation, separated by spaces, commas or lines. Returns them as stored: separated
 * by spaces. `null` for none, which means that the key may be used from everywhere.
 */
export function parseKeyNetworks(text: string): string | null {
  const networks = [...new Set(text.split(/[\s,;]+/).filter((entry) => entry !== ''))].map(parseNetwork);
  if (networks.length > MAX_KEY_NETWORKS) {
    throw invalid(message('A key can have at most {max} networks.', { max: MAX_KEY_NETWORKS }));
  }
  return networks.length === 0 ? null : networks.join(' ');
}

/** Validates the text of a form, and returns it unchanged. */
export function parseNetworksText(text: string): string {
  parseKeyNetworks(text);
  return text;
}

function parseNetwork(text: string): string {
  const network = normalNetwork(text);
  if (network !== null) return network;
  throw invalid(
    message('A network of a key must be an IP address or a network such as {example}; found {text}.', {
      example: '203.0.113.0/24',
      text: quote(text),
    }),
  );
}

/** The stored form, as an array for people and programs. */
export const splitNetworks = (networks: string | null): readonly string[] => networks?.split(' ') ?? [];

export const MAX_DURATION_MS = 3_650 * DAY_MS;

/** Parses whole hours or days such as `24h` or `90d`, up to ten years. Returns milliseconds. */
export function parseDuration(text: string): number {
  const duration = parseHoursOrDays(text);
  if (duration === null || duration > MAX_DURATION_MS) {
    throw invalid(
      message(
        'The lifetime of a key must be a number of hours or days from 1h to 3650d, such as 24h or 90d; found {text}.',
        { text: quote(text) },
      ),
    );
  }
  return duration;
}

/** Validates a duration. Returns `undefined` for an empty string, which means that the key never expires. */
export function parseKeyExpiry(text: string): string | undefined {
  if (text === '') return undefined;
  parseDuration(text);
  return text;
}

export type KeyState = 'active' | 'expired' | 'revoked';

interface KeyTimes {
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}

export function keyState({ expires_at, revoked_at }: KeyTimes, nowMs: number): KeyState {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && Date.parse(expires_at) <= nowMs ? 'expired' : 'active';
}

/** A rolled key expires after `keepMs`, or at its previous expiry if that is earlier. */
export function expiryAfterRoll(
  { expires_at }: Pick<KeyTimes, 'expires_at'>,
  keepMs: number,
  nowMs: number,
): string {
  const newExpiryMs = nowMs + keepMs;
  return toIso(expires_at === null ? newExpiryMs : Math.min(newExpiryMs, Date.parse(expires_at)));
}
