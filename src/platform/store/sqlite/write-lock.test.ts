import { expect, test } from 'vitest';
import { createWriteLock } from './write-lock.ts';

/** Records the order in which callers enter the lock. */
function createRecorder() {
  const lock = createWriteLock();
  const entered: string[] = [];
  const note = (name: string) => () => void entered.push(name);
  return {
    entered,
    transaction: (name: string) => lock.acquire().then(note(name)),
    batch: (name: string) => lock.acquireShared().then(note(name)),
    release: lock.release,
    releaseShared: lock.releaseShared,
    /** Resolves after all callers that can enter have entered. */
    settle: async () => {
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
      return entered.splice(0);
    },
  };
}

test('a batch waits for one transaction at most, however many are waiting', async () => {
  const { transaction, batch, release, releaseShared, settle } = createRecorder();
  for (const name of ['t1', 't2', 't3']) void transaction(name);
  for (const name of ['b1', 'b2']) void batch(name);
  expect(await settle()).toEqual(['t1']);
  release();
  expect(await settle()).toEqual(['b1', 'b2']);
  void batch('b3');
  releaseShared();
  expect(await settle()).toEqual([]);
  releaseShared();
  expect(await settle()).toEqual(['t2']);
  release();
  expect(await settle()).toEqual(['b3']);
});

test('a transaction waits only for the batches that have entered, however many follow', async () => {
  const { transaction, batch, release, releaseShared, settle } = createRecorder();
  void batch('b1');
  void transaction('t1');
  for (const name of ['b2', 'b3']) void batch(name);
  expect(await settle()).toEqual(['b1']);
  releaseShared();
  expect(await settle()).toEqual(['t1']);
  release();
  expect(await settle()).toEqual(['b2', 'b3']);
  void transaction('t2');
  releaseShared();
  releaseShared();
  expect(await settle()).toEqual(['t2']);
  release();
  void batch('b4');
  void batch('b5');
  expect(await settle()).toEqual(['b4', 'b5']);
});
