import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseIdempotencyKey } from './idempotency-key.ts';

const visible = fc.stringMatching(/^[!-~]{1,255}$/);
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

test('the quoted and the unquoted form identify the same key', () => {
  fc.assert(
    fc.property(visible, (text) => {
      expect(parseIdempotencyKey(quoted(text))).toBe(text);
      if (!text.includes('"')) expect(parseIdempotencyKey(text)).toBe(text);
    }),
  );
  expect(parseIdempotencyKey('"a\\\\b"')).toBe(parseIdempotencyKey('a\\b'));
});

test('only the quoted or the unquoted form of a valid key is accepted', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii', maxLength: 12 }), (header) => {
      let text: string;
      try {
        text = parseIdempotencyKey(header);
      } catch {
        return;
      }
      expect(text).toMatch(/^[!-~]{1,255}$/);
      expect([text, quoted(text)]).toContain(header);
    }),
    { numRuns: 2_000 },
  );
});

test('enclosing quotation marks and escaping backslashes do not count towards the limit of 255 characters', () => {
  expect(parseIdempotencyKey('x'.repeat(255))).toHaveLength(255);
  expect(parseIdempotencyKey(`"${'\\"'.repeat(255)}"`)).toHaveLength(255);
  expect(() => parseIdempotencyKey('x'.repeat(256))).toThrow('has 256 characters; at most 255');
  expect(() => parseIdempotencyKey(`"${'x'.repeat(256)}"`)).toThrow('has 256 characters; at most 255');
});

test.each([
  ['', 'is empty'],
  ['""', 'is empty'],
  ['"', 'no closing quotation mark'],
  ['"abc\\"', 'no closing quotation mark'],
  ['a"b', 'quoted as a whole'],
  ['"a"b"', 'has characters after its closing quotation mark'],
  ['"a";p=1', 'has characters after its closing quotation mark'],
  ['"a\\n"', 'a backslash that escapes neither'],
  ['"a\\', 'a backslash that escapes neither'],
  ['a b', 'U+0020 at position 2'],
  ['"a b"', 'U+0020 at position 3'],
  ['é', 'U+00E9 at position 1'],
  ['a\u007f', 'U+007F at position 2'],
  ['a\u0000', 'U+0000 at position 2'],
])('the header %j is rejected', (header, reason) => {
  expect(() => parseIdempotencyKey(header)).toThrow(reason);
});
