import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { withChecksum } from '../secrets.ts';
import { mintOperatorKey, parseScopes, readOperatorKey, SCOPES } from './operator-key.ts';

test('a minted key has the documented format and is read back to its hash', () => {
  for (let i = 0; i < 200; i += 1) {
    const { key, hash, start } = mintOperatorKey(randomBytes);
    expect(key).toMatch(/^cko_[0-9A-Za-z]{38}$/);
    expect(key.slice(4, 8)).toBe(start);
    expect(readOperatorKey(key)).toEqual({ hash, kind: 'operator' });
  }
});

test('no malformed key passes: one character changed, missing or added', () => {
  const { key } = mintOperatorKey(randomBytes);
  for (let at = 0; at < key.length; at += 1) {
    for (const other of '09AZaz_-. é\u0000') {
      const changed = key.slice(0, at) + other + key.slice(at + 1);
      if (changed !== key) expect(readOperatorKey(changed)).toBeNull();
    }
    expect(readOperatorKey(key.slice(0, at) + key.slice(at + 1))).toBeNull();
    expect(readOperatorKey(`${key.slice(0, at)}A${key.slice(at)}`)).toBeNull();
  }
  expect(readOperatorKey(withChecksum(`cck_${'a'.repeat(32)}`))).toBeNull();
});

test('scopes are those of the list, each once and in its order', () => {
  expect(parseScopes(['claims:write', 'accounts:read', 'claims:write'])).toEqual([
    'accounts:read',
    'claims:write',
  ]);
  expect(parseScopes([...SCOPES].reverse())).toEqual(SCOPES);
  expect(() => parseScopes([])).toThrow('An operator key needs a scope: accounts:read, ');
  expect(() => parseScopes(['claims:read', 'claims'])).toThrow(/^A scope is one of .*; found "claims"\.$/);
});
