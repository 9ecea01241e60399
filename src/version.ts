/** Where this program is, and its version. */
import { readFileSync } from 'node:fs';

/** Of the repository or the package: one folder above this file in `src` and above the build in `dist`. */
export const ROOT = new URL('../', import.meta.url);

export function readVersion(): string {
  const text = readFileSync(new URL('package.json', ROOT), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
