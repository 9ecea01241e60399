import { isWanted, NOTICES } from '../../background/notices/kinds.ts';
import { DATA_FORMATS } from '../../background/personal-data/data.ts';
import {
  ACCOUNT_PATH,
  CLEAR_REFUSAL_PATH,
  DATA_PATH,
  DELETE_PATH,
  KEEP_PATH,
  MAIL_PATH,
  oidcLinkPath,
  PRIVACY_PATH,
  WORK_ACCOUNTS_PATH,
} from '../../base/paths.ts';
import type { ProviderChoice } from '../../people/sign-in/oidc/provider.ts';
import { listText, message, t, wordsOf } from '../../platform/languages/translate.ts';
import { isolated } from '../../platform/text/text.ts';
import { Breakable, Lines } from '../ui/breakable.tsx';
import { ButtonLink, PostButton } from '../ui/button.tsx';
import { DownloadButtons } from '../ui/download-buttons.tsx';
import { CheckboxesField, EmailField, TextField } from '../ui/field.tsx';
import { type FormState, newForm } from '../ui/form-state.ts';
import { Notice } from '../ui/notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { linkTo } from '../ui/site.tsx';
import { type Conflict, ConflictNotice, editForm, SeenValues } from '../ui/stale-form.tsx';
import { Badge } from '../ui/state-badge.tsx';
import { Time, TimeWithZone } from '../ui/time.tsx';
import type { AccountView } from './account-view.ts';
import {
  AccountCard,
  type AccountForm,
  Folded,
  type FormCardProps,
  Passkeys,
  Password,
  SecondFactor,
} from './cards.tsx';
import { ShortForm } from './forms.tsx';
import { browserName } from './user-agent.ts';

/** Confirmations, by the value of `done` in the page's URL. */
export const DONE = {
  name: message('Your name has been changed.'),
  'name-proposed': message('Your new name is waiting for review. You’ll see the decision here.'),
  'name-withdrawn': message('The proposed name was withdrawn.'),
  email: message('Your email address has been changed, and you are signed out everywhere else.'),
  password: message('Your password is set. All other sessions have ended.'),
  'factor-on': message(
    'The second factor is on. From now on, you need it to sign in, unless you use a passkey.',
  ),
  'factor-off': message('The second factor is off.'),
  passkey: message('Passkey added. You can now use it.'),
  'passkey-removed': message('Passkey removed.'),
  session: message('The session has ended.'),
  mail: message('Your email settings are saved.'),
  sessions: message('All other sessions have ended.'),
  kept: message('Deletion cancelled.'),
  operator: message('You are no longer an operator.'),
} as const;

export interface AccountPageProps {
  readonly account: AccountView;
  readonly refused: {
    readonly which: AccountForm;
    readonly form: FormState;
    readonly conflicts?: readonly Conflict[];
  } | null;
  readonly done: keyof typeof DONE | null;
}

export function AccountPage({ account, refused, done }: AccountPageProps) {
  const part = (which: AccountForm): FormCardProps => ({
    account,
    form:
      refused?.which === which
        ? refused.form
        : which === 'name'
          ? editForm({ name: shownName(account) })
          : newForm(),
    isRefused: refused?.which === which,
  });
  return (
    <>
      <PageHeader title={t('Account')} />
      <div class="stack account">
        {done !== null && <Notice tone="good">{t(DONE[done])}</Notice>}
        {account.deleteAt !== null && <DeletionNotice deleteAt={account.deleteAt} />}
        <Identity {...part('name')} email={part('email')} conflicts={refused?.conflicts ?? []} />
        {!account.isOidcOnly && <Password {...part('password')} />}
        <SecondFactor {...part('factor')} />
        <Passkeys {...part('passkey')} />
        <Identities account={account} />
        {account.mail !== null && <MailCard {...account.mail} />}
        <Sessions account={account} />
        <WorkAccounts account={account} />
        <YourData account={account} />
        <DeleteCard account={account} />
      </div>
    </>
  );
}

/** The name in the form: the owner's proposal, so that nothing typed is lost. */
export const shownName = ({ name, nameProposal }: Pick<AccountView, 'name' | 'nameProposal'>): string =>
  nameProposal?.name ?? name;

