/**
 * API keys: `cck_live_` or `cck_test_`, 32 base62 characters (190 bits) and 6 of CRC-32 over the text before.
 * Shown once; the database keeps the SHA-256 and the first four characters after the prefix.
 */
import { invalid } from '../errors.ts';
import { CHECKSUM_LENGTH, endsInChecksum, isBase62, randomBase62, sha256, withChecksum } from '../secrets.ts';
import { parseLine, quote } from '../text.ts';

/** A live key sees live claims only, a test key test claims only. */
export type Mode = 'live' | 'test';

export const otherMode = (mode: Mode): Mode => (mode === 'live' ? 'test' : 'live');

const PREFIXES: Readonly<Record<Mode, string>> = { live: 'cck_live_', test: 'cck_test_' };
const PREFIX_LENGTH = PREFIXES.live.length;
const SECRET_LENGTH = 32;
const START_LENGTH = 4;
const KEY_LENGTH = PREFIX_LENGTH + SECRET_LENGTH + CHECKSUM_LENGTH;

/** Characters of a key's name. */
export const MAX_KEY_NAME_LENGTH = 100;
/** Keys of an account that are active, live and test ones together. The operator's command may make more. */
export const MAX_ACTIVE_KEYS = 100;

export interface MintedKey {
  /** The whole key: shown once, never stored. */
  readonly key: string;
  readonly hash: Uint8Array;
  /** The first four characters after the prefix, by which people recognise a key. */
  readonly start: string;
}

/** A new key. `random(n)` returns n cryptographically random bytes. */
export function mintKey(random: (bytes: number) => Uint8Array, mode: Mode): MintedKey {
  const secret = randomBase62(random, SECRET_LENGTH);
  const key = withChecksum(PREFIXES[mode] + secret);
  return { key, hash: hashKey(key), start: secret.slice(0, START_LENGTH) };
}

/** Whether `text` has the shape and checksum of a key. A malformed one costs no database read. */
export function isWellFormedKey(text: string): boolean {
  return (
    text.length === KEY_LENGTH &&
    (text.startsWith(PREFIXES.live) || text.startsWith(PREFIXES.test)) &&
    isBase62(text, PREFIX_LENGTH) &&
    endsInChecksum(text)
  );
}

/** The published test key, the same on every installation: it has no account, and verifies the fixed tokens alone. */
export const SANDBOX_KEY = withChecksum(`${PREFIXES.test}${'Sandbox'.padEnd(SECRET_LENGTH, '0')}`);

/** SHA-256 of a whole key, as stored in the database. */
export const hashKey = (key: string): Uint8Array => sha256(key);

/** `sandbox`: `SANDBOX_KEY`, which no database knows. */
export type KeyKind = Mode | 'sandbox';

/** SHA-256 and kind of a text sent as a key; `null` where it is malformed. */
export function readKey(text: string): { readonly hash: Uint8Array; readonly kind: KeyKind } | null {
  if (!isWellFormedKey(text)) return null;
  const kind = text === SANDBOX_KEY ? 'sandbox' : text.startsWith(PREFIXES.test) ? 'test' : 'live';
  return { hash: hashKey(text), kind };
}

export function parseKeyMode(text: string): Mode {
  if (text !== 'live' && text !== 'test')
    throw invalid(`The mode is "live" or "test"; found ${quote(text)}.`);
  return text;
}

export const parseKeyName = (text: string): string =>
  parseLine(text, 'The name of the key', MAX_KEY_NAME_LENGTH);

/**
 * The id of the key that a form makes: always the same for a form of an account, and impossible for another account to
 * produce. It keeps the time of the form's id (a UUIDv7), so that keys sort by creation.
 */
export function idOfForm(accountId: string, formId: string): string {
  const hex = Buffer.from(sha256(`${accountId} ${formId.toLowerCase()}`)).toString('hex');
  const variant = ((Number.parseInt(hex[3]!, 16) & 0x3) | 0x8).toString(16);
  return `${formId.slice(0, 14).toLowerCase()}7${hex.slice(0, 3)}-${variant}${hex.slice(4, 7)}-${hex.slice(7, 19)}`;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Longest time that a key's expiry or overlap may be set to. */
export const MAX_DURATION_MS = 3_650 * DAY_MS;

/** Whole hours or days such as `24h` and `90d`, to milliseconds: at most ten years. */
export function parseDuration(text: string): number {
  const parts = /^([1-9][0-9]{0,5})([hd])$/.exec(text);
  const duration = parts ? Number(parts[1]) * (parts[2] === 'h' ? HOUR_MS : DAY_MS) : 0;
  if (duration === 0 || duration > MAX_DURATION_MS) {
    throw invalid(
      `A key lives for hours or days, from 1h to 3650d, written like 24h or 90d; found ${quote(text)}.`,
    );
  }
  return duration;
}

/** A duration as a form has it: an empty field means that the key never expires. */
export function parseKeyExpiry(text: string): string | undefined {
  if (text === '') return undefined;
  parseDuration(text);
  return text;
}

export type KeyState = 'active' | 'expired' | 'revoked';

export interface KeyTimes {
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

/** A key is expired from the very millisecond of `expiresAt`. `nowMs`: milliseconds since the epoch. */
export function keyState(key: KeyTimes, nowMs: number): KeyState {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && Date.parse(key.expiresAt) <= nowMs ? 'expired' : 'active';
}

/** When a rolled key ends: after `keepMs`, but never later than it would have anyway. */
export function expiryAfterRoll(key: KeyTimes, keepMs: number, nowMs: number): string {
  const kept = nowMs + keepMs;
  const own = key.expiresAt === null ? kept : Date.parse(key.expiresAt);
  return new Date(Math.min(kept, own)).toISOString();
}
