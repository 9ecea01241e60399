import type { Command } from 'commander';
import { changeOperatorKeyNetworks } from '../../people/keys/change-networks.ts';
import { createOperatorKey } from '../../people/keys/create.ts';
import { revokeOperatorKey } from '../../people/keys/end.ts';
import { KEY_PREFIXES, SCOPES, splitNetworks, splitScopes } from '../../people/keys/key.ts';
import { type ListedOperatorKey, listOperatorKeys } from '../../people/keys/queries.ts';
import { pick } from '../../platform/text/fields.ts';
import { withContext } from './context.ts';
import { SHOWN_ONCE } from './operator-commands.ts';
import { type CommonOptions, columnsOf, type Io } from './output.ts';
import { example } from './program.ts';

interface CreateOptions extends CommonOptions {
  readonly account: string;
  readonly name: string;
  readonly expiresIn?: string;
  readonly scopes: readonly string[];
  readonly networks?: readonly string[];
}

const OPERATOR_COLUMNS = columnsOf(
  'id',
  'account',
  'name',
  'scopes',
  'start',
  'networks',
  'created_at',
  'expires_at',
  'revoked_at',
  'last_used_at',
);

const NETWORKS = 'addresses and networks from which the key may be used, such as 203.0.113.0/24';

export function registerOperatorKeys(program: Command, io: Io): void {
  const keys = program
    .command('operator-keys')
    .summary('create and manage operator keys')
    .description("create and manage operator keys, with which a server calls the operator's API");

  example(
    keys
      .command('create')
      .description('create an operator key; it is printed only once')
      .requiredOption('--account <account>', 'id or email address of the operator that the key acts as')
      .requiredOption('--name <name>', 'where the key is used')
      .option('--expires-in <time>', 'lifetime of the key, such as 24h or 90d (default: unlimited)')
      .requiredOption('--scopes <scopes...>', `what the key may do: ${SCOPES.join(', ')}`)
      .option('--networks <networks...>', NETWORKS),
    'claimcheck operator-keys create --account olga@example.com --name "market server" --scopes claims:read claims:write',
  ).action((options: CreateOptions) =>
    withContext(io, options, async (context, output) => {
      const key = await createOperatorKey(context, {
        ...options,
        networks: options.networks?.join(' '),
        actor: 'operator',
      });
      await output.record(pick(key, ['id', 'key']));
      output.say(SHOWN_ONCE);
    }),
  );

  example(
    keys
      .command('edit')
      .description('change the networks of a key; takes effect with the next call')
      .argument('<key-id>', 'id of the key, from operator-keys list')
      .requiredOption('--networks <networks...>', `${NETWORKS}; "" for everywhere`),
    'claimcheck operator-keys edit 01934e2d-5678-7abc-8def-0123456789ab --networks 203.0.113.0/24',
  ).action((keyId: string, options: CommonOptions & Required<Pick<CreateOptions, 'networks'>>) =>
    withContext(io, options, async (context, output) => {
      const networks = options.networks.join(' ');
      await output.record({
        ...(await changeOperatorKeyNetworks(context, { keyId, networks, actor: 'operator' })),
      });
    }),
  );

  example(
    keys
      .command('revoke')
      .description('revoke a key: it is refused from the next call on')
      .argument('<key-id>', 'id of the key, from operator-keys list'),
    'claimcheck operator-keys revoke 01934e2d-5678-7abc-8def-0123456789ab',
  ).action((keyId: string, options: CommonOptions) =>
    withContext(io, options, async (context, output) => {
      await output.record({ ...(await revokeOperatorKey(context, { keyId, actor: 'operator' })) });
    }),
  );

  example(
    keys.command('list').description('list all operator keys, without their secrets'),
    'claimcheck operator-keys list',
  ).action((options: CommonOptions) =>
    withContext(io, options, async (context, output) => {
      const rows = (await listOperatorKeys(context.db.read)).map(printed);
      await output.table(rows, OPERATOR_COLUMNS, 'There are no operator keys.');
    }),
  );
}

const printed = (key: ListedOperatorKey) => ({
  ...pick(key, ['id', 'name', 'created_at', 'expires_at', 'revoked_at', 'last_used_at']),
  account: key.email,
  scopes: splitScopes(key.scopes),
  networks: splitNetworks(key.networks),
  start: KEY_PREFIXES.operator + key.start,
});
