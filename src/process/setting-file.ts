/** Reads settings the way Windows and Docker leave them: UTF-16 files, and values still in quotes. */
import { readFile } from 'node:fs/promises';

/** A value in one pair of quotes, which `docker --env-file` keeps and a shell would have removed. */
const QUOTED = /^(["'])(.*)\1$/s;

/** An environment variable without surrounding white space and quotes; `null` if unset or empty. */
export const settingOf = (env: Readonly<Record<string, string | undefined>>, name: string): string | null =>
  env[name]?.trim().replace(QUOTED, '$2').trim() || null;

/**
 * Reads the file that a setting names, without trailing line breaks and byte order mark. It may be UTF-8, or
 * UTF-16 as PowerShell writes it. Throws if the file cannot be read or is not text.
 */
export async function readSettingFile(path: string): Promise<string> {
  const bytes = await readFile(path);
  try {
    // The decoder drops the byte order mark.
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes).replace(/[\r\n]+$/, '');
  } catch (cause) {
    throw new Error(`${path} is not a text file in UTF-8; save it in that encoding`, { cause });
  }
}

/** From the byte order mark, or from the zero byte of a leading ASCII character in UTF-16. */
function encodingOf([first, second]: Uint8Array): string {
  if ((first === 0xff && second === 0xfe) || second === 0) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || first === 0) return 'utf-16be';
  return 'utf-8';
}
