/** Copies of the embedded database, and checks of such copies. */
import { closeSync, existsSync, fdatasyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { getSystemErrorMessage } from 'node:util';
import { messageOf } from '../../process/failure.ts';
import { flush } from '../../process/files.ts';
import { runCommand } from '../../process/run-command.ts';
import { siblingModule } from '../batch.ts';
import { type BackupWriter, DatabaseUnusable } from '../database.ts';
import { LAST_BACKUP_AT } from '../settings.ts';
import { existingFileUrl, READER_BUSY_TIMEOUT_MS } from './connection.ts';
import { isDamaged, primaryCode, SQLITE } from './errors.ts';

const PROGRAM = fileURLToPath(siblingModule(import.meta.url, 'backup-process'));

export const createBackupWriter = (file: string): BackupWriter => ({
  ending: 'db',
  problem: null,
  write: (target, signal) => runCommand(process.execPath, [PROGRAM, file, target], { signal }),
});

function refuseExisting(target: string): void {
  if (existsSync(target)) throw new DatabaseUnusable(`${target} already exists; name a file that does not.`);
}

/** Checks a complete copy. An error fails the backup. */
type CheckCopy = (copy: string) => void;

/**
 * Writes a consistent and compact copy of `file` to `target`, which must not exist. The copy is renamed to `target`
 * after it has been flushed and `check` has returned. Call only while no service is writing to `file`: redemptions
 * would wait for the writes of the copy. Throws `DatabaseUnusable` if `target` exists or cannot be written.
 */
export function writeBackup(file: string, target: string, check?: CheckCopy): void {
  using source = openSource(file);
  const partial = createPartial(target);
  try {
    source.prepare('vacuum into ?').run(partial);
    complete(partial, target, check);
  } catch (error) {
    throw explained(error, target);
  } finally {
    removePartial(partial);
  }
}

/**
 * Like `writeBackup`, but hardly delays redemptions. Also copies free pages, which `secure_delete` has overwritten.
 * `signal` ends the copy between two steps, and deletes it.
 */
export async function writePacedBackup(
  file: string,
  target: string,
  check?: CheckCopy,
  signal?: AbortSignal,
): Promise<void> {
  using source = openSource(file);
  const partial = createPartial(target);
  try {
    await copyInSteps(source, partial, signal);
    complete(partial, target, check);
  } catch (error) {
    throw explained(error, target);
  } finally {
    removePartial(partial);
  }
}

/** Small, because a commit waits for the flush of a step. With 16 pages, a copy takes four times as long. */
const PAGES_A_STEP = 64;
/** Pause after a step, as a multiple of its duration. With a pause of 1, the p99 of redemptions is twice as high. */
const STEP_PAUSES = 3;
const MIN_PAUSE_MS = 1;

const openSource = (file: string): DatabaseSync =>
  new DatabaseSync(file, { readOnly: true, timeout: READER_BUSY_TIMEOUT_MS });

async function copyInSteps(source: DatabaseSync, copy: string, signal?: AbortSignal): Promise<void> {
  // All steps copy the state that this transaction reads. Without it, each write by a service would restart the copy.
  source.exec('begin');
  source.prepare('select count(*) from sqlite_schema').get();
  const descriptor = openSync(copy, 'r+');
  const pause = new Int32Array(new SharedArrayBuffer(4));
  let startedAt = performance.now();
  try {
    await backup(source, copy, {
      rate: PAGES_A_STEP,
      progress: () => {
        signal?.throwIfAborted();
        fdatasyncSync(descriptor);
        const elapsedMs = performance.now() - startedAt;
        Atomics.wait(pause, 0, 0, Math.max(STEP_PAUSES * elapsedMs, MIN_PAUSE_MS));
        startedAt = performance.now();
      },
    });
  } finally {
    closeSync(descriptor);
  }
  // The copy has the source's journal mode. In WAL mode, even a reader would create files next to it.
  using written = new DatabaseSync(copy);
  written.exec('pragma journal_mode = delete');
}

/** Creates the file in advance, so that only its owner can access it. SQLite accepts an empty file. */
function createPartial(target: string): string {
  refuseExisting(target);
  const partial = `${target}.partial-${process.pid}`;
  try {
    rmSync(partial, { force: true });
    closeSync(openSync(partial, 'wx', 0o600));
  } catch (error) {
    throw explained(error, target);
  }
  return partial;
}

function complete(partial: string, target: string, check: CheckCopy | undefined): void {
  flush(partial);
  check?.(partial);
  // Another backup may have created `target` in the meantime, and renaming would replace it. Creating a hard link
  // would fail instead, but many file systems don't support hard links.
  refuseExisting(target);
  renameSync(partial, target);
  flush(dirname(target));
}

/** If the disk is full, SQLite leaves its files next to the copy. */
function removePartial(partial: string): void {
  for (const ending of ['', '-journal', '-wal', '-shm']) rmSync(`${partial}${ending}`, { force: true });
}

/** Records the time in the database that was backed up, for the system page. Returns false on failure. */
export function rememberBackup(file: string, at: string): boolean {
  try {
    using connection = new DatabaseSync(existingFileUrl(file), { timeout: READER_BUSY_TIMEOUT_MS });
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

/** Returns a `DatabaseUnusable` if `target` can't be written, and otherwise `error`. */
function explained(error: unknown, target: string): unknown {
  if (!(error instanceof Error)) return error;
  const { code, errno, syscall } = error as NodeJS.ErrnoException;
  const unusable = (cause: string) => new DatabaseUnusable(`${target} cannot be written: ${cause}.`);
  if (code === 'ENOSPC' || primaryCode(error) === SQLITE.FULL) {
    return unusable('the disk is full; free some space, then try again');
  }
  if (syscall !== undefined && errno !== undefined) return unusable(getSystemErrorMessage(errno));
  return TARGET_FAULTS.has(primaryCode(error) ?? 0) ? unusable(error.message) : error;
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
