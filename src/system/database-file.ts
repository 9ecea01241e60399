/** Checks of the embedded database's file. Reading all of it takes too long for a page, so only `doctor` does. */
import { statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { explainFailure } from '../process/failure.ts';
import { DATABASE_FILE } from '../store/open.ts';
import { checkIntegrity, type IntegrityOptions } from '../store/sqlite/backup.ts';
import { LOG_BYTES_KEPT } from '../store/sqlite/connection.ts';
import { isDatabaseThere } from '../store/sqlite/files.ts';
import { type Check, failed, noted, passed } from './check.ts';

/** From linux/magic.h, as statfs(2) returns it. */
const BTRFS = 0x9123683e;
/** File systems on which a lock of one process may mean nothing to another (sqlite.org/howtocorrupt.html, 2). */
const WITHOUT_SAFE_LOCKS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x65735546, 'FUSE'],
  [0x01021997, '9p'],
  [0x786f4256, 'a shared folder of VirtualBox'],
  [0xbacbacbc, 'a shared folder of VMware'],
]);

/** Above this, the log has grown during a long read: an import and a backup stay below it. */
export const MAX_LOG_BYTES = 2 * LOG_BYTES_KEPT;

/** No checks if `dataDir` has no database yet. */
export function examineDatabaseFile(dataDir: string, options: IntegrityOptions): readonly Check[] {
  const file = join(dataDir, DATABASE_FILE);
  return isDatabaseThere(file) ? [examineContent(file, options)] : [];
}

function examineContent(file: string, options: IntegrityOptions): Check {
  try {
    const { isFull, findings } = checkIntegrity(file, options);
    if (findings.length > 0) {
      return failed(
        'content',
        `${file} is damaged: ${findings.join('; ')}; stop the server and restore a backup with claimcheck restore FILE.`,
      );
    }
    return isFull
      ? passed('content', 'all tables and indexes are intact')
      : noted(
          'content',
          'all tables are intact; the file is large, so check its indexes with claimcheck doctor --full, which can take minutes',
        );
  } catch (error) {
    return failed('content', explainFailure(error));
  }
}

/** Known problems with the file system of `dataDir`. `type`: as statfs returns it. */
export function noteOnFileSystem(dataDir: string, type = statfsSync(dataDir).type): readonly Check[] {
  if (type === BTRFS) {
    const detail = `${dataDir} is on btrfs, where a full disk may end the process with SIGBUS; keep free space, or use ext4 or XFS`;
    return [noted('file system', detail)];
  }
  const name = WITHOUT_SAFE_LOCKS.get(type);
  if (name === undefined) return [];
  const detail = `${dataDir} is on ${name}, where two processes may get the same lock and damage the database; put the data folder on a local disk, or use PostgreSQL`;
  return [noted('file system', detail)];
}

/** Whether changes are written back from the log to the file, which a long-running reader prevents. */
export function examineLog(dataDir: string): readonly Check[] {
  const log = join(dataDir, `${DATABASE_FILE}-wal`);
  const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= MAX_LOG_BYTES) return [];
  return [
    failed(
      'write-ahead log',
      `${log} has grown to ${Math.floor(size / 1024 ** 2)} MiB, because a program has been reading the database for a long time; end that program (lsof ${join(dataDir, DATABASE_FILE)} shows it), and use claimcheck backup for copies.`,
    ),
  ];
}
