import { expect, test } from 'vitest';
import { createBatchQueue } from './batch-queue.ts';
import { monotonicMs } from './database.ts';

test('a queue refuses new requests, and keeps the waiting ones, once its first request has waited for 40% of the time within which it must be answered', async () => {
  const answerWithinMs = 60_000;
  const queue = createBatchQueue<string, never>({
    concurrency: 0,
    fullEnough: 100,
    answerWithinMs,
    run: () => Promise.reject(new Error('No batch starts.')),
  });
  const startMs = Math.ceil(monotonicMs());
  const refused: string[] = [];
  const submit = (name: string, atMs: number) =>
    queue.submit(
      name,
      (error) => refused.push(`${name}: ${error?.message}`),
      startMs + atMs + answerWithinMs,
    );
  submit('first', 0);
  submit('in time', 24_000);
  submit('late', 24_001);
  expect(refused).toEqual([]);
  await new Promise(setImmediate);
  expect(refused).toEqual(['late: Too many requests are waiting.']);
  expect(queue.waiting()).toBe(2);
});
