/** Temporary folders for tests: in memory by default, on disk for tests of durability. */
import { mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/**
 * /dev/shm is used only if this much space is free. Containers often limit /dev/shm to 64 MB, which is too little for a
 * PostgreSQL server.
 */
const NEEDED_BYTES = 2 * 1024 ** 3;

function hasFreeMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= NEEDED_BYTES;
  } catch {
    return false;
  }
}

/** Parent folder for files that need not survive a power cut. */
export const FAST_FOLDER = hasFreeMemory() ? MEMORY : tmpdir();

/** Creates a folder. The caller removes it. */
export const makeTemporaryFolder = (prefix: string, parent = FAST_FOLDER): string =>
  mkdtempSync(join(parent, prefix));
