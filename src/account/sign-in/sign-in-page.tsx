import type { Child } from 'hono/jsx';
import type { Confirmation } from '../../accounts/confirm-by-mail.ts';
import { MIN_PASSWORD_LENGTH } from '../../accounts/password.ts';
import { HOME_PATH } from '../../http/pages.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { HiddenField, TextField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { Live } from '../../ui/live.tsx';
import type { Markup } from '../../ui/markup.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { UsePasskey } from '../passkey-form.tsx';
import { OidcButton } from './oidc-page.tsx';

export interface FormPageProps {
  readonly form: FormState;
  /** Path of this service to continue at. */
  readonly next: string;
}

const withNext = (path: string, next: string): string =>
  next === HOME_PATH ? path : `${path}?next=${encodeURIComponent(next)}`;

/** Asks a signed-in person for the code that confirms their new e-mail address. */
export const ConfirmNewAddressPage = ({ form }: { form: FormState }): Markup => (
  <>
    <PageHeader title="Confirm your new address" lead="Your account moves to it immediately." />
    <Form form={form} action="/verify-email">
      <HiddenField name="for" value="account" />
      <CodeField
        form={form}
        hint="From the mail to the new address, such as K7QX3-M9TRB. The link in the mail fills it in."
      />
      <FormActions>
        <Button tone="primary">Confirm</Button>
        <a href="/account">Back</a>
      </FormActions>
    </Form>
  </>
);

/** Links to alternatives, below a form. */
const OtherWays = ({ children }: { children: Child }): Markup => <p class="soft-text">{children}</p>;

const EmailField = ({ form, autofocus }: { form: FormState; autofocus?: boolean }): Markup => (
  <TextField
    form={form}
    name="email"
    type="email"
    label="E-mail address"
    autocomplete="username"
    inputmode="email"
    autofocus={autofocus}
  />
);

const NewPasswordField = ({ form }: { form: FormState }): Markup => (
  <TextField
    form={form}
    name="password"
    type="password"
    label="Password"
    hint={`At least ${MIN_PASSWORD_LENGTH} characters, and hard to guess. Use a password manager, or four random words.`}
    autocomplete="new-password"
  />
);

const CodeField = ({ form, hint }: { form: FormState; hint: string }): Markup => (
  <TextField form={form} name="code" label="Code" hint={hint} autocomplete="one-time-code" mono autofocus />
);

interface SignInPageProps extends FormPageProps {
  readonly hasNewPassword?: boolean;
  /** Something was sent without a session. */
  readonly hasEnded?: boolean;
  /** Whether the service's host can have passkeys. */
  readonly hasPasskeys: boolean;
  /** Of the company's identity provider; `null`: there is none. */
  readonly providerName: string | null;
  /** Why a passkey was refused. */
  readonly passkeyProblem?: string;
}

export const SignInPage = ({
  form,
  next,
  hasNewPassword = false,
  hasEnded = false,
  hasPasskeys,
  providerName,
  passkeyProblem = '',
}: SignInPageProps): Markup => (
  <>
    <PageHeader title="Sign in" />
    {hasEnded && (
      <Notice tone="warn" title="Your session has ended">
        Nothing has been changed. Sign in, then try again.
      </Notice>
    )}
    {hasNewPassword && <Notice tone="good">The new password is set. Sign in with it.</Notice>}
    <div class="ways">
      <Form form={form} action="/sign-in">
        <HiddenField name="next" value={next} />
        <EmailField form={form} autofocus />
        <TextField
          form={form}
          name="password"
          type="password"
          label="Password"
          autocomplete="current-password"
        />
        <FormActions>
          <Button tone="primary">Sign in</Button>
          <a href="/forgot-password">Forgot the password?</a>
        </FormActions>
      </Form>
      {providerName !== null && <OidcButton text={`Sign in with ${providerName}`} next={next} />}
      {hasPasskeys && (
        <UsePasskey
          action="/sign-in/passkey"
          text="Sign in with a passkey"
          next={next}
          problem={passkeyProblem}
        />
      )}
    </div>
    <OtherWays>
      New here? <a href={withNext('/sign-up', next)}>Sign up</a>
    </OtherWays>
  </>
);

