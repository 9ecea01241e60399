import { COOKIE_CHECK_PATH, ENDED_ACCESS_PATH, SECOND_FACTOR_PATH } from '../../../base/paths.ts';
import { parseEmail } from '../../../people/accounts/account.ts';
import type { PasskeyOptions } from '../../../people/sign-in/credentials/passkeys.ts';
import {
  type PasswordContext,
  refuseGuessablePassword,
} from '../../../people/sign-in/credentials/password.ts';
import type { EarlierAccess } from '../../../people/sign-in/email/confirm.ts';
import type { FinishedSignIn } from '../../../people/sign-in/email/sign-in.ts';
import {
  ChallengeNeeded,
  type ChallengePurpose,
  newChallenge,
} from '../../../people/sign-in/limits/challenge.ts';
import { showsMailChallenge, throughMailGate } from '../../../people/sign-in/limits/mail-challenge.ts';
import type { Caller, SignInServices } from '../../../people/sign-in/services.ts';
import { keepsCookies, setCookie } from '../../../people/sign-in/sessions/cookies.ts';
import { endedAccessCookie, intentCookie } from '../../../people/sign-in/sessions/sealed-cookies.ts';
import type { SignInResult } from '../../../people/sign-in/sign-in.ts';
import { Refusal } from '../../../platform/errors.ts';
import { clientAddressOf } from '../../../platform/http/server/client-address.ts';
import { releaseSlot } from '../../../platform/http/server/slots.ts';
import { type Message, t, wordsOf } from '../../../platform/languages/translate.ts';
import { DAY_MS } from '../../../platform/text/durations.ts';
import type { PageRouter, RouteRules } from '../../frame/page-router.ts';
import { nextPath, type PageContext, page, readForm, redirect, withNext } from '../../frame/pages.ts';
import { mangledCode } from '../../frame/typed-paths.ts';
import type { ScriptName } from '../../ui/assets.ts';
import { SOLUTION } from '../../ui/challenge.tsx';
import { type FormInput, type FormState, newForm } from '../../ui/form-state.ts';
import type { Markup } from '../../ui/markup.ts';

export const callerOf = (c: PageContext): Caller => ({
  cookie: c.req.header('cookie') ?? '',
  userAgent: c.req.header('user-agent') ?? '',
  address: clientAddressOf(c.env.incoming),
});

/** With the solution of the form's challenge, if it has one. */
export const solverOf = (c: PageContext, form: FormInput): Caller => ({
  ...callerOf(c),
  solution: form.text(SOLUTION),
});

/** For `FormInput.attempt`: a missing solution is not a problem of the field that the person filled in. */
export const fieldOrChallenge =
  (form: FormInput, field: string | null) =>
  (refusal: Refusal): string | null => {
    if (!(refusal instanceof ChallengeNeeded)) return field;
    form.hasOnly(SOLUTION);
    return SOLUTION;
  };

/** Returns the challenge that a form must show; `null` if it needs none. */
export async function challengeOf(
  c: PageContext,
  services: SignInServices,
  form: FormState,
  purpose: ChallengePurpose,
): Promise<string | null> {
  const isNeeded =
    form.problemOf(SOLUTION) !== null ||
    (purpose === 'mail' &&
      services.mailer.isReal &&
      c.get('viewer') === null &&
      (await showsMailChallenge(services, callerOf(c))));
  return isNeeded ? newChallenge(services.context, purpose) : null;
}

/**
 * Runs `work`, which mails `address`, or the address in the form's field `email` if `address` is `null`. Returns `null`
 * if the form is rejected, or must first show a challenge.
 */
export async function mailThroughGate<T>(
  c: PageContext,
  services: SignInServices,
  { form, address }: { readonly form: FormInput; readonly address: string | null },
  work: (mail: { readonly email: string; readonly caller: Caller }) => Promise<T>,
): Promise<T | null> {
  if (address === null) form.hasOnly('email');
  const caller = solverOf(c, form);
  return form.attempt(fieldOrChallenge(form, address === null ? 'email' : null), async () => {
    const email = address ?? parseEmail(form.text('email'));
    return throughMailGate(services, { email, caller }, () => work({ email, caller }));
  });
}

const sendsCookies = (c: PageContext): boolean => keepsCookies(c.req.header('cookie') ?? '');

export function setCookies(c: PageContext, { cookies }: Pick<SignInResult, 'cookies'>): void {
  for (const cookie of cookies) c.header('Set-Cookie', cookie, { append: true });
}

export function continueAfterSignIn(c: PageContext, result: SignInResult, next: string): Response {
  setCookies(c, result);
  const path = result.next === 'signed-in' ? next : withNext(SECOND_FACTOR_PATH, next);
  return redirectWithCookies(c, path);
}

/** If the request had no cookies, redirects via the cookie check. */
export const redirectWithCookies = (c: PageContext, path: string): Response =>
  redirect(c, sendsCookies(c) ? path : withNext(COOKIE_CHECK_PATH, path));

/** Sets the intent cookie again, because the mailed link may have been opened in a browser without the cookie. */
export function finishByMail(
  c: PageContext,
  services: SignInServices,
  { email, result, next, isIntended, ended }: FinishedSignIn,
  fallback: string,
): Response {
  if (email !== null) services.mailGate.countUsed(email);
  if (isIntended && next !== null) setCookies(c, { cookies: [intentCookie(services, next)] });
  return continueAfterSignIn(c, result, afterConfirmation(c, services, ended, next ?? fallback));
}

