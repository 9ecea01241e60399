/** Allows one server per data folder. The operating system releases the lock even if the process is killed. */
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDataFolder } from '../../process/files.ts';
import { DatabaseUnusable } from '../database.ts';
import { isBusy } from './errors.ts';
import { refuseReadOnlyFiles } from './files.ts';

/** A server locks an empty database: a lock on the real one would also block commands that may run next to it. */
const LOCK_FILE = 'claimcheck.lock';

const POLL_MS = 200;

export class DataFolderTaken extends DatabaseUnusable {}

export interface FolderWait {
  readonly ms: number;
  readonly onWait: () => void;
  readonly signal: AbortSignal;
}

/** Like `lockDataFolder`, but retries for `wait.ms`, because another server may be stopping. */
export async function awaitDataFolder(dataDir: string, wait: FolderWait | null): Promise<() => void> {
  const deadline = performance.now() + (wait?.ms ?? 0);
  for (let attempt = 0; ; attempt += 1) {
    try {
      return lockDataFolder(dataDir);
    } catch (error) {
      if (!(error instanceof DataFolderTaken) || wait === null || performance.now() >= deadline) throw error;
    }
    if (attempt === 0) wait.onWait();
    await sleep(POLL_MS, undefined, { signal: wait.signal });
  }
}

/** Locks until the returned function is called. Throws `DatabaseUnusable` if another server uses the folder. */
export function lockDataFolder(dataDir: string): () => void {
  makeDataFolder(dataDir);
  const path = join(dataDir, LOCK_FILE);
  // Do not open an existing file here: closing the file would release all locks that this process holds on it
  // (fcntl(2)). SQLite avoids this problem.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  refuseReadOnlyFiles(path);
  const connection = new DatabaseSync(path, { timeout: 0 });
  try {
    connection.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    connection.close();
    if (!isBusy(error)) throw error;
    throw new DataFolderTaken(
      `Another server is already running on the data folder ${dataDir}; stop it, or set DATA_DIR to another folder.`,
    );
  }
  return () => connection.close();
}
