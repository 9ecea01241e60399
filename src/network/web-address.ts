/** Web addresses that owners type. Stricter than a URL parser, which repairs its input: they must mean what they say. */
import { domainToASCII, domainToUnicode } from 'node:url';
import { invalid, Refusal } from '../errors.ts';
import { codePoint, quote } from '../text/text.ts';

export const MAX_ADDRESS_LENGTH = 2_048;
/** Characters of a host name, and of a label of one (RFC 1035 section 2.3.4). */
const MAX_HOST_LENGTH = 253;
const MAX_HOST_LABEL_LENGTH = 63;
const MAX_PORT = 65_535;

/** Hosts allowed without https: their traffic never leaves the machine. */
const LOCAL_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Names without a dot, names reserved for local use (RFC 6761, RFC 6762, `.internal`), and private addresses. */
const PRIVATE_HOST =
  /^(?:[^.:[\]]+|.*\.(?:localhost|local|internal|test)|127(?:\.\d+){3}|10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|\[(?:::1|f[cd][0-9a-f:]+|fe[89ab][0-9a-f]:[0-9a-f:]+)\])$/;

/** Whether only one computer or a private network reaches a host, as far as its name or address says. */
export const isPrivateHost = (host: string): boolean => PRIVATE_HOST.test(host);

/** `development`: http is allowed for private hosts too. */
export type AddressUse = 'public' | 'development';

/** Characters that RFC 3986 section 2 allows, and braces, which templates use. */
const NOT_IN_ADDRESS = /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%{}]/u;

/**
 * Accepts https (http only on this machine) with a plain host, no user name and nothing that a browser would read
 * differently. `what` begins the sentence of a refusal ("The redemption link"). Returns the origin.
 */
export function parseWebAddress(text: string, what: string, use: AddressUse = 'public'): string {
  refuseWrongLength(text, what);
  refuseHiddenCharacters(text, what);
  const { scheme, authority, host } = readAuthority(text, what);
  refuseForeignCharacters(text, what);
  refusePlainHttp(scheme, host, what, use);
  return new URL(`${scheme}://${authority}`).origin;
}

/** Every reason why `parseWebAddress` would refuse an address, each a sentence, as far as the address can be parsed. */
export function webAddressProblems(text: string, what: string): readonly string[] {
  if (text === '') return reasonsOf([() => refuseWrongLength(text, what)]);
  const visible = text.replace(ALL_HIDDEN, '');
  return reasonsOf([
    () => refuseWrongLength(text, what),
    () => refuseHiddenCharacters(text, what),
    () => {
      const { scheme, host } = readAuthority(visible, what);
      refusePlainHttp(scheme, host, what, 'public');
    },
    () => refuseForeignCharacters(visible, what),
  ]);
}

/** Runs all checks and returns the sentences of those that refuse. */
export function reasonsOf(checks: readonly (() => unknown)[]): readonly string[] {
  return checks.flatMap((check) => {
    try {
      check();
      return [];
    } catch (error) {
      if (error instanceof Refusal) return [error.message];
      throw error;
    }
  });
}

function refuseWrongLength(text: string, what: string): void {
  if (text === '') throw invalid(`${what} is empty.`);
  if (text.length > MAX_ADDRESS_LENGTH) {
    throw invalid(`${what} has ${text.length} characters; at most ${MAX_ADDRESS_LENGTH} are allowed.`);
  }
}

function refusePlainHttp(scheme: 'http' | 'https', host: string, what: string, use: AddressUse): void {
  if (scheme === 'https' || LOCAL_HOSTS.has(host)) return;
  if (use === 'public') {
    throw invalid(`${what} must start with https://; http is only for localhost, 127.0.0.1 and [::1].`);
  }
  if (!isPrivateHost(host)) {
    throw invalid(`${what} must start with https://; http is only for localhost and private networks.`);
  }
}

const HIDDEN = /[\p{Cc}\p{Cf}\p{Z}\p{Cs}\\]/u;
const ALL_HIDDEN = new RegExp(HIDDEN, 'gu');

/** White space, control characters and backslashes: browsers drop some and turn others into slashes. */
function refuseHiddenCharacters(text: string, what: string): void {
  const found = HIDDEN.exec(text);
  if (!found) return;
  if (found[0] === '\\') throw invalid(`${what} contains a backslash, which browsers read as a slash.`);
  if (found[0] === ' ') throw invalid(`${what} contains a space; write it as %20.`);
  throw invalid(`${what} contains the invisible character ${codePoint(found[0])}.`);
}

