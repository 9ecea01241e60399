import { expect, test } from 'vitest';
import { openTransport, smtpSecurity } from './smtp.ts';

test.each([
  ['smtps://mail.example.com', 'tls'],
  ['smtps://mail.example.com?requireTLS=false', 'tls'],
  ['smtp://user:password@mail.example.com:587', 'starttls'],
  ['smtp://mail.example.com?requireTLS=true', 'starttls'],
  ['smtp://127.0.0.1.example.com', 'starttls'],
  ['smtp://mail.example.com?requireTLS=false', 'opportunistic'],
  ['smtp://localhost:2525', 'opportunistic'],
  ['smtp://127.0.0.1:25', 'opportunistic'],
  ['smtp://[::1]:25', 'opportunistic'],
  ['smtp://localhost?requireTLS=true', 'starttls'],
])('%s uses the TLS mode %s', (url, security) => {
  expect(smtpSecurity(url)).toBe(security);
});

test('a server that scans a mail has a minute to accept it, but only ten seconds to greet', async () => {
  const { options } = await openTransport('smtp://mail.example.com');
  expect(options).toMatchObject({
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 60_000,
  });
});
