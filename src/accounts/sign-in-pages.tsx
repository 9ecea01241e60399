/** Signing in and out, signing up, and the pages where a code from a mail or the terminal is used. */
import type { ClientAddress } from '../http/client-address.ts';
import { nextPath, type PageApp, type PageContext, page, readForm, redirect } from '../http/pages.ts';
import { type FormState, newForm } from '../ui/form-state.ts';
import { parseAccountName, parseEmail } from './account.ts';
import { dropSessionCookie } from './auth-calls.ts';
import { callerOf } from './caller.ts';
import { hasOperator } from './credentials.ts';
import { parseCode } from './one-time-code.ts';
import { parsePassword } from './password.ts';
import type { SignInServices } from './services.ts';
import { requestPasswordLink, setPasswordByCode } from './set-password.ts';
import { completeSetUp } from './set-up.ts';
import { proveSecondFactor, type SignInResult, signIn, signInByCode, signOut } from './sign-in.ts';
import {
  ConfirmAddressPage,
  ForgotPasswordPage,
  LinkSentPage,
  MailSentPage,
  NewPasswordPage,
  SecondFactorPage,
  SetUpDonePage,
  SetUpPage,
  SignInLinkPage,
  SignInPage,
  SignUpPage,
} from './sign-in-templates.tsx';
import { confirmAddress, signUp } from './sign-up.ts';

const asTyped = (text: string): string => text;

