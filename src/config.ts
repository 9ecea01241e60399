/**
 * The environment, parsed once at the edge: a frozen Config, or every problem at once. Nothing else reads
 * `process.env`. Settings are described for operators in docs/guide/self-hosting.md.
 */
import { BlockList, isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { hostSelectionProblem, hostUrls, standbySelectionProblem } from './database-hosts.ts';
import { isLoopbackHost } from './network.ts';
import { ALLOW_SETTING } from './outgoing-address.ts';
import { parseSecretKeys, type SecretKeys } from './secret-keys.ts';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const DEFAULT_PORT = 3000;
const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_DATA_DIR = './data';
const MAX_PORT = 65_535;
/** Requests a second per API key and process. */
const DEFAULT_VERIFY_RATE_LIMIT = 200;
const MAX_VERIFY_RATE_LIMIT = 1_000_000;
const DEFAULT_REQUEST_LOG_DAYS = 7;
const MAX_REQUEST_LOG_DAYS = 90;
/** Calls of one account. */
const DEFAULT_REQUEST_LOG_CALLS = 20_000;
const MIN_REQUEST_LOG_CALLS = 100;
const MAX_REQUEST_LOG_CALLS = 1_000_000;
const MAX_EVENT_LOG_MONTHS = 1_200;
const MIN_METRICS_TOKEN_CHARACTERS = 16;
const DEFAULT_OIDC_NAME = 'your company’s account';
const MAX_OIDC_NAME_LENGTH = 60;
const SECRET_KEY_FILE_NAME = 'secret.key';

/** Source of the secret keys. `data-folder`: read there; the first start makes one. */
export type SecretKeySource =
  | { readonly from: 'environment'; readonly keys: SecretKeys }
  | { readonly from: 'file'; readonly path: string }
  | { readonly from: 'data-folder'; readonly path: string };

/** Holds secrets (`databaseUrl`, `databaseReadUrl`, `secretKey`, `metricsToken`, `smtpUrl`): never log it whole. */
export interface Config {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** An origin without a slash at its end; `null` when BASE_URL is unset, see `baseUrlOf`. */
  readonly baseUrl: string | null;
  /** An absolute path. */
  readonly dataDir: string;
  /** `null`: the embedded database in `dataDir`. */
  readonly databaseUrl: string | null;
  /** A standby that lists, counts and exports are read from; `null`: there is none. */
  readonly databaseReadUrl: string | null;
  readonly secretKey: SecretKeySource;
  /** Addresses whose forwarding headers are believed. */
  readonly trustedProxies: BlockList;
  /** Networks beyond the public internet that owners may have called. */
  readonly allowedNetworks: BlockList;
  readonly logLevel: LogLevel;
  /** Requests a second per API key and process; 0 is no limit. */
  readonly verifyRateLimit: number;
  /** For how long and how many calls of an account the request log keeps. */
  readonly requestLog: { readonly days: number; readonly calls: number };
  /** For how many months the log of events is kept; `null`: for ever. */
  readonly eventLog: { readonly months: number | null };
  /** `null`: metrics for loopback callers alone. */
  readonly metricsToken: string | null;
  /** `null`: mail stays here, in the operator's Outbox. Holds a password. */
  readonly smtpUrl: string | null;
  readonly mailFrom: string;
  /** Where to report a weakness, a `mailto:` or `https:` URL; `null`: nothing is published. */
  readonly securityContact: string | null;
  /** Whether the desk asks operators for a second factor; `null`: where the service is reached by https. */
  readonly operatorSecondFactor: SecondFactorRule | null;
  /** The company's identity provider; `null`: people sign in here alone. */
  readonly oidc: OidcSettings | null;
  /** The operator that the first start makes; `null`: a setup link does. */
  readonly admin: { readonly email: string; readonly passwordFile: string } | null;
}

export interface OidcSettings {
  /** As its metadata spell it. */
  readonly issuer: string;
  readonly clientId: string;
  /** An absolute path. */
  readonly clientSecretFile: string;
  /** What the sign-in button calls it. */
  readonly name: string;
}

export type SecondFactorRule = 'required' | 'optional';

/** Settings from the command line, as typed; they override the environment. */
export interface Overrides {
  readonly port?: string | undefined;
}

/** The configuration is not valid; one sentence for each problem, none with a secret. */
export class ConfigProblems extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(problems.join('\n'), options);
    this.name = 'ConfigProblems';
    this.problems = problems;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;
/** Records a problem. The parser then returns a placeholder, since the Config is never used. */
type Complain = (problem: string) => void;

/** Throws `ConfigProblems` with every problem. An empty variable counts as unset. */
export function parseConfig(env: Environment, overrides: Overrides = {}): Config {
  const problems: string[] = [];
  const complain: Complain = (problem) => problems.push(problem);
  const setting = (name: string): string | null => env[name]?.trim() || null;

  const dataDir = resolve(setting('DATA_DIR') ?? DEFAULT_DATA_DIR);
  const databaseUrl = parseDatabaseUrl(setting('DATABASE_URL'), complain);
  const config: Config = {
    host: parseHost(setting('HOST'), complain),
    port:
      overrides.port === undefined
        ? parseInteger('PORT', setting('PORT'), DEFAULT_PORT, [0, MAX_PORT], complain)
        : parseInteger('--port', overrides.port, DEFAULT_PORT, [0, MAX_PORT], complain),
    baseUrl: parseBaseUrl(setting('BASE_URL'), complain),
    dataDir,
    databaseUrl,
    databaseReadUrl: parseDatabaseReadUrl(setting('DATABASE_READ_URL'), databaseUrl !== null, complain),
    secretKey: parseSecretKeySource(
      setting('SECRET_KEY'),
      setting('SECRET_KEY_FILE'),
      dataDir,
      databaseUrl !== null,
      complain,
    ),
    trustedProxies: parseNetworks('TRUSTED_PROXIES', setting('TRUSTED_PROXIES'), complain),
    allowedNetworks: parseNetworks(ALLOW_SETTING, setting(ALLOW_SETTING), complain),
    logLevel: parseLogLevel(setting('LOG_LEVEL'), complain),
    verifyRateLimit: parseInteger(
      'VERIFY_RATE_LIMIT',
      setting('VERIFY_RATE_LIMIT'),
      DEFAULT_VERIFY_RATE_LIMIT,
      [0, MAX_VERIFY_RATE_LIMIT],
      complain,
    ),
    requestLog: {
      days: parseInteger(
        'REQUEST_LOG_DAYS',
        setting('REQUEST_LOG_DAYS'),
        DEFAULT_REQUEST_LOG_DAYS,
        [1, MAX_REQUEST_LOG_DAYS],
        complain,
      ),
      calls: parseInteger(
        'REQUEST_LOG_CALLS',
        setting('REQUEST_LOG_CALLS'),
        DEFAULT_REQUEST_LOG_CALLS,
        [MIN_REQUEST_LOG_CALLS, MAX_REQUEST_LOG_CALLS],
        complain,
      ),
    },
    eventLog: {
      months: parseInteger(
        'EVENT_LOG_MONTHS',
        setting('EVENT_LOG_MONTHS'),
        null,
        [1, MAX_EVENT_LOG_MONTHS],
        complain,
      ),
    },
    metricsToken: parseMetricsToken(setting('METRICS_TOKEN'), complain),
    smtpUrl: parseSmtpUrl(setting('SMTP_URL'), complain),
    mailFrom: parseMailFrom(setting('MAIL_FROM'), setting('SMTP_URL') !== null, complain),
    securityContact: parseSecurityContact(setting('SECURITY_CONTACT'), complain),
    operatorSecondFactor: parseSecondFactorRule(setting('OPERATOR_SECOND_FACTOR'), complain),
    oidc: parseOidc(setting, complain),
    admin: parseAdmin(setting('ADMIN_EMAIL'), setting('ADMIN_PASSWORD_FILE'), complain),
  };
  if (problems.length > 0) throw new ConfigProblems(problems);
  return Object.freeze(config);
}

/** BASE_URL, or the URL of the listening address. `port`: the real one where the configured one is 0. */
export function baseUrlOf(config: Config, port: number = config.port): string {
  if (config.baseUrl !== null) return config.baseUrl;
  const host = config.host === '0.0.0.0' || config.host === '::' ? DEFAULT_HOST : config.host;
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

function parseSecretKeySource(
  value: string | null,
  file: string | null,
  dataDir: string,
  onPostgres: boolean,
  complain: Complain,
): SecretKeySource {
  if (value !== null && file !== null) complain('SECRET_KEY and SECRET_KEY_FILE are both set; set one.');
  if (value !== null) {
    const keys = parseSecretKeys(value, (problem) => complain(`SECRET_KEY ${problem}.`));
    return { from: 'environment', keys };
  }
  if (file !== null) return { from: 'file', path: resolve(file) };
  if (onPostgres) {
    complain(
      'SECRET_KEY or SECRET_KEY_FILE is required with DATABASE_URL: every process of the service needs the same keys.',
    );
  }
  return { from: 'data-folder', path: join(dataDir, SECRET_KEY_FILE_NAME) };
}

function parseInteger<Fallback extends number | null>(
  name: string,
  text: string | null,
  fallback: Fallback,
  [min, max]: readonly [min: number, max: number],
  complain: Complain,
): number | Fallback {
  if (text === null) return fallback;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  complain(`${name} must be a whole number from ${min} to ${max} and is ${quote(text)}.`);
  return fallback;
}

function parseHost(text: string | null, complain: Complain): string {
  if (text === null) return DEFAULT_HOST;
  if (isIP(text) === 0 && !/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text)) {
    complain(`HOST must be an address or a host name without a port and is ${quote(text)}.`);
  }
  return text;
}

function parseBaseUrl(text: string | null, complain: Complain): string | null {
  if (text === null) return null;
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    complain(`BASE_URL must be an http or https URL such as https://claims.example.com and is not.`);
    return null;
  }
  if (url.username !== '' || url.password !== '') complain('BASE_URL must not hold a user name or password.');
  else if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    complain(`BASE_URL must end after the host (the service answers at the root) and is ${quote(text)}.`);
  }
  return url.origin;
}

