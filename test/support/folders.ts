/** Where tests keep their files: in memory, unless the test is about what a disk keeps. */
import { mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** A container often has 64 MB there, which one PostgreSQL fills. */
const NEEDED_BYTES = 2 * 1024 ** 3;

function hasRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= NEEDED_BYTES;
  } catch {
    return false;
  }
}

/** The parent folder of files that need not outlive a power cut. */
export const FAST_FOLDER = hasRoomInMemory() ? MEMORY : tmpdir();

/** A new folder. The caller removes it. */
export const makeTemporaryFolder = (prefix: string, parent = FAST_FOLDER): string =>
  mkdtempSync(join(parent, prefix));
