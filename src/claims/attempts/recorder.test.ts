/** Tests the times at which the recorder reads and writes, using a fake database that records them. */
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Context } from '../../base/context.ts';
import type { Schema } from '../../platform/store/schema.ts';
import type { Attempt } from './attempt.ts';
import type { Cause } from './cause.ts';
import { createAttemptRecorder } from './recorder.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(closing.splice(0).map((close) => close()));
});

function start() {
  const at: number[] = [];
  const failures: unknown[] = [];
  const state = { isAway: false };
  const transaction = async () => {
    at.push(performance.now());
    if (state.isAway) throw new Error('the database is unavailable');
  };
  const readAt: number[] = [];
  const read = new Kysely<Schema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    log: () => void readAt.push(performance.now()),
  });
  const db = { engine: 'sqlite', transaction, read } as unknown as Context['db'];
  const recorder = createAttemptRecorder(
    { db, now: () => 1_000 },
    { onFailure: (error) => failures.push(error) },
  );
  closing.push(recorder.close);
  return { recorder, at, readAt, failures, state };
}

const attempt = (cause: Cause = 'token_unknown', accountId = 'a') =>
  ({ accountId, cause, atMs: 1_000 }) as Attempt;

describe('flush timing', () => {
  const startClock = () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'performance'] });
    return start();
  };
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  test('the first call after a quiet second is written within 50 ms, later calls once a second', async () => {
    const { recorder, at } = startClock();
    recorder.record(attempt());
    await pass(50);
    expect(at).toHaveLength(1);
    recorder.record(attempt());
    recorder.record(attempt());
    await pass(900);
    expect(at).toHaveLength(1);
    await pass(1_000);
    expect(at).toHaveLength(2);
    await pass(1_000);
    recorder.record(attempt());
    await pass(50);
    expect(at).toHaveLength(3);
  });

  test('an account’s first verification is written within 50 ms, even if another account is busy', async () => {
    const { recorder, at } = startClock();
    recorder.record(attempt('valid'));
    await pass(50);
    recorder.record(attempt('valid'));
    await pass(50);
    expect(at).toHaveLength(1);
    recorder.record(attempt('valid', 'b'));
    await pass(50);
    expect(at).toHaveLength(2);
  });

  test('the callers of a flood of refused calls are looked up at most once a second', async () => {
    const { recorder, at, readAt } = startClock();
    const call = {
      detail: '',
      requestLine: '',
      origin: null,
      ip: null,
      userAgent: null,
      requestId: '',
      trace: null,
    };
    for (let i = 0; i < 300; i += 1) {
      recorder.recordBrowserCall({ ...call, keyHash: Buffer.from(String(i % 5)) });
      await pass(10);
    }
    expect(readAt.length).toBeGreaterThanOrEqual(2);
    expect(readAt.length).toBeLessThanOrEqual(4);
    // None of these callers is known.
    expect(at).toEqual([]);
  });
});

test('a large flush is split into transactions with pauses, and close() skips the pauses', async () => {
  const { recorder, at } = start();
  for (let i = 0; i < 400; i += 1) recorder.record(attempt());
  await vi.waitFor(() => expect(at.length).toBeGreaterThan(4), { timeout: 5_000, interval: 1 });
  // Four pauses of 25 ms each; timers may fire slightly early.
  expect(at[4]! - at[0]!).toBeGreaterThan(90);
  const begun = at.length;
  const closed = performance.now();
  await recorder.close();
  expect(at).toHaveLength(20);
  // With pauses, each of the 20 transactions takes about 25 ms.
  expect(performance.now() - closed).toBeLessThan(((20 - begun) / 20) * 500);
});

test('calls beyond the limit and calls in a failed transaction are counted as unrecorded', async () => {
  const { recorder, failures, state } = start();
  let expectedCalls = 0;
  while (recorder.wants('a')) {
    recorder.record(attempt());
    expectedCalls += 1;
  }
  expect([recorder.wants('a'), recorder.wants('b'), recorder.unrecorded()]).toEqual([false, true, 2]);
  state.isAway = true;
  await recorder.flush();
  expect([failures.length, recorder.unrecorded()]).toEqual([1, expectedCalls + 2]);
});
