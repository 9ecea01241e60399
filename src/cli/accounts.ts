/** claimcheck accounts … */
import { type Command, Option } from 'commander';
import { endAllSessions, resetTwoFactor, setOperator } from '../accounts/access.ts';
import { PLANS, UNDO_DAYS } from '../accounts/account.ts';
import { createAccount, DEFAULT_PLAN } from '../accounts/create.ts';
import { issueSetPasswordLink } from '../accounts/set-password.ts';
import type { OpenContext } from '../app/open-context.ts';
import { baseUrlOf } from '../config/address.ts';
import { invalid } from '../errors.ts';
import { DATA_FORMATS, type DataFormat, dataFile } from '../people/data.ts';
import { quote } from '../text/text.ts';
import { allOf } from './call.ts';
import { withContext } from './context.ts';
import { type Call, type OutputOf, withOperator } from './operator.ts';
import { type CommonOptions, columnsOf, createOutput, type Io, type Output, pick } from './output.ts';
import { example } from './program.ts';
import { requireLocal } from './remote.ts';

interface CreateOptions extends CommonOptions {
  readonly email: string;
  readonly name: string;
  readonly plan?: string;
  readonly operator?: boolean;
}

const PLAN_LIST = PLANS.join(', ');
const ACCOUNT_ARGUMENT = 'id or email address';

const COLUMNS = columnsOf(
  'id',
  'email',
  'name',
  'plan',
  'operator',
  'suspended_at',
  'deleted_at',
  'created_at',
);

export function registerAccounts(program: Command, io: Io): void {
  const accounts = program.command('accounts').description('create and manage accounts');
  registerCreate(accounts, io);
  registerList(accounts, io);
  registerSetPlan(accounts, io);
  registerSetOperator(accounts, io);
  registerChanges(accounts, io);
  registerEndAccess(accounts, io);
  registerExport(accounts, io);
}

function registerCreate(accounts: Command, io: Io): void {
  example(
    accounts
      .command('create')
      .description('create an account')
      .requiredOption('--email <email>', 'email address, unique among accounts')
      .requiredOption('--name <name>', 'name of the person or company')
      .option('--plan <plan>', `${PLAN_LIST} (default: ${DEFAULT_PLAN})`)
      .option('--operator', 'make the account an operator'),
    'claimcheck accounts create --email ada@example.com --name "Ada" --plan studio',
  ).action(async (options: CreateOptions) => {
    const { email, name, plan, operator } = options;
    const say = async (made: Made, output: Output): Promise<void> => {
      await output.record(pick(made, 'id', 'email', 'plan', 'set_password_link'));
      output.say('Send this link to the person to set their password. It works once, for one hour.');
    };
    if (operator !== true) {
      const body = { email, name, plan };
      const create = async (call: Call, output: Output) => say(await call('createAccount', { body }), output);
      await withOperator(io, options, create, { create: true });
      return;
    }
    requireLocal(io.target(), 'accounts create --operator');
    const create = async (context: OpenContext) => {
      const account = await createAccount(context, { email, name, plan, operator, actor: 'operator' });
      const link = await issueSetPasswordLink(context, baseUrlOf(context.config), account.id);
      await say({ ...account, set_password_link: link }, createOutput(io, options));
    };
    await withContext(io, create, { create: true });
  });
}

function registerList(accounts: Command, io: Io): void {
  example(
    accounts
      .command('list')
      .description('list all accounts in order of creation')
      .option('--deleted', 'only deleted accounts, for after-restore'),
    'claimcheck accounts list --json',
    'claimcheck accounts list --deleted > deleted-accounts.txt',
  ).action(async (options: CommonOptions & { readonly deleted?: boolean }) => {
    await withOperator(io, options, async (call, output) => {
      const all = await allOf(
        (query) => call('listAccounts', { query }),
        (page) => page.accounts,
      );
      const rows = options.deleted ? all.filter(({ deleted_at }) => deleted_at !== null) : all;
      await output.table(
        rows,
        COLUMNS,
        'There are no accounts yet. Create one with: claimcheck accounts create',
      );
    });
  });
}

function registerSetPlan(accounts: Command, io: Io): void {
  example(
    accounts
      .command('set-plan')
      .description('change the plan of an account; on a plan without API keys its keys stop working')
      .argument('<account>', ACCOUNT_ARGUMENT)
      .argument('<plan>', PLAN_LIST),
    'claimcheck accounts set-plan ada@example.com everything',
  ).action(async (account: string, plan: string, options: CommonOptions) => {
    await withOperator(io, options, async (call, output) => {
      const changed = await call('setPlan', { path: { account }, body: { plan } });
      await output.record(pick(changed, 'id', 'email', 'plan'));
    });
  });
}

