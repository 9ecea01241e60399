import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashPassword, verifyPassword } from './password.ts';

const PASSWORD = 'four random words do';

test('a hash is of the recommended cost and of a salt of its own', async () => {
  const [one, other] = await Promise.all([1, 2].map(() => hashPassword(PASSWORD, randomBytes)));
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(other).not.toBe(one);
  expect(await verifyPassword(PASSWORD, one!)).toBe(true);
  expect(await verifyPassword(`${PASSWORD} `, one!)).toBe(false);
});

test('a hash that was made at another cost still opens', async () => {
  const hash = await hashPassword(PASSWORD, randomBytes, { memory: 64, passes: 3, parallelism: 2 });
  expect(hash).toContain('$m=64,t=3,p=2$');
  expect(await verifyPassword(PASSWORD, hash)).toBe(true);
  expect(await verifyPassword('another password', hash)).toBe(false);
});

test('a password matches in whichever way a keyboard composes its letters', async () => {
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
])('no password matches %j', async (hash) => {
  expect(await verifyPassword(PASSWORD, hash)).toBe(false);
});
