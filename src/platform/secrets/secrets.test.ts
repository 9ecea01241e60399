import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checksumBase62, encodeBase62, endsInChecksum, isBase62, randomBase62, sha256 } from './secrets.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

test('randomBase62 returns every character with the same probability', () => {
  // Each byte value occurs once. A plain remainder would return the first eight characters five times, not four.
  const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const counts = new Map<string, number>();
  let drawn = 0;
  for (const character of randomBase62(() => everyByte, 248)) {
    counts.set(character, (counts.get(character) ?? 0) + 1);
    drawn += 1;
  }
  expect(drawn).toBe(248);
  expect(new Set(counts.values())).toEqual(new Set([4]));
  expect([...counts.keys()].sort()).toEqual([...BASE62].sort());
});

test('randomBase62 requests more bytes to replace unusable bytes', () => {
  const calls: number[] = [];
  const text = randomBase62((bytes) => {
    calls.push(bytes);
    return new Uint8Array(bytes).fill(calls.length === 1 ? 255 : 61);
  }, 5);
  expect(text).toBe('zzzzz');
  expect(calls).toEqual([5, 5]);
});

test('encodeBase62 writes bytes as a zero-padded big-endian number', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 0, maxLength: 20 }), (bytes) => {
      const number = [...encodeBase62(bytes, 27)].reduce(
        (sum, c) => sum * 62n + BigInt(BASE62.indexOf(c)),
        0n,
      );
      expect(number).toBe(bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n));
      expect(encodeBase62(bytes, 27)).toHaveLength(27);
    }),
  );
  expect(encodeBase62(new Uint8Array(20).fill(255), 27)).toHaveLength(27);
});

test('encodeBase62 throws a RangeError if the bytes do not fit', () => {
  expect(() => encodeBase62(Uint8Array.of(62), 1)).toThrow(RangeError);
  expect(() => encodeBase62(new Uint8Array(21).fill(255), 27)).toThrow(RangeError);
});

test('the checksum is the CRC-32 in base62', () => {
  // The published check value of CRC-32/ISO-HDLC.
  const number = [...checksumBase62('123456789')].reduce((sum, c) => sum * 62 + BASE62.indexOf(c), 0);
  expect(number).toBe(0xcbf43926);
  expect(checksumBase62('')).toBe('000000');
});

test('a checksum matches its text, and is rejected if one of its characters is changed', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 60 }), fc.nat(), (text, seed) => {
      const whole = text + checksumBase62(text);
      expect(endsInChecksum(whole)).toBe(true);
      const at = text.length + (seed % 6);
      const other = BASE62[(BASE62.indexOf(whole[at]!) + 1 + (seed % 61)) % 62]!;
      expect(endsInChecksum(whole.slice(0, at) + other + whole.slice(at + 1))).toBe(false);
    }),
  );
});

test('isBase62 accepts only ASCII letters and digits', () => {
  for (let code = 0; code < 0x300; code++) {
    const character = String.fromCharCode(code);
    expect(isBase62(`_${character}`, 1)).toBe(BASE62.includes(character));
  }
});

test('sha256 returns the same hash as node:crypto for UTF-8 text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(Buffer.from(sha256(text))).toEqual(createHash('sha256').update(text, 'utf8').digest());
    }),
  );
});
