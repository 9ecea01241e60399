/** Signing in: with a password, then perhaps a second factor; or by a link that works once. */
import { invalid } from '../errors.ts';
import { networkOf } from '../network.ts';
import { refusalCode, secondFactorCookieName, withoutSignInEvent } from './auth-calls.ts';
import { findCredentials } from './credentials.ts';
import { consumeCode } from './one-time-code.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { type Account, findAccount } from './queries.ts';
import { type Caller, headersOf, type SignInServices } from './services.ts';
import { cookieOf, endSession } from './sessions.ts';
import {
  APP_CODE_ONCE,
  CODE_BY_ADDRESS,
  type Counted,
  countAttempt,
  forgiveAttempt,
  isFirstTime,
  SIGN_IN_BY_ADDRESS,
  SIGN_IN_BY_PERSON,
  SIGN_IN_BY_PERSON_AND_ADDRESS,
} from './throttle.ts';

export interface SignInResult {
  /** `second-factor`: the password was right, a code is asked for next. */
  readonly next: 'signed-in' | 'second-factor';
  /** `Set-Cookie` headers for the answer. */
  readonly cookies: readonly string[];
}

export interface PasswordSignIn {
  readonly email: string;
  readonly password: string;
  readonly caller: Caller;
}

/** Refuses a wrong address and a wrong password alike, and too many of them (429). */
export async function signIn(services: SignInServices, input: PasswordSignIn): Promise<SignInResult> {
  const { context } = services;
  const email = input.email.trim().toLowerCase();
  const network = networkOf(input.caller.address);
  const counted: readonly Counted[] = [
    [SIGN_IN_BY_PERSON_AND_ADDRESS, `${email} ${network}`],
    [SIGN_IN_BY_PERSON, email],
    [SIGN_IN_BY_ADDRESS, network],
  ];
  await countAttempt(context, counted);
  const found = await findCredentials(context.db.read, email);
  // Where there is no such account, or none with a password, hashing takes as long.
  const isRight =
    found?.hash == null
      ? await hashPassword(input.password, context.random).then(() => false)
      : await verifyPassword(input.password, found.hash);
  if (!isRight || found === undefined) throw invalid('The e-mail address or the password is wrong.');
  const { account } = found;
  await forgiveAttempt(context, counted);
  // Only who knows the password learns what follows.
  if (account.email_verified_at === null) {
    throw invalid('The address of this account is not confirmed yet. Follow the link in the mail first.');
  }
  refuseSuspended(account);
  const hasSecondFactor = account.two_factor_at !== null;
  const auth = await services.auth();
  const start = () =>
    auth.api.signInByPassword({
      body: { accountId: account.id },
      headers: headersOf(input.caller),
      returnHeaders: true,
    });
  const { headers } = await (hasSecondFactor ? withoutSignInEvent(start) : start());
  return { next: hasSecondFactor ? 'second-factor' : 'signed-in', cookies: headers.getSetCookie() };
}

function refuseSuspended({ suspended_at }: Pick<Account, 'suspended_at'>): void {
  if (suspended_at !== null) {
    throw invalid('This account is suspended. Ask whoever runs this marketplace.');
  }
}

export interface SecondFactor {
  /** Six digits of an authenticator app, or one of the backup codes. */
  readonly code: string;
  readonly caller: Caller;
}

/** The second step. Refuses a wrong code, one that was used already, and one that comes too late or too often. */
export async function proveSecondFactor(
  services: SignInServices,
  { code, caller }: SecondFactor,
): Promise<SignInResult> {
  const auth = await services.auth();
  const typed = code.replace(/\s+/g, '');
  const step = cookieOf(caller.cookie, secondFactorCookieName(services.baseUrl)) ?? '';
  // Beside a session the library would take the code as the session's own, without counting failures.
  const headers = headersOf({
    ...caller,
    cookie: `${secondFactorCookieName(services.baseUrl)}=${encodeURIComponent(step)}`,
  });
  const isApp = /^\d{6}$/.test(typed);
  if (isApp) {
    const { internalAdapter } = await auth.$context;
    const known = await internalAdapter.findVerificationValue(step.slice(0, step.lastIndexOf('.')));
    if (known && !(await isFirstTime(services.context, [APP_CODE_ONCE, `${known.value} ${typed}`]))) {
      throw invalid('This code was used already. Wait for the next one; it comes within 30 seconds.');
    }
  }
  try {
    const answer = isApp
      ? await auth.api.verifyTOTP({ body: { code: typed }, headers, returnHeaders: true })
      : await auth.api.verifyBackupCode({ body: { code: typed }, headers, returnHeaders: true });
    return { next: 'signed-in', cookies: answer.headers.getSetCookie() };
  } catch (error) {
    throw invalid(secondFactorSentence(refusalCode(error)));
  }
}

function secondFactorSentence(code: string): string {
  switch (code) {
    case 'INVALID_TWO_FACTOR_COOKIE':
      return 'This took too long. Sign in with your password again.';
    case 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE':
      return 'That was tried too often. Sign in with your password again.';
    case 'ACCOUNT_TEMPORARILY_LOCKED':
      return 'That was tried too often. Try again in 15 minutes.';
    default:
      return 'The code is wrong. It changes every 30 seconds; a backup code works once.';
  }
}

/** Signs in whoever holds a link that works once. */
export async function signInByCode(
  services: SignInServices,
  { code, caller }: { readonly code: string; readonly caller: Caller },
): Promise<SignInResult> {
  const { context } = services;
  await countAttempt(context, [[CODE_BY_ADDRESS, networkOf(caller.address)]]);
  const { accountId } = await context.db.transaction((tx) => consumeCode(tx, context, 'sign-in', code));
  if (accountId === null) throw invalid('This code is for something else.');
  return signInProven(services, accountId, caller);
}

/** A session for an account whose person has proved who they are. Refuses one that is suspended. */
export async function signInProven(
  services: SignInServices,
  accountId: string,
  caller: Caller,
): Promise<SignInResult> {
  const account = await findAccount(services.context.db.read, accountId);
  refuseSuspended(account);
  const auth = await services.auth();
  const { headers } = await auth.api.signInProven({
    body: { accountId },
    headers: headersOf(caller),
    returnHeaders: true,
  });
  return { next: 'signed-in', cookies: headers.getSetCookie() };
}

/** Ends the session of a page; a cookie that is left somewhere opens nothing. False where it had ended already. */
export const signOut = (
  { context }: SignInServices,
  session: { readonly accountId: string; readonly sessionId: string },
): Promise<boolean> => endSession(context, { ...session, as: 'session.signed_out' });
