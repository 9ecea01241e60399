/** A SQLite dialect for Kysely that uses a worker thread. Kysely's own SQLite dialect does not accept `node:sqlite`. */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { SqliteQueryResult, SqliteValue, SqliteWorker } from './worker-client.ts';

type Lock = ReturnType<typeof createLock>;

/** `lock`: serializes callers, because all transactions share one connection. */
export function sqliteWorkerDialect(worker: SqliteWorker, lock: Lock | null): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createDriver: () => createDriver(worker, lock),
  };
}

/** Copies the bytes, because small Buffers share a memory pool that `postMessage` would clone completely. */
const ownBytes = (value: SqliteValue): SqliteValue =>
  value instanceof Uint8Array ? Uint8Array.from(value) : value;

function createDriver(worker: SqliteWorker, lock: Lock | null): Driver {
  const connection: DatabaseConnection = {
    executeQuery: async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
      const result = (await worker.request({
        kind: 'query',
        sql: query.sql,
        parameters: (query.parameters as readonly SqliteValue[]).map(ownBytes),
      })) as SqliteQueryResult;
      const { rows, changes, lastRow } = result;
      return { rows: rows as R[], numAffectedRows: BigInt(changes), insertId: BigInt(lastRow) };
    },
    streamQuery: () => {
      throw new Error(
        'Streaming is not supported, because it would keep a read transaction open. Read in keyset pages.',
      );
    },
  };
  return {
    init: async () => {},
    acquireConnection: async () => {
      await lock?.acquire();
      return connection;
    },
    beginTransaction: async () => void (await worker.request({ kind: 'begin' })),
    commitTransaction: async () => void (await worker.request({ kind: 'commit' })),
    rollbackTransaction: async () => void (await worker.request({ kind: 'rollback' })),
    releaseConnection: async () => lock?.release(),
    destroy: async () => {},
  };
}

/**
 * A phase-fair read-write lock for the writing connection: transactions hold it exclusively, batches (single messages)
 * share it. When both wait, they alternate, so a batch waits for at most one transaction.
 */
export function createLock() {
  let held = false;
  let shared = 0;
  const transactions: (() => void)[] = [];
  let batches: (() => void)[] = [];

  const enterTransaction = () => {
    held = transactions.length > 0;
    transactions.shift()?.();
  };
  const enterBatches = () => {
    const entering = batches;
    batches = [];
    shared = entering.length;
    for (const enter of entering) enter();
  };

  return {
    acquire: () =>
      new Promise<void>((resolve) => {
        transactions.push(resolve);
        if (!held && shared === 0) enterTransaction();
      }),
    release: () => {
      if (batches.length === 0) return enterTransaction();
      held = false;
      enterBatches();
    },
    acquireShared: () =>
      new Promise<void>((resolve) => {
        if (held || transactions.length > 0) return void batches.push(resolve);
        shared += 1;
        resolve();
      }),
    releaseShared: () => {
      shared -= 1;
      if (shared === 0) enterTransaction();
    },
  };
}
