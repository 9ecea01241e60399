/** Checks of the embedded database's file that only `doctor` makes: reading all of it takes too long for a page. */
import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import { explainFailure } from '../failure.ts';
import { DATABASE_FILE } from '../store/open.ts';
import { isDatabaseThere } from '../store/sqlite/files.ts';
import { checkIntegrity, type IntegrityOptions } from '../store/sqlite/integrity.ts';
import { type Check, failed, noted, passed } from './check.ts';

/** `BTRFS_SUPER_MAGIC` of statfs(2). */
const BTRFS = 0x9123683e;

/** `dataDir` holds the embedded database; no checks where there is none yet. */
export function examineDatabaseFile(dataDir: string, options: IntegrityOptions): readonly Check[] {
  const file = join(dataDir, DATABASE_FILE);
  if (!isDatabaseThere(file)) return [];
  return [examineContent(file, options), ...noteOnFileSystem(statfsSync(dataDir).type, dataDir)];
}

function examineContent(file: string, options: IntegrityOptions): Check {
  try {
    const { isFull, findings } = checkIntegrity(file, options);
    if (findings.length > 0) {
      return failed(
        'content',
        `${file} is damaged: ${findings.join('; ')}; stop the server and put a backup in its place with claimcheck restore FILE.`,
      );
    }
    return isFull
      ? passed('content', 'every table and every index hold together')
      : noted(
          'content',
          'every table holds together; the file is large, and claimcheck doctor --full compares its indexes too, which may take minutes',
        );
  } catch (error) {
    return failed('content', explainFailure(error));
  }
}

/** `type` is what statfs says of the file system. */
export const noteOnFileSystem = (type: number, dataDir: string): readonly Check[] =>
  type === BTRFS
    ? [
        noted(
          'file system',
          `${dataDir} is on btrfs, which may end the process with SIGBUS once it is full; keep room free, or use ext4 or XFS`,
        ),
      ]
    : [];
