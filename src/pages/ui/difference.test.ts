import { expect, test } from 'vitest';
import { differingPart } from './difference.tsx';

test.each([
  ['https://a.example/x', 'https://b.example/x', 'a', 'b'],
  ['the same', 'the same', '', ''],
  ['one two three', 'one 2 three', 'two', '2'],
  ['', 'new', '', 'new'],
  ['aa', 'aa aa', '', ' aa'],
])('differingPart(%j, %j) returns %j and %j', (before, after, gone, come) => {
  const parts = differingPart(before, after);
  expect([parts.before, parts.after]).toEqual([gone, come]);
  expect(parts.head + parts.before + parts.tail).toBe(before);
  expect(parts.head + parts.after + parts.tail).toBe(after);
});
