import { expect, it } from 'vitest';
import { differingPart } from './difference.tsx';
import { ageText } from './time.tsx';

it.each([
  ['https://a.example/x', 'https://b.example/x', 'a', 'b'],
  ['the same', 'the same', '', ''],
  ['one two three', 'one 2 three', 'two', '2'],
  ['', 'new', '', 'new'],
  ['aa', 'aa aa', '', ' aa'],
])('%j → %j', (before, after, gone, come) => {
  const parts = differingPart(before, after);
  expect([parts.before, parts.after]).toEqual([gone, come]);
  expect(parts.head + parts.before + parts.tail).toBe(before);
  expect(parts.head + parts.after + parts.tail).toBe(after);
});

it.each([
  [59_999, 'a moment'],
  [60_000, '1 minute'],
  [3_600_000 * 47, '47 hours'],
  [86_400_000 * 2, '2 days'],
  [-5, 'a moment'],
])('%d ms ago is %s', (elapsed, words) => {
  expect(ageText('2026-11-20T10:00:00.000Z', Date.parse('2026-11-20T10:00:00.000Z') + elapsed)).toBe(words);
});
