/** claimcheck operator-keys … */
import type { Command } from 'commander';
import { createOperatorKey } from '../operator-keys/create.ts';
import { OPERATOR_KEY_PREFIX, SCOPES, splitScopes } from '../operator-keys/operator-key.ts';
import { type ListedOperatorKey, listOperatorKeys } from '../operator-keys/queries.ts';
import { revokeOperatorKey } from '../operator-keys/revoke.ts';
import { withContext } from './context.ts';
import { type Column, type CommonOptions, createOutput, type Io } from './output.ts';
import { example } from './program.ts';

interface CreateOptions extends CommonOptions {
  readonly account: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expiresIn?: string;
}

const COLUMNS: readonly Column<PrintedKey>[] = [
  { title: 'id', value: (key) => key.id },
  { title: 'operator', value: (key) => key.account },
  { title: 'name', value: (key) => key.name },
  { title: 'scopes', value: (key) => key.scopes.join(' ') },
  { title: 'start', value: (key) => key.start },
  { title: 'created', value: (key) => key.created_at },
  { title: 'expires', value: (key) => key.expires_at },
  { title: 'revoked', value: (key) => key.revoked_at },
  { title: 'last used', value: (key) => key.last_used_at },
];

export function registerOperatorKeys(program: Command, io: Io): void {
  const keys = program
    .command('operator-keys')
    .description("operator keys, with which a marketplace's server calls the operator's API");

  example(
    keys
      .command('create')
      .description('create an operator key; it is printed this once')
      .requiredOption('--account <account>', 'id or e-mail address of the operator in whose name it acts')
      .requiredOption('--name <name>', 'where the key is used')
      .requiredOption('--scopes <scopes...>', `what it may do: ${SCOPES.join(', ')}`)
      .option('--expires-in <time>', 'such as 24h or 90d; never unless given'),
    'claimcheck operator-keys create --account olga@example.com --name "market server" --scopes claims:read claims:write',
  ).action(async (options: CreateOptions) => {
    const output = createOutput(io, options);
    await withContext(io, async (context) => {
      const { account, name, scopes, expiresIn } = options;
      const made = await createOperatorKey(context, { account, name, scopes, expiresIn, actor: 'operator' });
      await output.record({ id: made.id, key: made.key });
      output.say('The key is shown this once; keep it on your server, never in a browser.');
    });
  });

  example(
    keys
      .command('revoke')
      .description('end a key from the next call on')
      .argument('<key-id>', 'as operator-keys list shows it'),
    'claimcheck operator-keys revoke 01934e2d-5678-7abc-8def-0123456789ab',
  ).action(async (keyId: string, options: CommonOptions) => {
    const output = createOutput(io, options);
    await withContext(io, async (context) => {
      const { id, name, revokedAt } = await revokeOperatorKey(context, { keyId, actor: 'operator' });
      await output.record({ id, name, revoked_at: revokedAt });
    });
  });

  example(
    keys.command('list').description('all operator keys in order of creation, without their secrets'),
    'claimcheck operator-keys list',
  ).action(async (options: CommonOptions) => {
    const output = createOutput(io, options);
    await withContext(io, async (context) => {
      const rows = (await listOperatorKeys(context.db.read)).map(printed);
      await output.table(rows, COLUMNS, 'There are no operator keys.');
    });
  });
}

type PrintedKey = ReturnType<typeof printed>;

const printed = (key: ListedOperatorKey) => ({
  id: key.id,
  account: key.email,
  name: key.name,
  scopes: splitScopes(key.scopes),
  start: OPERATOR_KEY_PREFIX + key.start,
  created_at: key.created_at,
  expires_at: key.expires_at,
  revoked_at: key.revoked_at,
  last_used_at: key.last_used_at,
});
