/** The lock of commands that replace the embedded database or move its data. */
import { DatabaseSync } from 'node:sqlite';
import { DatabaseUnusable } from '../database.ts';
import { isBusy, isDamaged } from './errors.ts';
import { refuseReadOnlyFiles } from './files.ts';

/**
 * Locks the database until the connection is closed. Switching off write-ahead mode checkpoints the WAL, and fails if
 * another process has the file open. `null`: the database is too damaged to be opened or used.
 */
export function lockExclusively(file: string): DatabaseSync | null {
  refuseReadOnlyFiles(file);
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(file, { timeout: 0 });
    connection.exec('pragma journal_mode = delete; pragma main.locking_mode = exclusive');
    connection.exec('begin exclusive; commit');
    // Another process may have switched back to write-ahead mode between the two statements.
    const mode = connection.prepare('pragma journal_mode').get()?.['journal_mode'];
    if (mode !== 'delete') throw inUse(file);
    return connection;
  } catch (error) {
    connection?.close();
    if (isBusy(error)) throw inUse(file);
    if (isDamaged(error)) return null;
    throw error;
  }
}

export const inUse = (file: string): DatabaseUnusable =>
  new DatabaseUnusable(
    `The database ${file} is in use; first stop the server and every other command that uses it.`,
  );
