import {
  CODE_SIGN_IN_PATH,
  PASSKEY_OPTIONS_PATH,
  PASSKEY_PATH,
  PASSWORD_SIGN_IN_PATH,
  SECOND_FACTOR_PATH,
  SIGN_IN_LINK_PATH,
  SIGN_IN_PATH,
  SIGN_OUT_PATH,
  SIGN_UP_PATH,
} from '../../../base/paths.ts';
import { requireConsent } from '../../../people/accounts/terms.ts';
import { parseCode, parseDigits } from '../../../people/sign-in/codes/one-time-code.ts';
import { beginPasskeySignIn, passkeyHost } from '../../../people/sign-in/credentials/passkeys.ts';
import {
  browserOf,
  readEmailSignIn,
  readSignInLink,
  requestEmailSignIn,
  resendEmailSignIn,
  signInByDigits,
  signInByLink,
} from '../../../people/sign-in/email/sign-in.ts';
import { newChallenge } from '../../../people/sign-in/limits/challenge.ts';
import { throughMailGate } from '../../../people/sign-in/limits/mail-challenge.ts';
import type { ProviderChoice } from '../../../people/sign-in/oidc/provider.ts';
import type { SignInServices } from '../../../people/sign-in/services.ts';
import { dropCookie } from '../../../people/sign-in/sessions/cookies.ts';
import { endSession } from '../../../people/sign-in/sessions/sessions.ts';
import { proveSecondFactor, signIn, signInByPasskey } from '../../../people/sign-in/sign-in.ts';
import { message, t, wordsOf } from '../../../platform/languages/translate.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import {
  ACCOUNT_FIELD,
  fragment,
  nextPath,
  type PageContext,
  page,
  readForm,
  redirect,
  wantsFragment,
  withNext,
} from '../../frame/pages.ts';
import { SOLUTION } from '../../ui/challenge.tsx';
import { ACCEPTS_TERMS, CONSENT } from '../../ui/consent.tsx';
import { type FormInput, type FormState, newForm } from '../../ui/form-state.ts';
import { invitedAddress } from '../invitation-pages.tsx';
import { endedAccessPage } from './ended-access-page.tsx';
import { CHOICE, LinkChoicePage } from './link-choice-page.tsx';
import {
  addFormPage,
  callerOf,
  continueAfterSignIn,
  cookieCheckPage,
  type FormPageProps,
  fieldOrChallenge,
  finishByMail,
  inGroupedTransaction,
  mailThroughGate,
  passkeyOptions,
  redirectWithCookies,
  setCookies,
  solverOf,
  unlessSignedIn,
} from './responses.ts';
import {
  CheckMailPage,
  EmailSignInPage,
  FinishedElsewherePage,
  MailState,
  NoCookiesPage,
  PasswordSignInPage,
  SecondFactorPage,
  SignInLinkPage,
} from './sign-in-page.tsx';

/** While the disk is nearly full, operators must be able to sign in. The handlers reject everyone else. */
const SIGN_IN = { for: 'anyone', whenDiskIsFull: true } as const;
/** Also of another person's form: signing out must always work. */
const SIGN_OUT = { ...SIGN_IN, counts: false, fromAnyAccount: true } as const;

export function signInPages(
  app: PageRouter,
  services: SignInServices,
  providers: readonly ProviderChoice[],
): void {
  // `oidcPages` adds the sign-in page then.
  if (!services.isOidcOnly) {
    if (services.mailer.isReal) emailSignInPages(app, services, providers);
    addSignIn(app, services, providers);
  }
  cookieCheckPage(app, (next) => <NoCookiesPage host={new URL(services.baseUrl).host} next={next} />);
  addSecondFactor(app, services);
  addSignInLink(app, services);
  addSignOut(app, services);
  endedAccessPage(app, services);
}

/** With a mail server, `/sign-in` asks only for an email address; passwords have a separate page. */
function addSignIn(app: PageRouter, services: SignInServices, providers: readonly ProviderChoice[]): void {
  const hasPasskeys = passkeyHost(services.baseUrl) !== null;
  const show = addFormPage(app, services, {
    path: services.mailer.isReal ? PASSWORD_SIGN_IN_PATH : SIGN_IN_PATH,
    rules: SIGN_IN,
    title: message('Sign in'),
    scripts: hasPasskeys ? ['passkey'] : [],
    first: invitedAddress(services),
    instead: unlessSignedIn,
    content: async ({ form, next }: FormPageProps, c) => {
      const passkeyProblem = form.problemOf('credential');
      return (
        <PasswordSignInPage
          form={passkeyProblem === null ? form : newForm()}
          passkeyProblem={wordsOf(passkeyProblem ?? '')}
          next={next}
          intended={await services.findIntended(next)}
          hasMail={services.mailer.isReal}
          hasPasskeys={hasPasskeys}
          providers={providers}
          hasNewPassword={c.req.query('done') === 'password'}
          ended={c.req.query('ended') ?? null}
        />
      );
    },
    submit: async (c, form, next) => {
      const [email, password] = [form.text('email'), form.text('password')];
      const result = await form.attempt(null, () =>
        signIn(services, { email, password, caller: callerOf(c) }),
      );
      return result && continueAfterSignIn(c, result, next);
    },
  });
  app.post(PASSKEY_OPTIONS_PATH, SIGN_IN, (c) =>
    passkeyOptions(c, () => beginPasskeySignIn(services, callerOf(c))),
  );
  app.post(PASSKEY_PATH, SIGN_IN, async (c) => {
    const form = await readForm(c);
    const next = nextPath(form.text('next'));
    const result = await form.attempt('credential', () =>
      signInByPasskey(services, { credential: form.text('credential'), caller: callerOf(c) }),
    );
    return result === null ? show(c, form, next) : continueAfterSignIn(c, result, next);
  });
}

