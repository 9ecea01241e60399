/** One server for a data folder: a lock of the operating system, which ends with the process, even a killed one. */
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeDataFolder } from '../../folder.ts';
import { DatabaseUnfit } from '../database.ts';
import { isBusy } from './connection.ts';
import { refuseReadOnlyFiles } from './files.ts';

/** An empty database of its own, so that commands can use the real one beside the server. */
const LOCK_FILE = 'claimcheck.lock';

/**
 * Takes `dataDir` for this server until the returned function is called. Throws `DatabaseUnfit` while another has it,
 * and where this user may not write the file of the lock.
 */
export function lockDataFolder(dataDir: string): () => void {
  makeDataFolder(dataDir);
  const path = join(dataDir, LOCK_FILE);
  // Never opened here while it exists: closing it would end a lock that this process holds (fcntl(2)).
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  refuseReadOnlyFiles(path);
  const connection = new DatabaseSync(path, { timeout: 0 });
  try {
    connection.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    connection.close();
    if (!isBusy(error)) throw error;
    throw new DatabaseUnfit(
      `Another server already runs on the data folder ${dataDir}; stop it, or set DATA_DIR to another folder.`,
    );
  }
  return () => connection.close();
}
