/**
 * Codes of links that a mail gateway or a chat has changed. A link in a mail has its code in the fragment, which no server
 * sees; many gateways write its `#` as `%23`, so that the code arrives in the path or in the query.
 */
import type { IncomingMessage } from 'node:http';
import { splitQuery } from './typed-paths.ts';

/** The pages that links with a code open. */
export const CODE_PATHS = ['/account/email/confirm', '/reset-password', '/setup', '/sign-in/link'] as const;

/** A character, or its code as a gateway may encode it: also more than once, and of the other case. */
const spellingsOf = (character: string): string => {
  const codes = [character, character.toUpperCase()].map((one) => one.charCodeAt(0).toString(16));
  return `(?:${character}|%(?:25)*(?:${codes.join('|')}))`;
};

const CODE_PATH = new RegExp(
  `^/*(?:${CODE_PATHS.map((path) => [...path].map(spellingsOf).join('')).join('|')})`,
  'i',
);

/** `#`: encoded, also more than once, full-width, or as quoted-printable text has it. */
const HASH = '#|%(?:25)*(?:23|EF%(?:25)*BC%(?:25)*83)|(?:=|%(?:25)*3D)23';
/** Slashes, spaces, quotation marks and invisible characters before a code. The limit keeps a hostile address cheap. */
const GAP = '(?:[^0-9A-Z%?&=]|=23|%(?:25)*(?:3D23|[0-9A-F]{2})){0,8}';
const HALF = '([0-9A-HJKMNP-TV-Z]{5})';
const HYPHEN = '(?:-|%(?:25)*2D|%E2%80%9[0-5])?';

/** A code (`src/accounts/one-time-code.ts`) behind the path or a `#`, with the text appended to it. Parameters stay. */
const MANGLED_CODE = new RegExp(`(?:^|${HASH})${GAP}${HALF}${HYPHEN}${HALF}(?![0-9A-Z])[^?&#]*`, 'i');

const codes = new WeakMap<IncomingMessage, string>();

/** Takes a code out of the address of a request for one of `CODE_PATHS`, before anything reads or logs it. */
export function takeMangledCode(request: IncomingMessage): void {
  const url = request.url ?? '';
  const path = CODE_PATH.exec(url)?.[0];
  if (path === undefined || path === url) return;
  const rest = url.slice(path.length);
  const found = MANGLED_CODE.exec(rest);
  if (found === null) return;
  codes.set(request, (found[1]! + found[2]!).toUpperCase());
  let before = path + rest.slice(0, found.index);
  if (!before.includes('?')) before = splitQuery(before).join('?').replace(/\?$/, '');
  const after = rest.slice(found.index + found[0].length).replace(/#.*/, '');
  request.url = before + (before.includes('?') ? after.replace(/^\?/, '&') : after.replace(/^&/, '?'));
}

/** The code that was in the address of the request; empty where there was none. */
export const mangledCode = (request: IncomingMessage): string => codes.get(request) ?? '';

/** The path of an address, for a log: without its query, and without anything that may be a code. */
export const loggedPath = (url: string | undefined): string | undefined =>
  url === undefined ? undefined : (CODE_PATH.exec(url) ?? /^[\w/.:*~-]*/.exec(url)!)[0];
