/** Opens SQLite files with settings that make acknowledged writes survive a crash, and checks the settings. */
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { foldCase } from '../../text/fold-case.ts';
import { DatabaseUnusable } from '../database.ts';
import { isBusy } from './errors.ts';
import { refuseOrphanedLog } from './files.ts';
import { refuseMoved } from './moved.ts';

/**
 * Short: SQLite's busy handler sleeps up to 100 ms and misses pauses between transactions. `beginImmediate` retries.
 */
const WRITER_BUSY_TIMEOUT_MS = 4;
export const READER_BUSY_TIMEOUT_MS = 5_000;
const WRITE_LOCK_DEADLINE_MS = 5_000;

interface Tuning {
  readonly cacheKib: number;
  readonly checkpointPages: number;
}

/**
 * A large cache, so that pages that are written repeatedly stay in memory. A commit of another writer waits for the
 * flush of a checkpoint, so checkpoints are short.
 */
const FOR_LONG_WORK: Tuning = { cacheKib: 32_768, checkpointPages: 500 };
/**
 * For long work without other writers. Claims often write pages of the token index that are already in the WAL, so a
 * longer WAL means fewer pages to checkpoint. If another writer appears, it may wait for one long checkpoint.
 */
const FOR_LONG_WORK_ALONE: Tuning = { ...FOR_LONG_WORK, checkpointPages: 16_384 };
/**
 * A separate connection checkpoints after short commits (`createCheckpointer`); if it falls behind `checkpointPages`,
 * the next commit checkpoints. The cache holds the inner index pages of millions of claims; a larger one is slower,
 * because SQLite searches all of it at a commit after a page split while the file is smaller than 1 GiB.
 */
const FOR_SHORT_COMMITS: Tuning = { cacheKib: 8_192, checkpointPages: 4_096 };

/** Pages read in sequence are rarely read again, so the cache is small. */
const FOR_READING_IN_SEQUENCE: Tuning = { ...FOR_LONG_WORK, cacheKib: 4_096 };

/** The WAL is truncated to this size when it is reset. It grows larger only during a long read. */
export const LOG_BYTES_KEPT = 64 * 1024 * 1024;

/** Older versions of SQLite can corrupt a WAL that is reset during a write (sqlite.org/wal.html). */
const MINIMUM_VERSION = [3, 51, 3] as const;

export interface OpenOptions {
  readonly readOnly: boolean;
  /** Create the file if it is missing. Without this option, opening a missing file fails. */
  readonly create?: boolean;
  readonly inSequence?: boolean;
}

/** Returns a URL with `mode=rw`. If SQLite opened the path instead, it would create a missing file. */
export function existingFileUrl(file: string): URL {
  const address = pathToFileURL(file);
  address.searchParams.set('mode', 'rw');
  return address;
}

/** Throws `DatabaseUnusable` if the settings would not make writes durable, and SQLite's error if opening fails. */
export function openConnection(file: string, options: OpenOptions): DatabaseSync {
  refuseOrphanedLog(file);
  const connection = new DatabaseSync(options.create || options.readOnly ? file : existingFileUrl(file), {
    timeout: READER_BUSY_TIMEOUT_MS,
    readOnly: options.readOnly,
    enableForeignKeyConstraints: true,
  });
  try {
    if (!options.readOnly) connection.exec('pragma journal_mode = wal');
    connection.exec('pragma synchronous = full; pragma temp_store = memory; pragma trusted_schema = off');
    tune(connection, options.inSequence ? FOR_READING_IN_SEQUENCE : FOR_LONG_WORK);
    if (!options.readOnly) {
      connection.exec(`pragma journal_size_limit = ${LOG_BYTES_KEPT}`);
      // Backups copy free pages too, so deleted personal data must not remain in them.
      connection.exec('pragma secure_delete = on');
      // On macOS, fsync doesn't flush the drive's cache. Other systems ignore these settings.
      connection.exec('pragma fullfsync = on; pragma checkpoint_fullfsync = on');
    }
    checkDurability(connection);
    // A starting process may have checked the schema on an earlier connection, before the data was moved.
    refuseMoved(connection);
    // For searches, because `lower` folds only ASCII letters.
    connection.function('fold_case', { deterministic: true, directOnly: true }, (text) =>
      foldCase(String(text)),
    );
    if (!options.readOnly) connection.exec(`pragma busy_timeout = ${WRITER_BUSY_TIMEOUT_MS}`);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

const tune = (connection: DatabaseSync, { cacheKib, checkpointPages }: Tuning): void =>
  connection.exec(`pragma cache_size = -${cacheKib}; pragma wal_autocheckpoint = ${checkpointPages}`);

export const tuneForShortCommits = (connection: DatabaseSync): void => tune(connection, FOR_SHORT_COMMITS);

/** `alone`: there are no other writers. */
export const tuneForLongWork = (connection: DatabaseSync, { alone }: { readonly alone: boolean }): void =>
  tune(connection, alone ? FOR_LONG_WORK_ALONE : FOR_LONG_WORK);

/** Checkpoints as much of the WAL as readers allow, without blocking a writer. */
export const checkpoint = (connection: DatabaseSync): void =>
  connection.exec('pragma wal_checkpoint(passive)');

/** A number that changes when another connection writes (sqlite.org/pragma.html#pragma_data_version). */
export const dataVersion = (connection: DatabaseSync): number => Number(pragma(connection, 'data_version'));

const pragma = (connection: DatabaseSync, name: string): unknown =>
  Object.values(connection.prepare(`pragma ${name}`).get() ?? {})[0];

export function durabilitySettings(connection: DatabaseSync): Record<string, string> {
  const version = connection.prepare('select sqlite_version() as version').get()?.['version'];
  return {
    sqlite_version: String(version),
    journal_mode: String(pragma(connection, 'journal_mode')),
    synchronous: String(pragma(connection, 'synchronous')),
  };
}

function checkDurability(connection: DatabaseSync): void {
  const settings = durabilitySettings(connection);
  const parts = (settings['sqlite_version'] ?? '').split('.').map(Number);
  const difference =
    MINIMUM_VERSION.map((minimum, index) => (parts[index] ?? 0) - minimum).find((d) => d !== 0) ?? 0;
  if (difference < 0) {
    throw new DatabaseUnusable(
      `SQLite ${settings['sqlite_version']} is older than ${MINIMUM_VERSION.join('.')} and can corrupt its write-ahead log; run Claimcheck on the Node.js version that it was built for.`,
    );
  }
  if (settings['journal_mode'] !== 'wal') {
    throw new DatabaseUnusable(
      `SQLite could not switch to write-ahead logging (journal mode is "${settings['journal_mode']}"); put the data folder on a local disk.`,
    );
  }
  // 2 is FULL, 3 is EXTRA. Both flush the WAL before a commit returns.
  if (settings['synchronous'] !== '2' && settings['synchronous'] !== '3') {
    throw new DatabaseUnusable(
      `SQLite reports synchronous = ${settings['synchronous']}; an acknowledged redemption could be lost in a power failure.`,
    );
  }
}

/** Retries `attempt` while the file is locked. Throws SQLite's busy error after `deadlineMs`. */
export function whileBusy<T>(attempt: () => T, deadlineMs: number): T {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
  }
}

export const beginImmediate = (connection: DatabaseSync, deadlineMs = WRITE_LOCK_DEADLINE_MS): void =>
  whileBusy(() => connection.exec('begin immediate'), deadlineMs);
