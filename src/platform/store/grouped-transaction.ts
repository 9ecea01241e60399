/**
 * All queued work of this process runs in one transaction, so that round trips overlap and one flush is enough. On
 * PostgreSQL, such transactions of different processes run one after the other, because they lock rows of many people
 * in no fixed order. Work runs separately where a statement may be a transaction of several nodes.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { ask, createBatchQueue, MAX_BATCH_SIZE } from './batch-queue.ts';
import { type Database, DatabaseUnavailable, type Engine, type Transaction } from './database.ts';
import { DIALECTS } from './dialects.ts';
import { isLockTimeout } from './postgres/errors.ts';

/** `work` must be safe to run concurrently with other work. Calls with the same key run in separate transactions. */
export type GroupedTransaction = <T>(key: string, work: (tx: Transaction) => Promise<T>) => Promise<T>;

type GroupedDatabase = Pick<Database, 'engine' | 'semaphore' | 'transaction' | 'byKey'>;

/** Callers get a result or an error within this time. */
const DEADLINE_MS = 10_000;

interface GroupMember {
  readonly key: string;
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
    // One batch at a time, because concurrent batches could contain the same key.
    concurrency: 1,
    fullEnough: MAX_BATCH_SIZE,
    timeoutMs: DEADLINE_MS,
    run: (members) => runByKey(db, members),
  });
  return async <T>(key: string, work: (tx: Transaction) => Promise<T>) => {
    // Another caller may start the transaction. The work still belongs to the request that it was queued for.
    const { result } = await ask(queue, { key, work: AsyncLocalStorage.bind(work) });
    return (await result) as T;
  };
}

const GROUPINGS: Readonly<Record<Engine, (db: GroupedDatabase) => GroupedTransaction>> = {
  sqlite: together,
  postgres: together,
  citus: (db) => (_, work) => runSeparately(db, work),
};

/** Members with the same key run in successive transactions. */
async function runByKey(db: GroupedDatabase, members: readonly GroupMember[]): Promise<readonly Outcome[]> {
  const outcomes = new Map<GroupMember, Outcome>();
  let rest = members;
  while (rest.length > 0) {
    const first = new Map(rest.toReversed().map((member) => [member.key, member]));
    const distinct = rest.filter((member) => first.get(member.key) === member);
    const results = await runTogether(db, distinct);
    for (const [at, member] of distinct.entries()) {
      const result = results[at]!;
      // Its caller handles a rejection, perhaps later.
      result.catch(() => {});
      outcomes.set(member, { result });
    }
    rest = rest.filter((member) => !outcomes.has(member));
  }
  return members.map((member) => outcomes.get(member)!);
}

/**
 * If a member fails, retries every member in a separate transaction, so that only the failed member is rolled back. The
 * same if a lock is not free in time.
 */
async function runTogether(
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
