/** claimcheck accounts … */
import type { Command } from 'commander';
import { endAllSessions, resetTwoFactor, setOperator } from '../accounts/access.ts';
import { PLANS } from '../accounts/account.ts';
import { createAccount, DEFAULT_PLAN } from '../accounts/create.ts';
import type { Account } from '../accounts/queries.ts';
import { issueSetPasswordLink } from '../accounts/set-password.ts';
import { baseUrlOf } from '../config/address.ts';
import { invalid } from '../errors.ts';
import type { OpenContext } from '../open-context.ts';
import { quote } from '../text.ts';
import { allOf } from './call.ts';
import { withContext } from './context.ts';
import { type OutputOf, withOperator } from './operator.ts';
import { type Column, type CommonOptions, createOutput, type Io } from './output.ts';
import { example } from './program.ts';
import { requireLocal } from './remote.ts';

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
    const { email, name, plan, operator } = options;
    const say = async (made: Made): Promise<void> => {
      const { id, set_password_link } = made;
      await output.record({ id, email: made.email, plan: made.plan, set_password_link });
      output.say('With this link they set their password, once, within an hour.');
    };
    if (operator !== true) {
      const body = { email, name, plan };
      await withOperator(io, async (call) => say(await call('createAccount', { body })), { create: true });
      return;
    }
    requireLocal(io.target(), 'accounts create --operator');
    const create = async (context: OpenContext) => {
      const account = await createAccount(context, { email, name, plan, operator, actor: 'operator' });
      const link = await issueSetPasswordLink(context, baseUrlOf(context.config), account.id);
      await say({ ...account, set_password_link: link });
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
    await withOperator(io, async (call) => {
      await output.record(summary(await call('setPlan', { path: { account }, body: { plan } })));
    });
  });

  example(
    accounts
      .command('set-operator')
      .description('make an account an operator, or take its rights back; one operator always stays')
      .argument('<account>', ACCOUNT_ARGUMENT)
      .argument('<on|off>', 'on or off'),
    'claimcheck accounts set-operator ada@example.com on',
  ).action(async (account: string, state: string, options: CommonOptions) => {
    const output = createOutput(io, options);
    if (state !== 'on' && state !== 'off') throw invalid(`Say on or off; found ${quote(state)}.`);
    requireLocal(io.target(), 'accounts set-operator');
    await withContext(io, async (context) => {
      const set = await setOperator(context, { account, operator: state === 'on', actor: 'operator' });
      await output.record({ ...reference(set), operator: set.operator_since !== null });
      if (state === 'on') output.say('Its sessions have ended; the next sign-in opens the desk.');
    });
  });

  example(
    accounts.command('list').description('all accounts in order of creation'),
    'claimcheck accounts list --json',
  ).action(async (options: CommonOptions) => {
    const output = createOutput(io, options);
    await withOperator(io, async (call) => {
      const rows = await allOf(
        (query) => call('listAccounts', { query }),
        (page) => page.accounts,
      );
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
    await withOperator(io, async (call) => {
      await output.record(suspension(await call('suspendAccount', { path: { account } })));
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
    await withOperator(io, async (call) => {
      await output.record(suspension(await call('restoreAccount', { path: { account } })));
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

type Made = Pick<OutputOf<'createAccount'>, 'id' | 'email' | 'plan' | 'set_password_link'>;
type ListedAccount = OutputOf<'readAccount'>;

const reference = ({ id, email }: Account) => ({ id, email });
const summary = ({ id, email, plan }: ListedAccount) => ({ id, email, plan });
const suspension = ({ id, email, suspended_at }: ListedAccount) => ({ id, email, suspended_at });
