import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createSecretBox, fingerprintOf, parseSecretKeys } from './secret-keys.ts';

const FIRST = 'kT9xW2vLq8ZrN4bYc7Hd1JmPs6FgAe3U';
const SECOND = 'Qm5tB8hXw1KzV6nJr3Lf9CyDp7GsEa2T';

function parsed(text: string) {
  const problems: string[] = [];
  const keys = parseSecretKeys(text, (problem) => problems.push(problem));
  return { keys, problems };
}

describe('secret keys', () => {
  test.each([FIRST, ` ${FIRST}\n`, `${FIRST},`])('can be a single key: %j', (text) =>
    expect(parsed(text)).toEqual({ keys: [FIRST], problems: [] }),
  );

  test.each([`${FIRST},${SECOND}`, `${FIRST}\n${SECOND}\n`, ` ${FIRST} ,\r\n ${SECOND}`])(
    'are parsed in order: %j',
    (text) => expect(parsed(text)).toEqual({ keys: [FIRST, SECOND], problems: [] }),
  );

  test('may contain spaces', () => {
    const phrase = 'a phrase of several words is one key';
    expect(parsed(phrase)).toEqual({ keys: [phrase], problems: [] });
  });

  test('are reported by position, without their value, if they are weak', () => {
    const { problems } = parsed(`${FIRST},hunter2,${'a'.repeat(40)}`);
    expect(problems).toEqual([
      expect.stringMatching(/^has 3 keys; number 2 must have at least 32 characters; found 7;/),
      expect.stringMatching(/^has 3 keys; number 3 must be random/),
    ]);
    expect(problems.join()).not.toContain('hunter2');
    expect(parsed(`${FIRST},${FIRST}`).problems).toEqual(['contains the same key twice']);
    expect(parsed(' , ').problems).toEqual([expect.stringMatching(/^must have at least 32/)]);
  });

  test('have stable fingerprints that differ between keys', () => {
    expect(fingerprintOf('fixed')).toBe('e5be2b6ffe21ab62');
    expect(fingerprintOf(FIRST)).not.toBe(fingerprintOf(SECOND));
  });
});

describe('secret box', () => {
  const before = createSecretBox([SECOND], randomBytes);
  const rotated = createSecretBox([FIRST, SECOND], randomBytes);
  const after = createSecretBox([FIRST], randomBytes);

  test('encrypts with the first key and decrypts with any configured key', () => {
    const old = before.encrypt('JBSWY3DPEHPK3PXP', 'totp:bob');
    expect(rotated.decrypt(old, 'totp:bob')).toBe('JBSWY3DPEHPK3PXP');
    expect(after.decrypt(old, 'totp:bob')).toBeNull();
    const made = rotated.encrypt('caf\u00e9', 'totp:bob');
    expect(made).toMatch(new RegExp(`^${fingerprintOf(FIRST)}\\.`));
    expect(after.decrypt(made, 'totp:bob')).toBe('caf\u00e9');
    expect(before.decrypt(made, 'totp:bob')).toBeNull();
  });

  test('rejects a ciphertext for another purpose, and a changed or truncated ciphertext', () => {
    const made = after.encrypt('secret', 'totp:bob');
    expect(after.decrypt(made, 'totp:eve')).toBeNull();
    const [fingerprint = '', text = ''] = made.split('.');
    for (let byte = 0; byte < Buffer.from(text, 'base64url').length; byte++) {
      const bytes = Buffer.from(text, 'base64url');
      bytes[byte]! ^= 1;
      expect(after.decrypt(`${fingerprint}.${bytes.toString('base64url')}`, 'totp:bob')).toBeNull();
    }
    for (let length = 0; length < text.length - 1; length++) {
      expect(after.decrypt(`${fingerprint}.${text.slice(0, length)}`, 'totp:bob')).toBeNull();
    }
    expect(after.decrypt('', 'totp:bob')).toBeNull();
  });

  test('unseals only unchanged text, for the same purpose and with a configured key', () => {
    const old = before.seal('45.aaaa', 'claims:bob');
    expect(old).toMatch(/^[\w-]{30,60}$/);
    expect(before.seal('45.aaaa', 'claims:bob')).not.toBe(old);
    expect(rotated.unseal(old, 'claims:bob')).toBe('45.aaaa');
    expect(after.unseal(rotated.seal('45.aaaa', 'claims:bob'), 'claims:bob')).toBe('45.aaaa');
    expect(after.unseal(old, 'claims:bob')).toBeNull();
    expect(before.unseal(old, 'claims:eve')).toBeNull();
    const changed = Array.from(
      old,
      (character, at) => old.slice(0, at) + (character === 'A' ? 'B' : 'A') + old.slice(at + 1),
    );
    for (const text of [...changed.slice(0, -1), old.slice(0, -2), '', '45.aaaa', '\0', old.repeat(9)]) {
      expect(before.unseal(text, 'claims:bob')).toBeNull();
    }
  });

  test('encrypts the same text to a different ciphertext each time', () => {
    const made = new Set(Array.from({ length: 100 }, () => after.encrypt('secret', 'totp:bob')));
    expect(made.size).toBe(100);
  });
});
