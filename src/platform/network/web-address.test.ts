import { expect, test } from 'vitest';
import { isPrivateHost } from './web-address.ts';

test.each([
  'localhost',
  'printer',
  'shop.test',
  'db.internal',
  '127.0.0.1',
  '10.1.2.3',
  '172.31.0.1',
  '192.168.1.1',
  '[::1]',
  '[fd00::1]',
  '[fe80::1]',
])('%s is a private host', (host) => {
  expect(isPrivateHost(host)).toBe(true);
});

test.each(['shop.example', '8.8.8.8', '172.32.0.1', '192.169.1.1', '[2001:db8::1]', '[fc::1]'])(
  '%s is not a private host',
  (host) => {
    expect(isPrivateHost(host)).toBe(false);
  },
);