function ProposalNotice({ account: { name, nameProposal } }: { account: AccountView }) {
  if (nameProposal === null) return null;
  const { name: proposed, proposedAt, declined } = nameProposal;
  const names = { name: isolated(name), proposed: isolated(proposed) };
  return (
    <Notice
      tone={declined === null ? 'plain' : 'warn'}
      title={
        declined === null
          ? t('“{proposed}” is waiting for review', names)
          : t('The operator declined the name “{proposed}”', names)
      }
      actions={
        <PostButton action={`${ACCOUNT_PATH}/name/withdraw`} small>
          {t('Keep “{name}”', names)}
        </PostButton>
      }
    >
      {declined === null ? (
        t('Proposed on {time}. Your listings show “{name}” until the operator decides.', {
          ...names,
          time: <Time at={proposedAt} />,
        })
      ) : (
        <Lines>{declined}</Lines>
      )}
    </Notice>
  );
}

interface IdentityProps extends FormCardProps {
  readonly email: FormCardProps;
  readonly conflicts: readonly Conflict[];
}

const Identity = ({ account, form, email, conflicts }: IdentityProps) => (
  <AccountCard title={t('Name and email')}>
    <ProposalNotice account={account} />
    <ConflictNotice conflicts={conflicts} labels={{ name: t('Name') }} />
    <ShortForm
      form={form}
      action={`${ACCOUNT_PATH}/name`}
      idPrefix="name"
      button={t('Save')}
      tone="plain"
      isLine
    >
      <SeenValues form={form} />
      <TextField form={form} idPrefix="name" name="name" label={t('Name')} autocomplete="name" />
    </ShortForm>
    <p>
      <strong>{t('Email address')}</strong>
      <br />
      {account.email}
    </p>
    <Folded summary={t('Change the email address')} isOpen={email.isRefused}>
      <ShortForm
        form={email.form}
        action={`${ACCOUNT_PATH}/email`}
        idPrefix="email"
        button={t('Send code')}
        tone="plain"
      >
        <EmailField
          form={email.form}
          idPrefix="email"
          label={t('New email address')}
          hint={t('We’ll send a code to this address. The change takes effect when you enter the code.')}
          autocomplete="email"
        />
      </ShortForm>
    </Folded>
  </AccountCard>
);

const namesOf = (providers: readonly ProviderChoice[]): string =>
  listText(
    providers.map(({ name }) => wordsOf(name)),
    'disjunction',
  );

function Identities({ account }: { account: AccountView }) {
  const { identities, providers, otherProviders } = account;
  const isConnected = identities.length > 0;
  if (!isConnected && providers.length === 0) return null;
  const connected = namesOf(providers.filter((one) => !otherProviders.includes(one)));
  return (
    <AccountCard
      title={t('Identity provider')}
      badge={
        <Badge tone={isConnected ? 'good' : 'plain'} hollow={!isConnected}>
          {isConnected ? t('Connected') : t('Not connected')}
        </Badge>
      }
    >
      <p class="soft-text">
        {providers.length === 0
          ? t('This service no longer has an identity provider.')
          : connected !== ''
            ? t('You can sign in with {providerName}.', { providerName: connected })
            : t('Connect your account to sign in with {providerName}.', { providerName: namesOf(providers) })}
      </p>
      {identities.map(({ issuer, created_at }) => (
        <p>
          {t('{issuer}, since {time}', {
            issuer: <Breakable text={issuer} />,
            time: <Time at={created_at} precision="day" />,
          })}
        </p>
      ))}
      {otherProviders.length > 0 && (
        <div class="row">
          {otherProviders.map(({ number, name }) => (
            <ButtonLink href={oidcLinkPath(number)}>
              {providers.length === 1 ? t('Connect') : t('Connect with {name}', { name })}
            </ButtonLink>
          ))}
        </div>
      )}
    </AccountCard>
  );
}

function WorkAccounts({ account: { workAccounts } }: { account: AccountView }) {
  if (workAccounts.length === 0) return null;
  return (
    <AccountCard title={t('Other people’s accounts')}>
      <p>{t('You work in {accounts}.', { accounts: listText(workAccounts.map(isolated)) })}</p>
      <div>
        <ButtonLink href={WORK_ACCOUNTS_PATH}>{t('Switch or leave')}</ButtonLink>
      </div>
    </AccountCard>
  );
}

