import { expect, it } from 'vitest';
import { createKeyUses } from './key-uses.ts';

const START = Date.parse('2026-11-20T10:00:30.000Z');

it('writes the last use of a key at most every 30 seconds', () => {
  const uses = createKeyUses();
  const dueAt = (seconds: number) => {
    const due = uses.due(START + seconds * 1_000);
    due.written();
    return due.uses.map(({ usedAt }) => usedAt);
  };
  uses.touch('account', 'key', START);
  expect(dueAt(0)).toEqual(['2026-11-20T10:00:30.000Z']);
  uses.touch('account', 'key', START + 10_000);
  expect(dueAt(10)).toEqual([]);
  expect(dueAt(35)).toEqual(['2026-11-20T10:00:40.000Z']);
  expect(dueAt(70)).toEqual([]);
});

it('has them in one order for all processes, so that no two wait for each other', () => {
  const order = (keys: readonly string[]) => {
    const uses = createKeyUses();
    for (const key of keys) uses.touch('account', key, START);
    return uses.due(START).uses.map(({ keyId }) => keyId);
  };
  expect(order(['b', 'c', 'a'])).toEqual(['a', 'b', 'c']);
  expect(order(['c', 'a', 'b'])).toEqual(['a', 'b', 'c']);
});
