import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checksumBase62, sha256, withChecksum } from '../../platform/secrets/secrets.ts';
import {
  expiryAfterRoll,
  keyState,
  mintKey,
  parseDuration,
  parseKeyMode,
  parseKeyName,
  parseScopes,
  readKey,
  readOperatorKey,
  SCOPES,
} from './key.ts';

const TYPES = [
  ['live', 'cck_live_', readKey],
  ['test', 'cck_test_', readKey],
  ['operator', 'cko_', readOperatorKey],
] as const;

test.each(TYPES)(
  'a new %s key has the documented format and is parsed into its hash and type',
  (type, prefix, read) => {
    for (let i = 0; i < 200; i++) {
      const { key, hash, start } = mintKey(randomBytes, type);
      expect(key).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{38}$`));
      expect(key.slice(-6)).toBe(checksumBase62(key.slice(0, -6)));
      expect(key.slice(prefix.length, prefix.length + 4)).toBe(start);
      expect(Buffer.from(hash)).toEqual(Buffer.from(sha256(key)));
      expect(read(key)).toEqual({ hash, kind: type });
    }
  },
);

test.each(TYPES)('a %s key is rejected if a character is changed, missing or added', (type, prefix, read) => {
  const { key } = mintKey(randomBytes, type);
  for (let at = 0; at < key.length; at++) {
    for (const other of '09AZaz_-. é\u0000') {
      const changed = key.slice(0, at) + other + key.slice(at + 1);
      if (changed !== key) expect(read(changed)).toBeNull();
    }
    expect(read(key.slice(0, at) + key.slice(at + 1))).toBeNull();
    expect(read(`${key.slice(0, at)}A${key.slice(at)}`)).toBeNull();
  }
  for (const other of ['cck_live_', 'cck_test_', 'cko_', 'cck_', '']) {
    if (other !== prefix) expect(read(other + key.slice(prefix.length))).toBeNull();
  }
});

test('API keys and operator keys are not interchangeable', () => {
  for (const [type, prefix, read] of TYPES) {
    const { key } = mintKey(randomBytes, type);
    expect([readKey(key), readOperatorKey(key)].filter((result) => result !== null)).toEqual([read(key)]);
    // The prefix must match even if the checksum is valid.
    const secret = key.slice(prefix.length, -6);
    for (const other of ['cck_live_', 'cck_test_', 'cko_']) {
      const result = (other === 'cko_' ? readKey : readOperatorKey)(withChecksum(other + secret));
      expect(result).toBeNull();
    }
  }
});

test('an API key requires a valid checksum, and arbitrary text is rejected', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^cck_(live|test)_[0-9A-Za-z]{38}$/), (text) => {
      expect(readKey(text) !== null).toBe(text.endsWith(checksumBase62(text.slice(0, -6))));
    }),
  );
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => readKey(text) === null));
});

test.each([
  ['1h', 3_600_000],
  ['24h', 86_400_000],
  ['7d', 604_800_000],
  ['90d', 7_776_000_000],
  ['3650d', 315_360_000_000],
])('the duration %s is parsed as %d ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each(['', '0d', '-1d', '1', '1 d', '1w', '3651d', '1e3h', 'now'])(
  '%j is rejected as a duration',
  (text) => {
    expect(() => parseDuration(text)).toThrow(/^The lifetime of a key must be a number of .*found "/);
  },
);

test('key modes and names are validated', () => {
  expect(parseKeyMode('live')).toBe('live');
  expect(parseKeyMode('test')).toBe('test');
  expect(() => parseKeyMode('Live')).toThrow('The mode must be "live" or "test"; found "Live".');
  expect(parseKeyName(' shop server ')).toBe('shop server');
  expect(() => parseKeyName('x'.repeat(101))).toThrow('The name of the key has 101 characters');
});

test('parseScopes sorts scopes, removes duplicates and rejects unknown scopes', () => {
  expect(parseScopes(['claims:write', 'accounts:read', 'claims:write'])).toEqual([
    'accounts:read',
    'claims:write',
  ]);
  expect(parseScopes([...SCOPES].reverse())).toEqual(SCOPES);
  expect(() => parseScopes([])).toThrow(
    'An operator key needs at least one of these scopes: accounts:read, ',
  );
  expect(() => parseScopes(['claims:read', 'claims'])).toThrow(
    /^A scope must be one of .*; found "claims"\.$/,
  );
});

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const at = (ms: number): string => new Date(NOW + ms).toISOString();

test.each([
  [null, null, 'active'],
  [at(1), null, 'active'],
  [at(0), null, 'expired'],
  [at(-1), null, 'expired'],
  [null, at(-1), 'revoked'],
  [null, at(0), 'revoked'],
  [at(-1), at(-2), 'revoked'],
] as const)('a key with expires_at %s and revoked_at %s is %s', (expires_at, revoked_at, state) => {
  expect(keyState({ expires_at, revoked_at }, NOW)).toBe(state);
});

test('a rolled key expires after the overlap or at its original expiry, whichever is earlier', () => {
  expect(expiryAfterRoll({ expires_at: null }, 3_600_000, NOW)).toBe(at(3_600_000));
  expect(expiryAfterRoll({ expires_at: at(1_000) }, 3_600_000, NOW)).toBe(at(1_000));
  expect(expiryAfterRoll({ expires_at: at(9_999_999) }, 0, NOW)).toBe(at(0));
});
