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
import type { WriteLock } from './write-lock.ts';

/** `lock`: serializes callers, because all transactions share one connection. */
export function sqliteWorkerDialect(worker: SqliteWorker, lock: WriteLock | null): Dialect {
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

function createDriver(worker: SqliteWorker, lock: WriteLock | null): Driver {
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
