import { expect, test } from 'vitest';
import { createRateLimit } from './rate-limit.ts';

test('a rate limit of 10 per second allows a burst of 20 and then 10 per second', () => {
  const limit = createRateLimit('verify', 10);
  const bucket = limit.bucket(0);
  const allowed = (now: number, tries: number) =>
    Array.from({ length: tries }, () => limit.take(bucket, now)).filter(Boolean).length;
  expect(allowed(0, 100)).toBe(20);
  expect(allowed(50, 10)).toBe(0);
  expect(allowed(100, 10)).toBe(1);
  expect(allowed(1_100, 100)).toBe(10);
  expect(allowed(1_000_000, 100)).toBe(20);
});

test('a rate limit of 0 allows every request', () => {
  const limit = createRateLimit('verify', 0);
  const bucket = limit.bucket(0);
  for (let i = 0; i < 1_000; i++) expect(limit.take(bucket, 0)).toBe(true);
});

test('the headers of a rejection name the limit and give the wait in whole seconds', () => {
  const limit = createRateLimit('verify', 200);
  const bucket = limit.bucket(0);
  while (limit.take(bucket, 0));
  expect(limit.headers(bucket)).toEqual([
    'Retry-After',
    '1',
    'RateLimit-Policy',
    '"verify";q=400;w=2',
    'RateLimit',
    '"verify";r=0;t=1',
  ]);
});
