import { accessSync, constants, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { explainFailure } from './failure.ts';

/** Whether it is an error of the system with this code, such as `ENOENT`. */
export const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/**
 * Makes a folder and its parents with access for this user only; an existing folder stays as it is. Throws the system's
 * error. Node's own `recursive` never returns where a parent exists but takes no folders (/proc).
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (isCode(error, 'EEXIST')) return;
    const parent = dirname(path);
    if (!isCode(error, 'ENOENT') || parent === path) throw error;
    makeFolder(parent);
    try {
      mkdirSync(path, { mode: 0o700 });
    } catch (again) {
      if (!isCode(again, 'EEXIST')) throw again;
    }
  }
}

/** Makes the data folder where it is missing. Throws an error with its setting where it cannot be made or written. */
export function makeDataFolder(path: string): void {
  try {
    makeFolder(path);
    // "/." fails for a file, which `makeFolder` leaves as it is.
    accessSync(`${path}/.`, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new Error(`The data folder ${path} (DATA_DIR) cannot be used: ${explainFailure(cause)}`, { cause });
  }
}