/** For a browser that dropped the cookies of its sign-in. */
export const NoCookiesPage = ({ host, next }: { host: string; next: string }): Markup => (
  <>
    <PageHeader
      title="Your browser keeps no cookies"
      lead={`You cannot be signed in, because this browser does not keep the cookies of ${host}.`}
    />
    <p>
      Allow cookies for this site in the settings of the browser, or open the site in another browser: the
      small browsers inside of apps often keep none. Then sign in again.
    </p>
    <FormActions>
      <ButtonLink href={withNext('/sign-in', next)} tone="primary">
        Sign in again
      </ButtonLink>
    </FormActions>
  </>
);

export const SecondFactorPage = ({ form, next }: FormPageProps): Markup => (
  <>
    <PageHeader title="Second factor" lead="One more thing before you are signed in." />
    <Form form={form} action="/sign-in/second-factor">
      <HiddenField name="next" value={next} />
      <CodeField form={form} hint="Six digits from your authenticator app, or one of your backup codes." />
      <FormActions>
        <Button tone="primary">Continue</Button>
        <a href={withNext('/sign-in', next)}>Back</a>
      </FormActions>
    </Form>
  </>
);

export const SignInLinkPage = ({ form, next }: FormPageProps): Markup => (
  <>
    <PageHeader title="Sign in by link" lead="The link works once." />
    <Form form={form} action="/sign-in/link">
      <HiddenField name="next" value={next} />
      <CodeField form={form} hint="Such as K7QX3-M9TRB; in a link it follows the #." />
      <FormActions>
        <Button tone="primary">Sign in</Button>
      </FormActions>
    </Form>
  </>
);

export const SignUpPage = ({ form, next }: FormPageProps): Markup => (
  <>
    <PageHeader title="Sign up" lead="One account to claim offers and to publish your own." />
    <Form form={form} action="/sign-up">
      <HiddenField name="next" value={next} />
      <TextField
        form={form}
        name="name"
        label="Name"
        hint="Your name or your company’s."
        autocomplete="name"
        autofocus
      />
      <EmailField form={form} />
      <NewPasswordField form={form} />
      <FormActions>
        <Button tone="primary">Sign up</Button>
      </FormActions>
    </Form>
    <OtherWays>
      Have an account? <a href={withNext('/sign-in', next)}>Sign in</a>
    </OtherWays>
  </>
);

export const SIGN_UP_SENT_PATH = '/sign-up/sent';
/** How often a page that waits for a confirmation asks for it. */
const LOOK_MS = 5_000;

interface ConfirmationProps {
  readonly confirmation: Confirmation;
  /** Path of this service to continue at. */
  readonly next: string;
}

export const MailSentPage = (props: ConfirmationProps): Markup => (
  <>
    <PageHeader title="Confirm your address" />
    <ConfirmationState {...props} />
  </>
);

/** It signs nobody in: the address may have been confirmed in the browser of another person. */
export const ConfirmationState = ({ confirmation: { email, state }, next }: ConfirmationProps): Markup => (
  <Live
    id="confirmation"
    path={withNext(SIGN_UP_SENT_PATH, next)}
    everyMs={state === 'waiting' ? LOOK_MS : null}
  >
    {state === 'waiting' && (
      <div class="stack">
        <p>
          We will send a mail to <strong>{email}</strong>. Follow its link, in this or any other browser, or
          type its code here. They work once, for 24 hours.
        </p>
        <FormActions>
          <ButtonLink href={withNext('/verify-email', next)} tone="primary">
            Type the code
          </ButtonLink>
          <a href={withNext(SIGN_UP_SENT_PATH, next)}>I followed the link</a>
        </FormActions>
        <OtherWays>
          No mail? Check your spam folder, or <a href={withNext('/sign-up', next)}>sign up again</a>.
        </OtherWays>
      </div>
    )}
    {state === 'confirmed' && (
      <div class="stack">
        <Notice tone="good" title="Your address is confirmed">
          You are signed in where you opened the link. To go on in this window, sign in here too.
        </Notice>
        <FormActions>
          <ButtonLink href={withNext('/sign-in', next)} tone="primary">
            Sign in
          </ButtonLink>
        </FormActions>
      </div>
    )}
    {state === 'ended' && (
      <div class="stack">
        <Notice tone="warn" title="This mail no longer works">
          A newer mail has replaced it, or its time is over. Sign in if you have confirmed the address, or
          sign up again.
        </Notice>
        <FormActions>
          <ButtonLink href={withNext('/sign-in', next)} tone="primary">
            Sign in
          </ButtonLink>
          <a href={withNext('/sign-up', next)}>Sign up again</a>
        </FormActions>
      </div>
    )}
  </Live>
);

