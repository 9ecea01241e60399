/** Validates URLs that owners type. URL parsers silently repair malformed URLs; this module rejects them. */

import { domainToASCII, domainToUnicode } from 'node:url';
import { invalid, Refusal, tried } from '../errors.ts';
import { message, type Words } from '../languages/translate.ts';
import { codePoint, quote } from '../text/text.ts';
import { createMatcher, networkList, PRIVATE_NETWORKS, withoutBrackets } from './network.ts';

export const MAX_ADDRESS_LENGTH = 2_048;
/** Limits for a host name and each of its labels (RFC 1035 section 2.3.4). */
const MAX_HOST_LENGTH = 253;
const MAX_HOST_LABEL_LENGTH = 63;
const MAX_PORT = 65_535;

/** Hosts that may use http, since their traffic never leaves the machine. */
const LOCAL_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Names without a dot, and names reserved for local use (RFC 6761, RFC 6762, `.internal`). */
const LOCAL_NAME = /^(?:[^.:[\]]+|.*\.(?:localhost|local|internal|test))$/;

const isPrivateAddress = createMatcher(networkList(PRIVATE_NETWORKS));

/** Judges by the name or address only, without DNS. */
export const isPrivateHost = (host: string): boolean =>
  LOCAL_NAME.test(host) || isPrivateAddress(withoutBrackets(host));

/** `public`: http only for this machine. `development`: http also for private hosts. */
export type AddressUse = 'public' | 'development';

/** Matches characters that RFC 3986 section 2 doesn't allow, except braces, which templates use. */
const NOT_IN_ADDRESS = /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%{}]/u;

/**
 * Returns the origin. Refuses user names, hosts that browsers would read differently, and http except for the hosts
 * that `use` allows. `what`: the subject of the refusal's sentence, such as "The redemption link".
 */
export function parseWebAddress(text: string, what: Words, use: AddressUse = 'public'): string {
  refuseWrongLength(text, what);
  refuseHiddenCharacters(text, what);
  const { scheme, authority, host } = readAuthority(text, what);
  refuseForeignCharacters(text, what);
  refusePlainHttp(scheme, host, what, use);
  return new URL(`${scheme}://${authority}`).origin;
}

/** Returns all problems of a URL, one sentence each. If the host is invalid, doesn't check whether http is allowed. */
export function webAddressProblems(text: string, what: Words): readonly Words[] {
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

export function reasonsOf(checks: readonly (() => unknown)[]): readonly Words[] {
  return checks.map(tried).flatMap((result) => (result instanceof Refusal ? result.sentence : []));
}

function refuseWrongLength(text: string, what: Words): void {
  if (text === '') throw invalid(message('{what} is empty.', { what }));
  if (text.length > MAX_ADDRESS_LENGTH) {
    throw invalid(
      message('{what} has {count} characters; at most {maxAddressLength} are allowed.', {
        what,
        count: text.length,
        maxAddressLength: MAX_ADDRESS_LENGTH,
      }),
    );
  }
}

function refusePlainHttp(scheme: 'http' | 'https', host: string, what: Words, use: AddressUse): void {
  if (scheme === 'https' || LOCAL_HOSTS.has(host)) return;
  if (use === 'public') {
    throw invalid(
      message('{what} must start with https://; http is only for localhost, 127.0.0.1 and [::1].', { what }),
    );
  }
  if (!isPrivateHost(host)) {
    throw invalid(
      message('{what} must start with https://; http is only for localhost and private networks.', { what }),
    );
  }
}

const HIDDEN = /[\p{Cc}\p{Cf}\p{Z}\p{Cs}\\]/u;
const ALL_HIDDEN = new RegExp(HIDDEN, 'gu');

/** Browsers may remove whitespace and invisible characters, and read backslashes as slashes. */
function refuseHiddenCharacters(text: string, what: Words): void {
  const match = HIDDEN.exec(text);
  if (!match) return;
  if (match[0] === '\\')
    throw invalid(message('{what} contains a backslash, which browsers read as a slash.', { what }));
  if (match[0] === ' ') throw invalid(message('{what} contains a space; write it as %20.', { what }));
  throw invalid(
    message('{what} contains the invisible character {codePoint}.', { what, codePoint: codePoint(match[0]) }),
  );
}

function readAuthority(text: string, what: Words) {
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1];
  if (scheme === undefined)
    throw invalid(message('{what} must be a full address that starts with https://.', { what }));
  if (scheme !== 'http' && scheme !== 'https') {
    throw invalid(
      message('{what} must start with https:// (in lower case); found {value}.', {
        what,
        value: quote(`${scheme}:`),
      }),
    );
  }
  const rest = text.slice(scheme.length + 1);
  if (!rest.startsWith('//'))
    throw invalid(message('{what} must have two slashes after "{scheme}:".', { what, scheme }));
  const authority = /^[^/?#]*/.exec(rest.slice(2))![0];
  if (authority === '') throw invalid(message('{what} has no host after "{scheme}://".', { what, scheme }));
  return { scheme, authority, host: parseAuthority(authority, scheme, what) } as const;
}

/** Returns the host. Refuses a host that browsers would read differently. */
function parseAuthority(authority: string, scheme: string, what: Words): string {
  if (authority.includes('@')) {
    throw invalid(
      message('{what} contains user information before an "@", which can make one host look like another.', {
        what,
      }),
    );
  }
  const parts = /^(\[[^\]]*\]|[^:[\]]*)(?::(.*))?$/.exec(authority);
  if (!parts)
    throw invalid(
      message('{what} has an invalid host or port: {authority}.', { what, authority: quote(authority) }),
    );
  const host = parts[1]!;
  const port = parts[2];
  if (port !== undefined && (!/^[1-9][0-9]{0,4}$/.test(port) || Number(port) > MAX_PORT)) {
    throw invalid(
      message('{what} has an invalid port: {port} (1 to {maxPort} are allowed).', {
        what,
        port: quote(port),
        maxPort: MAX_PORT,
      }),
    );
  }
  if (/[%{}]/.test(host))
    throw invalid(
      message("{what} has an invalid host: {host} (%, '{' and '}' are not allowed).", {
        what,
        host: quote(host),
      }),
    );
  const read = URL.canParse(`${scheme}://${host}/`) ? new URL(`${scheme}://${host}/`).hostname : null;
  if (read === null)
    throw invalid(message('{what} has an invalid host: {host}.', { what, host: quote(host) }));
  if (read !== host) {
    throw invalid(
      message(
        '{what} has the host {host}, which browsers read as {read}; write {read} if that is the host you mean.',
        { what, host: quote(host), read: quote(read) },
      ),
    );
  }
  if (!host.startsWith('[')) refuseOddHost(host, what);
  return host;
}

