import fc from 'fast-check';
import { expect, test } from 'vitest';
import { labelOrNone, NO_LABEL, parseLabel } from './label.ts';

test('every label of the alphabet is taken by both parsers', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9_-]{1,64}$/), (label) => {
      expect(parseLabel(label)).toBe(label);
      expect(labelOrNone(label)).toBe(label);
    }),
  );
  expect(labelOrNone('__proto__')).toBe('__proto__');
  expect(labelOrNone('constructor')).toBe('constructor');
});

test('strict and lenient agree on any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 70 }), (text) => {
      const label = labelOrNone(text);
      if (label === null) expect(() => parseLabel(text)).toThrow('A campaign label is 1 to 64');
      else expect(parseLabel(text)).toBe(text);
    }),
  );
});

test.each([NO_LABEL, 'News', 'a b', 'a.b', 'é', 'a\n', '\na', 'x'.repeat(65), 'ａ', '%61'])(
  '%j is no label',
  (text) => {
    expect(labelOrNone(text)).toBeNull();
    expect(() => parseLabel(text)).toThrow('A campaign label is');
  },
);

test('a share link without a label has none', () => {
  expect(labelOrNone(null)).toBeNull();
  expect(labelOrNone(undefined)).toBeNull();
});
