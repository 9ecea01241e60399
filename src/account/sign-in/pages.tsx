/** Pages for signing in, out and up, and for codes from mails and the terminal. */

import { parseAccountName, parseEmail } from '../../accounts/account.ts';
import { confirmEmailChange } from '../../accounts/change-email.ts';
import { type Confirmation, readConfirmation } from '../../accounts/confirm-by-mail.ts';
import { checkCookie, dropCookie, keepsCookies, sessionCookieName } from '../../accounts/cookies.ts';
import { hasOperator } from '../../accounts/credential-queries.ts';
import { refuseGuessablePassword } from '../../accounts/guessable-password.ts';
import { parseCode } from '../../accounts/one-time-code.ts';
import { beginPasskeySignIn, passkeyHost, signInByPasskey } from '../../accounts/passkeys.ts';
import { parsePassword } from '../../accounts/password.ts';
import type { Caller, SignInServices } from '../../accounts/services.ts';
import { personOfLink, requestPasswordLink, setPasswordByCode } from '../../accounts/set-password.ts';
import { completeSetUp } from '../../accounts/set-up.ts';
import {
  proveSecondFactor,
  type SignInResult,
  signIn,
  signInByCode,
  signOut,
} from '../../accounts/sign-in.ts';
import { confirmAddress, signUp } from '../../accounts/sign-up.ts';
import { Refusal } from '../../errors.ts';
import { clientAddressOf } from '../../http/client-address.ts';
import { mangledCode } from '../../http/mangled-code.ts';
import {
  fragment,
  nextPath,
  type PageApp,
  type PageContext,
  page,
  readForm,
  redirect,
  requireViewer,
  wantsFragment,
} from '../../http/pages.ts';
import { type FormInput, type FormState, type FormStatus, newForm } from '../../ui/form-state.ts';
import type { Markup } from '../../ui/markup.ts';
import {
  ConfirmAddressPage,
  ConfirmationState,
  ConfirmNewAddressPage,
  ForgotPasswordPage,
  type FormPageProps,
  LinkSentPage,
  MailSentPage,
  NewPasswordPage,
  NoCookiesPage,
  SecondFactorPage,
  SetUpDonePage,
  SetUpPage,
  SIGN_UP_SENT_PATH,
  SignInLinkPage,
  SignInPage,
  SignUpPage,
} from './sign-in-page.tsx';

const asTyped = (text: string): string => text;
const newPassword = (text: string): string => parsePassword(text);
const NEW_ACCOUNT = { name: parseAccountName, email: parseEmail, password: newPassword };

