/** The page of the viewer's account: name, address, password, second factor, passkeys and sessions. */
import type { Child } from 'hono/jsx';
import type { Passkey } from '../accounts/passkey-queries.ts';
import type { SessionSummary } from '../accounts/session-queries.ts';
import { PROVE_PATH } from '../http/pages.ts';
import { Breakable } from '../ui/breakable.tsx';
import { Button, ButtonLink, PostButton } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { HiddenField, TextField } from '../ui/field.tsx';
import { Form, FormActions } from '../ui/form.tsx';
import { type FormState, newForm } from '../ui/form-state.ts';
import type { Markup } from '../ui/markup.ts';
import { Notice } from '../ui/notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Badge } from '../ui/state-badge.tsx';
import { Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { PasskeyProblem } from './passkey-form.tsx';
import { ACCOUNT_PATH, OIDC_LINK_PATH } from './paths.ts';
import { browserName } from './user-agent.ts';

/** The forms of the page; the name is the prefix of their fields' ids. */
export type AccountForm = 'name' | 'email' | 'password' | 'factor' | 'passkey';

/** The change just made, as named in the address of the page. */
export const DONE = {
  name: 'The name is changed.',
  email: 'The account has its new e-mail address. Sign in with that from now on.',
  password: 'The password is changed. All other sessions have ended.',
  'factor-on': 'The second factor is on. Signing in with the password asks for it from now on.',
  'factor-off': 'The second factor is off.',
  passkey: 'The passkey is added. You can sign in with it from now on.',
  'passkey-removed': 'The passkey is removed.',
  session: 'The session has ended.',
  sessions: 'All other sessions have ended.',
  proven: 'Thank you. For ten minutes you can send forms that are open in other tabs.',
} as const;

export interface AccountView {
  readonly name: string;
  readonly email: string;
  readonly sessionId: string;
  readonly hasPassword: boolean;
  readonly hasSecondFactor: boolean;
  readonly minPasswordLength: number;
  readonly passkeys: readonly Passkey[];
  /** Whether the service's host can have passkeys. */
  readonly canHavePasskeys: boolean;
  /** Of the company's identity provider. */
  readonly identities: readonly { readonly issuer: string; readonly created_at: string }[];
  /** Of the identity provider; `null`: there is none. */
  readonly providerName: string | null;
  readonly sessions: readonly SessionSummary[];
  /** Whether the person has just proved who they are. */
  readonly isProven: boolean;
  /** Whether the second factor must be used before a password counts. */
  readonly isLocked: boolean;
}

export interface AccountPageProps {
  readonly account: AccountView;
  /** A refused form, to be shown again. */
  readonly refused: { readonly which: AccountForm; readonly form: FormState } | null;
  readonly done: keyof typeof DONE | null;
}

interface PartProps {
  readonly account: AccountView;
  readonly form: FormState;
  readonly isRefused: boolean;
}

export function AccountPage({ account, refused, done }: AccountPageProps): Markup {
  const part = (which: AccountForm): PartProps => ({
    account,
    form: refused?.which === which ? refused.form : newForm({ name: which === 'name' ? account.name : '' }),
    isRefused: refused?.which === which,
  });
  return (
    <>
      <PageHeader title="Account" lead={account.email} />
      <div class="stack-loose narrow">
        {done !== null && <Notice tone="good">{DONE[done]}</Notice>}
        <Identity {...part('name')} email={part('email')} />
        <Password {...part('password')} />
        <SecondFactor {...part('factor')} />
        <Passkeys {...part('passkey')} />
        <Identities account={account} />
        <Sessions account={account} />
      </div>
    </>
  );
}

const Card = ({ title, badge, children }: { title: string; badge?: Child; children: Child }): Markup => (
  <section class="card">
    <div class="spread">
      <h2>{title}</h2>
      {badge}
    </div>
    <div class="stack">{children}</div>
  </section>
);

/** A form that is folded until it is opened or was refused. */
const Folded = ({
  summary,
  isOpen,
  children,
}: {
  summary: string;
  isOpen: boolean;
  children: Child;
}): Markup => (
  <details class="more" open={isOpen}>
    <summary>{summary}</summary>
    {children}
  </details>
);

const provePath = (next: string): string => `${PROVE_PATH}?next=${encodeURIComponent(next)}`;

/** A folded form that asks for a proof of identity first. A refused form is shown as it is, with what was typed. */
const FoldedForProof = (props: Parameters<typeof Folded>[0] & { isProven: boolean }): Markup => (
  <Folded summary={props.summary} isOpen={props.isOpen}>
    {props.isProven || props.isOpen ? (
      props.children
    ) : (
      <p>
        First <a href={provePath(ACCOUNT_PATH)}>prove that it is you</a>.
      </p>
    )}
  </Folded>
);

/** In a form that was open for longer than a proof is fresh. It opens a tab of its own, so that the form stays. */
const ProofInNewTab = ({ hidden }: { hidden: boolean }): Markup => (
  <p data-proof-link hidden={hidden}>
    <a href={provePath(`${ACCOUNT_PATH}?done=proven`)} target="_blank" rel="noopener">
      Prove in a new tab that it is you
    </a>
    , then send this form again.
  </p>
);

const OwnPasswordField = ({ form, idPrefix }: { form: FormState; idPrefix: AccountForm }): Markup => (
  <TextField
    form={form}
    idPrefix={idPrefix}
    name="current"
    type="password"
    label="Your password"
    autocomplete="current-password"
  />
);

const Identity = ({ account, form, email }: PartProps & { email: PartProps }): Markup => (
  <Card title="Name and address">
    <Form form={form} action={`${ACCOUNT_PATH}/name`} idPrefix="name">
      <TextField form={form} idPrefix="name" name="name" label="Name" autocomplete="name" />
      <FormActions>
        <Button>Save</Button>
      </FormActions>
    </Form>
    <FoldedForProof isProven={account.isProven} summary="Change the e-mail address" isOpen={email.isRefused}>
      <Form form={email.form} action={`${ACCOUNT_PATH}/email`} idPrefix="email">
        <ProofInNewTab hidden={account.isProven} />
        <TextField
          form={email.form}
          idPrefix="email"
          name="email"
          type="email"
          label="New e-mail address"
          hint="We send a code to it; the account moves once you confirm it."
          autocomplete="email"
          inputmode="email"
        />
        <FormActions>
          <Button>Send the code</Button>
        </FormActions>
      </Form>
    </FoldedForProof>
  </Card>
);

const Password = ({ account, form, isRefused }: PartProps): Markup =>
  account.hasPassword ? (
    <Card title="Password">
      <p class="soft-text">A new one ends every session but this one.</p>
      <FoldedForProof isProven={!account.isLocked} summary="Change the password" isOpen={isRefused}>
        <Form form={form} action={`${ACCOUNT_PATH}/password`} idPrefix="password">
          <OwnPasswordField form={form} idPrefix="password" />
          <TextField
            form={form}
            idPrefix="password"
            name="password"
            type="password"
            label="New password"
            hint={`At least ${account.minPasswordLength} characters, and hard to guess. Four random words do well, a password manager better.`}
            autocomplete="new-password"
          />
          <FormActions>
            <Button>Change the password</Button>
          </FormActions>
        </Form>
      </FoldedForProof>
    </Card>
  ) : (
    <Card title="Password">
      <p class="soft-text">
        Your account has none. <a href="/forgot-password">Ask for a link</a> that sets one.
      </p>
    </Card>
  );

const SecondFactor = ({ account, form, isRefused }: PartProps): Markup =>
  account.hasSecondFactor ? (
    <Card title="Second factor" badge={<Badge tone="good">On</Badge>}>
      <p class="soft-text">
        Signing in with the password also asks for a code from your authenticator app, or for a backup code.
      </p>
      <div>
        <PostButton action={`${ACCOUNT_PATH}/backup-codes`}>Make new backup codes</PostButton>
      </div>
      <FoldedForProof
        isProven={account.hasPassword ? !account.isLocked : account.isProven}
        summary="Turn it off"
        isOpen={isRefused}
      >
        <Form form={form} action={`${ACCOUNT_PATH}/two-factor/off`} idPrefix="factor">
          {account.hasPassword && <OwnPasswordField form={form} idPrefix="factor" />}
          <FormActions>
            <Button tone="danger">Turn it off</Button>
          </FormActions>
        </Form>
      </FoldedForProof>
    </Card>
  ) : (
    <Card
      title="Second factor"
      badge={
        <Badge tone="plain" hollow>
          Off
        </Badge>
      }
    >
      <p class="soft-text">
        An authenticator app on your phone shows a code that signing in asks for after the password.
      </p>
      <Folded summary="Turn it on" isOpen={isRefused}>
        <Form form={form} action={`${ACCOUNT_PATH}/two-factor`} idPrefix="factor">
          <FormActions>
            <Button>Continue</Button>
          </FormActions>
        </Form>
      </Folded>
    </Card>
  );

function Passkeys({ account, form, isRefused }: PartProps): Markup {
  const { passkeys, canHavePasskeys } = account;
  return (
    <Card title="Passkeys">
      <p class="soft-text">
        A passkey signs you in with your fingerprint, face or device PIN, without password and code.
      </p>
      {passkeys.length > 0 && (
        <Table
          caption="Passkeys"
          rows={passkeys}
          columns={[
            { header: 'Name', isName: true, cell: ({ name }) => <span class="break">{name}</span> },
            { header: 'Added', cell: ({ createdAt }) => <Time at={createdAt} precision="day" /> },
            {
              header: 'Last used',
              cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <Time at={lastUsedAt} />),
            },
            {
              header: 'Actions',
              isActions: true,
              cell: ({ id, name }) => (
                <Confirm
                  id={`remove-${id}`}
                  action={`${ACCOUNT_PATH}/passkeys/${id}/remove`}
                  opener="Remove…"
                  openerLabel={`Remove… ${name}`}
                  small
                  title={`Remove “${name}”?`}
                  confirm="Remove passkey"
                >
                  <p>It no longer signs you in here. Delete it on the device as well.</p>
                </Confirm>
              ),
            },
          ]}
        />
      )}
      {canHavePasskeys ? (
        <>
          <p class="soft-text" data-without-passkeys>
            Adding one needs JavaScript and a browser that has passkeys.
          </p>
          <AddPasskey {...{ account, form, isRefused }} />
        </>
      ) : (
        <p class="soft-text">
          Passkeys belong to a host name, and this service is reached at an IP address. The operator can set
          BASE_URL to a host name.
        </p>
      )}
    </Card>
  );
}

const AddPasskey = ({ account, form, isRefused }: PartProps): Markup => (
  <FoldedForProof isProven={account.isProven} summary="Add a passkey" isOpen={isRefused}>
    <form
      class="form"
      method="post"
      action={`${ACCOUNT_PATH}/passkeys`}
      novalidate
      data-passkey="add"
      data-options={`${ACCOUNT_PATH}/passkeys/options`}
      hidden
    >
      <HiddenField name="credential" value="" />
      <TextField
        form={form}
        idPrefix="passkey"
        name="name"
        label="Name"
        hint="To tell it from others, such as the device it is on."
      />
      <PasskeyProblem sentence={form.problems[0]?.sentence ?? ''} />
      <ProofInNewTab hidden />
      <FormActions>
        <Button>Add a passkey</Button>
      </FormActions>
    </form>
  </FoldedForProof>
);

/** What of the company's identity provider signs the person in. */
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
          ? 'This service has no identity provider now.'
          : identities.length > 0
            ? `You can sign in with ${providerName}.`
            : `Connect it, and you can sign in with ${providerName}.`}
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
                {browserName(userAgent)} {id === sessionId && <Badge tone="accent">This one</Badge>}
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
