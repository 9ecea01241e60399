import { expect, it } from 'vitest';
import { createKnownKeys, MAX_KNOWN_KEYS } from './known-keys.ts';
import { createRateLimit } from './rate-limit.ts';

const limit = createRateLimit('test', 1);
const create = () => createKnownKeys(limit, (text) => ({ hash: Buffer.from(text), kind: 'live' }));

it.each([1, 2])('made-up keys do not displace the bucket of a key that was good, seen %i times', (calls) => {
  const findKey = create();
  const find = (text: string) => findKey(`Bearer ${text}`, 0)!;
  const good = find('good');
  good.isGood = true;
  while (limit.take(good.bucket, 0));
  for (let call = 1; call < calls; call += 1) find('good');
  for (let made = 0; made <= MAX_KNOWN_KEYS; made += 1) find(`made up ${made}`);
  expect(find('good')).toBe(good);
  expect(limit.take(find('made up 0').bucket, 0)).toBe(true);
});

it('keys that were good are forgotten in the order in which they came', () => {
  const findKey = create();
  const find = (number: number) => findKey(`Bearer good ${number}`, 0)!;
  const kept = find(0);
  for (let number = 0; number <= MAX_KNOWN_KEYS; number += 1) {
    find(number).isGood = true;
    find(number);
    if (number < MAX_KNOWN_KEYS) expect(find(0)).toBe(kept);
  }
  expect(find(0)).not.toBe(kept);
  expect(find(1).isGood).toBe(true);
});
