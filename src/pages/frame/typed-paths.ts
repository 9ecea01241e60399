/**
 * Repairs URLs that almost match a page: mistyped, pasted with surrounding text, or altered by a mail gateway or chat
 * app. Many gateways encode the `#` before a code as `%23`, so the code arrives in the path or query.
 */

import type { IncomingMessage } from 'node:http';
import {
  DESK_PATH,
  INVITATION_PATH,
  NEW_EMAIL_PATH,
  RESET_PASSWORD_PATH,
  SETUP_PATH,
  SIGN_IN_LINK_PATH,
  SIGN_IN_PATH,
  SIGN_UP_PATH,
} from '../../base/paths.ts';
import { withoutSecrets } from '../../platform/secrets/secrets.ts';

const MAX_PATH_LENGTH = 300;

/** A trailing slash, white space, or punctuation that a chat app included. No path of this service ends like this. */
const TAIL =
  /(?:[/.,;:!'"*)\]}>\\|+]|%(?:0[9ad]|2[0-279bce]|2f|3[abe]|5[cd]|60|7[cd]|c2%a0|c2%bb|e2%80%8[b-f]|e2%80%9[9d]|e2%80%a6|e2%81%a0|e3%80%8[0-f]|ef%bb%bf|ef%bc%8[19ce]))$/i;

const FILE_ENDING = /(?:\/index)?\.(?:html?|php)$/i;

/** Some share tools append `&utm_source=x` to a URL without a query. `%ef%bc%9f` is a full-width `?`. */
const BEGINS_QUERY = /(?:[?&]|%3f|%26|%ef%bc%9f)(?:amp(?:;|%3b))*/i;

/** Percent-encoded unreserved characters (RFC 3986 section 2.3). Mail gateways encode some of them. */
const ENCODED_PLAIN = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi;

/** Maps paths that are common on other sites to the paths of the same pages on this service. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['/login', SIGN_IN_PATH],
  ['/signin', SIGN_IN_PATH],
  ['/register', SIGN_UP_PATH],
  ['/signup', SIGN_UP_PATH],
  ['/admin', DESK_PATH],
]);

/** Where to redirect from a URL that matches no page; `null`: nowhere. A target is never redirected again. */
export function typedPath(path: string, search: string): string | null {
  if (path.length > MAX_PATH_LENGTH) return null;
  const [address = '', ...fragment] = path.replaceAll(/%(?:25)+(?=[0-9a-f]{2})/gi, '%').split(/%23/);
  const [name, query] = splitQuery(address);
  const decoded = spelledPlainly(name).replaceAll(/%2f/gi, '/');
  const plain = `/${withoutTails(decoded).replace(FILE_ENDING, '')}`.replaceAll(/(?:[/\\]|%5c)+/gi, '/');
  const typed = lowered(plain);
  // Slugs contain only letters, digits and hyphens.
  if (/^\/l\/(?![a-z0-9-]+$)/.test(typed)) return null;
  const parameters = query === '' ? search : `?${query}${search.replace('?', '&')}`;
  const meant = (OTHER_NAMES.get(typed) ?? typed) + parameters;
  if (meant === path + search) return null;
  return fragment.length === 0 ? meant : `${meant}#${fragment.join('%23')}`;
}

/** `path`: at most `MAX_PATH_LENGTH` characters. */
function withoutTails(path: string): string {
  let rest = path;
  for (let tail = TAIL.exec(rest); tail !== null; tail = TAIL.exec(rest)) rest = rest.slice(0, tail.index);
  return rest;
}

export const spelledPlainly = (path: string): string => path.replaceAll(ENCODED_PLAIN, decodeURIComponent);

/** Splits a URL whose question mark may be encoded or missing. */
function splitQuery(address: string): [path: string, query: string] {
  const begin = BEGINS_QUERY.exec(address);
  if (begin === null) return [address, ''];
  const query = address.slice(begin.index + begin[0].length);
  return [
    address.slice(0, begin.index),
    query.replaceAll(/%3d|%ef%bc%9d/gi, '=').replaceAll(/(?:&|%26)(?:amp(?:;|%3b))*/gi, '&'),
  ];
}

/** Segments with digits may be ids, which are case-sensitive; slugs are lowercase, so all below `/l/` is lowered. */
const lowered = (path: string): string =>
  /^\/l\//i.test(path)
    ? path.toLowerCase()
    : path.replaceAll(/(?<=\/)[a-z.-]+(?=\/|$)/gi, (segment) => segment.toLowerCase());

export const CODE_PATHS = [
  NEW_EMAIL_PATH,
  INVITATION_PATH,
  RESET_PASSWORD_PATH,
  SETUP_PATH,
  SIGN_IN_LINK_PATH,
] as const;

/** Matches a character in either case, even if a gateway percent-encoded it, possibly more than once. */
const spellingsOf = (character: string): string => {
  const codes = [character, character.toUpperCase()].map((one) => one.charCodeAt(0).toString(16));
  return `(?:${character}|%(?:25)*(?:${codes.join('|')}))`;
};

const CODE_PATH = new RegExp(
  `^/*(?:${CODE_PATHS.map((path) => [...path].map(spellingsOf).join('')).join('|')})`,
  'i',
);

/** Matches `#`, even if it is percent-encoded (possibly more than once), full-width, or in quoted-printable text. */
const HASH = '#|%(?:25)*(?:23|EF%(?:25)*BC%(?:25)*83)|(?:=|%(?:25)*3D)23';
/** Slashes, spaces, quotation marks and invisible characters. The limit bounds the matching time. */
const GAP = '(?:[^0-9A-Z%?&=]|=23|%(?:25)*(?:3D23|[0-9A-F]{2})){0,8}';
const HALF = '([0-9A-HJKMNP-TV-Z]{5})';
const HYPHEN = '(?:-|%(?:25)*2D|%E2%80%9[0-5])?';

/** Matches a code (`src/people/sign-in/codes/one-time-code.ts`) after the path or a `#`, and any text up to the parameters. */
const MANGLED_CODE = new RegExp(`(?:^|${HASH})${GAP}${HALF}${HYPHEN}${HALF}(?![0-9A-Z])[^?&#]*`, 'i');

const codes = new WeakMap<IncomingMessage, string>();

/** Out of a URL of `CODE_PATHS` (`mangledCode`). Call before the URL is read or logged. */
export function takeMangledCode(request: IncomingMessage): void {
  const url = request.url ?? '';
  const path = CODE_PATH.exec(url)?.[0];
  if (path === undefined || path === url) return;
  const rest = url.slice(path.length);
  const match = MANGLED_CODE.exec(rest);
  if (match === null) return;
  codes.set(request, (match[1]! + match[2]!).toUpperCase());
  let before = path + rest.slice(0, match.index);
  if (!before.includes('?')) before = splitQuery(before).join('?').replace(/\?$/, '');
  const after = rest.slice(match.index + match[0].length).replace(/#.*/, '');
  request.url = before + (before.includes('?') ? after.replace(/^\?/, '&') : after.replace(/^&/, '?'));
}

/** The code that `takeMangledCode` found; empty if the URL had none. */
export const mangledCode = (request: IncomingMessage): string => codes.get(request) ?? '';

/** The path for logs, without the query, secrets and anything that may be a code. */
export const loggedPath = (url: string | undefined): string | undefined =>
  url === undefined ? undefined : withoutSecrets((CODE_PATH.exec(url) ?? /^[\w/.:*~-]*/.exec(url)!)[0]);
