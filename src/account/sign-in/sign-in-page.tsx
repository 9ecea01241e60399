import type { Child } from 'hono/jsx';
import { HOME_PATH } from '../../http/pages/pages.ts';
import { ButtonLink, PostButton } from '../../ui/button.tsx';
import { Consent } from '../../ui/consent.tsx';
import { FormActions } from '../../ui/form.tsx';
import { Live } from '../../ui/live.tsx';
import type { Markup } from '../../ui/markup.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import {
  CodeField,
  EmailField,
  FACTOR_HINT,
  OidcButton,
  PasswordField,
  ShortForm,
  UsePasskey,
} from '../forms.tsx';
import type { FormPageProps } from './answers.ts';

export const withNext = (path: string, next: string): string =>
  next === HOME_PATH ? path : `${path}?next=${encodeURIComponent(next)}`;

export const OtherWays = ({ children }: { children: Child }): Markup => <p class="soft-text">{children}</p>;

/** The page of passwords, where the page of signing in asks for an address only. */
export const PASSWORD_SIGN_IN_PATH = '/sign-in/password';

interface SignInPageProps extends FormPageProps {
  /** A form was submitted after the session had ended. */
  readonly hasEnded: boolean;
  readonly hasPasskeys: boolean;
  /** Name of the identity provider; `null` if none is configured. */
  readonly providerName: string | null;
}

/** Signs in, or signs up, by mail. `hasExpired`: a code was entered too late, or in a browser that hasn't asked for it. */
export const EmailSignInPage = ({
  form,
  next,
  hasEnded,
  hasExpired,
  hasPasskeys,
  providerName,
}: SignInPageProps & { readonly hasExpired: boolean }): Markup => (
  <>
    <PageHeader title="Sign in" lead="We’ll email you a code. You need no password." />
    {hasEnded && <SessionEnded />}
    {hasExpired && (
      <Notice tone="warn" title="This code no longer works here">
        Codes work for 10 minutes, in the browser that asked for them. Ask for a new one.
      </Notice>
    )}
    <div class="ways">
      <ShortForm
        form={form}
        action="/sign-in"
        next={next}
        button="Email me a code"
        also={
          <a href={withNext(PASSWORD_SIGN_IN_PATH, next)}>
            {hasPasskeys ? 'Use a password or passkey' : 'Use a password'}
          </a>
        }
      >
        <EmailField form={form} autocomplete="email" autofocus />
        <Consent form={form} />
      </ShortForm>
      {providerName !== null && <OidcButton text={`Sign in with ${providerName}`} next={next} />}
    </div>
  </>
);

const SessionEnded = (): Markup => (
  <Notice tone="warn" title="Your session has ended">
    Nothing has been changed. Sign in, then try again.
  </Notice>
);

interface PasswordSignInPageProps extends SignInPageProps {
  readonly hasNewPassword: boolean;
  readonly hasMail: boolean;
  /** Why a passkey was refused; empty if none was. */
  readonly passkeyProblem: string;
}

export const PasswordSignInPage = ({
  form,
  next,
  hasNewPassword,
  hasEnded,
  hasMail,
  hasPasskeys,
  providerName,
  passkeyProblem,
}: PasswordSignInPageProps): Markup => (
  <>
    <PageHeader title="Sign in" />
    {hasEnded && <SessionEnded />}
    {hasNewPassword && <Notice tone="good">Your new password is set. Sign in with it.</Notice>}
    <div class="ways">
      <ShortForm
        form={form}
        action={hasMail ? PASSWORD_SIGN_IN_PATH : '/sign-in'}
        next={next}
        button="Sign in"
        also={<a href="/forgot-password">Forgot your password?</a>}
      >
        <EmailField form={form} autocomplete="username" autofocus />
        <PasswordField form={form} />
      </ShortForm>
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
      {hasMail ? (
        <>
          No password? <a href={withNext('/sign-in', next)}>Sign in with a code by mail</a>
        </>
      ) : (
        <>
          New here? <a href={withNext('/sign-up', next)}>Sign up</a>
        </>
      )}
    </OtherWays>
  </>
);

/** Asks for the code of the mail. Checks regularly whether the link in it was used. */
export const CheckMailPage = ({
  form,
  next,
  email,
  isResent,
}: FormPageProps & { email: string; isResent: boolean }): Markup => (
  <>
    <PageHeader
      title="Check your mail"
      lead={
        <>
          We sent a code to <strong>{email}</strong>. Enter it here, or open the link in the mail. Both work
          once, for 10 minutes.
        </>
      }
    />
    {isResent && <Notice tone="good">Another mail is on its way.</Notice>}
    <ShortForm form={form} action={CODE_PATH} next={next} button="Continue">
      <CodeField form={form} hint="8 digits, such as 1234 5678." inputmode="numeric" autofocus />
    </ShortForm>
    <div class="top-space">
      <PostButton action={`${CODE_PATH}/resend`} values={{ next }} tone="quiet">
        Send it again
      </PostButton>
    </div>
    <OtherWays>
      No mail? Check your spam folder, or <a href={withNext('/sign-in', next)}>use another address</a>.
    </OtherWays>
    <Live id="mail" path={withNext(CODE_PATH, next)} everyMs={LOOK_MS} isQuiet>
      {null}
    </Live>
  </>
);

export const CODE_PATH = '/sign-in/code';
const LOOK_MS = 3_000;

/** For a window that waited, once the link was used in another browser. */
export const FinishedElsewherePage = (): Markup => (
  <PageHeader title="Finished in another window" lead="You can close this one." />
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
    <ShortForm
      form={form}
      action="/sign-in/second-factor"
      next={next}
      button="Continue"
      also={<a href={withNext('/sign-in', next)}>Back</a>}
    >
      <CodeField form={form} hint={FACTOR_HINT} autofocus />
    </ShortForm>
  </>
);

export const SignInLinkPage = ({ form, next }: FormPageProps): Markup => {
  const refusal = form.problemOf('code');
  return refusal === null || form.text('code') === '' ? (
    <>
      <PageHeader title="One more click" lead="This link signs you in on this device. It works once." />
      <ShortForm form={form} action="/sign-in/link" next={next} button="Sign in">
        <CodeField form={form} hint="In the link, the code comes after the #." autofocus />
      </ShortForm>
    </>
  ) : (
    <>
      <PageHeader title="This link no longer works" lead={refusal} />
      <FormActions>
        <ButtonLink href={withNext('/sign-in', next)} tone="primary">
          Sign in another way
        </ButtonLink>
      </FormActions>
    </>
  );
};
