import { existsSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';

/** The root folder of the checkout or installed package. */
export const ROOT = new URL('./', pathToFileURL(findPackageJSON('.', import.meta.url)!));

export function readVersion(): string {
  const text = readFileSync(new URL('package.json', ROOT), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** The published package doesn't include `src/`. */
const isCheckout = existsSync(new URL('src/', ROOT));

/** How to run the command: through npm in a checkout, directly if the package is installed. */
export const COMMAND_NAME: string = isCheckout ? 'npm run -s claimcheck --' : 'claimcheck';