/** `providerName`: of the company's identity provider; `null`: there is none. */
export function signInPages(app: PageApp, services: SignInServices, providerName: string | null): void {
  const { context, mailer, baseUrl } = services;
  /** An answer that sets it belongs to one browser, so it is never shared. */
  const setCheckCookie = (c: PageContext): void => {
    if (!keepsCookies(c.req.header('cookie') ?? '')) setCookies(c, { cookies: [checkCookie(baseUrl)] });
  };
  const show = (c: PageContext, title: string, content: Parameters<typeof page>[1], form: FormState) => {
    setCheckCookie(c);
    return page(c, content, {
      title,
      audience: 'bare',
      status: form.status,
      scripts: ['code'],
    });
  };

  /** Whether the password of a form is too easy to guess. `person`: words known about the person. */
  const refuseGuessable = async (form: FormInput, person: readonly string[]): Promise<boolean> => {
    await form.attempt('password', () => refuseGuessablePassword(form.text('password'), { person, baseUrl }));
    return !form.isFine;
  };

  /** The values of a new account; `null` where one of them, or the password together with them, was refused. */
  const unlessGuessable = async <V extends { name: string; email: string }>(
    form: FormInput,
    values: V | null,
  ): Promise<V | null> =>
    values !== null && (await refuseGuessable(form, [values.name, values.email])) ? null : values;

  const hasPasskeys = passkeyHost(baseUrl) !== null;
  const showSignIn = (
    c: PageContext,
    form: FormState,
    props: {
      next: string;
      hasNewPassword?: boolean;
      hasEnded?: boolean;
      passkeyProblem?: string;
      status?: FormStatus;
    },
  ) => {
    setCheckCookie(c);
    const ways = { hasPasskeys, providerName };
    return page(c, <SignInPage form={form} {...ways} {...props} />, {
      title: 'Sign in',
      audience: 'bare',
      status: props.status ?? form.status,
      scripts: hasPasskeys ? ['passkey'] : [],
    });
  };

  app.get('/sign-in', (c) => {
    const next = nextPath(c.req.query('next'));
    if (c.get('viewer') !== null) return redirect(c, next);
    return showSignIn(c, newForm(), {
      next,
      hasNewPassword: c.req.query('done') === 'password',
      hasEnded: c.req.query('ended') !== undefined,
    });
  });
  app.post('/sign-in', async (c) => {
    const form = await readForm(c);
    const next = nextPath(form.text('next'));
    const result = await form.attempt(null, () =>
      signIn(services, {
        email: form.text('email'),
        password: form.text('password'),
        next,
        caller: callerOf(c),
      }),
    );
    if (result === null) return showSignIn(c, form, { next });
    return goOn(c, result, next);
  });

  app.get(COOKIE_CHECK_PATH, (c) => {
    const next = nextPath(c.req.query('next'));
    if (keepsCookies(c.req.header('cookie') ?? '')) return redirect(c, next);
    return page(c, <NoCookiesPage host={new URL(baseUrl).host} next={next} />, {
      title: 'No cookies',
      audience: 'bare',
      status: 403,
    });
  });

  // For the script of the page, which passes it to the browser.
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
    const result = await form.attempt(null, () =>
      signInByPasskey(services, {
        credential: form.text('credential'),
        caller: callerOf(c),
      }),
    );
    if (result === null) {
      const passkeyProblem = form.problems[0]?.sentence ?? '';
      return showSignIn(c, newForm(), { next, passkeyProblem, status: form.status });
    }
    return goOn(c, result, next);
  });

  /** A form that signs in. It is shown again with what was refused; `signIn` then returned `null`. */
  const signInForm = (
    title: string,
    Page: (props: FormPageProps) => Markup,
    signIn: (form: FormInput, caller: Caller) => Promise<SignInResult | null>,
  ) => {
    const showForm = (c: PageContext, form: FormState, next: string) =>
      show(c, title, <Page form={form} next={next} />, form);
    return {
      show: (c: PageContext) => showForm(c, codeForm(c), nextPath(c.req.query('next'))),
      answer: async (c: PageContext, form: FormInput) => {
        const next = nextPath(form.text('next'));
        const result = await signIn(form, callerOf(c));
        if (result === null) return showForm(c, form, next);
        return goOn(c, result, next);
      },
    };
  };

  const secondFactor = signInForm('Second factor', SecondFactorPage, (form, caller) =>
    form.attempt('code', () => proveSecondFactor(services, { code: form.text('code'), caller })),
  );
  app.get('/sign-in/second-factor', (c) => secondFactor.show(c));
  app.post('/sign-in/second-factor', async (c) => secondFactor.answer(c, await readForm(c)));

  const link = signInForm('Sign in by link', SignInLinkPage, async (form, caller) => {
    const values = form.read({ code: parseCode });
    return values && form.attempt('code', () => signInByCode(services, { ...values, caller }));
  });
  app.get('/sign-in/link', (c) => link.show(c));
  app.post('/sign-in/link', async (c) => link.answer(c, await readForm(c)));

  app.post('/sign-out', async (c) => {
    const viewer = c.get('viewer');
    // Already signed out, perhaps in another window.
    if (viewer !== null) await signOut(services, viewer);
    c.header('Set-Cookie', dropCookie(baseUrl, sessionCookieName(baseUrl)));
    // Not the cookies: the device cookie must stay.
    c.header('Clear-Site-Data', '"cache"');
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
    const values = await unlessGuessable(form, form.read(NEW_ACCOUNT));
    const result =
      values &&
      (await form.attempt('email', () => signUp(services, { ...values, next, caller: callerOf(c) })));
    if (!result) return show(c, 'Sign up', <SignUpPage form={form} next={next} />, form);
    if (result.next !== 'confirm-address') return goOn(c, result, next);
    setCookies(c, result);
    return showSent(c, { email: values!.email, state: 'waiting' }, next);
  });

  const showSent = (c: PageContext, confirmation: Confirmation, next: string) =>
    page(c, <MailSentPage confirmation={confirmation} next={next} />, {
      title: 'Confirm your address',
      audience: 'bare',
      scripts: ['htmx'],
    });
  // The same window may be an app's own browser, while the link of the mail opens in another one.
  app.get(SIGN_UP_SENT_PATH, async (c) => {
    const next = nextPath(c.req.query('next'));
    const confirmation = await readConfirmation(services, callerOf(c));
    if (confirmation === null) return redirect(c, '/sign-up');
    if (!wantsFragment(c)) return showSent(c, confirmation, next);
    return fragment(c, <ConfirmationState confirmation={confirmation} next={next} />);
  });

  const address = signInForm('Confirm your address', ConfirmAddressPage, async (form, caller) => {
    const values = form.read({ code: parseCode, password: asTyped });
    return values && form.attempt(null, () => confirmAddress(services, { ...values, caller }));
  });
  app.get('/verify-email', (c) => {
    if (c.req.query('for') !== 'account') return address.show(c);
    requireViewer(c);
    const form = codeForm(c);
    return show(c, 'Confirm your new address', <ConfirmNewAddressPage form={form} />, form);
  });
  app.post('/verify-email', async (c) => {
    const form = await readForm(c);
    return form.text('for') === 'account' ? confirmNewAddress(c, form) : address.answer(c, form);
  });

  async function confirmNewAddress(c: PageContext, form: FormInput) {
    const { accountId } = requireViewer(c);
    const values = form.read({ code: parseCode });
    const isDone =
      values &&
      (await form.attempt('code', () =>
        confirmEmailChange(services, {
          accountId,
          code: values.code,
          caller: callerOf(c),
        }).then(() => true),
      ));
    if (!isDone) return show(c, 'Confirm your new address', <ConfirmNewAddressPage form={form} />, form);
    return redirect(c, '/account?done=email');
  }

  app.get('/forgot-password', (c) => {
    const form = newForm();
    return show(c, 'Forgotten password', <ForgotPasswordPage form={form} />, form);
  });
  app.post('/forgot-password', async (c) => {
    const form = await readForm(c);
    const values = form.read({ email: parseEmail });
    const asked =
      values &&
      (await form.attempt('email', () =>
        requestPasswordLink(services, { ...values, caller: callerOf(c) }).then(() => true),
      ));
    if (!asked) return show(c, 'Forgotten password', <ForgotPasswordPage form={form} />, form);
    return show(c, 'Forgotten password', <LinkSentPage isMailed={mailer.isReal} />, form);
  });

  app.get('/reset-password', (c) => {
    const form = codeForm(c);
    return show(c, 'Set a new password', <NewPasswordPage form={form} />, form);
  });
  app.post('/reset-password', async (c) => {
    const form = await readForm(c);
    const values = form.read({ code: parseCode, password: newPassword });
    const caller = callerOf(c);
    const person =
      values && (await form.attempt('code', () => personOfLink(services, { ...values, caller })));
    const isGuessable = person && (await refuseGuessable(form, [person.name, person.email]));
    const result =
      person &&
      !isGuessable &&
      (await form.attempt('code', () => setPasswordByCode(services, { ...values, caller })));
    if (!result) return show(c, 'Set a new password', <NewPasswordPage form={form} />, form);
    setCookies(c, result);
    return redirect(c, '/sign-in?done=password');
  });

  const showSetUpDone = (c: PageContext) =>
    page(c, <SetUpDonePage />, { title: 'Set up', audience: 'bare', status: 410 });
  app.get('/setup', async (c) => {
    if (await hasOperator(context.db.read)) return showSetUpDone(c);
    const form = codeForm(c);
    return show(c, 'Set up', <SetUpPage form={form} />, form);
  });
  app.post('/setup', async (c) => {
    if (await hasOperator(context.db.read)) return showSetUpDone(c);
    const form = await readForm(c);
    const values = await unlessGuessable(form, form.read({ code: parseCode, ...NEW_ACCOUNT }));
    const result =
      values && (await form.attempt(null, () => completeSetUp(services, { ...values, caller: callerOf(c) })));
    if (!result) return show(c, 'Set up', <SetUpPage form={form} />, form);
    return goOn(c, result, '/desk');
  });
}

