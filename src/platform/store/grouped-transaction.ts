/**
 * All queued work of this process runs in one transaction, so that round trips overlap and one flush is enough. On
 * PostgreSQL, such transactions of different processes run one after the other, because they lock rows of many people
 * in no fixed order. Work runs separately where a statement may be a transaction of several nodes.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { ask, createBatchQueue, lateError, MAX_BATCH_SIZE } from './batch-queue.ts';
import { type Database, DatabaseUnavailable, type Engine, type Transaction } from './database.ts';
import { DIALECTS } from './dialects.ts';

type Work<T = unknown> = (tx: Transaction) => Promise<T>;

/** `work` must be safe to run concurrently with other work. Calls with the same key run in separate transactions. */
export type GroupedTransaction = <T>(key: string, work: Work<T>) => Promise<T>;

type GroupedDatabase = Pick<Database, 'engine' | 'semaphore' | 'transaction' | 'byKey'>;

/** Callers get a result or an error within this time. */
const DEADLINE_MS = 10_000;

/** Returns the result, throws the error, or runs the work separately, which delays no other caller. */
type Outcome = () => Promise<unknown>;

export const createGroupedTransaction = (db: GroupedDatabase): GroupedTransaction => GROUPINGS[db.engine](db);

/** Not `byKey`: a transaction that waits for a locked row would keep a connection that lookups of sessions need. */
const runSeparately = <T>(db: GroupedDatabase, work: Work<T>): Promise<T> =>
  db.semaphore.run(() => db.transaction(work));

function together(db: GroupedDatabase): GroupedTransaction {
  const queue = createBatchQueue<Work, Outcome>({
    // Concurrent batches would wait for each other's locks.
    concurrency: 1,
    fullEnough: MAX_BATCH_SIZE,
    timeoutMs: DEADLINE_MS,
    run: (works) => runTogether(db, works),
  });
  const submit = async <T>(work: Work<T>): Promise<T> => {
    const outcome = await ask(queue, work);
    return (await outcome()) as T;
  };
  /** The last call with each key. Resolves when it has ended. */
  const lastCalls = new Map<string, Promise<void>>();

  return <T>(key: string, work: Work<T>) => {
    // Another caller may start the transaction. The work still belongs to the request that it was queued for.
    const own = AsyncLocalStorage.bind(work);
    const endMs = performance.now() + DEADLINE_MS;
    const before = lastCalls.get(key);
    // Calls with the same key wait outside of the queue, so that a browser with many requests delays only itself.
    const call =
      before === undefined
        ? submit(own)
        : before.then(() => {
            if (performance.now() >= endMs) throw lateError();
            return submit(own);
          });
    const ended = call.then(
      () => {},
      () => {},
    );
    lastCalls.set(key, ended);
    void ended.then(() => lastCalls.get(key) === ended && lastCalls.delete(key));
    return call;
  };
}

const GROUPINGS: Readonly<Record<Engine, (db: GroupedDatabase) => GroupedTransaction>> = {
  sqlite: together,
  postgres: together,
  citus: (db) => (_, work) => runSeparately(db, work),
};

/**
 * If one fails, each runs again in a separate transaction, so that only the failed one is rolled back. The same if a lock
 * is not free in time.
 */
async function runTogether(db: GroupedDatabase, works: readonly Work[]): Promise<readonly Outcome[]> {
  try {
    const results = await db.byKey.transaction(async (tx) => {
      const [locked, ...outcomes] = await Promise.allSettled([
        DIALECTS[db.engine].takeGroupLock(tx),
        ...works.map((work) => work(tx)),
      ]);
      requireFulfilled(locked);
      return outcomes.map(requireFulfilled);
    });
    return results.map((result) => async () => result);
  } catch (error) {
    const isLocked = DIALECTS[db.engine].isLockTimeout(error);
    if (error instanceof DatabaseUnavailable && !isLocked) throw error;
    return works.length === 1 && !isLocked
      ? [() => Promise.reject(error)]
      : works.map((work) => () => runSeparately(db, work));
  }
}

function requireFulfilled<T>(outcome: PromiseSettledResult<T>): T {
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}
