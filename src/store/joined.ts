/** Several verbs in one durable transaction, for filling a database: thousands of separate flushes would take minutes. */
import type { Database } from './database.ts';

/**
 * What `work` writes through the database it is given is committed together, or not at all. Reads outside a
 * transaction do not see it until then, and `runBatch` would wait for ever, so `work` must use neither.
 */
export const joinTransactions = <T>(db: Database, work: (joined: Database) => Promise<T>): Promise<T> =>
  db.transaction((tx) => work({ ...db, transaction: (part) => part(tx) }));
