/** Parses the TLS options of DATABASE_URL as libpq does. `pg` interprets sslmode differently and logs a warning. */
import { readFileSync } from 'node:fs';
import type { ConnectionOptions as TlsOptions } from 'node:tls';
import { hostUrls } from '../../network/database-url.ts';
import { isLoopbackHost, withoutBrackets } from '../../network/network.ts';
import { messageOf } from '../../process/failure.ts';
import { DatabaseUnusable } from '../database.ts';

export interface ConnectionOptions {
  readonly connectionString: string;
  /** Unset if the URL has no libpq TLS parameter. `pg` itself handles `ssl=true`. */
  readonly ssl?: TlsOptions | false;
  readonly sslnegotiation?: 'direct';
}

const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
type SslMode = (typeof SSL_MODES)[number];

/** URL parameters that name a file, with the `node:tls` option for the file's content. */
const FILES = { sslrootcert: 'ca', sslcert: 'cert', sslkey: 'key' } as const;
/** `sslrootcert=system` selects the default root certificates, which `node:tls` uses if `ca` is unset. */
const SYSTEM_CERTIFICATES = 'system';

/**
 * The TLS parameters of `url` for one host (postgresql.org/docs/current/libpq-ssl, "SSL Mode Descriptions"). With
 * `sslrootcert`, `require` means `verify-ca`. Throws `DatabaseUnusable` for an unreadable file or another mode:
 * `prefer` and `allow` would fall back to plain text.
 */
export function connectionOptions(url: string): ConnectionOptions {
  const parsed = new URL(url);
  const parameters = parsed.searchParams;
  const mode = parameters.has('sslmode') ? parseSslMode(parameters.get('sslmode')!) : null;
  const named = Object.keys(FILES).filter((name) => parameters.has(name));
  if (mode === null && named.length === 0) return { connectionString: url };

  const files: { ca?: string; cert?: string; key?: string } = {};
  for (const name of named as (keyof typeof FILES)[]) {
    const path = parameters.get(name)!;
    if (name !== 'sslrootcert' || path !== SYSTEM_CERTIFICATES) files[FILES[name]] = readNamed(name, path);
  }
  const host = parameters.get('host') ?? withoutBrackets(parsed.hostname);
  const isDirect = parameters.get('sslnegotiation') === 'direct';
  // A parameter left in the URL would override the options.
  for (const name of ['sslmode', 'uselibpqcompat', 'ssl', 'sslnegotiation', ...named])
    parameters.delete(name);
  return {
    connectionString: parsed.href,
    ssl: tlsOptions(mode, host, named, files),
    ...(isDirect && { sslnegotiation: 'direct' }),
  };
}

function tlsOptions(
  mode: SslMode | null,
  host: string,
  named: readonly string[],
  files: TlsOptions,
): TlsOptions | false {
  if (mode === 'disable') return false;
  if (mode === 'require' && !named.includes('sslrootcert')) return { ...files, rejectUnauthorized: false };
  if (mode === 'require' || mode === 'verify-ca') return { ...files, checkServerIdentity: () => undefined };
  return { ...files, host };
}

function parseSslMode(text: string): SslMode {
  const mode = SSL_MODES.find((each) => each === text);
  if (mode === undefined) {
    throw new DatabaseUnusable(`DATABASE_URL: sslmode must be one of ${SSL_MODES.join(', ')}.`);
  }
  return mode;
}

function readNamed(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new DatabaseUnusable(`DATABASE_URL: the ${name} file cannot be read: ${messageOf(error)}.`);
  }
}

/**
 * `local`: the connection stays on this machine. `disabled`: plain text over a network, requested by `sslmode=disable`.
 * `unstated`: plain text over a network, although DATABASE_URL does not request it.
 */
export type DatabaseLink = 'local' | 'encrypted' | 'disabled' | 'unstated';

const LEAST_PROTECTED_FIRST: readonly DatabaseLink[] = ['unstated', 'disabled', 'encrypted', 'local'];

/** `url`: a valid DATABASE_URL. For several hosts, returns the least protected link. */
export function databaseLink(url: string): DatabaseLink {
  const links = hostUrls(url).map(linkOf);
  return LEAST_PROTECTED_FIRST.find((link) => links.includes(link))!;
}

function linkOf(url: string): DatabaseLink {
  const { searchParams, hostname } = new URL(url);
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  if (host === '' || host.startsWith('/') || isLoopbackHost(host)) return 'local';
  const mode = searchParams.get('sslmode');
  if (mode !== null) return mode === 'disable' ? 'disabled' : 'encrypted';
  const isOn = ['true', '1'].includes(searchParams.get('ssl') ?? '');
  return isOn || Object.keys(FILES).some((name) => searchParams.has(name)) ? 'encrypted' : 'unstated';
}

export const withoutPassword = (url: string): string => hostUrls(url).map(masked).join(' and ');

function masked(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return 'a URL that cannot be read';
  if (parsed.password !== '') parsed.password = '***';
  parsed.searchParams.delete('password');
  return parsed.href;
}
