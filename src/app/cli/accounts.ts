import { type Command, Option } from 'commander';
import { DATA_FORMATS, type DataFormat, dataFile } from '../../background/personal-data/data.ts';
import { HOME_PATH } from '../../base/paths.ts';
import { type CreateAccount, createAccount } from '../../people/accounts/create.ts';
import { inviteToAccount } from '../../people/invitations/invite.ts';
import { endAllSessions, resetTwoFactor, setOperator } from '../../people/sign-in/access.ts';
import { issueSignInLink } from '../../people/sign-in/sign-in.ts';
import { invalid } from '../../platform/errors.ts';
import { MINUTE_MS } from '../../platform/text/durations.ts';
import { pick } from '../../platform/text/fields.ts';
import { quote } from '../../platform/text/text.ts';
import type { OpenContext } from '../open-context.ts';
import { withContext } from './context.ts';
import { type OutputOf, servicesOf, withOperator } from './operator.ts';
import { invitedSentence, operatorGroup, runOperation } from './operator-commands.ts';
import type { CommonOptions, Io, Output } from './output.ts';
import { example } from './program.ts';
import { requireLocal } from './remote.ts';

const ACCOUNT_ARGUMENT = 'id or email address';

export function registerAccounts(program: Command, io: Io): void {
  const accounts = operatorGroup(program, io, 'accounts', 'create and manage accounts');
  const named = (name: string) => accounts.commands.find((command) => command.name() === name)!;
  named('create')
    .option('--operator', 'make the account an operator')
    .action(async (options: CreateOptions, command: Command) => {
      if (options.operator === true) await createOperator(io, options);
      else await runOperation(io, 'createAccount', command, { create: true });
    });
  named('list')
    .option('--deleted', 'only deleted accounts, for claimcheck after-restore --deleted')
    .action((options: { readonly deleted?: boolean }, command: Command) =>
      runOperation(io, 'listAccounts', command, {
        isShown: ({ deleted_at }) => options.deleted !== true || deleted_at !== null,
      }),
    );
  registerSetOperator(accounts, io);
  registerSignInLink(accounts, io);
  registerEndAccess(accounts, io);
  registerExport(accounts, io);
}

type CreateOptions = CommonOptions & Omit<CreateAccount, 'actor'>;

async function createOperator(io: Io, options: CreateOptions): Promise<void> {
  requireLocal(io.target(), 'claimcheck accounts create --operator');
  const create = async (context: OpenContext, output: Output) => {
    const account = await createAccount(context, { ...options, actor: 'operator' });
    const { baseUrl, mailer } = await servicesOf(context);
    const link = await inviteToAccount({ context, baseUrl, mailer }, account, 'operator');
    await output.record({ ...pick(account, ['id', 'email', 'plan']), invitation_link: link });
    output.say(invitedSentence(link));
  };
  await withContext(io, options, create, { create: true });
}

function registerSetOperator(accounts: Command, io: Io): void {
  example(
    accounts
      .command('set-operator')
      .description('make an account an operator, or remove its operator rights; one operator must remain')
      .argument('<account>', ACCOUNT_ARGUMENT)
      .argument('<on|off>', 'on or off'),
    'claimcheck accounts set-operator ada@example.com on',
  ).action(async (account: string, state: string, options: CommonOptions) => {
    if (state !== 'on' && state !== 'off')
      throw invalid(`The second argument must be on or off; found ${quote(state)}.`);
    await withContext(io, options, async (context, output) => {
      const hasMail = context.config.smtpUrl !== null;
      const change = { account, operator: state === 'on', actor: 'operator', hasMail } as const;
      const set = await setOperator(context, change);
      await output.record({ ...pick(set, ['id', 'email']), operator: set.operator_since !== null });
      if (state === 'on')
        output.say(
          'The account can open the desk after it signs in again. If it was already an operator, nothing has changed.',
        );
    });
  });
}

/** Long enough to open the link, too short for a link that somebody finds later. */
const SIGN_IN_LINK_LIFETIME_MS = 10 * MINUTE_MS;

function registerSignInLink(accounts: Command, io: Io): void {
  example(
    accounts
      .command('sign-in-link')
      .description(
        'print a link that signs in to an account once, within ten minutes; it works without the identity provider and with OIDC_ONLY',
      )
      .argument('<account>', ACCOUNT_ARGUMENT),
    'claimcheck accounts sign-in-link ada@example.com',
  ).action(async (account: string, options: CommonOptions) => {
    await withContext(io, options, async (context, output) => {
      const { baseUrl } = await servicesOf(context);
      const request = { account, baseUrl, next: HOME_PATH, lifetimeMs: SIGN_IN_LINK_LIFETIME_MS };
      const link = await issueSignInLink(context, request);
      await output.record({ sign_in_link: link });
      output.say('Whoever opens the link first can sign in to the account. Earlier links stop working.');
    });
  });
}

function registerEndAccess(accounts: Command, io: Io): void {
  example(
    accounts
      .command('end-sessions')
      .description(
        'sign an account out everywhere and invalidate its links for setting a password or changing the email address',
      )
      .argument('<account>', ACCOUNT_ARGUMENT),
    'claimcheck accounts end-sessions ada@example.com',
  ).action((account: string, options: CommonOptions) =>
    withContext(io, options, async (context, output) => {
      const ended = await endAllSessions(context, { account, actor: 'operator' });
      await output.record({ ...pick(ended.account, ['id', 'email']), sessions_ended: ended.sessions });
    }),
  );

  example(
    accounts
      .command('reset-two-factor')
      .description('remove the authenticator app, backup codes and passkeys of an account')
      .argument('<account>', ACCOUNT_ARGUMENT),
    'claimcheck accounts reset-two-factor ada@example.com',
  ).action((account: string, options: CommonOptions) =>
    withContext(io, options, async (context, output) => {
      const reset = await resetTwoFactor(context, { account, actor: 'operator' });
      await output.record({ ...pick(reset.account, ['id', 'email']), passkeys_removed: reset.passkeys });
      output.say('The account is signed out everywhere. It can now sign in without a second factor.');
    }),
  );
}

interface ExportOptions extends CommonOptions {
  readonly format: DataFormat;
}

function registerExport(accounts: Command, io: Io): void {
  example(
    accounts
      .command('export')
      .description('print everything that is stored about the person behind an account')
      .argument('<account>', ACCOUNT_ARGUMENT)
      .addOption(
        new Option('--format <format>', 'json: one document; csv: a table')
          .choices(DATA_FORMATS)
          .default('json'),
      ),
    'claimcheck accounts export ada@example.com > ada.json',
  ).action((account: string, options: ExportOptions) =>
    withOperator(io, options, async (call, output) => {
      const pages = pagesOf((after) => call('exportAccount', { path: { account }, query: { after } }));
      if (output.json) {
        // `--json` overrides `--format`, because every command prints JSON lines with `--json`.
        for await (const records of pages) for (const record of records) await output.record(record);
        return;
      }
      for await (const text of dataFile(pages, options.format, null)) await output.raw(text);
    }),
  );
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
