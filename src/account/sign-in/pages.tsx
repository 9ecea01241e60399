/** Pages for signing in and out. */

import { dropCookie, sessionCookieName } from '../../accounts/cookies.ts';
import { signInByLink } from '../../accounts/email-sign-in.ts';
import { parseCode } from '../../accounts/one-time-code.ts';
import { beginPasskeySignIn, passkeyHost, signInByPasskey } from '../../accounts/passkeys.ts';
import type { SignInServices } from '../../accounts/services.ts';
import { proveSecondFactor, signIn, signOut } from '../../accounts/sign-in.ts';
import { nextPath, type PageApp, readForm, redirect, SIGN_IN_PATH } from '../../http/pages/pages.ts';
import { newForm } from '../../ui/form-state.ts';
import {
  addFormPage,
  callerOf,
  cookieCheckPage,
  type FormPageProps,
  finishByMail,
  goOn,
  passkeyRefusal,
  unlessSignedIn,
} from './answers.ts';
import { emailSignInPages } from './email-pages.tsx';
import {
  NoCookiesPage,
  PASSWORD_SIGN_IN_PATH,
  PasswordSignInPage,
  SecondFactorPage,
  SignInLinkPage,
} from './sign-in-page.tsx';

/** `providerName`: name of the identity provider; `null` if none is configured. */
export function signInPages(app: PageApp, services: SignInServices, providerName: string | null): void {
  if (services.mailer.isReal) emailSignInPages(app, services, providerName);
  addSignIn(app, services, providerName);
  cookieCheckPage(app, (next) => <NoCookiesPage host={new URL(services.baseUrl).host} next={next} />);
  addSecondFactor(app, services);
  addSignInLink(app, services);
  addSignOut(app, services);
}

/** By password or by passkey, on one page. With a mail server, the page of signing in asks for an address only. */
function addSignIn(app: PageApp, services: SignInServices, providerName: string | null): void {
  const hasPasskeys = passkeyHost(services.baseUrl) !== null;
  const show = addFormPage(app, services, {
    path: services.mailer.isReal ? PASSWORD_SIGN_IN_PATH : SIGN_IN_PATH,
    title: 'Sign in',
    scripts: hasPasskeys ? ['passkey'] : [],
    instead: unlessSignedIn,
    content: ({ form, next }: FormPageProps, c) => {
      const passkeyProblem = form.problemOf('credential');
      return (
        <PasswordSignInPage
          form={passkeyProblem === null ? form : newForm()}
          passkeyProblem={passkeyProblem ?? ''}
          next={next}
          hasMail={services.mailer.isReal}
          hasPasskeys={hasPasskeys}
          providerName={providerName}
          hasNewPassword={c.req.query('done') === 'password'}
          hasEnded={c.req.query('ended') !== undefined}
        />
      );
    },
    submit: async (c, form, next) => {
      const [email, password] = [form.text('email'), form.text('password')];
      const result = await form.attempt(null, () =>
        signIn(services, { email, password, caller: callerOf(c) }),
      );
      return result && goOn(c, result, next);
    },
  });
  // Called by the page's script, which passes the options to the browser's WebAuthn API.
  app.post('/sign-in/passkey/options', async (c) => {
    try {
      return c.json(await beginPasskeySignIn(services, callerOf(c)));
    } catch (error) {
      return passkeyRefusal(c, error);
    }
  });
  app.post('/sign-in/passkey', async (c) => {
    const form = await readForm(c);
    const next = nextPath(form.text('next'));
    const result = await form.attempt('credential', () =>
      signInByPasskey(services, { credential: form.text('credential'), caller: callerOf(c) }),
    );
    return result === null ? show(c, form, next) : goOn(c, result, next);
  });
}

function addSecondFactor(app: PageApp, services: SignInServices): void {
  addFormPage(app, services, {
    path: '/sign-in/second-factor',
    title: 'Second factor',
    content: SecondFactorPage,
    submit: async (c, form, next) => {
      form.hasOnly('code');
      const result = await form.attempt('code', () =>
        proveSecondFactor(services, { code: form.text('code'), caller: callerOf(c) }),
      );
      return result && goOn(c, result, next);
    },
  });
}

function addSignInLink(app: PageApp, services: SignInServices): void {
  addFormPage(app, services, {
    path: '/sign-in/link',
    title: 'Sign in by link',
    content: SignInLinkPage,
    submit: async (c, form, next) => {
      form.hasOnly('code');
      const values = form.read({ code: parseCode });
      const finished =
        values &&
        (await form.attempt('code', () => signInByLink(services, { ...values, caller: callerOf(c) })));
      return finished && finishByMail(c, services, finished, next);
    },
  });
}

function addSignOut(app: PageApp, services: SignInServices): void {
  app.post('/sign-out', async (c) => {
    const viewer = c.get('viewer');
    // Already signed out, perhaps in another window.
    if (viewer !== null) await signOut(services, viewer);
    c.header('Set-Cookie', dropCookie(services.baseUrl, sessionCookieName(services.baseUrl)));
    // Not "cookies": the device cookie must survive signing out.
    c.header('Clear-Site-Data', '"cache"');
    return redirect(c, '/');
  });
}
