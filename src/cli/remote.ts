/** Whether a command works on the database here, or on another service, and with which kind of key. */
import { settingOf } from '../process/setting-file.ts';
import type { Service } from './call.ts';
import { UsageError } from './usage-error.ts';

/** The service that the command line or the environment names. */
export interface Target {
  readonly url: string | null;
  readonly key: string | null;
  /** What gave the key, for sentences about it. */
  readonly keySource: string;
}

/** The options before the command. */
export interface TargetOptions {
  readonly url?: string;
  readonly key?: string;
}

/** The commands that take the API key (`cck_…`) of an owner. `campaigns` takes both kinds of keys. */
const OWNER_COMMANDS = ['campaigns', 'claims list', 'claims show', 'redemptions', 'listen', 'verify'];

/** The commands that work on a service. */
const REMOTE_COMMANDS: ReadonlySet<string> = new Set([
  'accounts create',
  'accounts set-plan',
  'accounts list',
  'accounts suspend',
  'accounts restore',
  'listings create',
  'listings approve',
  'listings request-changes',
  'listings reject',
  'listings suspend',
  'listings restore',
  'listings list',
  'offers create',
  'offers list',
  'offers pause',
  'offers resume',
  'codes add',
  'codes withdraw',
  'keys create',
  'keys revoke',
  'keys list',
  'keys roll',
  'claims issue',
  'claims find',
  ...OWNER_COMMANDS,
]);

export const readTarget = (
  { url, key }: TargetOptions,
  env: Readonly<Record<string, string | undefined>>,
): Target => ({
  url: url ?? settingOf(env, 'CLAIMCHECK_URL'),
  key: key ?? settingOf(env, 'CLAIMCHECK_KEY'),
  keySource: key === undefined ? 'CLAIMCHECK_KEY' : '--key',
});

const namesAny = ({ url, key }: Target): boolean => url !== null || key !== null;

/** `command`: without `claimcheck`, such as `accounts list`. Throws where it cannot work on another service. */
export function refuseRemote(command: string, target: Target): void {
  if (!namesAny(target) || REMOTE_COMMANDS.has(command)) return;
  throw new UsageError(`claimcheck ${command} ${LOCAL_ONLY}`);
}

/** Throws if another service is named: `what` works on the database here only. `what` begins the sentence. */
export function requireLocal(target: Target, what: string): void {
  if (namesAny(target)) throw new UsageError(`${what} ${LOCAL_ONLY}`);
}

const LOCAL_ONLY =
  'works only on the local database: run it on the server, without --url, --key, CLAIMCHECK_URL and CLAIMCHECK_KEY.';

/** Whether the text is an API key, as far as its beginning shows. */
export const isApiKey = (key: string | null): boolean => key?.startsWith('cck_') ?? false;

/** The API key of an owner that the command line or the environment names. Throws where there is none. */
export function requireApiKey(
  { key, keySource }: Target,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const own = settingOf(env, 'CLAIMCHECK_API_KEY');
  // An operator key that was typed is a mistake; one in the environment may be there for other commands.
  const [found, source] =
    own !== null && (key === null || (keySource !== '--key' && !isApiKey(key)))
      ? [own, 'CLAIMCHECK_API_KEY']
      : [key, keySource];
  if (found === null) {
    throw new Error(
      'CLAIMCHECK_API_KEY is not set: create an API key (cck_…) under Developers → API keys, or with claimcheck keys create.',
    );
  }
  if (/^cko_/.test(found)) {
    throw new UsageError(
      `${source} holds an operator key (cko_…), and this command needs an API key (cck_…) of an owner: use --key or CLAIMCHECK_API_KEY.`,
    );
  }
  if (!/^[!-~]+$/.test(found)) throw new Error(`${source} holds characters that no API key has.`);
  return found;
}

/** The service to work on, with the operator key for it; `null`: the database here. */
export function remoteOf({ url, key, keySource }: Target): Service | null {
  if (url === null && key === null) return null;
  if (isApiKey(key)) {
    throw new UsageError(
      `${keySource} holds an API key (cck_…) of an owner, and this command needs an operator key (cko_…). An API key works with ${OWNER_COMMANDS.join(', ')}.`,
    );
  }
  if (url === null) {
    throw new UsageError('An operator key needs the address of its service: set --url or CLAIMCHECK_URL.');
  }
  if (key === null) {
    throw new UsageError(
      'An address needs an operator key: set CLAIMCHECK_KEY. Without both, the command uses the local database.',
    );
  }
  if (!/^[!-~]+$/.test(key)) throw new UsageError('The operator key contains characters that no key has.');
  return { url, key };
}
