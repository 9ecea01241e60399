import type { Command } from 'commander';
import { settingOf } from '../../platform/process/environment.ts';
import { COMMAND_NAME } from '../../platform/process/version.ts';
import type { Service } from './call.ts';
import { UsageError } from './options.ts';

export interface Target {
  readonly url: string | null;
  readonly key: string | null;
  /** The option or variable that holds the key, for error messages. */
  readonly keySource: string;
}

export interface TargetOptions {
  readonly url?: string;
  readonly key?: string;
}

export const readTarget = (
  { url, key }: TargetOptions,
  env: Readonly<Record<string, string | undefined>>,
): Target => ({
  url: url ?? settingOf(env, 'CLAIMCHECK_URL'),
  key: key ?? settingOf(env, 'CLAIMCHECK_KEY'),
  keySource: key === undefined ? 'CLAIMCHECK_KEY' : '--key',
});

const namesAny = ({ url, key }: Target): boolean => url !== null || key !== null;

/** Commands with `--key` and operators' commands also work on a service. `name`: such as `accounts list`. */
export async function refuseRemote(command: Command, name: string, target: Target): Promise<void> {
  if (!namesAny(target) || command.options.some(({ long }) => long === '--key')) return;
  const { OPERATOR_ROUTES } = await import('../../api/operator/routes.ts');
  if (OPERATOR_ROUTES.some(({ operation }) => operation.command?.name === name)) return;
  throw new UsageError(`claimcheck ${name} ${LOCAL_ONLY}`);
}

/**
 * For a command that works on a service only with some options: throws if a service is named. `what`: the subject of the
 * error message.
 */
export function requireLocal(target: Target, what: string): void {
  if (namesAny(target)) throw new UsageError(`${what} ${LOCAL_ONLY}`);
}

const LOCAL_ONLY =
  'works only on the local database: run it on the server, without --url, --key, CLAIMCHECK_URL or CLAIMCHECK_KEY.';

export const isApiKey = (key: string | null): boolean => key?.startsWith('cck_') ?? false;

export function requireApiKey(
  { key, keySource }: Target,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const own = settingOf(env, 'CLAIMCHECK_API_KEY');
  // An operator key in CLAIMCHECK_KEY may be meant for other commands, so CLAIMCHECK_API_KEY takes precedence. An
  // operator key in --key is a mistake.
  const [ownerKey, source] =
    own !== null && (key === null || (keySource !== '--key' && !isApiKey(key)))
      ? [own, 'CLAIMCHECK_API_KEY']
      : [key, keySource];
  if (ownerKey === null) {
    throw new Error(
      `CLAIMCHECK_API_KEY is not set: create an API key (cck_…) under Settings → API keys, or with ${COMMAND_NAME} keys create.`,
    );
  }
  if (/^cko_/.test(ownerKey)) {
    throw new UsageError(
      `${source} is an operator key (cko_…), but this command needs an owner's API key (cck_…): use --key or CLAIMCHECK_API_KEY.`,
    );
  }
  if (!/^[!-~]+$/.test(ownerKey)) throw new Error(`${source} contains characters that no API key has.`);
  return ownerKey;
}

export function remoteOf({ url, key, keySource }: Target): Service | null {
  if (url === null && key === null) return null;
  if (isApiKey(key)) {
    throw new UsageError(
      `${keySource} is an owner's API key (cck_…), but this command needs an operator key (cko_…).`,
    );
  }
  if (url === null) {
    throw new UsageError('An operator key needs the URL of its service: set --url or CLAIMCHECK_URL.');
  }
  if (key === null) {
    throw new UsageError(
      'A URL needs an operator key: set CLAIMCHECK_KEY. With neither, the command uses the local database.',
    );
  }
  if (!/^[!-~]+$/.test(key)) throw new UsageError('The operator key contains characters that no key has.');
  return { url, key };
}
