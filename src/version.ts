/** The version of this program. */
import { readFileSync } from 'node:fs';

/** Reads package.json, one folder above this file in both `src` and `dist`. */
export function readVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