/** Path of the page that names the ended access, if any; it leads on to `path`. */
export function afterConfirmation(
  c: PageContext,
  services: SignInServices,
  ended: EarlierAccess,
  path: string,
): string {
  if (Object.keys(ended).length === 0) return path;
  setCookies(c, { cookies: [endedAccessCookie(services, ended)] });
  return withNext(ENDED_ACCESS_PATH, path);
}

/** `content`: what to show if the browser blocks cookies. */
export function cookieCheckPage(app: PageRouter, content: (next: string) => Markup): void {
  app.get(COOKIE_CHECK_PATH, { for: 'anyone' }, (c) => {
    const next = nextPath(c.req.query('next'));
    if (sendsCookies(c)) return redirect(c, next);
    return page(c, content(next), { title: t('Cookies are blocked'), audience: 'bare', status: 403 });
  });
}

/** Responds to the page's passkey script with the WebAuthn options, or with the message of a refusal. */
export async function passkeyOptions(
  c: PageContext,
  begin: () => Promise<PasskeyOptions>,
): Promise<Response> {
  try {
    return c.json(await begin());
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'unavailable') throw error;
    return c.json({ problem: wordsOf(error.sentence) }, error.code === 'rate_limited' ? 429 : 422);
  }
}

export const personIn = ({ name, email }: Readonly<Record<'name' | 'email', string>>) => ({
  person: [name, email],
});

/** Adds a problem to the form if the password is easy to guess. Returns whether the form is valid. */
export async function isStrong(
  { baseUrl, context }: SignInServices,
  form: FormInput,
  about: Omit<PasswordContext, 'baseUrl'>,
): Promise<boolean> {
  const password = form.text('password');
  await form.attempt('password', () =>
    refuseGuessablePassword(password, {
      ...about,
      person: [...about.person, context.marketplace.brand.name],
      baseUrl,
    }),
  );
  return form.isFine;
}

export interface FormPageProps {
  readonly form: FormState;
  readonly next: string;
  /** The challenge that the form shows. */
  readonly challenge: string | null;
}

interface FormPage {
  readonly path: string;
  readonly rules: RouteRules<'anyone' | 'signed-in'>;
  readonly title: Message;
  readonly content: (props: FormPageProps, c: PageContext) => Markup | Promise<Markup>;
  readonly scripts?: readonly ScriptName[];
  readonly challengeFor?: ChallengePurpose;
  /** Initial values of the form's fields. */
  readonly first?: (c: PageContext, next: string) => Promise<Readonly<Record<string, string>>>;
  /** On GET, the response to send instead of the form; `null`: show the form. */
  readonly instead?: (c: PageContext, next: string) => Response | null | Promise<Response | null>;
  /** `null`: show the form again with its problems. */
  readonly submit: (c: PageContext, form: FormInput, next: string) => Promise<Response | null>;
}

/** Adds a page whose form is posted to the page's own path. Returns a function that shows the form again. */
export function addFormPage(
  app: PageRouter,
  services: SignInServices,
  { path, rules, title, content, scripts = ['code'], challengeFor, first, instead, submit }: FormPage,
): (c: PageContext, form: FormState, next: string) => Response | Promise<Response> {
  const { baseUrl } = services;
  const show = async (c: PageContext, form: FormState, next: string) => {
    const challenge = challengeFor === undefined ? null : await challengeOf(c, services, form, challengeFor);
    // Don't pass `shared` to `page`: a response that sets a cookie must not be served to other visitors.
    if (!sendsCookies(c)) setCookies(c, { cookies: [setCookie(baseUrl, 'check', '1', DAY_MS)] });
    const { status } = form;
    return page(c, await content({ form, next, challenge }, c), {
      title: t(title),
      audience: 'bare',
      status,
      scripts: challenge === null ? scripts : [...scripts, 'challenge'],
    });
  };
  app.get(path, rules, async (c) => {
    const next = nextPath(c.req.query('next'));
    const other = await instead?.(c, next);
    if (other) return other;
    // Some mail gateways rewrite links and move the code from the fragment into the path or query.
    const code = mangledCode(c.env.incoming);
    return show(c, newForm({ ...(await first?.(c, next)), ...(code !== '' && { code }) }), next);
  });
  app.post(path, rules, async (c) => {
    const form = await readForm(c);
    const next = nextPath(form.text('next'));
    return (await submit(c, form, next)) ?? show(c, form, next);
  });
  return show;
}

export const unlessSignedIn = (c: PageContext, next: string): Response | null =>
  c.get('viewer') === null ? null : redirect(c, next);

/**
 * May run several sign-ins in one transaction (`key`: see `GroupedTransaction`), which can take long to start, so the
 * request no longer counts as concurrent.
 */
export function inGroupedTransaction(c: PageContext, services: SignInServices, key: string): SignInServices {
  releaseSlot(c.env.outgoing);
  const { context, groupedTransaction } = services;
  return {
    ...services,
    context: { ...context, db: { ...context.db, transaction: (work) => groupedTransaction(key, work) } },
  };
}
