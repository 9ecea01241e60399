import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isCode } from '../../process/files.ts';
import { DatabaseUnusable } from '../database.ts';
import { SQLITE } from './errors.ts';

/** A log must not be left next to another database, because SQLite could apply it. */
export const LOG_SUFFIXES = ['-wal', '-shm', '-journal'] as const;

const OWNER_MAY_WRITE = 0o200;

export const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

const MAX_LISTED = 3;

/** The newest copies of `file` from before migrations and restores, newest first; see `stampOf` for their names. */
export function listKeptAside(file: string): readonly string[] {
  const start = `${basename(file)}.before-`;
  const names = existsSync(dirname(file)) ? readdirSync(dirname(file)) : [];
  return names
    .filter((name) => name.startsWith(start) && timeIn(name) !== '')
    .sort((a, b) => (timeIn(a) < timeIn(b) ? 1 : -1))
    .slice(0, MAX_LISTED)
    .map((name) => join(dirname(file), name));
}

const timeIn = (name: string): string => /\d{4}-\d\d-\d\dT\d+Z$/.exec(name)?.[0] ?? '';

/** Follows the name of the database in the name of a copy that a restore is preparing. */
export const INCOMING = '.incoming-';

/**
 * Removes the copies of restores that were killed. Call only with the lock on the data folder, which every restore
 * takes.
 */
export function removeIncoming(file: string): void {
  for (const name of readdirSync(dirname(file))) {
    if (name.startsWith(basename(file) + INCOMING)) rmSync(join(dirname(file), name), { force: true });
  }
}

/** SQLite treats an empty file as a new database. */
export const isDatabaseThere = (file: string): boolean => sizeOf(file) > 0;

/** SQLite would create a new database and delete a log that is left without its database, with the latest changes. */
export function refuseOrphanedLog(file: string): void {
  // Check the log first, because a process that creates a database writes the database file before the log.
  const log = [`${file}-wal`, `${file}-journal`].find(holdsChanges);
  if (log === undefined || isDatabaseThere(file)) return;
  throw new DatabaseUnusable(
    `There is no database at ${file}, but ${log} has the latest changes of one; put the database file back, or move ${log} to another folder first.`,
  );
}

/** A rollback journal starts with these bytes. Offset 16 holds the size of the database before the change, in pages. */
const JOURNAL_MAGIC = 'd9d505f920a163d7';
const JOURNAL_HEADER_BYTES = 20;
const JOURNAL_PAGES_OFFSET = 16;

/** The journal of a process that died while it was creating a database restores nothing. */
function holdsChanges(log: string): boolean {
  if (!log.endsWith('-journal')) return sizeOf(log) > 0;
  if (sizeOf(log) < JOURNAL_HEADER_BYTES) return false;
  const header = readHeader(log);
  return (
    header !== null &&
    header.toString('hex', 0, JOURNAL_MAGIC.length / 2) === JOURNAL_MAGIC &&
    header.readUInt32BE(JOURNAL_PAGES_OFFSET) > 0
  );
}

/** Returns `null` if another process has just removed the journal. */
function readHeader(journal: string): Buffer | null {
  const header = Buffer.alloc(JOURNAL_HEADER_BYTES);
  try {
    const descriptor = openSync(journal, 'r');
    try {
      readSync(descriptor, header, 0, JOURNAL_HEADER_BYTES, 0);
    } finally {
      closeSync(descriptor);
    }
    return header;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/**
 * Throws `DatabaseUnusable` if this user cannot read and write the database `file` and its logs. Without this check,
 * SQLite would open the database read-only and create a log with the same mode, so later starts would fail too.
 */
export function refuseReadOnlyFiles(file: string): void {
  for (const path of [file, ...LOG_SUFFIXES.map((suffix) => file + suffix)]) {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) continue;
    if ((stats.mode & OWNER_MAY_WRITE) === 0) {
      throw new DatabaseUnusable(`${path} is read-only; run chmod 600 on it.`);
    }
    try {
      accessSync(path, constants.R_OK | constants.W_OK);
    } catch (error) {
      // The last process to close the database removes its logs.
      if (isCode(error, 'ENOENT')) continue;
      throw new DatabaseUnusable(
        `This user has no read and write access to ${path}; run the command as its owner, or change its owner.`,
      );
    }
  }
}

/** Formats a time for a file name. */
export const stampOf = (at: string): string => at.replaceAll(/[:.]/g, '');

export type FileIdentity = Pick<Stats, 'dev' | 'ino'>;

export const identityOf = (path: string): FileIdentity | null =>
  statSync(path, { throwIfNoEntry: false }) ?? null;

/** Throws if the open file was moved or replaced, because later writes would be lost at a restart. */
export function requireInPlace(path: string, opened: FileIdentity): void {
  const current = identityOf(path);
  if (current?.ino === opened.ino && current.dev === opened.dev) return;
  throw Object.assign(
    new Error(`${path} was moved, removed or replaced while the database was open; put the same file back.`),
    // The primary code of SQLite's `SQLITE_READONLY_DBMOVED`.
    { errcode: SQLITE.READONLY },
  );
}

/** Longer than the resolution of file times: a folder that changed more recently may change without a new time. */
const FILE_CLOCK_STEP_MS = 100;

/**
 * Returns whether files may have been moved, removed or added since the last call. Cheaper than checking a file in use:
 * on Linux, after a file's times were read, the next write records new times in the journal.
 */
export function watchFolder(path: string): () => boolean {
  let settledMs: number | null = null;
  return () => {
    const modifiedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
    const isSame = modifiedMs !== null && modifiedMs === settledMs;
    const isSettled = modifiedMs !== null && Date.now() - modifiedMs > FILE_CLOCK_STEP_MS;
    settledMs = isSettled ? modifiedMs : null;
    return !isSame;
  };
}
