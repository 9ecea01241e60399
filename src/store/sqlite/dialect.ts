/** Kysely's SQLite dialect over a worker thread: Kysely's own does not accept `node:sqlite`. */
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
import type { Lock } from './lock.ts';
import type { SqliteQueryResult, SqliteValue } from './protocol.ts';
import type { SqliteWorker } from './worker-client.ts';

/** With a `lock`, connections are handed out one at a time, since a transaction holds the only one. */
export function sqliteWorkerDialect(worker: SqliteWorker, lock: Lock | null): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createDriver: () => createDriver(worker, lock),
  };
}

/** Small Buffers share a memory block; send the thread only their own bytes. */
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
    beginTransaction: async () => {
      await worker.request({ kind: 'begin' });
    },
    commitTransaction: async () => {
      await worker.request({ kind: 'commit' });
    },
    rollbackTransaction: async () => {
      await worker.request({ kind: 'rollback' });
    },
    releaseConnection: async () => {
      lock?.release();
    },
    destroy: () => worker.close(),
  };
}
