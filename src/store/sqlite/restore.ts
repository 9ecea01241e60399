/** Replaces the embedded database by a backup, and keeps the old one. */
import { existsSync, linkSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../../folder.ts';
import { DatabaseUnfit } from '../database.ts';
import { refuseNewerSchema } from '../migrations/migrations.ts';
import { checkBackup, flush, writeBackup } from './backup.ts';
import { isBusy } from './connection.ts';
import { isDamaged } from './errors.ts';
import { isDatabaseThere, LOG_SUFFIXES, refuseReadOnlyFiles } from './files.ts';
import { schemaVersion } from './migrate.ts';

export interface RestoreResult {
  /** Where the database that was there, or the log of one, is kept now; `null` where there was neither. */
  readonly keptAside: string | null;
}

/**
 * Replaces the database `file` by `backup` in one step, so that there is always one. Throws `DatabaseUnfit` when the
 * backup is damaged or from a newer version, and while any process has the database open.
 */
export function restoreBackup(backup: string, file: string, nowMs: number): RestoreResult {
  checkBackup(backup);
  refuseNewerBackup(backup);
  if (existsSync(file) && realpathSync(file) === realpathSync(backup)) {
    throw new DatabaseUnfit(`${backup} is the database itself; name the backup to restore.`);
  }
  makeFolder(dirname(file));
  const incoming = `${file}.incoming-${process.pid}`;
  rmSync(incoming, { force: true });
  writeBackup(backup, incoming);
  try {
    const stamp = new Date(nowMs).toISOString().replaceAll(':', '').replace('.', '');
    const keptAside = putAside(file, `${file}.before-restore-${stamp}`, () => renameSync(incoming, file));
    return { keptAside };
  } finally {
    rmSync(incoming, { force: true });
  }
}

/**
 * Keeps the database `file` and its logs under the name `aside`, then lets `replace` put the new one in its place.
 * Returns the first of the kept files, or `null` where there was none.
 */
function putAside(file: string, aside: string, replace: () => void): string | null {
  const kept: string[] = [];
  const release = isDatabaseThere(file) ? holdAlone(file) : () => {};
  try {
    if (existsSync(file)) {
      linkSync(file, aside);
      kept.push(aside);
    }
    for (const suffix of LOG_SUFFIXES) {
      if (!existsSync(file + suffix)) continue;
      renameSync(file + suffix, aside + suffix);
      kept.push(aside + suffix);
    }
    // A file system may bring these steps and the next one to disk in any order, and an old log beside the new database
    // would be applied to it.
    flush(dirname(file));
    replace();
    flush(dirname(file));
  } finally {
    release();
  }
  return kept[0] ?? null;
}

function refuseNewerBackup(backup: string): void {
  const connection = new DatabaseSync(backup, { readOnly: true });
  try {
    refuseNewerSchema(schemaVersion(connection));
  } finally {
    connection.close();
  }
}

/**
 * Locks the database for this process and returns how to release it. SQLite leaves write-ahead mode only if no other
 * process has the file open, so a running server makes this fail. Leaving it also writes the whole log back into the
 * file. A database too damaged to be opened has no users: its files are moved as they are.
 */
function holdAlone(file: string): () => void {
  refuseReadOnlyFiles(file);
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(file, { timeout: 0 });
    connection.exec('pragma journal_mode = delete');
    connection.exec('begin exclusive');
    // A process that came between the two statements has switched back.
    const mode = connection.prepare('pragma journal_mode').get()?.['journal_mode'];
    if (mode !== 'delete') throw inUse(file);
    const held = connection;
    return () => held.close();
  } catch (error) {
    connection?.close();
    if (isBusy(error)) throw inUse(file);
    if (isDamaged(error)) return () => {};
    throw error;
  }
}

const inUse = (file: string): DatabaseUnfit =>
  new DatabaseUnfit(`The database ${file} is in use; stop the server and every other command on it first.`);
