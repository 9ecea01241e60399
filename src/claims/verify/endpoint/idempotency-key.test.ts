import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseIdempotencyKey } from './idempotency-key.ts';

const visible = fc.stringMatching(/^[!-~]{1,255}$/);
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

test('quoted, every text of visible ASCII is a key', () => {
  fc.assert(
    fc.property(visible, (text) => {
      expect(parseIdempotencyKey(quoted(text))).toBe(text);
    }),
  );
});

test('bare and quoted forms of one text are one key', () => {
  fc.assert(
    fc.property(
      visible.filter((text) => !text.includes('"')),
      (text) => {
        expect(parseIdempotencyKey(text)).toBe(text);
        expect(parseIdempotencyKey(quoted(text))).toBe(parseIdempotencyKey(text));
      },
    ),
  );
  expect(parseIdempotencyKey('"order-4711"')).toBe(parseIdempotencyKey('order-4711'));
  expect(parseIdempotencyKey('"a\\\\b"')).toBe(parseIdempotencyKey('a\\b'));
});

test('no text is taken for a key that another form would give', () => {
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

test('255 characters are counted without quotation marks and escapes', () => {
  expect(parseIdempotencyKey('x'.repeat(255))).toHaveLength(255);
  expect(parseIdempotencyKey(`"${'\\"'.repeat(255)}"`)).toHaveLength(255);
  expect(() => parseIdempotencyKey('x'.repeat(256))).toThrow('has 256 characters; at most 255');
  expect(() => parseIdempotencyKey(`"${'x'.repeat(256)}"`)).toThrow('has 256 characters; at most 255');
});

test.each([
  ['', 'is empty'],
  ['""', 'is empty'],
  ['"', 'no closing quotation mark'],
  ['"abc', 'no closing quotation mark'],
  ['"abc\\"', 'no closing quotation mark'],
  ['abc"', 'quoted as a whole'],
  ['a"b', 'quoted as a whole'],
  ['"a"b"', 'has characters after its closing quotation mark'],
  ['"a","b"', 'has characters after its closing quotation mark'],
  ['"a";p=1', 'has characters after its closing quotation mark'],
  ['"a\\n"', 'a backslash that escapes neither'],
  ['"a\\', 'a backslash that escapes neither'],
  ['a b', 'U+0020 at position 2'],
  ['a, b', 'U+0020 at position 3'],
  ['"a b"', 'U+0020 at position 3'],
  ['a\tb', 'U+0009 at position 2'],
  ['é', 'U+00E9 at position 1'],
  ['a\u007f', 'U+007F at position 2'],
  ['a\u0000', 'U+0000 at position 2'],
])('%j is refused', (header, reason) => {
  expect(() => parseIdempotencyKey(header)).toThrow(reason);
});
