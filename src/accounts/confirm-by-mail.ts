/** Mails the code with which a person confirms the address of their account. */
import { invalid } from '../errors.ts';
import type { Mail } from '../mail/mail.ts';
import type { Transaction } from '../store/database.ts';
import { cookieOf, setCookie, signUpCookieName } from './cookies.ts';
import { findByEmail } from './credential-queries.ts';
import { MAIL_BY_PERSON } from './limits.ts';
import { CODE_LIFETIME_MS, spelledCode } from './one-time-code.ts';
import { hasCode, issueCode } from './one-time-code-queries.ts';
import type { Account } from './queries.ts';
import type { Caller, SignInServices } from './services.ts';
import { countRequest } from './throttle.ts';

/** Keeps the mail; call `mailer.start` after the commit. An account that is confirmed already gets another one. */
export async function confirmByMail(
  { context, mailer, baseUrl }: SignInServices,
  tx: Transaction,
  { id, email, email_verified_at }: Account,
  next: string,
): Promise<void> {
  // Also for an account that needs no code: an answer without this write would be faster and reveal that.
  const code = await issueCode(tx, context, { purpose: 'confirm-email', accountId: id });
  await mailer.keep(
    tx,
    email_verified_at === null
      ? confirmationMail(baseUrl, email, code, next)
      : knownAddressMail(baseUrl, email),
  );
}

/** What the cookie of a browser that waits for a confirmation holds, encrypted. */
interface Waiting {
  readonly accountId: string;
  readonly email: string;
  /** The account was confirmed before, which this browser must not learn. */
  readonly isKnown: boolean;
}

const COOKIE_PURPOSE = 'sign-up';

/** The `Set-Cookie` header with which a browser follows a confirmation in another one. */
export const waitingCookie = ({ context, baseUrl }: SignInServices, waiting: Waiting): string =>
  setCookie(
    baseUrl,
    signUpCookieName(baseUrl),
    context.secretBox.encrypt(JSON.stringify(waiting), COOKIE_PURPOSE),
    CODE_LIFETIME_MS['confirm-email'],
  );

export interface Confirmation {
  readonly email: string;
  /** `ended`: no code works any more. */
  readonly state: 'waiting' | 'confirmed' | 'ended';
}

/** What became of the sign-up in this browser; `null`: there was none. Says the same for a known and a new address. */
export async function readConfirmation(
  { context, baseUrl }: SignInServices,
  { cookie }: Caller,
): Promise<Confirmation | null> {
  const sealed = cookieOf(cookie, signUpCookieName(baseUrl));
  const text = sealed === null ? null : context.secretBox.decrypt(sealed, COOKIE_PURPOSE);
  if (text === null) return null;
  const { accountId, email, isKnown } = JSON.parse(text) as Waiting;
  const { read } = context.db;
  if (await hasCode(read, context, { purpose: 'confirm-email', accountId }))
    return { email, state: 'waiting' };
  const account = await findByEmail(read, email);
  const isConfirmed = !isKnown && account?.id === accountId && account.email_verified_at !== null;
  return { email, state: isConfirmed ? 'confirmed' : 'ended' };
}

const confirmationMail = (baseUrl: string, to: string, code: string, next: string): Mail => ({
  to,
  code,
  subject: 'Confirm your e-mail address',
  text: `Confirm that this address is yours:\n${baseUrl}/verify-email?next=${encodeURIComponent(next)}#${code}\n\nOr open ${baseUrl}/verify-email and enter this code: ${spelledCode(code)}\n\nThe link and the code work once, for 24 hours. If you didn’t sign up, ignore this mail.\n`,
});

const knownAddressMail = (baseUrl: string, to: string): Mail => ({
  to,
  subject: 'You already have a Claimcheck account',
  text: `Someone, perhaps you, tried to sign up with this address, which already has an account.\n\nSign in: ${baseUrl}/sign-in\nSet a new password: ${baseUrl}/forgot-password\n`,
});

/**
 * Refuses a sign-in with the right password while the address is not confirmed. If no earlier code works, a new one is
 * mailed: the account may be from the time before the service had a mail server.
 */
export async function refuseUnconfirmed(
  services: SignInServices,
  { account, caller, next }: { readonly account: Account; readonly caller: Caller; readonly next: string },
): Promise<void> {
  const { context, mailer } = services;
  if (account.email_verified_at !== null || !mailer.isReal) return;
  if (!(await hasCode(context.db.read, context, { purpose: 'confirm-email', accountId: account.id }))) {
    await countRequest(services, caller, [[MAIL_BY_PERSON, account.email]], account.id);
    await context.db.transaction((tx) => confirmByMail(services, tx, account, next));
    mailer.start();
  }
  throw invalid(
    'The address of this account is not confirmed yet. Open the link in the mail that we’ve sent to it, or enter its code.',
  );
}
