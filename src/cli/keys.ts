/** claimcheck keys …, claimcheck operator-keys … and claimcheck receipts rotate-key */
import type { Command } from 'commander';
import { rotateSigningKey } from '../claims/receipts/signing.ts';
import { createOperatorKey } from '../keys/create.ts';
import { KEY_PREFIXES, SCOPES, splitScopes } from '../keys/key.ts';
import { type ListedOperatorKey, listOperatorKeys } from '../keys/queries.ts';
import { revokeOperatorKey } from '../keys/revoke.ts';
import { ROLL_OVERLAPS } from '../keys/roll.ts';
import { allOf } from './call.ts';
import { withContext } from './context.ts';
import { withOperator } from './operator.ts';
import { type CommonOptions, columnsOf, createOutput, type Io, type Output, pick } from './output.ts';
import { example } from './program.ts';

interface CreateOptions extends CommonOptions {
  readonly account: string;
  readonly name: string;
  readonly expiresIn?: string;
}

const SHOWN_ONCE = 'The key is shown only once. Keep it on your server, never in a browser.';

const STATE = ['start', 'created_at', 'expires_at', 'revoked_at', 'last_used_at'] as const;
const COLUMNS = columnsOf('id', 'name', 'mode', ...STATE, 'seen_in_browser_at');
const OPERATOR_COLUMNS = columnsOf('id', 'account', 'name', 'scopes', ...STATE);

export function registerKeys(program: Command, io: Io): void {
  const keys = program
    .command('keys')
    .description("create and manage API keys, with which owners' servers verify claims");

  example(
    createCommand(keys, 'API key', 'of the owner').option(
      '--mode <mode>',
      'live or test (default: live); a test key finds only test claims',
    ),
    'claimcheck keys create --account ada@example.com --name "web shop" --mode live --expires-in 90d',
  ).action(async (options: CreateOptions & { readonly mode?: string }) => {
    const { account, name, mode, expiresIn } = options;
    await withOperator(io, options, async (call, output) => {
      const made = await call('createKey', { body: { account, name, mode, expires_in: expiresIn } });
      await printNew(output, made);
    });
  });

  revokeCommand(keys).action(async (keyId: string, options: CommonOptions) => {
    await withOperator(io, options, async (call, output) => {
      await output.record(await call('revokeKey', { path: { id: keyId } }));
    });
  });

  example(
    keys
      .command('list')
      .description('list the keys of an account, without their secrets')
      .requiredOption('--account <account>', 'id or email address of the owner'),
    'claimcheck keys list --account ada@example.com',
  ).action(async (options: CommonOptions & { readonly account: string }) => {
    const { account } = options;
    await withOperator(io, options, async (call, output) => {
      const rows = await allOf(
        (page) => call('listKeys', { query: { account, ...page } }),
        (page) => page.keys,
      );
      await output.table(rows, COLUMNS, `The account ${account} has no API keys.`);
    });
  });

  example(
    keys
      .command('roll')
      .description('create a new key with the same name, mode and lifetime, and end the old one')
      .argument('<key-id>', 'id of the key, from keys list')
      .option(
        '--keep-old <time>',
        `how long the old key keeps working: ${ROLL_OVERLAPS.join(', ')} (default: now)`,
      ),
    'claimcheck keys roll 01934e2d-5678-7abc-8def-0123456789ab --keep-old 24h',
  ).action(async (keyId: string, options: CommonOptions & { readonly keepOld?: string }) => {
    await withOperator(io, options, async (call, output) => {
      const rolled = await call('rollKey', { path: { id: keyId }, body: { keep_old: options.keepOld } });
      await printNew(
        output,
        rolled,
        rolled.old_expires_at === null
          ? 'The old key is refused from now on.'
          : `The old key works until ${rolled.old_expires_at}.`,
      );
    });
  });
}

export function registerOperatorKeys(program: Command, io: Io): void {
  const keys = program
    .command('operator-keys')
    .description("create and manage operator keys, with which a server calls the operator's API");

  example(
    createCommand(keys, 'operator key', 'of the operator it acts as').requiredOption(
      '--scopes <scopes...>',
      `what it may do: ${SCOPES.join(', ')}`,
    ),
    'claimcheck operator-keys create --account olga@example.com --name "market server" --scopes claims:read claims:write',
  ).action(async (options: CreateOptions & { readonly scopes: readonly string[] }) => {
    await withContext(io, async (context) => {
      const made = await createOperatorKey(context, { ...options, actor: 'operator' });
      await printNew(createOutput(io, options), made);
    });
  });

  revokeCommand(keys).action(async (keyId: string, options: CommonOptions) => {
    const output = createOutput(io, options);
    await withContext(io, async (context) => {
      await output.record({ ...(await revokeOperatorKey(context, { keyId, actor: 'operator' })) });
    });
  });

  example(
    keys.command('list').description('list all operator keys, without their secrets'),
    'claimcheck operator-keys list',
  ).action(async (options: CommonOptions) => {
    const output = createOutput(io, options);
    await withContext(io, async (context) => {
      const rows = (await listOperatorKeys(context.db.read)).map(printed);
      await output.table(rows, OPERATOR_COLUMNS, 'There are no operator keys.');
    });
  });
}

const createCommand = (keys: Command, noun: string, whose: string): Command =>
  keys
    .command('create')
    .description(`create an ${noun}; it is printed only once`)
    .requiredOption('--account <account>', `id or email address ${whose}`)
    .requiredOption('--name <name>', 'where the key is used')
    .option('--expires-in <time>', 'such as 24h or 90d (default: never)');

const revokeCommand = (keys: Command): Command =>
  example(
    keys
      .command('revoke')
      .description('revoke a key, which is then refused from the next call on')
      .argument('<key-id>', `id of the key, from ${keys.name()} list`),
    `claimcheck ${keys.name()} revoke 01934e2d-5678-7abc-8def-0123456789ab`,
  );

async function printNew(output: Output, made: { id: string; key: string }, ofOld?: string): Promise<void> {
  await output.record(pick(made, 'id', 'key'));
  if (ofOld !== undefined) output.say(ofOld);
  output.say(SHOWN_ONCE);
}

const printed = (key: ListedOperatorKey) => ({
  ...pick(key, 'id', 'name', 'created_at', 'expires_at', 'revoked_at', 'last_used_at'),
  account: key.email,
  scopes: splitScopes(key.scopes),
  start: KEY_PREFIXES.operator + key.start,
});

export function registerReceipts(program: Command, io: Io): void {
  const receipts = program.command('receipts').description('manage the key that signs receipts');

  example(
    receipts.command('rotate-key').description('sign receipts with a new key; earlier receipts stay valid'),
    'claimcheck receipts rotate-key',
  ).action(async (options: CommonOptions) => {
    const output = createOutput(io, options);
    await withContext(io, async (context) => {
      await output.record({ kid: await rotateSigningKey(context) });
      output.say('The old private key is deleted. Its public key stays published.');
    });
  });
}