/** The sentences do not repeat the value: it holds a password. */
function parseDatabaseUrl(text: string | null, complain: Complain): string | null {
  if (text === null) return null;
  const problem = postgresUrlProblem('DATABASE_URL', text) ?? hostSelectionProblem(text);
  if (problem !== null) complain(problem);
  return text;
}

/** Likewise. */
function parseDatabaseReadUrl(text: string | null, onPostgres: boolean, complain: Complain): string | null {
  if (text === null) return null;
  const problem = onPostgres
    ? (postgresUrlProblem('DATABASE_READ_URL', text) ?? standbySelectionProblem(text))
    : 'DATABASE_READ_URL names a standby of the server in DATABASE_URL, which is not set; the embedded database has none.';
  if (problem !== null) complain(problem);
  return text;
}

/** What is wrong with a URL of PostgreSQL, or with one of its hosts; `null`: nothing. */
function postgresUrlProblem(setting: string, text: string): string | null {
  const urls = hostUrls(text);
  const url = urls.every((each) => URL.canParse(each)) ? new URL(urls[0]!) : null;
  if (url === null || (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:')) {
    return `${setting} must be a URL such as postgres://user:password@host:5432/claimcheck and is not.`;
  }
  return url.pathname.length <= 1
    ? `${setting} must name a database after the host, as in postgres://host/claimcheck.`
    : null;
}

function parseNetworks(name: string, text: string | null, complain: Complain): BlockList {
  const list = new BlockList();
  for (const part of text?.split(',') ?? []) {
    const entry = part.trim();
    const [address = '', prefix, ...rest] = entry.split('/');
    const version = isIP(address);
    const bits = version === 4 ? 32 : 128;
    if (
      version === 0 ||
      address.includes('%') ||
      rest.length > 0 ||
      (prefix !== undefined && !isPrefix(prefix, bits))
    ) {
      complain(
        `${name} must list addresses or networks such as 10.0.0.0/8, separated by commas; ${quote(entry)} is neither.`,
      );
      continue;
    }
    list.addSubnet(address, prefix === undefined ? bits : Number(prefix), version === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

const isPrefix = (text: string, bits: number): boolean => /^\d{1,3}$/.test(text) && Number(text) <= bits;

function parseLogLevel(text: string | null, complain: Complain): LogLevel {
  const level = LOG_LEVELS.find((name) => name === (text ?? 'info'));
  if (level === undefined) {
    complain(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')} and is ${quote(text ?? '')}.`);
  }
  return level ?? 'info';
}

/** Whether the desk asks operators for a second factor. */
export const secondFactorRule = (config: Config, baseUrl: string): SecondFactorRule =>
  config.operatorSecondFactor ?? (baseUrl.startsWith('https://') ? 'required' : 'optional');

function parseSecondFactorRule(text: string | null, complain: Complain): SecondFactorRule | null {
  if (text === null || text === 'required' || text === 'optional') return text;
  complain(`OPERATOR_SECOND_FACTOR must be required or optional and is ${quote(text)}.`);
  return null;
}

function parseMetricsToken(text: string | null, complain: Complain): string | null {
  if (text !== null && (text.length < MIN_METRICS_TOKEN_CHARACTERS || !/^[\x21-\x7e]+$/.test(text))) {
    complain(
      `METRICS_TOKEN must be at least ${MIN_METRICS_TOKEN_CHARACTERS} visible ASCII characters without spaces.`,
    );
  }
  return text;
}

/** The sentence does not repeat the value: it holds a password. */
function parseSmtpUrl(text: string | null, complain: Complain): string | null {
  const url = text === null ? null : URL.parse(text);
  if (text !== null && (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '')) {
    complain('SMTP_URL must be a URL such as smtps://user:password@mail.example.com and is not.');
  }
  const requireTls = url?.searchParams.get('requireTLS') ?? 'true';
  if (requireTls !== 'true' && requireTls !== 'false') {
    complain('SMTP_URL may have requireTLS=true or requireTLS=false and has another value of it.');
  }
  return text;
}

function parseMailFrom(text: string | null, hasSmtp: boolean, complain: Complain): string {
  if (text === null) {
    if (hasSmtp) complain('MAIL_FROM must be set beside SMTP_URL: the address that mail comes from.');
    return '';
  }
  if (!/^[^\r\n<>@]*<?[^\s<>@]+@[^\s<>@]+>?$/.test(text)) {
    complain(`MAIL_FROM must be an address such as claims@example.com and is ${quote(text)}.`);
  }
  return text;
}

/** The URL schemes that RFC 9116 section 2.5.3 names, less `tel:`. */
function parseSecurityContact(text: string | null, complain: Complain): string | null {
  const url = text === null || /[^\x21-\x7e]/.test(text) ? null : URL.parse(text);
  const isContact =
    url !== null &&
    (url.protocol === 'https:' || (url.protocol === 'mailto:' && /^[^@]+@[^@]+$/.test(url.pathname)));
  if (text !== null && !isContact) {
    complain(
      `SECURITY_CONTACT must be mailto: and an address, or an https URL, such as mailto:security@example.com, and is ${quote(text)}.`,
    );
  }
  return url?.href ?? null;
}

/** All of the three settings, or none. */
function parseOidc(setting: (name: string) => string | null, complain: Complain): OidcSettings | null {
  const needed = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET_FILE'] as const;
  const [issuer, clientId, clientSecretFile] = needed.map(setting);
  const name = setting('OIDC_NAME');
  if (!issuer && !clientId && !clientSecretFile && name === null) return null;
  const missing = needed.filter((needed) => setting(needed) === null);
  for (const one of missing) {
    complain(`${one} is not set; signing in through an identity provider needs ${needed.join(', ')}.`);
  }
  if (name !== null && name.length > MAX_OIDC_NAME_LENGTH) {
    complain(`OIDC_NAME has ${name.length} characters; at most ${MAX_OIDC_NAME_LENGTH} are allowed.`);
  }
  if (!issuer || !clientId || !clientSecretFile) return null;
  const url = URL.parse(issuer);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname));
  if (url === null || !isSafe || url.search !== '' || url.hash !== '' || url.username !== '') {
    complain(
      'OIDC_ISSUER must be an https URL such as https://login.example.com (http only on this machine), without user name, query or fragment, and is not.',
    );
  }
  return { issuer, clientId, clientSecretFile: resolve(clientSecretFile), name: name ?? DEFAULT_OIDC_NAME };
}

function parseAdmin(email: string | null, passwordFile: string | null, complain: Complain): Config['admin'] {
  if (email !== null && passwordFile !== null) return { email, passwordFile: resolve(passwordFile) };
  if (email !== null) complain('ADMIN_EMAIL is set and ADMIN_PASSWORD_FILE is not; set both or neither.');
  if (passwordFile !== null) {
    complain('ADMIN_PASSWORD_FILE is set and ADMIN_EMAIL is not; set both or neither.');
  }
  return null;
}

const quote = (text: string): string => JSON.stringify(text);
