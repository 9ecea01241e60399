/** The embedded engine: one thread writes and another reads, so a long read never blocks a redemption. */

import { dirname } from 'node:path';
import { Kysely } from 'kysely';
import { makeDataFolder } from '../../process/files.ts';
import { COMMAND_NAME } from '../../process/version.ts';
import type { EpochMs } from '../../text/time-text.ts';
import { siblingModule } from '../batch.ts';
import { createTransaction } from '../create-transaction.ts';
import {
  type Database,
  type DatabaseReader,
  DatabaseUnavailable,
  DatabaseUnusable,
  type EventNumbers,
  monotonicMs,
  type Queryable,
  requireInTime,
} from '../database.ts';
import type { MigrationResult } from '../migrations/migrations.ts';
import { createBulkQueue } from '../pace.ts';
import type { Schema } from '../schema.ts';
import { createSemaphore } from '../semaphore.ts';
import { createBackupWriter } from './backup.ts';
import type { OpenOptions } from './connection.ts';
import { sqliteWorkerDialect } from './dialect.ts';
import { isDatabaseThere, refuseOrphanedLog } from './files.ts';
import { openFiller, openInlineReader } from './inline-worker.ts';
import { migrateSqlite } from './migrate.ts';
import { type SqliteWorker, startWorker } from './worker-client.ts';
import { createWriteLock } from './write-lock.ts';

export interface SqliteOptions {
  readonly file: string;
  /** Module that calls `serveFile` with a batch program; by default, a thread without a program. */
  readonly sqliteThread?: URL;
  readonly now: () => EpochMs;
  /** Reject a missing database instead of creating it. */
  readonly mustExist?: boolean;
  /** Called after the migration, also if none was needed. */
  readonly onMigrated?: (result: MigrationResult) => void;
  /** Reads in the calling thread instead of a second one (`openInlineReader`). Such a database runs no batches. */
  readonly readsInline?: boolean;
  /**
   * Runs transactions in this thread, much faster but not durably; see `openFiller`. Only for a database that is discarded
   * if filling it fails.
   */
  readonly isBeingFilled?: boolean;
  readonly reopenAfterMs?: number;
  readonly otherWriterMs?: number;
}

export const PLAIN_THREAD = siblingModule(import.meta.url, 'plain-thread');

/** Connections are reopened after failing for this long. No backup or import locks the database for that long. */
const REOPEN_AFTER_MS = 30_000;

/** Throws `DatabaseUnusable` if there is no database at `file`. */
export function requireDatabase(file: string): void {
  refuseOrphanedLog(file);
  if (isDatabaseThere(file)) return;
  throw new DatabaseUnusable(
    `There is no database at ${file}; set DATA_DIR to the folder that has one, or create one with ${COMMAND_NAME} migrate.`,
  );
}

