import { expect, test } from 'vitest';
import {
  type CachedKey,
  createKeyCache,
  createKeyNetworks,
  createUnknownKeyLimit,
  MAX_CACHED_KEYS,
  MAX_GOOD_KEYS,
} from './cached-keys.ts';
import { BURST_SECONDS, createRateLimit } from './rate-limit.ts';

const limit = createRateLimit('test', 1);
const create = () => createKeyCache(limit, (text) => ({ hash: Buffer.from(text), kind: 'live' }));

test.each([1, 2])('made-up keys do not evict the bucket of a valid key seen %i times', (calls) => {
  const findKey = create();
  const find = (text: string) => findKey(`Bearer ${text}`, 0)!;
  const good = find('good');
  good.isGood = true;
  while (limit.take(good.bucket, 0));
  for (let call = 1; call < calls; call += 1) find('good');
  for (let count = 0; count <= MAX_CACHED_KEYS; count += 1) find(`made up ${count}`);
  expect(find('good')).toBe(good);
  expect(limit.take(find('made up 0').bucket, 0)).toBe(true);
});

test('valid keys are evicted in the order in which they were added', () => {
  const findKey = create();
  const find = (number: number) => findKey(`Bearer good ${number}`, 0)!;
  const first = find(0);
  for (let number = 0; number <= MAX_CACHED_KEYS; number += 1) {
    find(number).isGood = true;
    find(number);
    if (number < MAX_CACHED_KEYS) expect(find(0)).toBe(first);
  }
  expect(find(0)).not.toBe(first);
  expect(find(1).isGood).toBe(true);
});

const keyOf = (text: string): CachedKey => ({
  hash: Buffer.from(text),
  kind: 'live',
  bucket: { tokens: 1, at: 0 },
  isGood: false,
  pendingLookup: null,
  networks: createKeyNetworks(),
});

test('if the set of valid keys is full, a new valid key evicts the last of the initial keys', () => {
  const used = Array.from({ length: MAX_GOOD_KEYS }, (_, index) => `used ${index}`);
  const limit = createUnknownKeyLimit(
    1,
    used.map((text) => Buffer.from(text)),
  );
  limit.settle(keyOf('new'), true);
  const lookUp = (text: string) => limit.charge(keyOf(text), () => '192.0.2.1', 0);
  for (let spent = 0; spent < BURST_SECONDS; spent += 1) lookUp(`guess ${spent}`);
  expect(lookUp(used[0]!)).toBeNull();
  expect(lookUp(used.at(-1)!)).not.toBeNull();
});

test('a lookup shared by two calls counts against the limit even if one of the calls gives up', () => {
  const limit = createUnknownKeyLimit(1, []);
  const network = () => '192.0.2.1';
  const isFree = (key: CachedKey) => limit.charge(key, network, 0) === null;
  const guess = keyOf('guess');
  expect([isFree(guess), isFree(guess), isFree(keyOf('other'))]).toEqual([true, true, true]);
  const lookup = guess.pendingLookup!;
  limit.refund(guess, lookup);
  expect(isFree(keyOf('third'))).toBe(false);
  limit.settle(guess, false);
  limit.refund(guess, lookup);
  expect(isFree(guess)).toBe(false);
});

test('an IPv6 /48 gets four times the lookups of a /64 without affecting other networks', () => {
  const limit = createUnknownKeyLimit(1, []);
  const isFree = (network: string) => limit.charge(keyOf('guess'), () => network, 0) === null;
  const networks = Array.from({ length: 20 }, (_, at) => `2001:db8:7:${at}00`);
  expect(networks.filter(isFree)).toHaveLength(4 * BURST_SECONDS);
  expect([isFree('2001:db8:8:0'), isFree('192.0.2.1')]).toEqual([true, true]);
});
