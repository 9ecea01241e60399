/** Opens a SQLite file with the settings that make an acknowledged write survive a crash, and checks them. */
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { DatabaseUnfit } from '../database.ts';
import { primaryCode, SQLITE_BUSY } from './errors.ts';
import { refuseOrphanedLog } from './files.ts';

/**
 * Kept short, since the built-in handler sleeps up to 100 ms between looks and would miss the gaps another
 * process leaves; `beginImmediate` looks again itself.
 */
const WRITER_BUSY_TIMEOUT_MS = 4;
export const READER_BUSY_TIMEOUT_MS = 5_000;
/** How long a writer waits for another process to finish its transaction. */
const WRITE_LOCK_DEADLINE_MS = 5_000;

interface Upkeep {
  readonly cacheKib: number;
  /** Pages of WAL from which on a commit writes them back into the file. */
  readonly checkpointPages: number;
}

/** What is written again and again is kept, and written back once. */
const FOR_LONG_WORK: Upkeep = { cacheKib: 65_536, checkpointPages: 4_096 };
/**
 * A page of the index of tokens is written for nearly every claim, and the same ones again: the longer the log, the fewer
 * are written back. Whoever comes and writes has to write it back, once.
 */
const FOR_LONG_WORK_ALONE: Upkeep = { ...FOR_LONG_WORK, checkpointPages: 16_384 };
/**
 * Whoever makes a checkpoint is held up by a millisecond or two; with 16 MiB of WAL it was twenty, for every thirtieth
 * request. The cache holds the inner pages of the indexes of millions of claims, and leaves come from the system's cache
 * as fast; a larger one costs, since after splitting a page SQLite looks through all of it at commit until the file has
 * 1 GiB.
 */
const FOR_SHORT_COMMITS: Upkeep = { cacheKib: 16_384, checkpointPages: 256 };

/** What was read is not read again soon: it need not be kept. */
const FOR_READING_IN_SEQUENCE: Upkeep = { ...FOR_LONG_WORK, cacheKib: 4_096 };

/**
 * Bytes that the log keeps on disk once it begins anew. While somebody reads, it only grows; what is longer than long
 * work needs is cut off with the next commit after the reader has finished.
 */
export const LOG_BYTES_KEPT = 64 * 1024 * 1024;

/** Older ones can corrupt a WAL that is reset while it is being written (sqlite.org/wal.html). */
const MINIMUM_VERSION = [3, 51, 3] as const;

export interface OpenOptions {
  readonly readOnly: boolean;
  /** Whether a file that is missing is made; otherwise opening it fails. */
  readonly create?: boolean;
  /** Whether it is read from one end to the other rather than here and there. */
  readonly inSequence?: boolean;
}

/** The address of `file` under which SQLite opens it only where it exists; under its path it would make it. */
export function existing(file: string): URL {
  const address = pathToFileURL(file);
  address.searchParams.set('mode', 'rw');
  return address;
}

/** Throws `DatabaseUnfit` when the file cannot be opened durably. */
export function openConnection(file: string, options: OpenOptions): DatabaseSync {
  refuseOrphanedLog(file);
  const connection = new DatabaseSync(options.create || options.readOnly ? file : existing(file), {
    timeout: READER_BUSY_TIMEOUT_MS,
    readOnly: options.readOnly,
    enableForeignKeyConstraints: true,
  });
  try {
    if (!options.readOnly) connection.exec('pragma journal_mode = wal');
    connection.exec('pragma synchronous = full; pragma temp_store = memory;');
    keepUp(connection, options.inSequence ? FOR_READING_IN_SEQUENCE : FOR_LONG_WORK);
    if (!options.readOnly) {
      connection.exec(`pragma journal_size_limit = ${LOG_BYTES_KEPT}`);
      // On macOS fsync alone leaves data in the drive's cache; elsewhere this changes nothing.
      connection.exec('pragma fullfsync = on; pragma checkpoint_fullfsync = on');
    }
    checkDurability(connection);
    if (!options.readOnly) connection.exec(`pragma busy_timeout = ${WRITER_BUSY_TIMEOUT_MS}`);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

const keepUp = (connection: DatabaseSync, { cacheKib, checkpointPages }: Upkeep): void =>
  connection.exec(`pragma cache_size = -${cacheKib}; pragma wal_autocheckpoint = ${checkpointPages}`);

/** From now on the connection's commits are short ones that someone waits for. */
export const keepCommitsShort = (connection: DatabaseSync): void => keepUp(connection, FOR_SHORT_COMMITS);

/** From now on the connection does long work, with or without others that write. */
export const keepLongWork = (connection: DatabaseSync, { alone }: { readonly alone: boolean }): void =>
  keepUp(connection, alone ? FOR_LONG_WORK_ALONE : FOR_LONG_WORK);

/** Differs from an earlier answer if another connection has written in between (sqlite.org/pragma.html#pragma_data_version). */
export const dataVersion = (connection: DatabaseSync): number => Number(pragma(connection, 'data_version'));

const pragma = (connection: DatabaseSync, name: string): unknown =>
  Object.values(connection.prepare(`pragma ${name}`).get() ?? {})[0];

/** The settings durability rests on, as the engine itself reports them. */
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
    throw new DatabaseUnfit(
      `SQLite ${settings['sqlite_version']} is older than ${MINIMUM_VERSION.join('.')} and can corrupt its write-ahead log; run Claimcheck on the Node.js it was built for.`,
    );
  }
  if (settings['journal_mode'] !== 'wal') {
    throw new DatabaseUnfit(
      `SQLite could not switch to write-ahead logging (journal mode is "${settings['journal_mode']}"); put the data folder on a local disk.`,
    );
  }
  // 2 is FULL, 3 EXTRA: both flush the log before a commit returns.
  if (settings['synchronous'] !== '2' && settings['synchronous'] !== '3') {
    throw new DatabaseUnfit(
      `SQLite reports synchronous = ${settings['synchronous']}; an acknowledged redemption could be lost at a power failure.`,
    );
  }
}

export const isBusy = (error: unknown): boolean => primaryCode(error) === SQLITE_BUSY;

/** Begins a write transaction, waiting for one of another process to end. Throws the engine's busy error at the deadline. */
export function beginImmediate(connection: DatabaseSync, deadlineMs = WRITE_LOCK_DEADLINE_MS): void {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    try {
      connection.exec('begin immediate');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
  }
}
