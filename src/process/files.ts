import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { explainFailure } from './failure.ts';

/** A value in quotes: `docker --env-file` keeps them, while a shell would have removed them. */
const QUOTED = /^(["'])(.*)\1$/s;

/** An environment variable without surrounding white space and quotes; `null` if unset or empty. */
export const settingOf = (env: Readonly<Record<string, string | undefined>>, name: string): string | null =>
  env[name]?.trim().replace(QUOTED, '$2').trim() || null;

/** Reads the text file that a setting names (UTF-8, or UTF-16 from PowerShell), without final line breaks. */
export function readSettingFile(path: string): string {
  const bytes = readFileSync(path);
  try {
    // The decoder drops the byte order mark.
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes).replace(/[\r\n]+$/, '');
  } catch (cause) {
    throw new Error(`${path} is not a text file in UTF-8; save it in that encoding`, { cause });
  }
}

/** Detects the encoding by the byte order mark, or by the zero byte of a leading ASCII character in UTF-16. */
function encodingOf([first, second]: Uint8Array): string {
  if ((first === 0xff && second === 0xfe) || second === 0) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || first === 0) return 'utf-16be';
  return 'utf-8';
}

export const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** Node's `recursive` option never returns if a parent exists but allows no new folders (/proc). */
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

/** A new name is durable only once its folder is flushed. */
export function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** `write` gets a temporary path. The file gets its name, replacing any other file, once it is complete and durable. */
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

/** Creates the data folder if it is missing. Throws an error that names DATA_DIR if it cannot be created or used. */
export function makeDataFolder(path: string): void {
  try {
    makeFolder(path);
    // `makeFolder` accepts a file at this path; with "/.", this check fails for a file.
    accessSync(`${path}/.`, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new Error(`The data folder ${path} (DATA_DIR) cannot be used: ${explainFailure(cause)}`, { cause });
  }
}
