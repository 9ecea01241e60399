/** Settings from environment variables, and from the files that they name. */
import { closeSync, openSync, readSync } from 'node:fs';
import { withoutTail } from '../text/text.ts';

/** A value in quotes. Unlike a shell, `docker --env-file` doesn't remove the quotes. */
const QUOTED = /^(["'])(.*)\1$/s;

/** An environment variable without surrounding whitespace and quotes; `null` if unset or empty. */
export const settingOf = (env: Readonly<Record<string, string | undefined>>, name: string): string | null =>
  env[name]?.trim().replace(QUOTED, '$2').trim() || null;

const MAX_SETTING_FILE_BYTES = 65_536;

/**
 * Reads a setting from a text file of at most 64 KiB, without trailing line breaks. Accepts UTF-8 and, for PowerShell,
 * UTF-16. Errors never quote the file.
 */
export function readSettingFile(path: string): string {
  const bytes = readStart(path, MAX_SETTING_FILE_BYTES + 1);
  if (bytes.length > MAX_SETTING_FILE_BYTES) {
    throw new Error(
      `${path} is larger than ${MAX_SETTING_FILE_BYTES / 1_024} KiB, so it is not a file with a setting`,
    );
  }
  try {
    // The decoder drops the byte order mark.
    const text = new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
    return withoutTail(text, /[\r\n]/);
  } catch (cause) {
    throw new Error(`${path} is not a text file in UTF-8; save it in that encoding`, { cause });
  }
}

/** Reads no more than `maxBytes`, also from a pipe or a device. */
function readStart(path: string, maxBytes: number): Uint8Array {
  const bytes = new Uint8Array(maxBytes);
  const descriptor = openSync(path, 'r');
  try {
    let length = 0;
    for (let count = -1; count !== 0 && length < maxBytes; length += count) {
      count = readSync(descriptor, bytes, length, maxBytes - length, null);
    }
    return bytes.subarray(0, length);
  } catch (error) {
    // Unlike `open`, `read` doesn't name the path.
    throw Object.assign(error as NodeJS.ErrnoException, { path });
  } finally {
    closeSync(descriptor);
  }
}

/** Detects UTF-16 by the byte order mark or, if the text starts with an ASCII character, by the zero byte. */
function encodingOf([first, second]: Uint8Array): string {
  if ((first === 0xff && second === 0xfe) || second === 0) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || first === 0) return 'utf-16be';
  return 'utf-8';
}

/** A secret of the configuration. `name`: the variable that is set, for error messages. */
export type SecretSource =
  | { readonly name: string; readonly value: string }
  /** An absolute path. */
  | { readonly name: string; readonly path: string };

/** Reads the file at each call, so that a new secret needs no restart. Throws an error without the file's content. */
export const readSecret = (source: SecretSource): string =>
  'path' in source ? readSettingFile(source.path) : source.value;