export function signInPages(app: PageApp, services: SignInServices, clientAddress: ClientAddress): void {
  const { context, mailer, baseUrl } = services;
  const show = (c: PageContext, title: string, content: Parameters<typeof page>[1], form: FormState) =>
    page(c, content, {
      title,
      audience: 'bare',
      status: form.problems.length === 0 ? 200 : 422,
      scripts: ['code'],
    });

  app.get('/sign-in', (c) => {
    const next = nextPath(c.req.query('next'));
    if (c.get('viewer') !== null) return redirect(c, next);
    const hasNewPassword = c.req.query('done') === 'password';
    const form = newForm();
    return show(c, 'Sign in', <SignInPage form={form} next={next} hasNewPassword={hasNewPassword} />, form);
  });
  app.post('/sign-in', async (c) => {
    const form = await readForm(c);
    const next = nextPath(form.text('next'));
    const result = await form.attempt(null, () =>
      signIn(services, {
        email: form.text('email'),
        password: form.text('password'),
        caller: callerOf(c, clientAddress),
      }),
    );
    if (result === null) return show(c, 'Sign in', <SignInPage form={form} next={next} />, form);
    setCookies(c, result);
    return redirect(
      c,
      result.next === 'signed-in' ? next : `/sign-in/second-factor?next=${encodeURIComponent(next)}`,
    );
  });

  app.get('/sign-in/second-factor', (c) => {
    const form = newForm();
    const next = nextPath(c.req.query('next'));
    return show(c, 'Second factor', <SecondFactorPage form={form} next={next} />, form);
  });
  app.post('/sign-in/second-factor', async (c) => {
    const form = await readForm(c);
    const next = nextPath(form.text('next'));
    const result = await form.attempt('code', () =>
      proveSecondFactor(services, { code: form.text('code'), caller: callerOf(c, clientAddress) }),
    );
    if (result === null) return show(c, 'Second factor', <SecondFactorPage form={form} next={next} />, form);
    setCookies(c, result);
    return redirect(c, next);
  });

  app.get('/sign-in/link', (c) => {
    const form = newForm();
    const next = nextPath(c.req.query('next'));
    return show(c, 'Sign in by link', <SignInLinkPage form={form} next={next} />, form);
  });
  app.post('/sign-in/link', async (c) => {
    const form = await readForm(c);
    const next = nextPath(form.text('next'));
    const values = form.read({ code: parseCode });
    const result =
      values &&
      (await form.attempt('code', () =>
        signInByCode(services, { code: values.code, caller: callerOf(c, clientAddress) }),
      ));
    if (!result) return show(c, 'Sign in by link', <SignInLinkPage form={form} next={next} />, form);
    setCookies(c, result);
    return redirect(c, next);
  });

  app.post('/sign-out', async (c) => {
    const viewer = c.get('viewer');
    // Signed out already, in another window perhaps: nothing to say.
    if (viewer !== null) await signOut(services, viewer);
    c.header('Set-Cookie', dropSessionCookie(baseUrl));
    return redirect(c, '/');
  });

  app.get('/sign-up', (c) => {
    const next = nextPath(c.req.query('next'));
    if (c.get('viewer') !== null) return redirect(c, next);
    const form = newForm();
    return show(c, 'Sign up', <SignUpPage form={form} next={next} />, form);
  });
  app.post('/sign-up', async (c) => {
    const form = await readForm(c);
    const next = nextPath(form.text('next'));
    const values = form.read({
      name: parseAccountName,
      email: parseEmail,
      password: (text) => parsePassword(text),
    });
    const result =
      values &&
      (await form.attempt('email', () =>
        signUp(services, { ...values, next, caller: callerOf(c, clientAddress) }).then((signedIn) => ({
          signedIn,
        })),
      ));
    if (!result) return show(c, 'Sign up', <SignUpPage form={form} next={next} />, form);
    if (result.signedIn === null) {
      return show(c, 'Confirm your address', <MailSentPage email={form.text('email')} />, form);
    }
    setCookies(c, result.signedIn);
    return redirect(c, next);
  });

  app.get('/verify-email', (c) => {
    const form = newForm();
    const next = nextPath(c.req.query('next'));
    return show(c, 'Confirm your address', <ConfirmAddressPage form={form} next={next} />, form);
  });
  app.post('/verify-email', async (c) => {
    const form = await readForm(c);
    const next = nextPath(form.text('next'));
    const values = form.read({ code: parseCode, password: asTyped });
    const result =
      values &&
      (await form.attempt(null, () =>
        confirmAddress(services, { ...values, caller: callerOf(c, clientAddress) }),
      ));
    if (!result) return show(c, 'Confirm your address', <ConfirmAddressPage form={form} next={next} />, form);
    setCookies(c, result);
    return redirect(c, next);
  });

  app.get('/forgot-password', (c) => {
    const form = newForm();
    return show(c, 'Set a new password', <ForgotPasswordPage form={form} />, form);
  });
  app.post('/forgot-password', async (c) => {
    const form = await readForm(c);
    const values = form.read({ email: parseEmail });
    const asked =
      values &&
      (await form.attempt('email', () =>
        requestPasswordLink(services, { ...values, caller: callerOf(c, clientAddress) }).then(() => true),
      ));
    if (!asked) return show(c, 'Set a new password', <ForgotPasswordPage form={form} />, form);
    return show(c, 'Set a new password', <LinkSentPage isMailed={mailer.isReal} />, form);
  });

  app.get('/reset-password', (c) => {
    const form = newForm();
    return show(c, 'Set a new password', <NewPasswordPage form={form} />, form);
  });
  app.post('/reset-password', async (c) => {
    const form = await readForm(c);
    const values = form.read({ code: parseCode, password: (text) => parsePassword(text) });
    const isSet =
      values &&
      (await form.attempt('code', () =>
        setPasswordByCode(services, { ...values, caller: callerOf(c, clientAddress) }).then(() => true),
      ));
    if (!isSet) return show(c, 'Set a new password', <NewPasswordPage form={form} />, form);
    return redirect(c, '/sign-in?done=password');
  });

  app.get('/setup', async (c) => {
    const form = newForm();
    if (await hasOperator(context.db.read)) {
      return page(c, <SetUpDonePage />, { title: 'Set up', audience: 'bare', status: 410 });
    }
    return show(c, 'Set up', <SetUpPage form={form} />, form);
  });
  app.post('/setup', async (c) => {
    if (await hasOperator(context.db.read)) {
      return page(c, <SetUpDonePage />, { title: 'Set up', audience: 'bare', status: 410 });
    }
    const form = await readForm(c);
    const values = form.read({
      code: parseCode,
      name: parseAccountName,
      email: parseEmail,
      password: (text) => parsePassword(text),
    });
    const result =
      values &&
      (await form.attempt(null, () =>
        completeSetUp(services, { ...values, caller: callerOf(c, clientAddress) }),
      ));
    if (!result) return show(c, 'Set up', <SetUpPage form={form} />, form);
    setCookies(c, result);
    return redirect(c, '/desk');
  });
}

/** The cookies of a sign-in go out with the answer. */
export function setCookies(c: PageContext, { cookies }: SignInResult): void {
  for (const cookie of cookies) c.header('Set-Cookie', cookie, { append: true });
}
