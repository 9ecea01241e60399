/** Checks of the embedded database's file and its disk. Checking the content is slow, so only `doctor` does it. */
import { statfsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Message, message, type Words } from '../../platform/languages/translate.ts';
import { explainFailure } from '../../platform/process/failure.ts';
import { COMMAND_NAME } from '../../platform/process/version.ts';
import { isAboveReserve, readDiskSpace } from '../../platform/store/disk-reserve.ts';
import { DATABASE_FILE } from '../../platform/store/open.ts';
import { checkIntegrity, type IntegrityOptions } from '../../platform/store/sqlite/backup.ts';
import { LOG_BYTES_KEPT } from '../../platform/store/sqlite/connection.ts';
import { isDatabaseThere, sizeOf } from '../../platform/store/sqlite/files.ts';
import { sizeText } from '../../platform/text/text.ts';
import { type Check, examined, failed, noted, passed } from './check.ts';

/** File system types as in statfs(2) and linux/magic.h. */
const BTRFS = 0x9123683e;
/** On these, two processes may not see each other's locks (sqlite.org/howtocorrupt.html, section 2). */
const WITH_UNSAFE_LOCKS: ReadonlyMap<number, Words> = new Map<number, Words>([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x65735546, 'FUSE'],
  [0x01021997, '9p'],
  [0x786f4256, message('a VirtualBox shared folder')],
  [0xbacbacbc, message('a VMware shared folder')],
]);

/** Size above which the log check fails. The log grows larger only during a long read, such as a large backup. */
export const MAX_LOG_BYTES = 2 * LOG_BYTES_KEPT;

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
        `${file} is damaged: ${findings.join('; ')}; stop the server and restore a backup with ${COMMAND_NAME} restore FILE.`,
      );
    }
    return isFull
      ? passed('content', 'all tables and indexes are intact')
      : noted(
          'content',
          `all tables are intact; the file is large, so check its indexes with ${COMMAND_NAME} doctor --full, which can take minutes`,
        );
  } catch (error) {
    return failed('content', explainFailure(error));
  }
}

function problemOf(type: number, dir: string): Message | null {
  if (type === BTRFS) {
    return message(
      '{dir} is on btrfs, where a full disk may end the process with SIGBUS; keep some disk space free, or use ext4 or XFS',
      { dir },
    );
  }
  const system = WITH_UNSAFE_LOCKS.get(type);
  if (system === undefined) return null;
  return message(
    '{dir} is on {system}, where two processes may get the same lock and damage the database; put the data folder on a local disk, or use PostgreSQL',
    { dir, system },
  );
}

export function examineFileSystem(dataDir: string, type = statfsSync(dataDir).type): readonly Check[] {
  const problem = problemOf(type, dataDir);
  return problem === null ? [] : [noted('file system', problem)];
}

/** The write-ahead log grows while a long-running reader keeps checkpoints from completing. */
export function examineLog(dataDir: string): readonly Check[] {
  const log = join(dataDir, `${DATABASE_FILE}-wal`);
  const size = sizeOf(log);
  if (size <= MAX_LOG_BYTES) return [];
  return [
    failed(
      'write-ahead log',
      message(
        '{log} has grown to {size} MiB, because a program has been reading the database for a long time; find that program with lsof {file} and end it. To copy the database, use {command}.',
        {
          log,
          size: Math.floor(size / 1024 ** 2),
          file: join(dataDir, DATABASE_FILE),
          command: `${COMMAND_NAME} backup claims.db`,
        },
      ),
    ),
  ];
}

/** Minimum free space for the disk check to pass. The write-ahead log and a day of events need less. */
const MIN_FREE_BYTES = 512 * 1024 * 1024;

export const examineDisk = (dataDir: string) =>
  examined('disk', async () => {
    const space = await readDiskSpace(dataDir);
    const { freeBytes: free, totalBytes } = space;
    const { size } = await stat(join(dataDir, DATABASE_FILE));
    // A backup or migration needs space for a second copy of the database.
    const needed = Math.max(MIN_FREE_BYTES, size);
    const sizes = {
      free: sizeText(free),
      total: sizeText(totalBytes),
      dir: dataDir,
      size: sizeText(size),
      needed: sizeText(needed),
    };
    if (!isAboveReserve(space)) {
      return failed(
        'disk',
        message(
          '{free} free of {total} at {dir}; the database takes {size}. While less than {reserve} is free, only redemptions and changes by operators are accepted. At least {needed} should be free.',
          { ...sizes, reserve: sizeText(space.reservedBytes) },
        ),
      );
    }
    return free >= needed
      ? passed('disk', message('{free} free of {total} at {dir}; the database takes {size}', sizes))
      : failed(
          'disk',
          message(
            '{free} free of {total} at {dir}; the database takes {size}. At least {needed} should be free.',
            sizes,
          ),
        );
  });