/** A form with the code of a link, where a gateway moved it into the address that the server gets. */
const codeForm = (c: PageContext): FormState => newForm({ code: mangledCode(c.env.incoming) });

/** The client of a request: address, browser and cookies. */
export const callerOf = (c: PageContext): Caller => ({
  cookie: c.req.header('cookie') ?? '',
  userAgent: c.req.header('user-agent') ?? '',
  address: clientAddressOf(c.env.incoming),
});

/** A refusal in the form that the script of passkeys shows. */
export function passkeyRefusal(c: PageContext, error: unknown): Response {
  if (!(error instanceof Refusal) || error.code === 'unavailable') throw error;
  return c.json({ problem: error.message }, error.code === 'rate_limited' ? 429 : 422);
}

/** Where a browser goes that has sent no cookie so far: to see whether it keeps those of the sign-in. */
const COOKIE_CHECK_PATH = '/sign-in/check';

/** Answers a sign-in: on to the second factor, or to `next`. */
export function goOn(c: PageContext, result: SignInResult, next: string): Response {
  setCookies(c, result);
  const path = result.next === 'signed-in' ? next : `/sign-in/second-factor?next=${encodeURIComponent(next)}`;
  return redirect(
    c,
    keepsCookies(c.req.header('cookie') ?? '')
      ? path
      : `${COOKIE_CHECK_PATH}?next=${encodeURIComponent(path)}`,
  );
}

/** Adds the cookies of a sign-in to the answer. */
export function setCookies(c: PageContext, { cookies }: Pick<SignInResult, 'cookies'>): void {
  for (const cookie of cookies) c.header('Set-Cookie', cookie, { append: true });
}
