import type { Child } from 'hono/jsx';
import { HOME_PATH } from '../../http/pages/pages.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { HiddenField, TextField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import type { Markup } from '../../ui/markup.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { UsePasskey } from '../passkey-form.tsx';
import type { FormPageProps } from './answers.ts';
import { OidcButton } from './oidc-page.tsx';

export const withNext = (path: string, next: string): string =>
  next === HOME_PATH ? path : `${path}?next=${encodeURIComponent(next)}`;

/** Links to alternatives, below a form. */
export const OtherWays = ({ children }: { children: Child }): Markup => <p class="soft-text">{children}</p>;

export const EmailField = ({ form, autofocus }: { form: FormState; autofocus?: boolean }): Markup => (
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

export const CodeField = ({ form, hint }: { form: FormState; hint: string }): Markup => (
  <TextField form={form} name="code" label="Code" hint={hint} autocomplete="one-time-code" mono autofocus />
);

interface SignInPageProps extends FormPageProps {
  readonly hasNewPassword?: boolean;
  /** A form was submitted after the session had ended. */
  readonly hasEnded?: boolean;
  /** Whether the service's host can have passkeys. */
  readonly hasPasskeys: boolean;
  /** Name of the identity provider; `null` if none is configured. */
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
    {hasNewPassword && <Notice tone="good">Your new password is set. Sign in with it.</Notice>}
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
          <a href="/forgot-password">Forgot your password?</a>
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
      title="Cookies are blocked"
      lead={`You can’t be signed in, because this browser doesn’t keep cookies from ${host}.`}
    />
    <p>
      Allow cookies for this site in your browser’s settings, or open the site in another browser: browsers
      inside apps often block cookies. Then sign in again.
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
    <PageHeader title="Second factor" lead="Enter a code to finish signing in." />
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
      <CodeField form={form} hint="For example K7QX3-M9TRB. In the link, it comes after the #." />
      <FormActions>
        <Button tone="primary">Sign in</Button>
      </FormActions>
    </Form>
  </>
);
