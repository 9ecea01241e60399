/** `VACUUM INTO` reads in one transaction. SQLite's online backup restarts after each write and might never finish. */
import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { getSystemErrorMessage } from 'node:util';
import { Worker } from 'node:worker_threads';
import { messageOf } from '../../process/failure.ts';
import { flush } from '../../process/files.ts';
import { runCommand } from '../../process/run-command.ts';
import { siblingModule } from '../batch.ts';
import { type BackupWriter, DatabaseUnusable } from '../database.ts';
import { LAST_BACKUP_AT } from '../settings.ts';
import { existing, READER_BUSY_TIMEOUT_MS } from './connection.ts';
import { isDamaged, primaryCode, SQLITE } from './errors.ts';

const PROGRAM = fileURLToPath(siblingModule(import.meta.url, 'backup-process'));

export const createBackupWriter = (file: string): BackupWriter => ({
  ending: 'db',
  problem: null,
  write: (target, signal) => runCommand(process.execPath, [PROGRAM, file, target], { signal }),
});

/** Flushes `file` every few milliseconds until the returned function is called. */
function flushOften(file: string): () => void {
  const flusher = new Worker(siblingModule(import.meta.url, 'flusher'), { workerData: file });
  // Ignore errors, because `writeBackup` flushes the complete copy.
  flusher.on('error', () => {});
  return () => void flusher.terminate();
}

function refuseExisting(target: string): void {
  if (existsSync(target)) throw new DatabaseUnusable(`${target} already exists; name a file that does not.`);
}

/**
 * Writes a consistent copy of `file` to `target`, which must not exist. The copy is renamed to `target` after it has
 * been flushed and `check` has returned. Throws `DatabaseUnusable` if `target` exists or cannot be written.
 */
export function writeBackup(file: string, target: string, check?: (copy: string) => void): void {
  refuseExisting(target);
  const partial = `${target}.partial-${process.pid}`;
  // Create the file first, so that only its owner can access it. `vacuum into` accepts an empty file.
  writing(target, () => {
    rmSync(partial, { force: true });
    closeSync(openSync(partial, 'wx', 0o600));
  });
  const stopFlushing = flushOften(partial);
  try {
    using connection = new DatabaseSync(file, { readOnly: true, timeout: READER_BUSY_TIMEOUT_MS });
    writing(target, () => {
      connection.prepare('vacuum into ?').run(partial);
      flush(partial);
      check?.(partial);
      // Another backup may have created `target` in the meantime, and renaming would replace it. Creating a hard link
      // would fail instead, but many file systems don't support hard links.
      refuseExisting(target);
      renameSync(partial, target);
      flush(dirname(target));
    });
  } finally {
    stopFlushing();
    rmSync(partial, { force: true });
    // SQLite leaves it if the disk is full.
    rmSync(`${partial}-journal`, { force: true });
  }
}

/** Records the time in the database that was backed up, for the system page. Returns false on failure. */
export function rememberBackup(file: string, at: string): boolean {
  try {
    using connection = new DatabaseSync(existing(file), { timeout: READER_BUSY_TIMEOUT_MS });
    connection
      .prepare(
        'insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
      )
      .run(LAST_BACKUP_AT, at);
    return true;
  } catch {
    return false;
  }
}

/** SQLite's error codes for a copy that cannot be written. `IOERR` may also mean that the database cannot be read. */
const TARGET_FAULTS = new Set<number>([SQLITE.READONLY, SQLITE.CANTOPEN, SQLITE.IOERR]);

function writing(target: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { code, errno, syscall } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || primaryCode(error) === SQLITE.FULL) {
      throw new DatabaseUnusable(
        `${target} cannot be written: the disk is full; free some space, then try again.`,
      );
    }
    if (syscall !== undefined && errno !== undefined) {
      throw new DatabaseUnusable(`${target} cannot be written: ${getSystemErrorMessage(errno)}.`);
    }
    if (TARGET_FAULTS.has(primaryCode(error) ?? 0)) {
      throw new DatabaseUnusable(`${target} cannot be written: ${error.message}.`);
    }
    throw error;
  }
}

/** Up to this file size, the check compares indexes with their rows, which takes a few seconds. */
const FULL_CHECK_BYTES = 256 * 1024 * 1024;
const MAX_FINDINGS = 5;

export interface IntegrityOptions {
  /** Also compare the indexes of a large file, which may take minutes. */
  readonly full: boolean;
  readonly fullUpToBytes?: number;
}

interface IntegrityReport {
  readonly isFull: boolean;
  readonly findings: readonly string[];
}

/** Can run while a server is using the file. Throws SQLite's error if the file cannot be opened. */
export function checkIntegrity(
  file: string,
  { full, fullUpToBytes = FULL_CHECK_BYTES }: IntegrityOptions,
): IntegrityReport {
  const isFull = full || statSync(file).size <= fullUpToBytes;
  using connection = new DatabaseSync(file, { readOnly: true, timeout: READER_BUSY_TIMEOUT_MS });
  try {
    const check = isFull ? 'integrity_check' : 'quick_check';
    const rows = connection.prepare(`pragma ${check}(${MAX_FINDINGS})`).all();
    const findings = rows.map((row) => String(Object.values(row)[0])).filter((finding) => finding !== 'ok');
    return { isFull, findings };
  } catch (error) {
    if (!(error instanceof Error) || !isDamaged(error)) throw error;
    return { isFull, findings: [error.message] };
  }
}

/**
 * Throws `DatabaseUnusable` unless `file` is an intact Claimcheck database. `examine` runs before the check of the
 * content, which evaluates expressions of the schema.
 */
export function checkBackup(file: string, examine?: (connection: DatabaseSync) => void): void {
  if (!existsSync(file)) throw new DatabaseUnusable(`${file} does not exist.`);
  try {
    using connection = new DatabaseSync(file, { readOnly: true });
    connection.exec('pragma trusted_schema = off');
    const migrations = connection
      .prepare("select 1 from sqlite_schema where name = 'schema_migrations' and type = 'table'")
      .get();
    if (migrations === undefined) {
      throw new DatabaseUnusable(`${file} is not a Claimcheck backup: it has no table schema_migrations.`);
    }
    examine?.(connection);
    const verdict = connection.prepare('pragma integrity_check').get()?.['integrity_check'];
    if (verdict !== 'ok') throw new DatabaseUnusable(`${file} is damaged: ${String(verdict)}`);
  } catch (error) {
    if (error instanceof DatabaseUnusable) throw error;
    const fault = primaryCode(error) === SQLITE.CORRUPT ? 'damaged' : 'not a Claimcheck backup';
    throw new DatabaseUnusable(`${file} is ${fault}: ${messageOf(error)}.`);
  }
}
