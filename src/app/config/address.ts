/** Error messages must not quote a URL that may contain a password. */
import { BlockList, isIP } from 'node:net';
import { Refusal, tried } from '../../platform/errors.ts';
import { hostSelectionProblem, hostUrls, withPassword } from '../../platform/network/database-url.ts';
import { addNetwork } from '../../platform/network/network.ts';
import { parseOutgoingAddress } from '../../platform/network/outgoing-address.ts';
import { type Complain, quote, type ReadSetting } from './setting.ts';
import type { SettingName } from './settings.ts';

const DEFAULT_HOST = '127.0.0.1';

export interface ServiceAddress {
  readonly host: string;
  /** 0: the operating system chooses a free port. */
  readonly port: number;
  /** An origin without a trailing slash; `null` if BASE_URL is unset (see `baseUrlOf`). */
  readonly baseUrl: string | null;
}

/** Returns BASE_URL, or else the URL of the listening address. `port`: the actual port if 0 is configured. */
export function baseUrlOf(address: ServiceAddress, port: number = address.port): string {
  if (address.baseUrl !== null) return address.baseUrl;
  const host = address.host === '0.0.0.0' || address.host === '::' ? DEFAULT_HOST : address.host;
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

export function parseHost(setting: ReadSetting, complain: Complain): string {
  const text = setting('HOST') ?? DEFAULT_HOST;
  if (isIP(text) === 0 && !/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text)) {
    complain(
      `HOST must be an IP address or a host name, without a port; found ${quote(text)} (example: 127.0.0.1).`,
    );
  }
  return text;
}

export function parseBaseUrl(setting: ReadSetting, complain: Complain): string | null {
  const text = setting('BASE_URL');
  if (text === null) return null;
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    complain(`BASE_URL is not an http or https URL (example: https://claims.example.com).`);
    return null;
  }
  if (url.username !== '' || url.password !== '')
    complain('BASE_URL must not contain a user name or password (example: https://claims.example.com).');
  else if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    complain(
      `BASE_URL must not have a path, query or fragment, because the service is always at the root; found ${quote(text)} (example: https://claims.example.com).`,
    );
  }
  return url.origin;
}

export function parseNetworks(name: SettingName, setting: ReadSetting, complain: Complain): BlockList {
  const list = new BlockList();
  for (const part of setting(name)?.split(',') ?? []) {
    const entry = part.trim();
    if (addNetwork(list, entry)) continue;
    complain(
      `${name} must list addresses or networks such as 10.0.0.0/8, separated by commas; ${quote(entry)} is neither.`,
    );
  }
  return list;
}

export function parseUpdateCheckUrl(
  setting: ReadSetting,
  allowed: BlockList,
  complain: Complain,
): string | null {
  const text = setting('UPDATE_CHECK_URL');
  const result = text === null ? null : tried(() => parseOutgoingAddress(text, 'UPDATE_CHECK_URL', allowed));
  if (result instanceof Refusal) complain(result.message);
  return text;
}

/** Returns DATABASE_URL. If DATABASE_PASSWORD is set, inserts the password into the URL. */
export function parseDatabaseUrl(setting: ReadSetting, complain: Complain): string | null {
  const text = setting('DATABASE_URL');
  const password = setting('DATABASE_PASSWORD');
  if (text === null) {
    if (password !== null)
      complain(
        'DATABASE_PASSWORD is set without DATABASE_URL. Set DATABASE_URL too, or remove DATABASE_PASSWORD.',
      );
    return null;
  }
  const problem = hasUnencodedPassword(text)
    ? `DATABASE_URL: ${ENCODE_PASSWORD}, or leave the password out and set DATABASE_PASSWORD.`
    : (postgresUrlProblem(text) ?? hostSelectionProblem(text));
  if (problem !== null) complain(problem);
  if (problem !== null || password === null) return text;
  const url = withPassword(text, password);
  if (url === null) {
    complain(
      'DATABASE_URL must contain a user name but no password if DATABASE_PASSWORD is set (example: postgres://user@host:5432/claimcheck).',
    );
  }
  return url ?? text;
}

const ENCODE_PASSWORD =
  'percent-encode special characters in the password (# as %23, / as %2F, ? as %3F, % as %25)';

/**
 * Whether a `#`, `/` or `?` in the password ended the host, so that an `@` comes after it, or a `%` starts no escape.
 */
function hasUnencodedPassword(text: string): boolean {
  const start = text.indexOf('://');
  if (start === -1) return false;
  const rest = text.slice(start + '://'.length);
  const end = rest.search(/[/?#]/);
  const authority = end === -1 ? rest : rest.slice(0, end);
  const userInfo = authority.slice(0, Math.max(0, authority.lastIndexOf('@')));
  const url = URL.parse(text);
  if (userInfo !== '') {
    return /%(?![\da-f]{2})/i.test(userInfo) || (url !== null && (url.pathname + url.hash).includes('@'));
  }
  if (end === -1 || !authority.includes(':')) return false;
  return url === null ? rest.includes('@', end) : (url.pathname + url.hash + nameless(url)).includes('@');
}

/** The part of the query before the first parameter's value. A `?` in the password leaves an `@` there. */
const nameless = (url: URL): string => [...url.searchParams.keys()].join('');

function postgresUrlProblem(text: string): string | null {
  const [url, ...others] = hostUrls(text).map((each) => URL.parse(each));
  if (!url || others.includes(null) || !/^postgres(?:ql)?:$/.test(url.protocol)) {
    return 'DATABASE_URL is not a valid PostgreSQL URL (example: postgres://user:password@host:5432/claimcheck).';
  }
  return url.pathname.length <= 1
    ? 'DATABASE_URL names no database. Add the database name after the host: postgres://host/claimcheck'
    : null;
}

export function parseSmtpUrl(setting: ReadSetting, complain: Complain): string | null {
  const text = setting('SMTP_URL');
  const url = text === null ? null : URL.parse(text);
  if (text !== null && hasUnencodedPassword(text)) {
    complain(`SMTP_URL: ${ENCODE_PASSWORD}.`);
    return text;
  }
  if (text !== null && (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '')) {
    complain('SMTP_URL is not an smtp or smtps URL (example: smtps://user:password@mail.example.com).');
  }
  const requireTls = url?.searchParams.get('requireTLS') ?? 'true';
  if (requireTls !== 'true' && requireTls !== 'false') {
    complain(
      'SMTP_URL: requireTLS must be true or false (example: smtp://mail.example.com?requireTLS=true).',
    );
  }
  return text;
}

export function parseMailFrom(setting: ReadSetting, complain: Complain): string {
  const text = setting('MAIL_FROM');
  if (text === null) {
    if (setting('SMTP_URL') !== null)
      complain('SMTP_URL needs MAIL_FROM, the sender of all mail (example: MAIL_FROM=claims@example.com).');
    return '';
  }
  if (!/^[^\r\n<>@]*(?:<[^\s<>@]+|[^\s<>@])@[^\s<>@]+>?$/.test(text)) {
    complain(`MAIL_FROM is not an email address; found ${quote(text)} (example: claims@example.com).`);
  }
  return text;
}
