import { expect, test } from 'vitest';
import { createBatchQueue } from './batch-queue.ts';
import { monotonicMs } from './database.ts';

test('a queue rejects new requests once its oldest request has waited 40% of timeoutMs', async () => {
  const timeoutMs = 60_000;
  const queue = createBatchQueue<string, never>({
    concurrency: 0,
    fullEnough: 100,
    timeoutMs,
    run: () => Promise.reject(new Error('A batch started, although concurrency is 0.')),
  });
  const startMs = Math.ceil(monotonicMs());
  const refused: string[] = [];
  const submit = (name: string, atMs: number) =>
    queue.submit(name, (error) => refused.push(`${name}: ${error?.message}`), startMs + atMs + timeoutMs);
  submit('first', 0);
  submit('in time', 24_000);
  submit('late', 24_001);
  expect(refused).toEqual([]);
  await new Promise(setImmediate);
  expect(refused).toEqual(['late: Too many requests are waiting.']);
  expect(queue.waiting()).toBe(2);
});
