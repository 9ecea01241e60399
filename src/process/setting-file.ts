/** Settings as Windows and Docker hand them over: text files in their encodings, values with the quotes of a file. */
import { readFile } from 'node:fs/promises';

/** A value in one pair of quotes, which `docker --env-file` keeps and a shell would have removed. */
const QUOTED = /^(["'])(.*)\1$/s;

/** A variable of the environment without the white space and the quotes around it; `null`: unset or empty. */
export const settingOf = (env: Readonly<Record<string, string | undefined>>, name: string): string | null =>
  env[name]?.trim().replace(QUOTED, '$2').trim() || null;

/**
 * The text of a file that a setting names, without the line breaks at its end. A byte order mark is not a part of it, and
 * UTF-16 is read too, as PowerShell writes it. Throws if the file cannot be read or is not text.
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

/** By the byte order mark, else by the zero of a first character that is ASCII. */
function encodingOf([first, second]: Uint8Array): string {
  if ((first === 0xff && second === 0xfe) || second === 0) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || first === 0) return 'utf-16be';
  return 'utf-8';
}
