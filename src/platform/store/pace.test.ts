import { expect, test } from 'vitest';
import type { Engine } from './database.ts';
import { createBulkQueue, createPace } from './pace.ts';

const paceWith = (hasOtherWriters: () => boolean, engine: Engine = 'sqlite') =>
  createPace({ engine, hasOtherWriters: async () => hasOtherWriters() });

test('transactions grow while they are fast and shrink when they are slow', async () => {
  const pace = paceWith(() => true);
  const first = pace.rows();
  await pace.done(first, 1);
  expect(pace.rows()).toBe(first * 2);
  for (let i = 0; i < 10; i += 1) await pace.done(pace.rows(), 1);
  const most = pace.rows();
  expect(most).toBe(1_500);
  await pace.done(most, 10_000);
  expect(pace.rows()).toBe(750);
  for (let i = 0; i < 20; i += 1) await pace.done(pace.rows(), 10_000);
  expect(pace.rows()).toBe(25);
});

test('transactions may take longer on PostgreSQL, because they block fewer writers', async () => {
  const pace = paceWith(() => true, 'postgres');
  for (let i = 0; i < 10; i += 1) await pace.done(pace.rows(), pace.rows() * 0.04);
  expect(pace.rows()).toBe(1_250);
});

test('a partial transaction that is fast does not change the size of the next transaction', async () => {
  const pace = paceWith(() => true);
  const first = pace.rows();
  await pace.done(3, 0.1);
  expect(pace.rows()).toBe(first);
});

test('transactions are larger without other writers and shrink when another writer arrives', async () => {
  let others = false;
  const pace = paceWith(() => others);
  const msPerRow = 0.02;
  const run = () => pace.done(pace.rows(), pace.rows() * msPerRow);
  for (let i = 0; i < 10; i += 1) await run();
  expect(pace.rows()).toBe(3_500);
  others = true;
  await run();
  expect(pace.rows()).toBe(200);
  others = false;
  for (let i = 0; i < 10; i += 1) await run();
  expect(pace.rows()).toBe(3_500);
});

test('a writer is noticed after the first transaction, although the first check has nothing to compare with', async () => {
  let checks = 0;
  const pace = paceWith(() => checks++ > 0);
  expect(pace.rows()).toBe(25);
  await pace.done(25, 4);
  expect(pace.rows()).toBe(25);
});

test('a writer that arrives during a partial transaction still limits the next transaction', async () => {
  let others = false;
  const pace = paceWith(() => others);
  for (let i = 0; i < 10; i += 1) await pace.done(pace.rows(), 1);
  expect(pace.rows()).toBe(3_500);
  others = true;
  await pace.done(3, 0.1);
  expect(pace.rows()).toBe(1_500);
});

test('bulk writes run one at a time; the next waits for a pause three times as long as the last', async () => {
  const pauses: number[] = [];
  const pause = Promise.withResolvers<void>();
  const queue = createBulkQueue((ms) => {
    pauses.push(ms);
    return pause.promise;
  });
  const events: string[] = [];
  const write = (name: string) =>
    queue.run(async () => {
      events.push(`${name} begins`);
      const endsAt = performance.now() + 2;
      while (performance.now() < endsAt) await new Promise(setImmediate);
      events.push(`${name} ends`);
    });
  const [first, second] = [write('a'), write('b')];
  await first;
  await new Promise(setImmediate);
  expect(events).toEqual(['a begins', 'a ends']);
  expect(pauses[0]).toBeGreaterThanOrEqual(6);
  pause.resolve();
  await second;
  expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
});

test('a bulk write that fails lets the next one run', async () => {
  const queue = createBulkQueue(async () => {});
  await expect(queue.run(() => Promise.reject(new Error('disk full')))).rejects.toThrow('disk full');
  expect(await queue.run(async () => 'done')).toBe('done');
});
