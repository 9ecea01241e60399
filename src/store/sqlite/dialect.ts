/** A SQLite dialect for Kysely that uses a worker thread; Kysely's own does not accept `node:sqlite`. */
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

/** `lock`: makes callers take turns, because a transaction needs the only connection to itself. */
export function sqliteWorkerDialect(worker: SqliteWorker, lock: Lock | null): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createDriver: () => createDriver(worker, lock),
  };
}

/** Small Buffers share a memory block, all of which would be sent to the thread; this copies only their own bytes. */
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
        'Read in keyset pages instead of streaming: a stream would hold its read transaction open.',
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
 * Guards the writing connection, first come, first served. A transaction of the HTTP thread holds the lock exclusively,
 * from begin to commit. Batches share the lock: each is a single message to the thread that owns the file.
 */
export function createLock() {
  let held = false;
  let shared = 0;
  const waiting: { readonly alone: boolean; readonly enter: () => void }[] = [];

  const admit = () => {
    for (let next = waiting[0]; next !== undefined && !held; next = waiting[0]) {
      if (next.alone && shared > 0) return;
      if (next.alone) held = true;
      else shared += 1;
      waiting.shift();
      next.enter();
    }
  };
  const enter = (alone: boolean): Promise<void> =>
    new Promise((resolve) => {
      waiting.push({ alone, enter: resolve });
      admit();
    });

  return {
    acquire: () => enter(true),
    release: () => {
      held = false;
      admit();
    },
    acquireShared: () => enter(false),
    releaseShared: () => {
      shared -= 1;
      admit();
    },
  };
}
