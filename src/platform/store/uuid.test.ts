import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isUuid, uuidv7 } from './uuid.ts';

const clock = (...times: number[]) => {
  let at = 0;
  return {
    now: () => times[Math.min(at++, times.length - 1)]!,
    random: (bytes: number) => randomBytes(bytes),
  };
};

describe('uuidv7', () => {
  test('returns an RFC 9562 UUIDv7 with the time in the first 48 bits', () => {
    const id = uuidv7(clock(0x0193_4e2d_5678));
    expect(id).toMatch(/^01934e2d-5678-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(isUuid(id)).toBe(true);
  });

  test('returns strictly increasing IDs, even if the counter overflows or the clock is set back', () => {
    const times = [1_000, ...Array<number>(10_000).fill(1_000), 500, 400, 1_000, 2_000];
    const source = clock(...times);
    const ids = times.map(() => uuidv7(source));
    for (let at = 1; at < ids.length; at++) expect(ids[at]! > ids[at - 1]!).toBe(true);
  });

  test('uses new random bytes for each ID', () => {
    const source = clock(1_000);
    const tails = Array.from({ length: 1_000 }, () => uuidv7(source).slice(-12));
    expect(new Set(tails).size).toBe(1_000);
  });

  test('keeps separate state for each clock', () => {
    uuidv7(clock(9_000_000));
    expect(uuidv7(clock(1)).startsWith('00000000-0001-7')).toBe(true);
  });
});

describe('isUuid', () => {
  test.each([
    '',
    'abc',
    '01934e2d-5678-7000-8000-00000000000',
    "01934e2d-5678-7000-8000-00000000000'",
    'a@b.example',
  ])('rejects %j', (text) => expect(isUuid(text)).toBe(false));
});
