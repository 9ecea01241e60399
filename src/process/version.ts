/** Where this program is, its version, and its command. */
import { existsSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';

/** The folder of the repository or the package. */
export const ROOT = new URL('./', pathToFileURL(findPackageJSON('.', import.meta.url)!));

export function readVersion(): string {
  const text = readFileSync(new URL('package.json', ROOT), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** A package holds no sources: where there are any, this is a checkout, whose command npm starts. */
const isCheckout = existsSync(new URL('src/', ROOT));

export const COMMAND_NAME: string = isCheckout ? 'npm run -s claimcheck --' : 'claimcheck';
