/** Reads of the embedded database, in a separate thread. */
import { Kysely } from 'kysely';
import type { DatabaseReader } from '../database.ts';
import type { Schema } from '../schema.ts';
import { createSemaphore } from '../semaphore.ts';
import type { OpenOptions } from './connection.ts';
import { sqliteWorkerDialect } from './dialect.ts';
import { type SqliteWorker, startWorker } from './worker-client.ts';

export interface SqliteReader extends DatabaseReader {
  readonly worker: SqliteWorker;
}

/** Callers admitted at a time: requests of a few of them keep the thread busy. */
const AT_A_TIME = 4;

/** Throws `DatabaseUnavailable` when the file cannot be opened, `DatabaseUnfit` when it must not be used as it is. */
export async function openSqliteReader(
  file: string,
  options: Pick<OpenOptions, 'inSequence'> = {},
): Promise<SqliteReader> {
  const worker = await startWorker({ ...options, file, readOnly: true, programs: {} });
  const read = new Kysely<Schema>({ dialect: sqliteWorkerDialect(worker, null) });
  return {
    engine: 'sqlite',
    admission: createSemaphore(AT_A_TIME),
    read,
    source: async () => ({ engine: 'sqlite', address: file }),
    worker,
    close: async () => {
      await read.destroy();
      // Kysely does not close a dialect that was never used.
      await worker.close();
    },
  };
}
