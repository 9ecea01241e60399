/**
 * Codes of links that a mail gateway or a chat has changed. A link in a mail has its code in the fragment, which no server
 * sees; many gateways write its `#` as `%23`, so that the code arrives in the path or in the query.
 */
import type { IncomingMessage } from 'node:http';

/** `#`, also encoded more than once, and a code of ten capitals and digits (`src/accounts/one-time-code.ts`). */
const MANGLED_CODE = /(?:#|%(?:25)*23)([0-9A-HJKMNP-TV-Z]{10})(?![0-9A-Za-z])[^?&#]*/;

const codes = new WeakMap<IncomingMessage, string>();

/**
 * Takes a code out of the address of a request, before anything reads or logs it. Text that was appended directly to the code goes
 * too; parameters stay.
 */
export function takeMangledCode(request: IncomingMessage): void {
  const found = MANGLED_CODE.exec(request.url ?? '');
  if (found === null) return;
  codes.set(request, found[1]!);
  // The question mark of a link whose special characters are all encoded.
  const before = request.url!.slice(0, found.index).replace(/^([^?]*?)%3f/i, '$1?');
  const after = request.url!.slice(found.index + found[0].length).replace(/#.*/, '');
  const rest = before.includes('?') ? after.replace(/^\?/, '&') : after.replace(/^&/, '?');
  request.url = before.replace(/(?<=.)\/$/, '') + rest;
}

/** The code that was in the address of the request; empty where there was none. */
export const mangledCode = (request: IncomingMessage): string => codes.get(request) ?? '';

/** The path of an address, for a log: without its query, and without anything that may be a code. */
export const loggedPath = (url: string | undefined): string | undefined =>
  url?.split(/[?#]|%(?:25)*23/, 1)[0];