function registerSetOperator(accounts: Command, io: Io): void {
  example(
    accounts
      .command('set-operator')
      .description(
        'make an account an operator, or remove its operator rights (not those of the last operator)',
      )
      .argument('<account>', ACCOUNT_ARGUMENT)
      .argument('<on|off>', 'on or off'),
    'claimcheck accounts set-operator ada@example.com on',
  ).action(async (account: string, state: string, options: CommonOptions) => {
    const output = createOutput(io, options);
    if (state !== 'on' && state !== 'off')
      throw invalid(`The second argument must be on or off; found ${quote(state)}.`);
    requireLocal(io.target(), 'accounts set-operator');
    await withContext(io, async (context) => {
      const set = await setOperator(context, { account, operator: state === 'on', actor: 'operator' });
      await output.record({ ...pick(set, 'id', 'email'), operator: set.operator_since !== null });
      if (state === 'on')
        output.say('The account is signed out. It can open the desk once it signs in again.');
    });
  });
}

/** Commands that take nothing but the account: name, operation, what the output shows, description. */
const CHANGES = [
  [
    'suspend',
    'suspendAccount',
    'suspended_at',
    'block the API keys and sessions of an account from the next call on',
  ],
  ['restore', 'restoreAccount', 'suspended_at', 'end the suspension of an account'],
  ['delete', 'deleteAccount', 'delete_at', `delete an account and its personal data in ${UNDO_DAYS} days`],
  ['keep', 'keepAccount', 'delete_at', 'undo the deletion of an account before its time has come'],
] as const;

function registerChanges(accounts: Command, io: Io): void {
  for (const [name, operation, shown, description] of CHANGES) {
    example(
      accounts.command(name).description(description).argument('<account>', ACCOUNT_ARGUMENT),
      `claimcheck accounts ${name} ada@example.com`,
    ).action(async (account: string, options: CommonOptions) => {
      await withOperator(io, options, async (call, output) => {
        const changed = await call(operation, { path: { account } });
        await output.record(pick(changed, 'id', 'email', shown));
        if (name === 'delete')
          output.say(
            'Tell the person. Until then they can undo it on their account page, and so can you: claimcheck accounts keep',
          );
      });
    });
  }
}

function registerEndAccess(accounts: Command, io: Io): void {
  example(
    accounts
      .command('end-sessions')
      .description('sign an account out everywhere and invalidate links sent to it')
      .argument('<account>', ACCOUNT_ARGUMENT),
    'claimcheck accounts end-sessions ada@example.com',
  ).action(async (account: string, options: CommonOptions) => {
    const output = createOutput(io, options);
    await withContext(io, async (context) => {
      const ended = await endAllSessions(context, { account, actor: 'operator' });
      await output.record({ ...pick(ended.account, 'id', 'email'), sessions_ended: ended.sessions });
    });
  });

  example(
    accounts
      .command('reset-two-factor')
      .description('remove the authenticator app, backup codes and passkeys of an account')
      .argument('<account>', ACCOUNT_ARGUMENT),
    'claimcheck accounts reset-two-factor ada@example.com',
  ).action(async (account: string, options: CommonOptions) => {
    const output = createOutput(io, options);
    await withContext(io, async (context) => {
      const reset = await resetTwoFactor(context, { account, actor: 'operator' });
      await output.record({ ...pick(reset.account, 'id', 'email'), passkeys_removed: reset.passkeys });
      output.say('The account is signed out everywhere. It can sign in with its password.');
    });
  });
}

interface ExportOptions extends CommonOptions {
  readonly format: DataFormat;
}

function registerExport(accounts: Command, io: Io): void {
  example(
    accounts
      .command('export')
      .description('print everything that is stored about the person of an account')
      .argument('<account>', ACCOUNT_ARGUMENT)
      .addOption(
        new Option('--format <format>', 'json: one document; csv: a table')
          .choices(DATA_FORMATS)
          .default('json'),
      ),
    'claimcheck accounts export ada@example.com > ada.json',
  ).action(async (account: string, options: ExportOptions) => {
    await withOperator(io, options, async (call, output) => {
      const pages = pagesOf((after) => call('exportAccount', { path: { account }, query: { after } }));
      if (output.json) {
        // Every command writes JSON lines with --json.
        for await (const records of pages) for (const record of records) await output.record(record);
        return;
      }
      for await (const text of dataFile(pages, options.format)) await output.raw(text);
    });
  });
}

async function* pagesOf(
  read: (after: string | undefined) => Promise<OutputOf<'exportAccount'>>,
): AsyncGenerator<OutputOf<'exportAccount'>['records'], void> {
  for (let after: string | undefined, more = true; more; ) {
    const page: OutputOf<'exportAccount'> = await read(after);
    yield page.records;
    after = page.next ?? undefined;
    more = page.next !== null;
  }
}

type Made = Pick<OutputOf<'createAccount'>, 'id' | 'email' | 'plan' | 'set_password_link'>;
