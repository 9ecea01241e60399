import { expect, test } from 'vitest';
import { smtpSecurity } from './smtp.ts';

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
