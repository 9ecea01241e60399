import type { Child } from 'hono/jsx';
import { MIN_PASSWORD_LENGTH } from '../../accounts/password.ts';
import { HOME_PATH } from '../../http/pages.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { HiddenField, TextField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
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
    <PageHeader title="Confirm your new address" lead="Your account moves to it at once." />
    <Form form={form} action="/verify-email">
      <HiddenField name="for" value="account" />
      <CodeField form={form} hint="From the mail to the new address; its link fills it in." />
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
    hint={`At least ${MIN_PASSWORD_LENGTH} characters, and hard to guess. Four random words do well, a password manager better.`}
    autocomplete="new-password"
  />
);

const CodeField = ({ form, hint }: { form: FormState; hint: string }): Markup => (
  <TextField form={form} name="code" label="Code" hint={hint} autocomplete="one-time-code" mono autofocus />
);

interface SignInPageProps extends FormPageProps {
  readonly hasNewPassword?: boolean;
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
  hasPasskeys,
  providerName,
  passkeyProblem = '',
}: SignInPageProps): Markup => (
  <>
    <PageHeader title="Sign in" />
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
      <CodeField form={form} hint="The part after # in the link." />
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
        hint="Yours, or that of your company."
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

export const MailSentPage = ({ email }: { email: string }): Markup => (
  <>
    <PageHeader title="Look into your mail" />
    <p>
      We sent a link to <strong>{email}</strong>. Follow it to confirm that the address is yours; it works
      once, for 24 hours.
    </p>
    <OtherWays>
      No mail? Look into the spam folder, or <a href="/sign-up">sign up again</a>.
    </OtherWays>
  </>
);

export const ConfirmAddressPage = ({ form, next }: FormPageProps): Markup => (
  <>
    <PageHeader title="Confirm your address" />
    <Form form={form} action="/verify-email">
      <HiddenField name="next" value={next} />
      <CodeField form={form} hint="From the mail; its link fills it in." />
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
        ? 'If there is an account with this address, a link is on its way to it. It works once, for an hour.'
        : 'If there is an account with this address, the operator of this marketplace now has a link for it. This service sends no mail yet, so ask the operator for the link.'}
    </p>
    <FormActions>
      <ButtonLink href="/sign-in">Back to signing in</ButtonLink>
    </FormActions>
  </>
);

export const NewPasswordPage = ({ form }: { form: FormState }): Markup => (
  <>
    <PageHeader title="Set a new password" lead="Every session of the account ends with it." />
    <Form form={form} action="/reset-password">
      <CodeField form={form} hint="From the link that you were sent; it fills it in." />
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
