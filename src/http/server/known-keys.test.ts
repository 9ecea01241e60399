import { expect, it } from 'vitest';
import {
  createKnownKeys,
  createUnknownKeyLimit,
  type KnownKey,
  MAX_GOOD_KEYS,
  MAX_KNOWN_KEYS,
} from './known-keys.ts';
import { BURST_SECONDS, createRateLimit } from './rate-limit.ts';

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

const keyOf = (text: string): KnownKey => ({
  hash: Buffer.from(text),
  kind: 'live',
  bucket: { tokens: 1, at: 0 },
  isGood: false,
  trial: null,
});

it('if more good keys are passed in than can be remembered, the one used longest ago is forgotten first', () => {
  const used = Array.from({ length: MAX_GOOD_KEYS }, (_, index) => `used ${index}`);
  const limit = createUnknownKeyLimit(
    1,
    used.map((text) => Buffer.from(text)),
  );
  limit.judge(keyOf('new'), true);
  const lookUp = (text: string) => limit.pay(keyOf(text), () => '192.0.2.1', 0);
  for (let spent = 0; spent < BURST_SECONDS; spent += 1) lookUp(`guess ${spent}`);
  expect(lookUp(used[0]!)).toBeNull();
  expect(lookUp(used.at(-1)!)).not.toBeNull();
});

it('a look-up shared by several calls still counts against the limit after some of them gave up, if another call waits for its result or has received it', () => {
  const limit = createUnknownKeyLimit(1, []);
  const network = () => '192.0.2.1';
  const isFree = (key: KnownKey) => limit.pay(key, network, 0) === null;
  const guess = keyOf('guess');
  expect([isFree(guess), isFree(guess), isFree(keyOf('other'))]).toEqual([true, true, true]);
  const trial = guess.trial!;
  limit.giveUp(guess, trial);
  expect(isFree(keyOf('third'))).toBe(false);
  limit.judge(guess, false);
  limit.giveUp(guess, trial);
  expect(isFree(guess)).toBe(false);
});

it('a client with a whole IPv6 /48 gets four times the look-ups of a single /64, and takes none from other networks', () => {
  const limit = createUnknownKeyLimit(1, []);
  const isFree = (network: string) => limit.pay(keyOf('guess'), () => network, 0) === null;
  const networks = Array.from({ length: 20 }, (_, at) => `2001:db8:7:${at}00`);
  expect(networks.filter(isFree)).toHaveLength(4 * BURST_SECONDS);
  expect([isFree('2001:db8:8:0'), isFree('192.0.2.1')]).toEqual([true, true]);
});