export const ConfirmAddressPage = ({ form, next }: FormPageProps): Markup => (
  <>
    <PageHeader title="Confirm your address" />
    <Form form={form} action="/verify-email">
      <HiddenField name="next" value={next} />
      <CodeField form={form} hint="From the mail, such as K7QX3-M9TRB. The link in the mail fills it in." />
      <TextField
        form={form}
        name="password"
        type="password"
        label="Password"
        hint="The one you signed up with."
        autocomplete="current-password"
      />
      <FormActions>
        <Button tone="primary">Confirm</Button>
      </FormActions>
    </Form>
  </>
);

export const ForgotPasswordPage = ({ form }: { form: FormState }): Markup => (
  <>
    <PageHeader
      title="Set a new password"
      lead="Say which address you sign in with, and we send a link to it."
    />
    <Form form={form} action="/forgot-password">
      <EmailField form={form} autofocus />
      <FormActions>
        <Button tone="primary">Send the link</Button>
        <a href="/sign-in">Back</a>
      </FormActions>
    </Form>
  </>
);

export const LinkSentPage = ({ isMailed }: { isMailed: boolean }): Markup => (
  <>
    <PageHeader title="Set a new password" />
    <p>
      {isMailed
        ? 'If there is an account with this address, we will send a link and a code to it. They work once, for an hour.'
        : 'If there is an account with this address, the operator of this marketplace now has a link for it. This service sends no mail yet, so ask the operator for the link.'}
    </p>
    <FormActions>
      {isMailed && (
        <ButtonLink href="/reset-password" tone="primary">
          Type the code
        </ButtonLink>
      )}
      <ButtonLink href="/sign-in">Back to signing in</ButtonLink>
    </FormActions>
  </>
);

export const NewPasswordPage = ({ form }: { form: FormState }): Markup => (
  <>
    <PageHeader title="Set a new password" lead="Every session of the account ends with it." />
    <Form form={form} action="/reset-password">
      <CodeField
        form={form}
        hint="From the mail, such as K7QX3-M9TRB. The link that you were sent fills it in."
      />
      <NewPasswordField form={form} />
      <FormActions>
        <Button tone="primary">Set the password</Button>
      </FormActions>
    </Form>
  </>
);

export const SetUpPage = ({ form }: { form: FormState }): Markup => (
  <>
    <PageHeader
      title="Set up Claimcheck"
      lead="This makes you the operator. Operators approve listings, set plans and run the service."
    />
    <Form form={form} action="/setup">
      <CodeField
        form={form}
        hint="From the setup link in the terminal, which fills it in; also in the file setup-link of the data folder. It works for 30 minutes; a new start makes a new one."
      />
      <TextField form={form} name="name" label="Your name" autocomplete="name" />
      <EmailField form={form} />
      <NewPasswordField form={form} />
      <FormActions>
        <Button tone="primary">Become the operator</Button>
      </FormActions>
    </Form>
  </>
);

export const SetUpDonePage = (): Markup => (
  <>
    <PageHeader title="Already set up" lead="This service has its operator." />
    <FormActions>
      <ButtonLink href="/sign-in" tone="primary">
        Sign in
      </ButtonLink>
      <ButtonLink href="/">Marketplace</ButtonLink>
    </FormActions>
  </>
);