function Sessions({ account }: { account: AccountView }) {
  const { sessions, sessionId } = account;
  return (
    <AccountCard id="sessions" title={t('Where you are signed in')}>
      <ul class="ordered">
        {sessions.map(({ id, userAgent, ip, createdAt, lastSeenAt }) => (
          <li>
            <div class="ordered-name">
              <p class="row">
                <strong>{browserName(userAgent)}</strong>
                {id === sessionId && <Badge tone="plain">{t('This device')}</Badge>}
              </p>
              <p class="small-text soft-text">
                {t('Last seen {time}', { time: <Time at={lastSeenAt} /> })}
                <br />
                {t('Since {time}', { time: <Time at={createdAt} /> })}
                {ip && (
                  <>
                    <br />
                    {t('IP address {ip}', { ip })}
                  </>
                )}
              </p>
            </div>
            {id !== sessionId && (
              <PostButton
                action={`${ACCOUNT_PATH}/sessions/${id}/end`}
                small
                label={t('Sign out: {browser}', { browser: browserName(userAgent) })}
              >
                {t('Sign out')}
              </PostButton>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <div>
          <PostButton action={`${ACCOUNT_PATH}/sessions/end`}>{t('Sign out everywhere else')}</PostButton>
        </div>
      )}
    </AccountCard>
  );
}

const MailCard = ({ kinds, choices, refusal }: NonNullable<AccountView['mail']>) => (
  <AccountCard title={t('Emails')}>
    {refusal !== null && (
      <Notice
        tone="warn"
        actions={<PostButton action={CLEAR_REFUSAL_PATH}>{t('Send me all emails again')}</PostButton>}
      >
        {t(
          'An email to your address was refused, because the mailbox doesn’t exist or accepts no mail. For now, we only send mail that you ask for, such as sign-in codes. Once an email gets through again, we’ll send your other mail too.',
        )}
      </Notice>
    )}
    <ShortForm form={newForm()} action={MAIL_PATH} idPrefix="mail" button={t('Save')} tone="plain">
      <CheckboxesField
        form={newForm(Object.fromEntries(kinds.map((kind) => [kind, isWanted(choices, kind) ? 'yes' : ''])))}
        idPrefix="mail"
        name="kinds"
        label={t('Send me emails about')}
        choices={kinds.map((kind) => ({ value: kind, label: t(NOTICES[kind].label) }))}
      />
    </ShortForm>
  </AccountCard>
);

export const DeletionNotice = ({ deleteAt }: { deleteAt: string }) => (
  <Notice
    tone="warn"
    title={t('Your account will be deleted on {time}', { time: <TimeWithZone at={deleteAt} /> })}
    actions={
      <PostButton action={KEEP_PATH} tone="primary">
        {t('Keep my account')}
      </PostButton>
    }
  >
    {t('You can undo this until then.')}
  </Notice>
);

const YourData = ({ account }: { account: AccountView }) => (
  <AccountCard title={t('Your data')}>
    <p class="soft-text">
      {t(
        'One file with everything stored about you: profile, claims with their codes, sign-ins, sessions, mail and the changes you made. <a>What is stored and why</a>',
        { a: linkTo(PRIVACY_PATH) },
      )}
    </p>
    <div class="row">
      <DownloadButtons
        formats={DATA_FORMATS}
        pathOf={(format) => `${DATA_PATH}.${format}`}
        textOf={(format) => t('Download {format}', { format })}
        // Without a recent proof of identity, the link redirects to the proof page. The browser must not save this page
        // as a file.
        download={account.canDownload}
      />
    </div>
  </AccountCard>
);

const DeleteCard = ({ account }: { account: AccountView }) => (
  <AccountCard title={t('Delete your account')}>
    {account.isOperator ? (
      <p class="soft-text">
        {t(
          'You are an operator, so your account can’t be deleted. Give up your operator rights first: Desk → Accounts → your account.',
        )}
      </p>
    ) : account.deleteAt !== null ? (
      <>
        <p class="soft-text">
          {t('Your account will be deleted on {time}.', { time: <TimeWithZone at={account.deleteAt} /> })}
        </p>
        <div>
          <PostButton action={KEEP_PATH}>{t('Keep my account')}</PostButton>
        </div>
      </>
    ) : (
      <>
        <p class="soft-text">
          {t(
            'The next page says what is deleted and what stays. After you confirm, you have a week to undo the deletion.',
          )}
        </p>
        <div>
          <ButtonLink href={DELETE_PATH} tone="danger">
            {t('Delete my account…')}
          </ButtonLink>
        </div>
      </>
    )}
  </AccountCard>
);
