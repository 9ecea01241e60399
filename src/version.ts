/** The version of this program. */
import { readFileSync } from 'node:fs';

/** From package.json, which lies one folder above this file, in `src` as in `dist`. */
export function readVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
