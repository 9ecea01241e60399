import { expect, test } from 'vitest';
import { HOUR_MS } from '../../platform/text/durations.ts';
import { holdAfter } from './hold.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 10);
const hold = (status: number, headers: Record<string, string>, body = '') =>
  holdAfter({ status, headers, body: Buffer.from(body) }, NOW_MS);

test.each([
  [429, { 'retry-after': '7' }, '', 7_000],
  [503, { 'retry-after': '120' }, '', 120_000],
  [429, { 'retry-after': new Date(NOW_MS + 30_000).toUTCString() }, '', 30_000],
  [429, { 'retry-after': new Date(NOW_MS - 30_000).toUTCString() }, '', 1_000],
  [429, {}, '{"message":"You are being rate limited.","retry_after":1.336}', 1_336],
  [429, { 'retry-after': '1' }, '{"retry_after":2.5}', 2_500],
  [429, { 'retry-after': '86400' }, '', HOUR_MS],
  [429, { 'retry-after': '999999999999' }, '', 1_000],
  [429, { 'retry-after': '-1' }, 'null', 1_000],
  [429, {}, '{"retry_after":"soon"}', 1_000],
  [429, { 'retry-after': '0' }, '', 1_000],
  [503, {}, '{"retry_after":5}', null],
  [500, { 'retry-after': '7' }, '', null],
  [200, { 'retry-after': '7' }, '', null],
  [204, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-after': '1.5' }, '', 1_500],
  [204, { 'x-ratelimit-remaining': '4', 'x-ratelimit-reset-after': '1.5' }, '', null],
])('status %i with %j and the body %s holds the queue for the right time', (status, headers, body, ms) => {
  expect(hold(status, headers as Record<string, string>, body)).toBe(ms);
});
