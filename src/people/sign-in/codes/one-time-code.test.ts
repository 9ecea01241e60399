import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { cpuMsOf } from '../../../../test/support/cpu-time.ts';
import { newCode, parseCode, spelledCode } from './one-time-code.ts';

test('a new code has ten unambiguous characters and can be parsed from its spelled form', () => {
  for (let n = 0; n < 200; n += 1) {
    const code = newCode((bytes) => randomBytes(bytes));
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{10}$/);
    expect(spelledCode(code)).toMatch(/^.{5}-.{5}$/);
    expect(parseCode(spelledCode(code))).toBe(code);
  }
});

test.each([
  'K7QX3-M9TR0',
  'k7qx3m9tro',
  ' k7qx3 – m9tr0 ',
  'K7QX3\u00a0M9TR0',
  'K7QX3\u200bM9TR0',
  'Ｋ７ＱＸ３－Ｍ９ＴＲ０',
  'K٧QX٣-M٩TR٠',
  'K۷QX۳-M۹TR۰',
  'http://127.0.0.1:3000/reset-password#K7QX3M9TR0',
  'enter this code: K7QX3-M9TR0\n\nThe link and the code work once',
  '“K7QX3-M9TR0”',
])('parseCode finds the code in %j', (text) => {
  expect(parseCode(text)).toBe('K7QX3M9TR0');
});

test.each(['', ' ', '-'])('parseCode reports %j as a missing code', (text) => {
  expect(() => parseCode(text)).toThrow(/^The code is missing\.$/);
});

test('parseCode rejects a code that is too short', () => {
  expect(() => parseCode('１')).toThrow(/^A code has 10 letters and digits, /);
});

test('parseCode processes long hostile input in under 500 ms', async () => {
  for (const text of ['1'.repeat(60_000), '٣'.repeat(60_000), '-'.repeat(60_000), '1-'.repeat(30_000)]) {
    const read = () => {
      expect(() => parseCode(text)).toThrow();
    };
    expect(await cpuMsOf(read, 500)).toBeLessThanOrEqual(500);
  }
});
