import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hashPassword, refuseGuessablePassword, verifyPassword } from './password.ts';

const PASSWORD = 'four random words do';

test('password hashes use the recommended Argon2id cost and a random salt', async () => {
  const [one, other] = await Promise.all([1, 2].map(() => hashPassword(PASSWORD, randomBytes)));
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(other).not.toBe(one);
  expect(await verifyPassword(PASSWORD, one!)).toBe(true);
  expect(await verifyPassword(`${PASSWORD} `, one!)).toBe(false);
});

test('a hash made with a different cost still verifies', async () => {
  const hash = await hashPassword(PASSWORD, randomBytes, { memory: 64, passes: 3, parallelism: 2 });
  expect(hash).toContain('$m=64,t=3,p=2$');
  expect(await verifyPassword(PASSWORD, hash)).toBe(true);
  expect(await verifyPassword('another password', hash)).toBe(false);
});

test('a password matches in both composed and decomposed Unicode form', async () => {
  const hash = await hashPassword('caf\u00e9', randomBytes, { memory: 8, passes: 1, parallelism: 1 });
  expect(await verifyPassword('cafe\u0301', hash)).toBe(true);
});

test.each([
  '',
  'plain text',
  '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
  '$argon2i$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaA',
  '$argon2id$v=16$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaA',
  ...[
    'm=0,t=1,p=1',
    'm=8,t=0,p=1',
    'm=8,t=1,p=2',
    'm=99999999,t=1,p=1',
    'm=8,t=999,p=1',
    'm=999,t=1,p=99',
  ].map((cost) => `$argon2id$v=19$${cost}$c2FsdHNhbHRzYWx0c2FsdA$${'A'.repeat(43)}`),
  `$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHRzYWx0c2FsdA$AA`,
  `$argon2id$v=19$m=8,t=1,p=1$c2Fs$${'A'.repeat(43)}`,
])('verifyPassword returns false for the malformed or unsupported hash %j', async (hash) => {
  expect(await verifyPassword(PASSWORD, hash)).toBe(false);
});

const ada = { person: ['Ada Lovelace', 'Ada.L@analytical.example'], baseUrl: 'https://claims.acme.example' };

describe('refuseGuessablePassword', () => {
  test.each([
    '123456789012345',
    '0123456789abcdef',
    'Password123456!',
    'P@ssw0rdP@ssw0rd',
    'letmeinletmeinplease',
    'xkqzxkqzxkqzxkqz1',
    'aaaaaaaaaaaaaaaaaaaa',
    `${'a'.repeat(199)}b`,
    'claimcheckclaimcheck',
    'Claimcheck-Claimcheck',
    'Ada LovelaceAda Lovelace',
    'adalovelaceadalovelace',
    'ada.l@analytical.example',
    'analytical-lovelace',
    'claims.acme.example',
    'acme-claims-2026',
    'evolevolevolevol',
  ])('rejects %s', (password) =>
    expect(refuseGuessablePassword(password, ada)).rejects.toThrow(/^The password is easy to guess: /),
  );

  test.each([
    'four random words do well',
    'correcthorsebatterystaple',
    'kT9xW2vLq8ZrN4b',
    '839201746583921',
    'mein Pferd isst Salat',
    '馬鹿電池正確留鉤花火夏空海山川',
    'ada likes marmalade toast',
    `${'four random words do well '.repeat(7)}`,
  ])('accepts %s', (password) => expect(refuseGuessablePassword(password, ada)).resolves.toBeUndefined());

  test.each(['kT9xW2vL', 'horse-29', 'teapot lamp'])(
    'accepts %s if the account has a second factor',
    async (password) => {
      await refuseGuessablePassword(password, { ...ada, hasSecondFactor: true });
    },
  );

  test.each(['password1', 'lovelace1', '12345678', 'aaaaaaaaaaaa'])(
    'rejects %s even if the account has a second factor',
    (password) =>
      expect(refuseGuessablePassword(password, { ...ada, hasSecondFactor: true })).rejects.toThrow(),
  );

  test('rejects a person’s name only for that person', async () => {
    const baseUrl = 'http://127.0.0.1:3000';
    const password = 'wojciechowska-zbyszka';
    await refuseGuessablePassword(password, { person: ['Bob', 'bob@example.com'], baseUrl });
    const hers = { person: ['Zbyszka Wojciechowska', 'z@example.com'], baseUrl };
    await expect(refuseGuessablePassword(password, hers)).rejects.toThrow();
  });
});
