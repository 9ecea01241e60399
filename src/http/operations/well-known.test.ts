import { expect, it } from 'vitest';
import { createSecurityTxt } from '../operations/well-known.ts';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const YEAR_MS = 365 * 24 * 60 * 60 * 1_000;
const contact = 'mailto:security@example.com';

it('security.txt has the fields of RFC 9116 and expires within a year of each request', () => {
  let now = NOW;
  const text = createSecurityTxt({ contact, baseUrl: 'https://claims.example.com', now: () => now });
  expect(text()).toBe(
    [
      'Contact: mailto:security@example.com',
      'Expires: 2027-05-19T10:00:00.000Z',
      'Preferred-Languages: en',
      'Canonical: https://claims.example.com/.well-known/security.txt',
      '',
    ].join('\n'),
  );
  now += YEAR_MS;
  const expires = Date.parse(/^Expires: (.*)$/m.exec(text())![1]!);
  expect(expires).toBeGreaterThan(now);
  expect(expires).toBeLessThan(now + YEAR_MS);
});

it('security.txt names no canonical address that is not https', () => {
  const text = createSecurityTxt({ contact, baseUrl: 'http://127.0.0.1:3000', now: () => NOW });
  expect(text()).not.toContain('Canonical');
});
