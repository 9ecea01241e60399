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

test('a request that is submitted again keeps its deadline, and does not shorten the deadlines of others', async () => {
  const batches: { readonly requests: readonly string[]; readonly deadlineMs: number }[] = [];
  const queue = createBatchQueue<string, string>({
    concurrency: 1,
    fullEnough: 100,
    timeoutMs: 60_000,
    run: async (requests, deadlineMs) => {
      batches.push({ requests, deadlineMs });
      return requests;
    },
  });
  const now = monotonicMs();
  const answers = await Promise.all(
    [60_000, 60_001, 50].map(
      (leftMs) =>
        new Promise((resolve) =>
          queue.submit(String(leftMs), (error, result) => resolve(error ?? result), now + leftMs),
        ),
    ),
  );
  expect(answers).toEqual(['60000', '60001', '50']);
  expect(batches).toEqual([{ requests: ['50', '60000', '60001'], deadlineMs: now + 60_001 }]);
});

test('a request that is submitted again is rejected at its deadline, although others may wait longer', async () => {
  const queue = createBatchQueue<string, never>({
    concurrency: 0,
    fullEnough: 100,
    timeoutMs: 60_000,
    run: () => Promise.reject(new Error('A batch started, although concurrency is 0.')),
  });
  const now = monotonicMs();
  queue.submit('first', () => {}, now + 60_000);
  const error = await new Promise<Error | null>((resolve) => queue.submit('again', resolve, now + 50));
  expect(error?.message).toBe('The database did not answer in time.');
  expect(queue.waiting()).toBe(1);
});

test('with overlapFrom, a batch starts next to another only if it is large enough or the other is slow', async () => {
  const running: { readonly size: number; readonly end: () => void }[] = [];
  const queue = createBatchQueue<string, string>({
    concurrency: 2,
    fullEnough: 100,
    overlapFrom: 3,
    timeoutMs: 60_000,
    run: (requests) =>
      new Promise((resolve) => running.push({ size: requests.length, end: () => resolve(requests) })),
  });
  const submit = async (count: number) => {
    for (let at = 0; at < count; at += 1) queue.submit('request', () => {});
    await new Promise(setImmediate);
    await new Promise(setImmediate);
  };
  await submit(1);
  await submit(2);
  expect(running.map(({ size }) => size)).toEqual([1]);
  await submit(1);
  expect(running.map(({ size }) => size)).toEqual([1, 3]);
  running[1]!.end();
  await submit(2);
  expect(running).toHaveLength(2);
  running[0]!.end();
  await expect.poll(() => running.map(({ size }) => size)).toEqual([1, 3, 2]);
  // No further request arrives, and the running batch does not end.
  await submit(1);
  expect(running).toHaveLength(3);
  await expect.poll(() => running.length).toBe(4);
});
