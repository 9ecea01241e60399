/** Pages for signing in by mail. */
import { parseEmail } from '../../accounts/account.ts';
import {
  readEmailSignIn,
  requestEmailSignIn,
  resendEmailSignIn,
  signInByDigits,
} from '../../accounts/email-sign-in.ts';
import { parseDigits } from '../../accounts/one-time-code.ts';
import { passkeyHost } from '../../accounts/passkeys.ts';
import type { SignInServices } from '../../accounts/services.ts';
import {
  fragment,
  nextPath,
  type PageApp,
  type PageContext,
  page,
  readForm,
  redirect,
  SIGN_IN_PATH,
  wantsFragment,
} from '../../http/pages/pages.ts';
import { type FormInput, type FormState, newForm } from '../../ui/form-state.ts';
import {
  addFormPage,
  browserOf,
  callerOf,
  finishByMail,
  inCrowd,
  redirectWithCookies,
  setCookies,
  unlessSignedIn,
} from './answers.ts';
import {
  CheckMailPage,
  CODE_PATH,
  EmailSignInPage,
  FinishedElsewhere,
  FinishedElsewherePage,
  withNext,
} from './sign-in-page.tsx';

/** Mails a code to the address of a form, and shows where to enter it. `null`: the form was refused. */
export async function beginEmailSignIn(
  c: PageContext,
  services: SignInServices,
  form: FormInput,
  { next, isIntended }: { readonly next: string; readonly isIntended: boolean },
): Promise<Response | null> {
  form.hasOnly('email');
  const values = form.read({ email: parseEmail });
  const caller = callerOf(c);
  const sent =
    values &&
    (await form.attempt('email', () =>
      requestEmailSignIn(inCrowd(c, services, values.email), { ...values, next, isIntended, caller }),
    ));
  if (sent === null) return null;
  setCookies(c, sent);
  return redirectWithCookies(c, withNext(CODE_PATH, next));
}

export function emailSignInPages(app: PageApp, services: SignInServices, providerName: string | null): void {
  const hasPasskeys = passkeyHost(services.baseUrl) !== null;
  addFormPage(app, services, {
    path: SIGN_IN_PATH,
    title: 'Sign in',
    instead: unlessSignedIn,
    content: ({ form, next }, c) => (
      <EmailSignInPage
        form={form}
        next={next}
        hasPasskeys={hasPasskeys}
        providerName={providerName}
        hasEnded={c.req.query('ended') !== undefined}
        hasExpired={c.req.query('expired') !== undefined}
      />
    ),
    submit: (c, form, next) => beginEmailSignIn(c, services, form, { next, isIntended: false }),
  });
  // The code makes the account of a new person too.
  app.get('/sign-up', (c) => redirect(c, withNext(SIGN_IN_PATH, nextPath(c.req.query('next')))));
  addCheckMail(app, services);
}

function addCheckMail(app: PageApp, services: SignInServices): void {
  const title = 'Check your mail';
  const show = async (c: PageContext, form: FormState, next: string, isResent = false) => {
    const pending = await readEmailSignIn(services, callerOf(c));
    if (pending === null) return redirect(c, `${SIGN_IN_PATH}?expired&next=${encodeURIComponent(next)}`);
    if (pending.state === 'finished') return finished(c, pending.next);
    const { status } = form;
    return page(c, <CheckMailPage form={form} next={next} email={pending.email} isResent={isResent} />, {
      title,
      audience: 'bare',
      status,
      scripts: ['htmx'],
    });
  };
  // The session of this browser, if the link was used here.
  const finished = (c: PageContext, next: string) =>
    c.get('viewer') === null
      ? page(c, <FinishedElsewherePage />, { title, audience: 'bare' })
      : redirect(c, next);

  app.get(CODE_PATH, async (c) => {
    const next = nextPath(c.req.query('next'));
    if (!wantsFragment(c)) return show(c, newForm(), next, c.req.query('done') === 'resent');
    const pending = await readEmailSignIn(services, callerOf(c));
    if (pending?.state !== 'finished') return c.body(null, 204);
    if (c.get('viewer') === null) return fragment(c, <FinishedElsewhere />);
    c.header('HX-Redirect', pending.next);
    return c.body(null, 200);
  });

  app.post(CODE_PATH, async (c) => {
    const form = await readForm(c);
    const next = nextPath(form.text('next'));
    form.hasOnly('code');
    const values = form.read({ code: parseDigits });
    const done =
      values &&
      (await form.attempt('code', () =>
        signInByDigits(inCrowd(c, services, browserOf(c, services)), {
          digits: values.code,
          caller: callerOf(c),
        }),
      ));
    return done === null ? show(c, form, next) : finishByMail(c, services, done, next);
  });

  app.post(`${CODE_PATH}/resend`, async (c) => {
    const form = await readForm(c);
    const next = nextPath(form.text('next'));
    const sent = await form.attempt(null, () => resendEmailSignIn(services, callerOf(c)));
    if (sent === null) return show(c, form, next);
    setCookies(c, sent);
    return redirect(c, `${withNext(CODE_PATH, next)}${next === '/home' ? '?' : '&'}done=resent`);
  });
}