/** Creates a missing database (unless `mustExist`) and migrates an older schema. Throws `DatabaseUnusable`. */
export async function openSqlite(options: SqliteOptions): Promise<Database> {
  if (options.mustExist) requireDatabase(options.file);
  makeDataFolder(dirname(options.file));
  const migrated = migrateSqlite(options.file, options.now);
  options.onMigrated?.(migrated);

  const { file, otherWriterMs, sqliteThread = PLAIN_THREAD } = options;
  const [writer, reader] = await Promise.all([
    startWorker(sqliteThread, { file, readOnly: false, otherWriterMs }),
    options.readsInline
      ? openInlineReader(file).then((worker) => readerOf(file, worker))
      : openSqliteReader(file),
  ]);
  const afterBatch = createCheckpointer(reader.worker);
  const lock = createWriteLock();
  const filler = options.isBeingFilled ? openFiller(file) : null;
  const exclusively = async <T>(work: () => Promise<T>): Promise<T> => {
    await lock.acquire();
    try {
      return await work();
    } finally {
      lock.release();
    }
  };
  const reopen = () =>
    exclusively(async () => {
      // Reopen all connections, because file locks belong to the process. The writer is last, as in `close`.
      for (const worker of [reader.worker, writer]) await worker.request({ kind: 'reopen' }).catch(() => {});
    });
  const reopening = createReopening(options.reopenAfterMs ?? REOPEN_AFTER_MS, reopen);

  // The writing thread refuses statements outside a transaction.
  const transaction = createTransaction(sqliteWorkerDialect(filler ?? writer, lock), {
    canRunWithoutBegin: false,
  });

  return {
    engine: 'sqlite',
    read: reader.read,
    source: reader.source,
    semaphore: reader.semaphore,
    backups: createBackupWriter(file),
    partitions: null,
    transaction,
    byKey: { read: reader.read, transaction },
    bulk: createBulkQueue(),
    upkeep: null,
    eventNumbers: createEventNumbers(reader.read),
    runBatch: async ({ sqlite: { encode, decode } }, input, deadlineMs) => {
      await lock.acquireShared();
      try {
        requireInTime(deadlineMs);
        const request = { kind: 'batch' as const, batch: encode(input), deadlineMs };
        const result = await reopening(() => writer.request(request));
        afterBatch();
        return decode(result);
      } finally {
        lock.releaseShared();
      }
    },
    hasOtherWriters: async () => (await writer.request({ kind: 'other-writers' })) as boolean,
    checkWritable: async () => {
      if (writer.hasSeenDamage() || reader.worker.hasSeenDamage()) {
        throw new DatabaseUnavailable('The database file is damaged, or cannot be read from the disk.');
      }
      await exclusively(() => reopening(() => writer.request({ kind: 'check' })));
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
        connectionLimit: null,
      };
    },
    close: () =>
      exclusively(async () => {
        // Close the writer last: the last connection checkpoints the WAL when it closes, and a reader cannot do that.
        await filler?.close();
        await reader.close();
        await writer.close();
      }),
  };
}

/** Write transactions are serial, so each number is committed before the next number is drawn. */
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

/**
 * Calls `reopen` after work has failed with `DatabaseUnavailable` for `afterMs` without a success. After a failed lock
 * call, SQLite may keep a lock until the process closes every connection.
 */
export function createReopening(afterMs: number, reopen: () => Promise<void>) {
  let failingSinceMs: number | null = null;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      const result = await work();
      failingSinceMs = null;
      return result;
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;
      const at = monotonicMs();
      failingSinceMs ??= at;
      if (at - failingSinceMs >= afterMs) {
        failingSinceMs = null;
        void reopen();
      }
      throw error;
    }
  };
}

/** Most changed pages are written several times before a checkpoint, and it takes only milliseconds. */
export const EVERY_BATCHES = 64;

/**
 * In the reader thread: in the writer's, callers would wait milliseconds, and a third one would take 20 MB of memory.
 */
function createCheckpointer(reader: SqliteWorker) {
  let batches = 0;
  let isRunning = false;
  return (): void => {
    batches += 1;
    if (batches < EVERY_BATCHES || isRunning) return;
    batches = 0;
    isRunning = true;
    // Ignore failures: commits are safe in the WAL, and the writer detects a failing disk and checkpoints an overlong
    // WAL.
    const checkpoint = reader.request({ kind: 'checkpoint' }).catch(() => {});
    void checkpoint.then(() => {
      isRunning = false;
    });
  };
}

const CONCURRENT_READS = 4;

type SqliteReader = DatabaseReader & { readonly worker: SqliteWorker };

const readerOf = (file: string, worker: SqliteWorker): SqliteReader => ({
  engine: 'sqlite',
  semaphore: createSemaphore(CONCURRENT_READS),
  read: new Kysely<Schema>({ dialect: sqliteWorkerDialect(worker, null) }),
  source: async () => ({ engine: 'sqlite', address: file }),
  worker,
  close: () => worker.close(),
});

/** Opens a reader in a separate thread. Throws the same errors as `openConnection`, or `DatabaseUnavailable`. */
export async function openSqliteReader(
  file: string,
  options: Pick<OpenOptions, 'inSequence'> = {},
): Promise<SqliteReader> {
  return readerOf(file, await startWorker(PLAIN_THREAD, { ...options, file, readOnly: true }));
}
