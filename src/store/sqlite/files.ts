/** The files of the embedded database, and what must be true of them before SQLite is given one. */
import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { DatabaseUnfit } from '../database.ts';
import { SQLITE_READONLY } from './errors.ts';

/** The files that belong to a database, and that SQLite must never find beside another one. */
export const LOG_SUFFIXES = ['-wal', '-shm', '-journal'] as const;

const OWNER_MAY_WRITE = 0o200;

/** 0 where there is no such file. */
export const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Whether `file` holds a database. An empty file is none: SQLite makes a new one of it. */
export const isDatabaseThere = (file: string): boolean => sizeOf(file) > 0;

/**
 * Throws `DatabaseUnfit` where `file` is missing or empty and a log beside it is not: SQLite would make a new database
 * and delete that log, which holds the latest changes of the database that was moved away.
 */
export function refuseOrphanedLog(file: string): void {
  // The log first: another process that makes this database writes to the file before it writes to the log.
  const log = [`${file}-wal`, `${file}-journal`].find(holdsChanges);
  if (log === undefined || isDatabaseThere(file)) return;
  throw new DatabaseUnfit(
    `There is no database at ${file}, but ${log} holds the latest changes of one; put the database file back, or move ${log} to another folder first.`,
  );
}

/** Identifies the header of a rollback journal; the size of the database before the change, in pages, is at 16. */
const JOURNAL_MAGIC = 'd9d505f920a163d7';
const JOURNAL_HEADER_BYTES = 20;
const JOURNAL_PAGES_OFFSET = 16;

/** A journal left by a process that ended while it made a new database changes nothing: there was no page before. */
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

/** `null`: another process has ended its change since and removed the journal. */
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
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Throws `DatabaseUnfit` where this user may not write one of the files: SQLite would open the database for reading
 * and give its new log the same mode, and later starts would fail.
 */
export function refuseReadOnlyFiles(file: string): void {
  for (const path of [file, ...LOG_SUFFIXES.map((suffix) => file + suffix)]) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) continue;
    if ((found.mode & OWNER_MAY_WRITE) === 0) {
      throw new DatabaseUnfit(`${path} is read-only; run chmod 600 on it.`);
    }
    try {
      accessSync(path, constants.R_OK | constants.W_OK);
    } catch (error) {
      // The last process that closes the database removes its logs.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue;
      throw new DatabaseUnfit(
        `This user may not read and write ${path}; run the command as its owner, or change its owner.`,
      );
    }
  }
}

/** Which file a path leads to. */
export interface FileIdentity {
  readonly dev: number;
  readonly ino: number;
}

/** `null` where there is no file. */
export function identityOf(path: string): FileIdentity | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : { dev: found.dev, ino: found.ino };
}

/** The open file is no longer the one at its path: what is written to it would not be found after a restart. */
export class DatabaseFileMoved extends Error {
  /** The primary code of SQLite's own error for this, `SQLITE_READONLY_DBMOVED`. */
  readonly errcode = SQLITE_READONLY;

  constructor(path: string) {
    super(`${path} was moved, removed or replaced while the database was open; put the same file back.`);
    this.name = 'DatabaseFileMoved';
  }
}

/** Throws `DatabaseFileMoved` unless `path` leads to the file of this identity. */
export function requireInPlace(path: string, identity: FileIdentity): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.ino !== identity.ino || found.dev !== identity.dev) throw new DatabaseFileMoved(path);
}

/** More than a step of the clock that gives files their times: two changes within one step have the same time. */
const FILE_CLOCK_STEP_MS = 100;

/**
 * Returns a function that says whether a file of the folder may have been moved, removed or added since its last call.
 * It is cheaper than looking at a file that is being written: on Linux, the next write after a look at the file's times
 * has to note new ones in the journal of the file system.
 */
export function watchFolder(path: string): () => boolean {
  let known: number | null = null;
  return () => {
    const modifiedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
    const isSame = modifiedMs !== null && modifiedMs === known;
    const isSettled = modifiedMs !== null && Date.now() - modifiedMs > FILE_CLOCK_STEP_MS;
    known = isSettled ? modifiedMs : null;
    return !isSame;
  };
}
