import { expect, test } from 'vitest';
import type { RefusedCall } from '../../platform/errors.ts';
import { createKeylessLimit, createRefusedCalls, KEYLESS_CALLS, type WaitingCalls } from './refused-calls.ts';

const call = (change: Partial<RefusedCall> = {}): RefusedCall => ({
  keyHash: Buffer.from('key'),
  detail: 'This call was refused.',
  requestLine: 'GET /',
  origin: null,
  ip: null,
  userAgent: null,
  requestId: 'r1',
  trace: null,
  ...change,
});
const countsOf = (calls: WaitingCalls) =>
  [...calls.values()].map(({ requestId, cause, more, lastMs }) => [requestId, cause, more, lastMs]);

test('only the first call per key and cause is kept between flushes; later calls are counted', () => {
  const calls = createRefusedCalls();
  calls.add('browser_call', call(), 1);
  calls.add('browser_call', call({ requestId: 'r2' }), 2);
  calls.add('browser_call', call({ requestId: 'r3' }), 3);
  calls.add('method_not_allowed', call({ requestId: 'r4' }), 4);
  expect(countsOf(calls.take())).toEqual([
    ['r1', 'browser_call', 2, 3],
    ['r4', 'method_not_allowed', 0, 4],
  ]);
  expect(calls.unrecorded()).toBe(2);
});

test('calls without a key are kept by origin; calls with neither key nor origin are ignored', () => {
  const calls = createRefusedCalls();
  calls.add('browser_call', call({ keyHash: null, origin: 'https://a.example' }), 1);
  calls.add('browser_call', call({ keyHash: null, origin: 'https://b.example', requestId: 'r2' }), 2);
  calls.add('browser_call', call({ keyHash: null }), 3);
  expect(countsOf(calls.take()).map(([requestId]) => requestId)).toEqual(['r1', 'r2']);
  expect(calls.unrecorded()).toBe(0);
});

test('at most 500 callers are kept between flushes; calls of other callers are only counted', () => {
  const calls = createRefusedCalls();
  for (let key = 0; key < 10_000; key += 1) {
    const ip = `198.51.${Math.floor(key / 250)}.${key % 250}`;
    calls.add('browser_call', call({ keyHash: Buffer.from(String(key)), ip }), key);
  }
  const waiting = calls.take().size;
  expect(waiting).toBe(500);
  expect(calls.unrecorded()).toBe(10_000 - waiting);
});

test('one network can’t crowd out the call with a key that another network sends', () => {
  const calls = createRefusedCalls();
  const addMadeUp = (from: number) => {
    for (let site = from; site < from + 1_000; site += 1) {
      const madeUp = {
        keyHash: null,
        origin: `https://${site}.example`,
        ip: `2001:db8::${site.toString(16)}`,
      };
      calls.add('browser_call', call(madeUp), site);
    }
  };
  addMadeUp(0);
  calls.add('browser_call', call({ ip: '192.0.2.1', requestId: 'leaked' }), 1);
  const waiting = calls.take();
  expect(waiting.size).toBe(51);
  expect(countsOf(waiting).map(([requestId]) => requestId)).toContain('leaked');
  // The limit still applies after a failed flush.
  addMadeUp(1_000);
  calls.putBack(waiting);
  expect(calls.take().size).toBe(51);
});

test('putBack() restores the earlier call, and newer calls of the same caller are counted', () => {
  const calls = createRefusedCalls();
  calls.add('browser_call', call(), 1);
  calls.add('browser_call', call(), 2);
  const waiting = calls.take();
  calls.add('browser_call', call({ requestId: 'r3' }), 3);
  calls.putBack(waiting);
  expect(countsOf(calls.take())).toEqual([['r1', 'browser_call', 2, 3]]);
  expect(calls.unrecorded()).toBe(2);
});

test('calls with the origin of an owner’s site, but without a key, fill little of the owner’s request log', () => {
  const mayRecord = createKeylessLimit();
  const recordedFor = (accountId: string, fromS: number, seconds: number) =>
    Array.from({ length: seconds }, (_, at) => mayRecord(accountId, (fromS + at) * 1_000)).filter(Boolean)
      .length;
  expect(recordedFor('ada', 0, 60)).toBe(KEYLESS_CALLS);
  expect(recordedFor('ben', 0, 10)).toBe(10);
  // A day of one call a second.
  expect(recordedFor('ada', 60, 86_400)).toBeLessThan(1_500);
});
