import { expect, test } from 'vitest';
import { securityTxt } from './well-known.ts';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const CONTACT = 'mailto:security@example.com';

test('security.txt has the fields of RFC 9116 and expires within a year', () => {
  expect(securityTxt(CONTACT, 'https://claims.example.com', NOW)).toBe(
    [
      'Contact: mailto:security@example.com',
      'Expires: 2027-05-19T10:00:00.000Z',
      'Preferred-Languages: en',
      'Canonical: https://claims.example.com/.well-known/security.txt',
      '',
    ].join('\n'),
  );
});

test('security.txt omits Canonical if the base URL is not https', () => {
  expect(securityTxt(CONTACT, 'http://127.0.0.1:3000', NOW)).not.toContain('Canonical');
});
