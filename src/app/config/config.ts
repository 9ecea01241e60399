/** Parses the environment into a frozen Config, or reports all problems together. */
import type { BlockList } from 'node:net';
import { resolve } from 'node:path';
import type { Brand } from '../../base/brand/brand.ts';
import { ALLOW_SETTING } from '../../platform/network/outgoing-address.ts';
import {
  parseBaseUrl,
  parseDatabaseUrl,
  parseHost,
  parseMailFrom,
  parseNetworks,
  parseSmtpUrl,
  parseUpdateCheckUrl,
  type ServiceAddress,
} from './address.ts';
import { parseBackups } from './backups.ts';
import { parseFirstBrand } from './brand.ts';
import { parseSecretKeySource, type SecretKeySource } from './secret-key.ts';
import {
  type Complain,
  ConfigProblems,
  createReader,
  type Environment,
  parseInteger,
  quote,
  type ReadSetting,
} from './setting.ts';
import type { SettingName } from './settings.ts';
import {
  type FirstOperator,
  type OidcSettings,
  parseAdmin,
  parseOidc,
  parseSecondFactorRule,
  type SecondFactorRule,
} from './sign-in.ts';

export const DEFAULT_DATA_DIR = './data';
/** Of the command `demo`. */
export const DEMO_DATA_DIR = './data-demo';
const DEFAULT_PORT = 3000;
const PORTS = [0, 65_535] as const;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

const MIN_METRICS_TOKEN_CHARACTERS = 16;

/** Contains secrets (`databaseUrl`, `secretKey`, `metricsToken`, `smtpUrl`). Never log this object. */
export interface Config extends ServiceAddress {
  /** An absolute path. */
  readonly dataDir: string;
  /** `null`: the embedded database in `dataDir`. */
  readonly databaseUrl: string | null;
  /** The absolute path of each file with a secret, by the variable that names the file. */
  readonly secretFiles: Readonly<Record<string, string>>;
  readonly secretKey: SecretKeySource;
  /** Idle timeout of clients' connections; `null`: the default in `SERVER_LIMITS`. */
  readonly keepAliveSeconds: number | null;
  readonly backups: ReturnType<typeof parseBackups>;
  readonly trustedProxies: BlockList;
  /** Non-public networks to which the service may send requests on behalf of owners. */
  readonly allowedNetworks: BlockList;
  /** `null`: the service doesn't look for newer versions. */
  readonly updateCheckUrl: string | null;
  /** The initial brand. Operators can change it, but vulnerability reports always go to the initial contact, if set. */
  readonly firstBrand: Brand;
  readonly logLevel: LogLevel;
  /** Maximum verifications per second for each API key in each process; 0: no limit. */
  readonly verifyRateLimit: number;
  /** `days`: retention of calls. `calls`: maximum number of calls kept per account and mode. */
  readonly requestLog: { readonly days: number; readonly calls: number };
  /** Retention in months; `null`: unlimited. */
  readonly eventLog: { readonly months: number | null };
  /** `null`: only loopback callers may read metrics. */
  readonly metricsToken: string | null;
  /** May contain a password. `null`: mail stays in the operator's Outbox. */
  readonly smtpUrl: string | null;
  readonly mailFrom: string;
  /** Whether operators need a second factor to use the desk; `null`: only if the base URL is https. */
  readonly operatorSecondFactor: SecondFactorRule | null;
  readonly oidc: OidcSettings;
  /** The operator that the first start creates; `null`: the first start prints a setup link instead. */
  readonly admin: FirstOperator | null;
}

/** Settings from the command line, as typed; they override the environment. */
interface Overrides {
  readonly port?: string | undefined;
}

/** Throws `ConfigProblems` with every problem. An empty variable counts as unset. */
export function parseConfig(env: Environment, overrides: Overrides = {}): Config {
  const problems: string[] = [];
  const complain: Complain = (problem) => problems.push(problem);
  const { setting, secret, secretFiles } = createReader(env, complain);

  const integer = <Fallback extends number | null>(
    name: SettingName,
    fallback: Fallback,
    range: readonly [min: number, max: number],
  ) => parseInteger(name, setting(name), fallback, range, complain);

  const dataDir = resolve(setting('DATA_DIR') ?? DEFAULT_DATA_DIR);
  const databaseUrl = parseDatabaseUrl(setting, complain);
  const allowedNetworks = parseNetworks(ALLOW_SETTING, setting, complain);
  const config: Config = {
    host: parseHost(setting, complain),
    port:
      overrides.port === undefined
        ? integer('PORT', DEFAULT_PORT, PORTS)
        : parseInteger('--port', overrides.port, DEFAULT_PORT, PORTS, complain),
    baseUrl: parseBaseUrl(setting, complain),
    dataDir,
    databaseUrl,
    secretFiles,
    secretKey: parseSecretKeySource(secret, { dataDir, usesPostgres: databaseUrl !== null }, complain),
    keepAliveSeconds: integer('KEEP_ALIVE_SECONDS', null, [5, 86_400]),
    backups: parseBackups(setting, secret, complain),
    trustedProxies: parseNetworks('TRUSTED_PROXIES', setting, complain),
    allowedNetworks,
    updateCheckUrl: parseUpdateCheckUrl(setting, allowedNetworks, complain),
    firstBrand: parseFirstBrand(setting, complain),
    logLevel: parseLogLevel(setting, complain),
    verifyRateLimit: integer('VERIFY_RATE_LIMIT', 200, [0, 1_000_000]),
    requestLog: {
      days: integer('REQUEST_LOG_DAYS', 7, [1, 90]),
      calls: integer('REQUEST_LOG_CALLS', 20_000, [100, 1_000_000]),
    },
    eventLog: { months: integer('EVENT_LOG_MONTHS', null, [1, 1_200]) },
    metricsToken: parseMetricsToken(setting, complain),
    smtpUrl: parseSmtpUrl(setting, complain),
    mailFrom: parseMailFrom(setting, complain),
    operatorSecondFactor: parseSecondFactorRule(setting, complain),
    oidc: parseOidc(setting, secret, complain),
    admin: parseAdmin(setting, secret, complain),
  };
  if (problems.length > 0) throw new ConfigProblems(problems);
  return Object.freeze(config);
}

function parseLogLevel(setting: ReadSetting, complain: Complain): LogLevel {
  const text = setting('LOG_LEVEL') ?? 'info';
  const level = LOG_LEVELS.find((name) => name === text);
  if (level === undefined) {
    complain(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}; found ${quote(text)}.`);
  }
  return level ?? 'info';
}

/** The error omits the value, because it is a secret. */
function parseMetricsToken(setting: ReadSetting, complain: Complain): string | null {
  const text = setting('METRICS_TOKEN');
  if (text !== null && (text.length < MIN_METRICS_TOKEN_CHARACTERS || !/^[\x21-\x7e]+$/.test(text))) {
    complain(
      `METRICS_TOKEN must have at least ${MIN_METRICS_TOKEN_CHARACTERS} characters, all visible ASCII without spaces (create one with openssl rand -hex 32).`,
    );
  }
  return text;
}