function refuseOddHost(host: string, what: Words): void {
  if (host.length > MAX_HOST_LENGTH) {
    throw invalid(
      message('{what} has a host of {count} characters; at most {maxHostLength} are allowed.', {
        what,
        count: host.length,
        maxHostLength: MAX_HOST_LENGTH,
      }),
    );
  }
  for (const label of host.split('.')) {
    if (label === '')
      throw invalid(
        message('{what} has a host with an empty part between its dots: {host}.', {
          what,
          host: quote(host),
        }),
      );
    if (label.length > MAX_HOST_LABEL_LENGTH || !/^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?$/.test(label)) {
      throw invalid(
        message(
          '{what} has a host with an invalid part: {label}. A part can have at most {maxHostLabelLength} lowercase letters, digits and hyphens, and must not begin or end with a hyphen.',
          { what, label: quote(label), maxHostLabelLength: MAX_HOST_LABEL_LENGTH },
        ),
      );
    }
    if (label.startsWith('xn--') && !isEncodedName(label)) {
      throw invalid(
        message('{what} has a host with a part that is invalid Punycode: {label}.', {
          what,
          label: quote(label),
        }),
      );
    }
  }
}

/** Whether a Punycode label is valid (RFC 5891 section 4.4). URL parsers accept some invalid labels. */
function isEncodedName(label: string): boolean {
  const name = domainToUnicode(label);
  return name !== label && domainToASCII(name) === label;
}

function refuseForeignCharacters(text: string, what: Words): void {
  const foreign = NOT_IN_ADDRESS.exec(text);
  if (foreign) {
    throw invalid(
      message('{what} contains {foreign}; write it as {percentEncode}.', {
        what,
        foreign: quote(foreign[0]),
        percentEncode: percentEncode(foreign[0]),
      }),
    );
  }
  const percent = /%(?![0-9A-Fa-f]{2}).{0,2}/.exec(text);
  if (percent) {
    throw invalid(
      message('{what} contains {percent}, a percent sign without two hexadecimal digits.', {
        what,
        percent: quote(percent[0]),
      }),
    );
  }
}

const percentEncode = (character: string): string =>
  [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

/** Like `parseWebAddress`, but also refuses braces. */
export function parsePlainAddress(text: string, what: Words): string {
  const origin = parseWebAddress(text, what);
  const brace = /[{}]/.exec(text);
  if (brace)
    throw invalid(
      message('{what} contains {brace}; write it as {percentEncode}.', {
        what,
        brace: quote(brace[0]),
        percentEncode: percentEncode(brace[0]),
      }),
    );
  return origin;
}

/** Matches a URL without a scheme, such as `example.com/shop`. The host must contain a dot. */
const WITHOUT_SCHEME = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?(?=[/?#]|$)/i;

export const withScheme = (text: string): string => (WITHOUT_SCHEME.test(text) ? `https://${text}` : text);

/** Normalizes an https URL or a `mailto:` URL without headers. Returns `null` for anything else. */
export function contactUrl(text: string): string | null {
  const url = /[^\x21-\x7e]/.test(text) ? null : URL.parse(text);
  if (url === null || text.length > MAX_ADDRESS_LENGTH) return null;
  if (url.protocol === 'mailto:') {
    return /^[^@]+@[^@]+$/.test(url.pathname) && url.search === '' && url.hash === '' ? url.href : null;
  }
  return url.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : null;
}
