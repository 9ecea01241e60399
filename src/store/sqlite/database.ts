/** The embedded engine: one thread that writes, one that reads, so a long read never holds up a redemption. */

import { dirname } from 'node:path';
import { Kysely } from 'kysely';
import { makeDataFolder } from '../../process/files.ts';
import type { EpochMs } from '../../text/time-text.ts';
import type { SqliteModule } from '../batch.ts';
import {
  type Database,
  DatabaseUnavailable,
  DatabaseUnfit,
  type EventNumbers,
  type Queryable,
  requireInTime,
} from '../database.ts';
import type { Schema } from '../schema.ts';
import { createCheckpointer } from './checkpointer.ts';
import { sqliteWorkerDialect } from './dialect.ts';
import { isDatabaseThere, refuseOrphanedLog } from './files.ts';
import { createLock } from './lock.ts';
import { migrateSqlite } from './migrate.ts';
import { openSqliteReader } from './reader.ts';
import { createReopening } from './reopening.ts';
import { startWorker } from './worker-client.ts';

export interface SqliteOptions {
  readonly file: string;
  readonly programs: readonly SqliteModule[];
  readonly now: () => EpochMs;
  readonly mustExist?: boolean | undefined;
  readonly reopenAfterMs?: number;
  readonly otherWriterMs?: number;
}

/** Long enough for a backup or an import of another process to end. */
const REOPEN_AFTER_MS = 30_000;

/** Throws `DatabaseUnfit` where there is no database at `file`. */
export function requireDatabase(file: string): void {
  refuseOrphanedLog(file);
  if (isDatabaseThere(file)) return;
  throw new DatabaseUnfit(
    `There is no database at ${file}; set DATA_DIR to the folder that has one, or make one with claimcheck serve or claimcheck migrate.`,
  );
}

/**
 * Opens the file, migrating it, and creating it unless it must exist. Throws `DatabaseUnfit` when it must not be used as
 * it is.
 */
export async function openSqlite(options: SqliteOptions): Promise<Database> {
  if (options.mustExist) requireDatabase(options.file);
  makeDataFolder(dirname(options.file));
  migrateSqlite(options.file, options.now);

  const { file, otherWriterMs } = options;
  const programs = Object.fromEntries(options.programs.map((p) => [p.name, p.sqlite.module.href]));
  const [writer, reader] = await Promise.all([
    startWorker({ file, readOnly: false, programs, otherWriterMs }),
    openSqliteReader(file),
  ]);
  const checkpointer = createCheckpointer(reader.worker);
  const lock = createLock();
  const write = new Kysely<Schema>({ dialect: sqliteWorkerDialect(writer, lock) });
  const reopen = async () => {
    await lock.acquire();
    // All, since the locks of a file belong to the process; the writer last, as in `close`.
    for (const worker of [reader.worker, writer]) await worker.request({ kind: 'reopen' }).catch(() => {});
    lock.release();
  };
  const reopening = createReopening(options.reopenAfterMs ?? REOPEN_AFTER_MS, reopen);

  return {
    engine: 'sqlite',
    read: reader.read,
    source: reader.source,
    admission: reader.admission,
    partitions: null,
    transaction: (work) => write.transaction().execute(work),
    upkeep: null,
    eventNumbers: createEventNumbers(reader.read),
    runBatch: async ({ name, sqlite: { encode, decode } }, input, deadlineMs) => {
      await lock.acquireShared();
      try {
        requireInTime(deadlineMs);
        const request = { kind: 'batch' as const, program: name, batch: encode(input), deadlineMs };
        const result = await reopening(() => writer.request(request));
        checkpointer.committed();
        return decode(result);
      } finally {
        lock.releaseShared();
      }
    },
    hasOtherWriters: async () => (await writer.request({ kind: 'other-writers' })) as boolean,
    checkWritable: async () => {
      if (writer.hasSeenDamage() || reader.worker.hasSeenDamage()) {
        throw new DatabaseUnavailable('The database file is damaged, or the disk fails to read it.');
      }
      await lock.acquire();
      try {
        await reopening(() => writer.request({ kind: 'check' }));
      } finally {
        lock.release();
      }
      return true;
    },
    report: async () => {
      const settings = (await writer.request({ kind: 'report' })) as Record<string, string>;
      return {
        engine: 'sqlite',
        software: `SQLite ${settings['sqlite_version'] ?? 'unknown'}`,
        location: options.file,
        settings,
        servers: [],
        hasFailover: false,
      };
    },
    close: async () => {
      await lock.acquire();
      // The writer last: the last connection writes the log back into the file, which a reader cannot.
      await reader.close();
      await write.destroy();
      await writer.close();
    },
  };
}

/** Transactions follow each other, and each commits the numbers that it draws. */
const createEventNumbers = (read: Queryable): EventNumbers => ({
  lastDrawn: async () => {
    const { seq } = await read
      .selectFrom('event_rows')
      .select(({ fn }) => fn.max('seq').as('seq'))
      .executeTakeFirstOrThrow();
    return seq ?? 0;
  },
  writers: async () => new Set(),
});