function readAuthority(text: string, what: string) {
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1];
  if (scheme === undefined) throw invalid(`${what} must be a full address that starts with https://.`);
  if (scheme !== 'http' && scheme !== 'https') {
    throw invalid(`${what} must start with https:// (in lower case); found ${quote(`${scheme}:`)}.`);
  }
  const rest = text.slice(scheme.length + 1);
  if (!rest.startsWith('//')) throw invalid(`${what} must have two slashes after "${scheme}:".`);
  const authority = /^[^/?#]*/.exec(rest.slice(2))![0];
  if (authority === '') throw invalid(`${what} has no host after "${scheme}://".`);
  return { scheme, authority, host: parseAuthority(authority, scheme, what) } as const;
}

/** Checks host and port of an authority and returns the host exactly as a browser would read it. */
function parseAuthority(authority: string, scheme: string, what: string): string {
  if (authority.includes('@')) {
    throw invalid(
      `${what} contains user information before an "@", which can make one host look like another.`,
    );
  }
  const parts = /^(\[[^\]]*\]|[^:[\]]*)(?::(.*))?$/.exec(authority);
  if (!parts) throw invalid(`${what} has an invalid host or port: ${quote(authority)}.`);
  const host = parts[1]!;
  const port = parts[2];
  if (port !== undefined && (!/^[1-9][0-9]{0,4}$/.test(port) || Number(port) > MAX_PORT)) {
    throw invalid(`${what} has an invalid port: ${quote(port)} (allowed are 1 to ${MAX_PORT}).`);
  }
  if (/[%{}]/.test(host))
    throw invalid(`${what} has an invalid host: ${quote(host)} (%, { and } are not allowed).`);
  const read = URL.canParse(`${scheme}://${host}/`) ? new URL(`${scheme}://${host}/`).hostname : null;
  if (read === null) throw invalid(`${what} has an invalid host: ${quote(host)}.`);
  if (read !== host) {
    throw invalid(
      `${what} has the host ${quote(host)}, which browsers read as ${quote(read)}; if you mean that host, write it that way.`,
    );
  }
  if (!host.startsWith('[')) refuseOddHost(host, what);
  return host;
}

function refuseOddHost(host: string, what: string): void {
  if (host.length > MAX_HOST_LENGTH) {
    throw invalid(`${what} has a host of ${host.length} characters; at most ${MAX_HOST_LENGTH} are allowed.`);
  }
  for (const label of host.split('.')) {
    if (label === '')
      throw invalid(`${what} has a host with an empty part between its dots: ${quote(host)}.`);
    if (label.length > MAX_HOST_LABEL_LENGTH || !/^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?$/.test(label)) {
      throw invalid(
        `${what} has a host with an invalid part: ${quote(label)} (letters, digits and inner hyphens, at most ${MAX_HOST_LABEL_LENGTH}).`,
      );
    }
    if (label.startsWith('xn--') && !isEncodedName(label)) {
      throw invalid(`${what} has a host with a part that is invalid Punycode: ${quote(label)}.`);
    }
  }
}

/** Whether a label in Punycode (RFC 5891 section 4.4) decodes to a name; URL parsers accept some that do not. */
function isEncodedName(label: string): boolean {
  const name = domainToUnicode(label);
  return name !== label && domainToASCII(name) === label;
}

function refuseForeignCharacters(text: string, what: string): void {
  const foreign = NOT_IN_ADDRESS.exec(text);
  if (foreign) {
    throw invalid(`${what} contains ${quote(foreign[0])}; write it as ${percentEncode(foreign[0])}.`);
  }
  const percent = /%(?![0-9A-Fa-f]{2}).{0,2}/.exec(text);
  if (percent) {
    throw invalid(`${what} contains ${quote(percent[0])}, a percent sign without two hexadecimal digits.`);
  }
}

const percentEncode = (character: string): string =>
  [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

/** Parses an address without a placeholder. Returns its origin. */
export function parsePlainAddress(text: string, what: string): string {
  const origin = parseWebAddress(text, what);
  const brace = /[{}]/.exec(text);
  if (brace) throw invalid(`${what} contains ${quote(brace[0])}; write it as ${percentEncode(brace[0])}.`);
  return origin;
}

/** A host with a dot in it, as people type the address of their site. */
const WITHOUT_SCHEME = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?(?=[/?#]|$)/i;

/** An address as people type it, with https:// where no scheme was typed. */
export const withScheme = (text: string): string => (WITHOUT_SCHEME.test(text) ? `https://${text}` : text);

/** A `mailto:` address without headers, or an https URL, in its usual form; `null` for anything else. */
export function contactUrl(text: string): string | null {
  const url = /[^\x21-\x7e]/.test(text) ? null : URL.parse(text);
  if (url === null || text.length > MAX_ADDRESS_LENGTH) return null;
  if (url.protocol === 'mailto:') {
    return /^[^@]+@[^@]+$/.test(url.pathname) && url.search === '' && url.hash === '' ? url.href : null;
  }
  return url.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : null;
}
