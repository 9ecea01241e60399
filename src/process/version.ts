import { existsSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';

/** The root folder of the checkout or installed package. */
export const ROOT = new URL('./', pathToFileURL(findPackageJSON('.', import.meta.url)!));

export function readVersion(): string {
  const text = readFileSync(new URL('package.json', ROOT), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** The package doesn't include the sources. In a checkout, the command is run through npm. */
const isCheckout = existsSync(new URL('src/', ROOT));

export const COMMAND_NAME: string = isCheckout ? 'npm run -s claimcheck --' : 'claimcheck';
