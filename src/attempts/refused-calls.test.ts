import { expect, it } from 'vitest';
import type { RefusedCall } from '../errors.ts';
import { createRefusedCalls, type WaitingCalls } from './refused-calls.ts';

const call = (change: Partial<RefusedCall> = {}): RefusedCall => ({
  keyHash: Buffer.from('key'),
  detail: 'This call was refused.',
  requestLine: 'GET /',
  origin: null,
  ip: null,
  userAgent: null,
  requestId: 'r1',
  ...change,
});
const shown = (calls: WaitingCalls) =>
  [...calls.values()].map(({ requestId, cause, more, lastMs }) => [requestId, cause, more, lastMs]);

it('between two flushes, only a key’s first call with each cause waits, and the others are counted', () => {
  const calls = createRefusedCalls();
  calls.add('browser_call', call(), 1);
  calls.add('browser_call', call({ requestId: 'r2' }), 2);
  calls.add('browser_call', call({ requestId: 'r3' }), 3);
  calls.add('method_not_allowed', call({ requestId: 'r4' }), 4);
  expect(shown(calls.take())).toEqual([
    ['r1', 'browser_call', 2, 3],
    ['r4', 'method_not_allowed', 0, 4],
  ]);
  expect(calls.unrecorded()).toBe(2);
});

it('a call without a key belongs to its origin; a call with neither belongs to nobody', () => {
  const calls = createRefusedCalls();
  calls.add('browser_call', call({ keyHash: null, origin: 'https://a.example' }), 1);
  calls.add('browser_call', call({ keyHash: null, origin: 'https://b.example', requestId: 'r2' }), 2);
  calls.add('browser_call', call({ keyHash: null }), 3);
  expect(shown(calls.take()).map(([requestId]) => requestId)).toEqual(['r1', 'r2']);
  expect(calls.unrecorded()).toBe(0);
});

it('a flood of keys costs a bounded number of look-ups', () => {
  const calls = createRefusedCalls();
  for (let key = 0; key < 10_000; key += 1) {
    calls.add('browser_call', call({ keyHash: Buffer.from(String(key)) }), key);
  }
  const waiting = calls.take().size;
  expect(waiting).toBeLessThanOrEqual(500);
  expect(calls.unrecorded()).toBe(10_000 - waiting);
});

it('calls that could not be written are put back before newer ones', () => {
  const calls = createRefusedCalls();
  calls.add('browser_call', call(), 1);
  calls.add('browser_call', call(), 2);
  const taken = calls.take();
  calls.add('browser_call', call({ requestId: 'r3' }), 3);
  calls.putBack(taken);
  expect(shown(calls.take())).toEqual([['r1', 'browser_call', 2, 3]]);
  expect(calls.unrecorded()).toBe(2);
});
