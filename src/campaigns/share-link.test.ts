import { expect, test } from 'vitest';
import { buildShareLink } from './share-link.ts';

const baseUrl = 'https://claims.example';

test.each([
  [null, 'https://claims.example/l/photo-fix'],
  ['', 'https://claims.example/l/photo-fix'],
  ['spring_26', 'https://claims.example/l/photo-fix?via=spring_26'],
])('a share link for %j', (via, link) => {
  expect(buildShareLink({ baseUrl, listing: 'photo-fix', via })).toBe(link);
});

test('a label that would be recorded as none is refused', () => {
  expect(() => buildShareLink({ baseUrl, listing: 'photo-fix', via: 'Spring 26' })).toThrow(/campaign label/);
});
