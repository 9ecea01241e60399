/** Whether a command works on the database here, or on another service through the operator's API. */
import { settingOf } from '../setting-file.ts';
import { UsageError } from './usage-error.ts';

/** The service that the command line or the environment names. */
export interface Target {
  readonly url: string | null;
  readonly key: string | null;
}

/** The options before the command. */
export interface TargetOptions {
  readonly url?: string;
  readonly key?: string;
}

/** The commands that work through the operator's API, and `verify`, which always calls a service. */
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
  'keys create',
  'keys revoke',
  'keys list',
  'keys roll',
  'claims issue',
  'claims find',
  'campaigns',
  'verify',
]);

export const readTarget = (
  { url, key }: TargetOptions,
  env: Readonly<Record<string, string | undefined>>,
): Target => ({
  url: url ?? settingOf(env, 'CLAIMCHECK_URL'),
  key: key ?? settingOf(env, 'CLAIMCHECK_KEY'),
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
  'works on no other service: run it on the machine that is meant, without --url, --key, CLAIMCHECK_URL and CLAIMCHECK_KEY.';

/** The service to work on, with the key for it; `null`: the database here. */
export function remoteOf({ url, key }: Target): { readonly url: string; readonly key: string } | null {
  if (url === null && key === null) return null;
  if (url === null) {
    throw new UsageError(
      'There is an operator key and no address: name the service with --url or CLAIMCHECK_URL.',
    );
  }
  if (key === null) {
    throw new UsageError(
      'There is an address and no operator key: set CLAIMCHECK_KEY; without both, the command works on the database here.',
    );
  }
  if (!/^[!-~]+$/.test(key)) throw new UsageError('The operator key holds characters that no key has.');
  return { url, key };
}
