/** claimcheck keys … */
import type { Command } from 'commander';
import { ROLL_OVERLAPS } from '../keys/roll.ts';
import { allOf } from './call.ts';
import { type OutputOf, withOperator } from './operator.ts';
import { type Column, type CommonOptions, createOutput, type Io } from './output.ts';
import { example } from './program.ts';

interface CreateOptions extends CommonOptions {
  readonly account: string;
  readonly name: string;
  readonly mode?: string;
  readonly expiresIn?: string;
}

interface RollOptions extends CommonOptions {
  readonly keepOld?: string;
}

interface ListOptions extends CommonOptions {
  readonly account: string;
}

const SHOWN_ONCE = 'The key is shown this once; keep it on your server, never in a browser.';

const COLUMNS: readonly Column<PrintedKey>[] = [
  { title: 'id', value: (key) => key.id },
  { title: 'name', value: (key) => key.name },
  { title: 'mode', value: (key) => key.mode },
  { title: 'start', value: (key) => key.start },
  { title: 'created', value: (key) => key.created_at },
  { title: 'expires', value: (key) => key.expires_at },
  { title: 'revoked', value: (key) => key.revoked_at },
  { title: 'last used', value: (key) => key.last_used_at },
  { title: 'seen in browser', value: (key) => key.seen_in_browser_at },
];

export function registerKeys(program: Command, io: Io): void {
  const keys = program.command('keys').description('API keys, with which a server of an owner calls verify');

  example(
    keys
      .command('create')
      .description('create an API key; it is printed this once')
      .requiredOption('--account <account>', 'id or e-mail address of the owner')
      .requiredOption('--name <name>', 'where the key is used')
      .option('--mode <mode>', 'live or test (live unless given); a test key is for test claims only')
      .option('--expires-in <time>', 'such as 24h or 90d; never unless given'),
    'claimcheck keys create --account ada@example.com --name "web shop" --mode live --expires-in 90d',
  ).action(async (options: CreateOptions) => {
    const output = createOutput(io, options);
    const { account, name, mode, expiresIn } = options;
    await withOperator(io, async (call) => {
      const { id, key } = await call('createKey', { body: { account, name, mode, expires_in: expiresIn } });
      await output.record({ id, key });
      output.say(SHOWN_ONCE);
    });
  });

  example(
    keys
      .command('revoke')
      .description('end a key from the next call on')
      .argument('<key-id>', 'as keys list shows it'),
    'claimcheck keys revoke 01934e2d-5678-7abc-8def-0123456789ab',
  ).action(async (keyId: string, options: CommonOptions) => {
    const output = createOutput(io, options);
    await withOperator(io, async (call) => {
      await output.record(await call('revokeKey', { path: { id: keyId } }));
    });
  });

  example(
    keys
      .command('list')
      .description('the keys of an account, without their secrets')
      .requiredOption('--account <account>', 'id or e-mail address of the owner'),
    'claimcheck keys list --account ada@example.com',
  ).action(async (options: ListOptions) => {
    const output = createOutput(io, options);
    const { account } = options;
    await withOperator(io, async (call) => {
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
      .description('make a new key of the same name, mode and lifetime, and end the old one')
      .argument('<key-id>', 'as keys list shows it')
      .option(
        '--keep-old <time>',
        `how long the old key lives on: ${ROLL_OVERLAPS.join(', ')} (now unless given)`,
      ),
    'claimcheck keys roll 01934e2d-5678-7abc-8def-0123456789ab --keep-old 24h',
  ).action(async (keyId: string, options: RollOptions) => {
    const output = createOutput(io, options);
    await withOperator(io, async (call) => {
      const rolled = await call('rollKey', { path: { id: keyId }, body: { keep_old: options.keepOld } });
      await output.record({ id: rolled.id, key: rolled.key });
      output.say(
        rolled.old_expires_at === null
          ? 'The old key is refused from now on.'
          : `The old key works until ${rolled.old_expires_at}.`,
      );
      output.say(SHOWN_ONCE);
    });
  });
}

type PrintedKey = OutputOf<'listKeys'>['keys'][number];
