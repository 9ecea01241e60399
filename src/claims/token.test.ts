import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checksumBase62 } from '../platform/secrets/secrets.ts';
import {
  classifyToken,
  createClaimTokens,
  hashToken,
  MAX_TOKEN_LENGTH,
  parseImportedToken,
} from './token.ts';

const tokens = createClaimTokens('a secret key of a test, long enough');
const claimIds = fc.uuid();
const modes = fc.constantFrom('live' as const, 'test' as const);

test('a derived token has the documented format and is classified as derived', () => {
  fc.assert(
    fc.property(claimIds, modes, (id, mode) => {
      const token = tokens.derive(id, mode);
      expect(token).toMatch(mode === 'live' ? /^clm_[0-9A-Za-z]{33}$/ : /^clm_test_[0-9A-Za-z]{33}$/);
      expect(token.slice(-6)).toBe(checksumBase62(token.slice(0, -6)));
      expect(classifyToken(token)).toBe('derived');
      expect(tokens.derive(id, mode)).toBe(token);
    }),
  );
});

test('tokens differ by claim, mode and secret key', () => {
  const others = createClaimTokens('another secret key');
  const all = new Set<string>();
  for (let i = 0; i < 2_000; i++) {
    const id = `00000000-0000-7000-8000-${i.toString().padStart(12, '0')}`;
    for (const maker of [tokens, others]) {
      for (const mode of ['live', 'test'] as const) all.add(maker.derive(id, mode).split('_').at(-1)!);
    }
  }
  expect(all.size).toBe(8_000);
});

test('token derivation is stable, so that existing links remain valid', () => {
  const fixed = createClaimTokens('fixed');
  expect(fixed.derive('01890a5d-ac96-774b-bcce-b302099a8057', 'live')).toMatchInlineSnapshot(
    `"clm_RtCw79BjHVc7S9Q2sfobXz3pWfM4KmuNQ"`,
  );
  expect(fixed.derive('01890a5d-ac96-774b-bcce-b302099a8057', 'test')).toMatchInlineSnapshot(
    `"clm_test_QU8zwQbbkvb8Kwxd2B4je2NqbZQ2lddI0"`,
  );
});

test('a derived token with one changed, missing or extra character is classified as impossible', () => {
  fc.assert(
    fc.property(
      claimIds,
      modes,
      fc.nat(),
      fc.constantFrom(...'09AZaz_-. é\u0000'),
      (id, mode, seed, other) => {
        const token = tokens.derive(id, mode);
        const at = 4 + (seed % (token.length - 4));
        const changed = token.slice(0, at) + other + token.slice(at + 1);
        if (changed !== token) expect(classifyToken(changed)).toBe('impossible');
        expect(classifyToken(token.slice(0, -1))).toBe('impossible');
        expect(classifyToken(token + other)).toBe('impossible');
      },
    ),
  );
});

test('a live token with the test prefix, and a prefix alone, are classified as impossible', () => {
  const live = tokens.derive('x', 'live');
  expect(classifyToken(`clm_test_${live.slice(4)}`)).toBe('impossible');
  expect(classifyToken('clm_')).toBe('impossible');
  expect(classifyToken('clm_test_')).toBe('impossible');
});

test('every valid imported token is accepted and classified as imported', () => {
  const text = fc.stringMatching(/^[A-Za-z0-9._~-]{8,200}$/).filter((token) => !token.startsWith('clm_'));
  fc.assert(
    fc.property(text, (token) => {
      expect(parseImportedToken(token)).toBe(token);
      expect(classifyToken(token)).toBe('imported');
    }),
  );
  for (const length of [8, MAX_TOKEN_LENGTH])
    expect(parseImportedToken('x'.repeat(length))).toHaveLength(length);
});

test.each([
  ['', 'has 0 characters'],
  ['shorty7', 'has 7 characters; it must have 8 to 200'],
  ['x'.repeat(201), 'has 201 characters'],
  ['with space', 'may contain only'],
  ['plus+plus', 'may contain only'],
  ['slash/slash', 'may contain only'],
  ['percent%41', 'may contain only'],
  ['newline-at-end\n', 'may contain only'],
  ['umlaut-ü-umlaut', 'may contain only'],
  ['clm_abcdefgh', 'starts with "clm_"'],
  ['clm_test_abcdefgh', 'starts with "clm_"'],
])('parseImportedToken rejects %j without repeating it in the error message', (text, reason) => {
  let message = '';
  try {
    parseImportedToken(text);
  } catch (error) {
    message = (error as Error).message;
  }
  expect(message).toContain(reason);
  if (text !== '') expect(message).not.toContain(text);
});

test('after key rotation, earlier tokens can be recovered and new tokens use the new key', () => {
  const before = createClaimTokens('earlier');
  const rotated = createClaimTokens('current', 'earlier');
  const old = before.derive('x', 'live');
  const derived = rotated.derive('x', 'live');
  expect(derived).toBe(createClaimTokens('current').derive('x', 'live'));
  expect(rotated.recover('x', 'live', hashToken(old))).toEqual({ token: old, keyIndex: 1 });
  expect(rotated.recover('x', 'live', hashToken(derived))).toEqual({ token: derived, keyIndex: 0 });
  expect(rotated.recover('x', 'test', hashToken(old))).toBeNull();
  expect(before.recover('x', 'live', hashToken(derived))).toBeNull();
  expect(() => createClaimTokens('current', '')).toThrow(RangeError);
});

test('hashToken returns the first half of the SHA-256 hash', () => {
  expect(hashToken('abc')).toHaveLength(16);
  expect(Buffer.from(hashToken('abc')).toString('hex')).toMatch(/^ba7816bf8f01cfea/);
});