function addSecondFactor(app: PageRouter, services: SignInServices): void {
  addFormPage(app, services, {
    path: SECOND_FACTOR_PATH,
    rules: SIGN_IN,
    title: message('Two-factor sign-in'),
    content: SecondFactorPage,
    submit: async (c, form, next) => {
      form.hasOnly('code');
      const result = await form.attempt('code', () =>
        proveSecondFactor(services, { code: form.text('code'), caller: callerOf(c) }),
      );
      return result && continueAfterSignIn(c, result, next);
    },
  });
}

/** The code only opens a page that names what the link does. The buttons of that page send a choice with the code. */
function addSignInLink(app: PageRouter, services: SignInServices): void {
  const { context, baseUrl } = services;
  const title = message('Sign in by link');
  addFormPage(app, services, {
    path: SIGN_IN_LINK_PATH,
    rules: SIGN_IN,
    title,
    content: SignInLinkPage,
    submit: async (c, form, next) => {
      form.hasOnly('code');
      const viewer = c.get('viewer');
      // A page that was opened before somebody signed in here doesn't name both accounts.
      const choice = viewer === null || form.has(ACCOUNT_FIELD) ? form.text(CHOICE) : '';
      const withoutIntent = { cookies: [dropCookie(baseUrl, 'intent')] };
      if (choice === 'stay') {
        setCookies(c, withoutIntent);
        return redirect(c, next);
      }
      const sent = () => ({ code: parseCode(form.text('code')), caller: solverOf(c, form) });
      if (choice === 'sign-in' || choice === 'claim') {
        const finished = await form.attempt(fieldOrChallenge(form, 'code'), async () =>
          signInByLink(services, sent()),
        );
        if (finished !== null) {
          const claims = choice === 'claim';
          // Otherwise, a claim that was begun in this browser would continue with the account of the link.
          if (!claims) setCookies(c, withoutIntent);
          return finishByMail(c, services, { ...finished, isIntended: finished.isIntended && claims }, next);
        }
        if (form.problemOf(SOLUTION) === null) return null;
      }
      const linked = await form.attempt('code', async () => readSignInLink(services, sent()));
      if (linked === null) return null;
      const needsChallenge = form.problemOf(SOLUTION) !== null;
      const props = {
        form,
        linked,
        other: viewer === null || viewer.email === linked.email ? null : viewer.email,
        code: form.text('code'),
        next: linked.next ?? next,
        challenge: needsChallenge ? await newChallenge(context, 'account') : null,
      };
      return page(c, <LinkChoicePage {...props} />, {
        title: t(title),
        audience: 'bare',
        status: form.status,
        scripts: needsChallenge ? ['challenge'] : [],
      });
    },
  });
}

function addSignOut(app: PageRouter, services: SignInServices): void {
  app.post(SIGN_OUT_PATH, SIGN_OUT, async (c, viewer) => {
    // The viewer is `null` if the person has already signed out, perhaps in another tab.
    if (viewer !== null) await endSession(services.context, { ...viewer, as: 'session.signed_out' });
    c.header('Set-Cookie', dropCookie(services.baseUrl, 'session_token'));
    // Doesn't clear "cookies", because the device cookie must survive signing out.
    c.header('Clear-Site-Data', '"cache"');
    return redirect(c, '/');
  });
}

/** Returns `null` if the form has problems. */
export async function beginEmailSignIn(
  c: PageContext,
  services: SignInServices,
  form: FormInput,
  { next, isIntended }: { readonly next: string; readonly isIntended: boolean },
): Promise<Response | null> {
  const { brand } = services.context.marketplace;
  // Everyone must accept the terms: asking only new people would reveal which addresses have an account.
  const consent = { [CONSENT]: () => requireConsent(brand, form.has(ACCEPTS_TERMS)) };
  if (form.read(consent) === null) return null;
  const sent = await mailThroughGate(c, services, { form, address: null }, ({ email, caller }) =>
    requestEmailSignIn(inGroupedTransaction(c, services, email), { email, next, isIntended, caller }),
  );
  if (sent === null) return null;
  setCookies(c, sent);
  return redirectWithCookies(c, withNext(CODE_SIGN_IN_PATH, next));
}

