import { expect, test } from 'vitest';
import { createKeyCache, createUnknownKeyLimit } from './cached-keys.ts';
import { isOutside, stateFor } from './key-networks.ts';
import { BURST_SECONDS, createRateLimit } from './rate-limit.ts';

const rate = createRateLimit('test', 5);
const createKey = () =>
  createKeyCache(rate, (text) => ({ hash: Buffer.from(text), kind: 'live' }))('Bearer key', 0)!;
const at = (address: string | null) => () => address;

test.each([
  ['203.0.113.0/24', '203.0.113.7', false],
  ['203.0.113.0/24', '203.0.114.7', true],
  ['198.51.100.1 203.0.113.7', '203.0.113.7', false],
  ['203.0.113.7', '203.0.113.8', true],
  ['2001:db8:7::/48', '2001:db8:7:1::9', false],
  ['2001:db8:7::/48', '2001:db8:8::9', true],
  ['2001:db8::1', '2001:DB8:0:0::1', false],
  ['0.0.0.0/0', '2001:db8::1', true],
  ['0.0.0.0/0', null, true],
])('of the networks %s, the address %s is outside: %s', (networks, address, outside) => {
  expect(isOutside(createKey(), networks, at(address))).toBe(outside);
});

test('a key without networks is not checked, and the networks of a key are parsed once', () => {
  const key = createKey();
  const neverCalled = () => {
    throw new Error('the address was determined');
  };
  expect(isOutside(key, null, neverCalled)).toBe(false);
  expect(stateFor(key, neverCalled, rate, 0)).toBe(key);
  isOutside(key, '203.0.113.0/24', at('203.0.113.7'));
  const { includes } = key.networks;
  isOutside(key, '203.0.113.0/24', at('198.51.100.1'));
  expect(key.networks.includes).toBe(includes);
  isOutside(key, '198.51.100.0/24', at('198.51.100.1'));
  expect(key.networks.includes).not.toBe(includes);
});

test('calls from outside count as unknown keys and have their own rate limit, while the server is exempt', () => {
  const key = createKey();
  const unknownKeys = createUnknownKeyLimit(1, []);
  unknownKeys.settle(key, true);
  isOutside(key, '203.0.113.0/24', at('203.0.113.7'));
  const call = (address: string, isGood: boolean) => {
    const state = stateFor(key, at(address), rate, 0);
    const refusal = unknownKeys.charge(state, at(address) as () => string, 0);
    const hasRate = rate.take(state.bucket, 0);
    if (refusal === null) unknownKeys.settle(state, isGood);
    return { isCounted: refusal !== null, hasRate };
  };
  for (let count = 0; count < BURST_SECONDS; count += 1) {
    expect(call('198.51.100.1', false).isCounted).toBe(false);
    expect(call('203.0.113.7', true)).toEqual({ isCounted: false, hasRate: true });
  }
  expect(call('198.51.100.1', false).isCounted).toBe(true);
  for (let count = 0; count < 20; count += 1) call('198.51.100.1', false);
  expect(call('203.0.113.7', true)).toEqual({ isCounted: false, hasRate: true });
});
