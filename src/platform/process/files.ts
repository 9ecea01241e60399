import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { explainFailure } from './failure.ts';

export const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** Creates a folder and its parents. Node's option `recursive` hangs if a parent allows no new folders, as in /proc. */
export function makeFolder(path: string): void {
  const parent = dirname(path);
  if (existsSync(path) || parent === path) return;
  makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  }
}

/** Flushes a file or folder. A new file name is durable only once the folder is flushed. */
export function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Writes a file atomically: `write` writes to a temporary path, which is then flushed and renamed to `path`. */
export async function writeWhole(path: string, write: (partial: string) => Promise<void>): Promise<void> {
  const partial = `${path}.partial-${process.pid}`;
  try {
    await write(partial);
    flush(partial);
    renameSync(partial, path);
    flush(dirname(path));
  } finally {
    rmSync(partial, { force: true });
  }
}

/** Creates the data folder if it is missing. If the folder can't be created or used, throws an error with its path. */
export function makeDataFolder(path: string): void {
  try {
    makeFolder(path);
    // `makeFolder` accepts an existing file. The suffix `/.` makes this check fail for a file.
    accessSync(`${path}/.`, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new Error(`The data folder ${path} (DATA_DIR) cannot be used: ${explainFailure(cause)}`, { cause });
  }
}
