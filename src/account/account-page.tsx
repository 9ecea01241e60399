/** The page of the viewer's account: name, address, password, second factor, passkeys, sessions, data and deletion. */
import { Breakable } from '../ui/breakable.tsx';
import { Button, ButtonLink, PostButton } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Form, FormActions } from '../ui/form.tsx';
import { type FormState, newForm } from '../ui/form-state.ts';
import type { Markup } from '../ui/markup.ts';
import { Notice } from '../ui/notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { type Conflict, ConflictNotice, editForm, SeenValues } from '../ui/stale-form.tsx';
import { Badge } from '../ui/state-badge.tsx';
import { Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import {
  type AccountForm,
  type AccountView,
  Card,
  FoldedForProof,
  type FormCardProps,
  ProofInNewTab,
} from './card.tsx';
import { DeleteCard, DeletionNotice, YourData } from './data-cards.tsx';
import { MailCard } from './mail-card.tsx';
import { Passkeys } from './passkeys-card.tsx';
import { Password, SecondFactor } from './password-cards.tsx';
import { ACCOUNT_PATH, OIDC_LINK_PATH } from './paths.ts';
import { browserName } from './user-agent.ts';

/** The change just made, by the value of `done` in the page's URL. */
export const DONE = {
  name: 'Your name has been changed.',
  email: 'Your email address has been changed. Sign in with the new one from now on.',
  password: 'Your password is set. All other sessions have ended.',
  'factor-on': 'The second factor is on. From now on, signing in asks for it, unless you use a passkey.',
  'factor-off': 'The second factor is off.',
  passkey: 'Passkey added. You can now sign in with it.',
  'passkey-removed': 'Passkey removed.',
  session: 'The session has ended.',
  mail: 'Your choice of mail is saved.',
  sessions: 'All other sessions have ended.',
  kept: 'Deletion cancelled.',
  operator: 'You are no longer an operator.',
  proven: 'Thank you. For ten minutes you can submit forms that are open in other tabs.',
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

export function AccountPage({ account, refused, done }: AccountPageProps): Markup {
  const part = (which: AccountForm): FormCardProps => ({
    account,
    form:
      refused?.which === which
        ? refused.form
        : which === 'name'
          ? editForm({ name: account.name })
          : newForm(),
    isRefused: refused?.which === which,
  });
  return (
    <>
      <PageHeader title="Account" lead={account.email} />
      <div class="stack-loose narrow">
        {done !== null && <Notice tone="good">{DONE[done]}</Notice>}
        {account.deleteAt !== null && <DeletionNotice deleteAt={account.deleteAt} />}
        <Identity {...part('name')} email={part('email')} conflicts={refused?.conflicts ?? []} />
        <Password {...part('password')} />
        <SecondFactor {...part('factor')} />
        <Passkeys {...part('passkey')} />
        <Identities account={account} />
        {account.mail !== null && <MailCard {...account.mail} />}
        <Sessions account={account} />
        <YourData account={account} />
        <DeleteCard account={account} />
      </div>
    </>
  );
}

interface IdentityProps extends FormCardProps {
  readonly email: FormCardProps;
  readonly conflicts: readonly Conflict[];
}

const Identity = ({ account, form, email, conflicts }: IdentityProps): Markup => (
  <Card title="Name and email">
    <ConflictNotice conflicts={conflicts} labels={{ name: 'Name' }} />
    <Form form={form} action={`${ACCOUNT_PATH}/name`} idPrefix="name">
      <SeenValues form={form} />
      <TextField form={form} idPrefix="name" name="name" label="Name" autocomplete="name" />
      <FormActions>
        <Button>Save</Button>
      </FormActions>
    </Form>
    <FoldedForProof isProven={account.isProven} summary="Change the email address" isOpen={email.isRefused}>
      <Form form={email.form} action={`${ACCOUNT_PATH}/email`} idPrefix="email">
        <ProofInNewTab hidden={account.isProven} />
        <TextField
          form={email.form}
          idPrefix="email"
          name="email"
          type="email"
          label="New email address"
          hint="We’ll send a code to it. Your address changes once you confirm it."
          autocomplete="email"
          inputmode="email"
        />
        <FormActions>
          <Button>Send code</Button>
        </FormActions>
      </Form>
    </FoldedForProof>
  </Card>
);

/** The card for the identity provider and the identities there that the person can sign in with. */
function Identities({ account }: { account: AccountView }): Markup | null {
  const { identities, providerName } = account;
  if (identities.length === 0 && providerName === null) return null;
  return (
    <Card
      title="Identity provider"
      badge={
        <Badge tone={identities.length > 0 ? 'good' : 'plain'} hollow={identities.length === 0}>
          {identities.length > 0 ? 'Connected' : 'Not connected'}
        </Badge>
      }
    >
      <p class="soft-text">
        {providerName === null
          ? 'This service no longer has an identity provider.'
          : identities.length > 0
            ? `You can sign in with ${providerName}.`
            : `Connect it to sign in with ${providerName}.`}
      </p>
      {identities.map(({ issuer, created_at }) => (
        <p>
          <Breakable text={issuer} />, since <Time at={created_at} precision="day" />
        </p>
      ))}
      {identities.length === 0 && (
        <div>
          <ButtonLink href={OIDC_LINK_PATH}>Connect</ButtonLink>
        </div>
      )}
    </Card>
  );
}

function Sessions({ account }: { account: AccountView }): Markup {
  const { sessions, sessionId } = account;
  return (
    <Card title="Where you are signed in">
      <Table
        caption="Sessions"
        rows={sessions}
        columns={[
          {
            header: 'Browser',
            isName: true,
            cell: ({ id, userAgent }) => (
              <>
                {browserName(userAgent)} {id === sessionId && <Badge tone="accent">This device</Badge>}
              </>
            ),
          },
          { header: 'Address', cell: ({ ip }) => ip || 'Unknown' },
          { header: 'Since', cell: ({ createdAt }) => <Time at={createdAt} /> },
          { header: 'Last seen', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
          {
            header: 'Actions',
            isActions: true,
            cell: ({ id, userAgent }) =>
              id !== sessionId && (
                <PostButton
                  action={`${ACCOUNT_PATH}/sessions/${id}/end`}
                  small
                  label={`End ${browserName(userAgent)}`}
                >
                  End
                </PostButton>
              ),
          },
        ]}
      />
      {sessions.length > 1 && (
        <div>
          <PostButton action={`${ACCOUNT_PATH}/sessions/end`}>End all other sessions</PostButton>
        </div>
      )}
    </Card>
  );
}
