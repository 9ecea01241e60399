import type { Command } from 'commander';
import type { OwnerOperation } from '../../api/owner/routes.ts';
import { settingOf } from '../../platform/process/environment.ts';
import { baseUrlOf } from '../config/address.ts';
import { parseConfig } from '../config/config.ts';
import { callService, type InputOf, type OutputOfOperation, type Service } from './call.ts';
import type { CommonOptions, Io } from './output.ts';
import { isApiKey, requireApiKey } from './remote.ts';

type OperationId = OwnerOperation['id'];
type Named<Id extends OperationId> = Extract<OwnerOperation, { readonly id: Id }>;

export type OwnerOutput<Id extends OperationId> = OutputOfOperation<Named<Id>>;

export type OwnerCall = <Id extends OperationId>(
  id: Id,
  input: InputOf<Named<Id>>,
) => Promise<OwnerOutput<Id>>;

export interface OwnerOptions extends CommonOptions {
  readonly url?: string;
  readonly key?: string;
}

/** Adds `--url` and `--key` to a command that needs an API key. Both options may also precede the command. */
export const ownerOptions = (command: Command): Command =>
  command
    .option('--url <base>', 'URL of the service (default: CLAIMCHECK_URL, BASE_URL, or HOST and PORT)')
    .option(
      '--key <key>',
      'an API key (cck_…); CLAIMCHECK_API_KEY is safer, because other users of this machine can see options with ps',
    );

export function ownerService(io: Io, { url, key }: OwnerOptions): Service {
  const target = key === undefined ? io.target() : { ...io.target(), key, keySource: '--key' };
  return {
    key: requireApiKey(target, io.env),
    url: url ?? target.url ?? baseUrlOf(parseConfig(io.env)),
  };
}

export async function ownerCall(io: Io, options: OwnerOptions): Promise<OwnerCall> {
  const service = ownerService(io, options);
  // Imported lazily, so that other commands start faster.
  const { OWNER_ROUTES } = await import('../../api/owner/routes.ts');
  return (id, input) => {
    const { operation } = OWNER_ROUTES.find((route) => route.operation.id === id)!;
    return callService<Named<typeof id>>(operation, service, input as object);
  };
}

export function hasApiKey(io: Io): boolean {
  const { url, key } = io.target();
  return isApiKey(key) || (url !== null && key === null && isApiKey(settingOf(io.env, 'CLAIMCHECK_API_KEY')));
}