function emailSignInPages(
  app: PageRouter,
  services: SignInServices,
  providers: readonly ProviderChoice[],
): void {
  const hasPasskeys = passkeyHost(services.baseUrl) !== null;
  addFormPage(app, services, {
    path: SIGN_IN_PATH,
    rules: SIGN_IN,
    title: message('Sign in'),
    challengeFor: 'mail',
    first: invitedAddress(services),
    instead: unlessSignedIn,
    content: ({ form, next, challenge }, c) => (
      <EmailSignInPage
        form={form}
        next={next}
        challenge={challenge}
        hasPasskeys={hasPasskeys}
        providers={providers}
        ended={c.req.query('ended') ?? null}
        hasExpired={c.req.query('expired') !== undefined}
      />
    ),
    submit: (c, form, next) => beginEmailSignIn(c, services, form, { next, isIntended: false }),
  });
  // Signing in by mail also creates an account for a new address.
  app.get(SIGN_UP_PATH, { for: 'anyone' }, (c) =>
    redirect(c, withNext(SIGN_IN_PATH, nextPath(c.req.query('next')))),
  );
  addCheckMail(app, services);
}

function addCheckMail(app: PageRouter, services: SignInServices): void {
  const show = async (c: PageContext, form: FormState, next: string, isResent = false) => {
    const pending = await readEmailSignIn(services, callerOf(c));
    if (pending === null) return redirect(c, withNext(`${SIGN_IN_PATH}?expired`, next));
    if (pending.isFinished) return finished(c, pending.next);
    // A refused code needs a challenge for the new account, and the button another one for the mail.
    const isOfCode = form.typed('code') !== '';
    const challenge =
      form.problemOf(SOLUTION) === null
        ? null
        : await newChallenge(services.context, isOfCode ? 'account' : 'mail');
    const intended = pending.isIntended ? await services.findIntended(pending.next) : null;
    const props = { form, next, challenge, isOfCode, isResent, pending, intended };
    return page(c, <CheckMailPage {...props} />, {
      title: t('Check your email'),
      audience: 'bare',
      status: form.status,
      scripts: ['code', ...(challenge === null ? [] : (['challenge'] as const))],
    });
  };
  // If there is no viewer, the link was opened in another browser, and only that browser is signed in.
  const finished = (c: PageContext, next: string) =>
    c.get('viewer') === null
      ? page(c, <FinishedElsewherePage />, { title: t('Finished'), audience: 'bare' })
      : redirect(c, next);

  app.get(CODE_SIGN_IN_PATH, { for: 'anyone' }, async (c) => {
    const next = nextPath(c.req.query('next'));
    if (!wantsFragment(c)) return show(c, newForm(), next, c.req.query('done') === 'resent');
    const pending = await readEmailSignIn(services, callerOf(c));
    if (pending === null) return c.body(null, 204);
    if (!pending.isFinished) {
      if ((pending.mail ?? '') === (c.req.query('mail') ?? '')) return c.body(null, 204);
      return fragment(c, <MailState mail={pending.mail} next={next} />);
    }
    c.header('HX-Redirect', c.get('viewer') === null ? CODE_SIGN_IN_PATH : pending.next);
    return c.body(null, 200);
  });

  app.post(CODE_SIGN_IN_PATH, SIGN_IN, async (c) => {
    const form = await readForm(c);
    const next = nextPath(form.text('next'));
    form.hasOnly('code');
    const caller = solverOf(c, form);
    const done = await form.attempt(fieldOrChallenge(form, 'code'), async () => {
      const digits = parseDigits(form.text('code'));
      return signInByDigits(inGroupedTransaction(c, services, browserOf(services, caller) ?? ''), {
        digits,
        caller,
      });
    });
    return done === null ? show(c, form, next) : finishByMail(c, services, done, next);
  });

  app.post(`${CODE_SIGN_IN_PATH}/resend`, SIGN_IN, async (c) => {
    const form = await readForm(c);
    const next = nextPath(form.text('next'));
    const caller = solverOf(c, form);
    const email = (await readEmailSignIn(services, caller))?.email ?? '';
    const sent = await form.attempt(fieldOrChallenge(form, null), () =>
      throughMailGate(services, { email, caller }, () => resendEmailSignIn(services, caller)),
    );
    if (sent === null) return show(c, form, next);
    setCookies(c, sent);
    return redirect(c, withNext(`${CODE_SIGN_IN_PATH}?done=resent`, next));
  });
}
