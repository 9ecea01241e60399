import { existsSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';

/** The folder of the checkout or of the installed package. */
export const ROOT = new URL('./', pathToFileURL(findPackageJSON('.', import.meta.url)!));

export function readVersion(): string {
  const text = readFileSync(new URL('package.json', ROOT), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** The package does not include the sources. In a checkout, npm starts the command. */
const isCheckout = existsSync(new URL('src/', ROOT));

export const COMMAND_NAME: string = isCheckout ? 'npm run -s claimcheck --' : 'claimcheck';
