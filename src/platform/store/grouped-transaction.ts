/**
 * On SQLite, all queued work of this process runs in one transaction: round trips overlap and one flush is enough. On
 * PostgreSQL, the server groups flushes itself, and shared transactions could deadlock.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { ask, createBatchQueue, MAX_BATCH_SIZE } from './batch-queue.ts';
import { type Database, DatabaseUnavailable, type Engine, type Transaction } from './database.ts';

/** `work` must be safe to run concurrently with other work. Calls with the same key run in separate transactions. */
export type GroupedTransaction = <T>(key: string, work: (tx: Transaction) => Promise<T>) => Promise<T>;

type GroupedDatabase = Pick<Database, 'engine' | 'semaphore' | 'transaction'>;

/** On SQLite, callers get a result or an error within this time. */
const DEADLINE_MS = 10_000;

interface GroupMember {
  readonly key: string;
  readonly work: (tx: Transaction) => Promise<unknown>;
}

type Outcome = PromiseSettledResult<unknown>;

export const createGroupedTransaction = (db: GroupedDatabase): GroupedTransaction => GROUPINGS[db.engine](db);

const separately =
  (db: GroupedDatabase): GroupedTransaction =>
  (_, work) =>
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
    const outcome = await ask(queue, { key, work: AsyncLocalStorage.bind(work) });
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value as T;
  };
}

const GROUPINGS: Readonly<Record<Engine, (db: GroupedDatabase) => GroupedTransaction>> = {
  sqlite: together,
  postgres: separately,
  citus: separately,
};

/** Members with the same key run in successive transactions. */
async function runByKey(db: GroupedDatabase, members: readonly GroupMember[]): Promise<readonly Outcome[]> {
  const outcomes = new Map<GroupMember, Outcome>();
  let rest = members;
  while (rest.length > 0) {
    const first = new Map(rest.toReversed().map((member) => [member.key, member]));
    const distinct = rest.filter((member) => first.get(member.key) === member);
    const ended = await runTogether(db, distinct);
    for (const [at, member] of distinct.entries()) outcomes.set(member, ended[at]!);
    rest = rest.filter((member) => !outcomes.has(member));
  }
  return members.map((member) => outcomes.get(member)!);
}

/** If a member fails, retries every member in a separate transaction, so that only the failed member is rolled back. */
async function runTogether(
  db: GroupedDatabase,
  members: readonly GroupMember[],
): Promise<readonly Outcome[]> {
  const [one, ...others] = members;
  if (others.length === 0) return await Promise.allSettled([db.transaction(one!.work)]);
  try {
    return await db.transaction(async (tx) => {
      const outcomes = await Promise.allSettled(members.map(({ work }) => work(tx)));
      const failed = outcomes.find(({ status }) => status === 'rejected');
      if (failed !== undefined) throw (failed as PromiseRejectedResult).reason;
      return outcomes;
    });
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    const outcomes: Outcome[] = [];
    for (const member of members) outcomes.push(...(await runTogether(db, [member])));
    return outcomes;
  }
}
