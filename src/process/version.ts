/** Where this program is, and its version. */
import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';

/** The folder of the repository or the package. */
export const ROOT = new URL('./', pathToFileURL(findPackageJSON('.', import.meta.url)!));

export function readVersion(): string {
  const text = readFileSync(new URL('package.json', ROOT), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
