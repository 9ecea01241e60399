/** claimcheck accounts … */
import type { Command } from 'commander';
import { PLANS } from '../accounts/account.ts';
import { createAccount, DEFAULT_PLAN } from '../accounts/create.ts';
import { endAllSessions, resetTwoFactor } from '../accounts/end-access.ts';
import { type Account, listAccounts } from '../accounts/queries.ts';
import { restoreAccount } from '../accounts/restore.ts';
import { issueSetPasswordLink } from '../accounts/set-password.ts';
import { setPlan } from '../accounts/set-plan.ts';
import { suspendAccount } from '../accounts/suspend.ts';
import { baseUrlOf } from '../config.ts';
import type { OpenContext } from '../open-context.ts';
import { withContext } from './context.ts';
import { type Column, type CommonOptions, createOutput, type Io } from './output.ts';
import { example } from './program.ts';

interface CreateOptions extends CommonOptions {
  readonly email: string;
  readonly name: string;
  readonly plan?: string;
  readonly operator?: boolean;
}

const PLAN_LIST = PLANS.join(', ');
const ACCOUNT_ARGUMENT = 'id or e-mail address';

const COLUMNS: readonly Column<ListedAccount>[] = [
  { title: 'id', value: (account) => account.id },
  { title: 'email', value: (account) => account.email },
  { title: 'name', value: (account) => account.name },
  { title: 'plan', value: (account) => account.plan },
  { title: 'operator', value: (account) => (account.operator ? 'yes' : 'no') },
  { title: 'suspended', value: (account) => account.suspended_at },
  { title: 'created', value: (account) => account.created_at },
];

export function registerAccounts(program: Command, io: Io): void {
  const accounts = program.command('accounts').description('people and app owners');

  example(
    accounts
      .command('create')
      .description('create an account')
      .requiredOption('--email <email>', 'e-mail address; one account each')
      .requiredOption('--name <name>', 'name of the person or company')
      .option('--plan <plan>', `${PLAN_LIST} (${DEFAULT_PLAN} unless given)`)
      .option('--operator', 'the account runs this service'),
    'claimcheck accounts create --email ada@example.com --name "Ada" --plan studio',
  ).action(async (options: CreateOptions) => {
    const output = createOutput(io, options);
    const create = async (context: OpenContext) => {
      const { email, name, plan, operator } = options;
      const account = await createAccount(context, { email, name, plan, operator, actor: 'operator' });
      const link = await issueSetPasswordLink(context, baseUrlOf(context.config), account.id);
      await output.record({ ...summary(account), set_password_link: link });
      output.say('With this link they set their password, once, within an hour.');
    };
    await withContext(io, create, { create: true });
  });

  example(
    accounts
      .command('set-plan')
      .description('move an account to a plan; its API keys are kept, and refused while the plan has none')
      .argument('<account>', ACCOUNT_ARGUMENT)
      .argument('<plan>', PLAN_LIST),
    'claimcheck accounts set-plan ada@example.com everything',
  ).action(async (account: string, plan: string, options: CommonOptions) => {
    const output = createOutput(io, options);
    await withContext(io, async (context) => {
      await output.record(summary(await setPlan(context, { account, plan, actor: 'operator' })));
    });
  });

  example(
    accounts.command('list').description('all accounts in order of creation'),
    'claimcheck accounts list --json',
  ).action(async (options: CommonOptions) => {
    const output = createOutput(io, options);
    await withContext(io, async (context) => {
      const rows = (await listAccounts(context.db.read)).map(listed);
      await output.table(rows, COLUMNS, 'There are no accounts yet; claimcheck accounts create makes one.');
    });
  });

  example(
    accounts
      .command('suspend')
      .description('refuse the API keys of an account from the next call on')
      .argument('<account>', ACCOUNT_ARGUMENT),
    'claimcheck accounts suspend ada@example.com',
  ).action(async (account: string, options: CommonOptions) => {
    const output = createOutput(io, options);
    await withContext(io, async (context) => {
      await output.record(suspension(await suspendAccount(context, { account, actor: 'operator' })));
    });
  });

  example(
    accounts
      .command('restore')
      .description('end the suspension of an account')
      .argument('<account>', ACCOUNT_ARGUMENT),
    'claimcheck accounts restore ada@example.com',
  ).action(async (account: string, options: CommonOptions) => {
    const output = createOutput(io, options);
    await withContext(io, async (context) => {
      await output.record(suspension(await restoreAccount(context, { account, actor: 'operator' })));
    });
  });

  example(
    accounts
      .command('end-sessions')
      .description('sign an account out everywhere, and void the links that were sent to it')
      .argument('<account>', ACCOUNT_ARGUMENT),
    'claimcheck accounts end-sessions ada@example.com',
  ).action(async (account: string, options: CommonOptions) => {
    const output = createOutput(io, options);
    await withContext(io, async (context) => {
      const ended = await endAllSessions(context, { account, actor: 'operator' });
      await output.record({ ...reference(ended.account), sessions_ended: ended.sessions });
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
      await output.record({ ...reference(reset.account), passkeys_removed: reset.passkeys });
      output.say('All sessions have ended; the password alone signs in again.');
    });
  });
}

const reference = ({ id, email }: Account) => ({ id, email });
const summary = ({ id, email, plan }: Account) => ({ id, email, plan });
const suspension = ({ id, email, suspended_at }: Account) => ({ id, email, suspended_at });

type ListedAccount = ReturnType<typeof listed>;

const listed = (account: Account) => ({
  id: account.id,
  email: account.email,
  name: account.name,
  plan: account.plan,
  operator: account.operator_since !== null,
  suspended_at: account.suspended_at,
  created_at: account.created_at,
});
