/**
 * All queued work of this process runs in one transaction, so that round trips overlap and one flush is enough. On
 * PostgreSQL, such transactions of different processes run one after the other, because they lock rows of many people
 * in no fixed order. Work runs separately where a statement may be a transaction of several nodes.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { ask, createBatchQueue, lateError, MAX_BATCH_SIZE } from './batch-queue.ts';
import { type Database, DatabaseUnavailable, type Engine, type Transaction } from './database.ts';
import { DIALECTS } from './dialects.ts';
import { isLockTimeout } from './postgres/errors.ts';

/** `work` must be safe to run concurrently with other work. Calls with the same key run in separate transactions. */
export type GroupedTransaction = <T>(key: string, work: (tx: Transaction) => Promise<T>) => Promise<T>;

type GroupedDatabase = Pick<Database, 'engine' | 'semaphore' | 'transaction' | 'byKey'>;

/** Callers get a result or an error within this time. */
const DEADLINE_MS = 10_000;

interface GroupMember {
  readonly work: (tx: Transaction) => Promise<unknown>;
}

/** May still be pending: a member that runs separately delays no others. */
interface Outcome {
  readonly result: Promise<unknown>;
}

export const createGroupedTransaction = (db: GroupedDatabase): GroupedTransaction => GROUPINGS[db.engine](db);

/** Not `byKey`: a transaction that waits for a locked row would keep a connection that lookups of sessions need. */
const runSeparately = <T>(db: GroupedDatabase, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  db.semaphore.run(() => db.transaction(work));

function together(db: GroupedDatabase): GroupedTransaction {
  const queue = createBatchQueue<GroupMember, Outcome>({
    // Concurrent batches would wait for each other's locks.
    concurrency: 1,
    fullEnough: MAX_BATCH_SIZE,
    timeoutMs: DEADLINE_MS,
    run: (members) => runTogether(db, members),
  });
  const submit = async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
    const { result } = await ask(queue, { work });
    return (await result) as T;
  };
  /** The last call with each key. Resolves when it has ended. */
  const lastCalls = new Map<string, Promise<void>>();

  return <T>(key: string, work: (tx: Transaction) => Promise<T>) => {
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

async function runTogether(
  db: GroupedDatabase,
  members: readonly GroupMember[],
): Promise<readonly Outcome[]> {
  const outcomes = await resultsOf(db, members);
  // Its caller handles a rejection, perhaps later.
  for (const result of outcomes) result.catch(() => {});
  return outcomes.map((result) => ({ result }));
}

/**
 * If a member fails, retries every member in a separate transaction, so that only the failed member is rolled back. The
 * same if a lock is not free in time.
 */
async function resultsOf(
  db: GroupedDatabase,
  members: readonly GroupMember[],
): Promise<readonly Promise<unknown>[]> {
  try {
    const results = await db.byKey.transaction(async (tx) => {
      const [locked, ...outcomes] = await Promise.allSettled([
        DIALECTS[db.engine].takeGroupLock(tx),
        ...members.map(({ work }) => work(tx)),
      ]);
      return [locked, ...outcomes].map((outcome) => {
        if (outcome.status === 'rejected') throw outcome.reason;
        return outcome.value;
      });
    });
    return results.slice(1).map((result) => Promise.resolve(result));
  } catch (error) {
    const isLocked = error instanceof DatabaseUnavailable && isLockTimeout(error.cause);
    if (error instanceof DatabaseUnavailable && !isLocked) throw error;
    return members.length === 1 && !isLocked
      ? [Promise.reject(error)]
      : members.map(({ work }) => runSeparately(db, work));
  }
}
