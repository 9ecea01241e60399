/** Signing in: with a password, then perhaps a second factor; or by a link that works once. */
import { invalid } from '../errors.ts';
import { refusalCode, withoutSignInEvent } from './auth-calls.ts';
import { findByEmail } from './credentials.ts';
import { consumeCode } from './one-time-code.ts';
import { type Caller, headersOf, type SignInServices } from './services.ts';
import { endSession } from './sessions.ts';
import {
  CODE_BY_ADDRESS,
  type Counted,
  countAttempt,
  forgiveAttempts,
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

const unknownAddress = 'unknown';

export interface PasswordSignIn {
  readonly email: string;
  readonly password: string;
  readonly caller: Caller;
}

/** Refuses a wrong address and a wrong password alike, and too many of them (429). */
export async function signIn(services: SignInServices, input: PasswordSignIn): Promise<SignInResult> {
  const { context } = services;
  const auth = await services.auth();
  const email = input.email.trim().toLowerCase();
  const address = input.caller.address ?? unknownAddress;
  const ofPerson: readonly Counted[] = [
    [SIGN_IN_BY_PERSON_AND_ADDRESS, `${email} ${address}`],
    [SIGN_IN_BY_PERSON, email],
  ];
  const counted: readonly Counted[] = [...ofPerson, [SIGN_IN_BY_ADDRESS, address]];
  await countAttempt(context, counted);
  const account = await findByEmail(context.db.read, email);
  const ask = () =>
    auth.api.signInEmail({
      body: { email, password: input.password },
      headers: headersOf(input.caller),
      returnHeaders: true,
    });
  const needsMore =
    account !== undefined && (account.two_factor_at !== null || account.suspended_at !== null);
  try {
    const { headers } = await (needsMore ? withoutSignInEvent(ask) : ask());
    await forgiveAttempts(context, counted);
    // Only who knows the password learns this; the session just made opens nothing (`findSession`).
    if (account?.suspended_at) throw invalid('This account is suspended. Ask whoever runs this marketplace.');
    return {
      next: account?.two_factor_at ? 'second-factor' : 'signed-in',
      cookies: headers.getSetCookie(),
    };
  } catch (error) {
    if (refusalCode(error) === 'EMAIL_NOT_VERIFIED') {
      throw invalid('The address of this account is not confirmed yet. Follow the link in the mail first.');
    }
    throw invalid('The e-mail address or the password is wrong.');
  }
}

export interface SecondFactor {
  /** Six digits of an authenticator app, or one of the backup codes. */
  readonly code: string;
  readonly caller: Caller;
}

/** The second step. Refuses a wrong code, and one that comes too late or too often. */
export async function proveSecondFactor(
  services: SignInServices,
  { code, caller }: SecondFactor,
): Promise<SignInResult> {
  const auth = await services.auth();
  const typed = code.replace(/\s+/g, '');
  const headers = headersOf(caller);
  const isApp = /^\d{6}$/.test(typed);
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
  await countAttempt(context, [[CODE_BY_ADDRESS, caller.address ?? unknownAddress]]);
  const { accountId } = await context.db.transaction((tx) => consumeCode(tx, context, 'sign-in', code));
  if (accountId === null) throw invalid('This code is for something else.');
  return signInProven(services, accountId, caller);
}

/** A session for an account whose person has proved who they are. */
export async function signInProven(
  services: SignInServices,
  accountId: string,
  caller: Caller,
): Promise<SignInResult> {
  const auth = await services.auth();
  const { headers } = await auth.api.signInProven({
    body: { accountId },
    headers: headersOf(caller),
    returnHeaders: true,
  });
  return { next: 'signed-in', cookies: headers.getSetCookie() };
}

/** Ends the session of a page. The cookie that is left opens nothing; the browser is told to drop it. */
export const signOut = (
  { context }: SignInServices,
  session: { readonly accountId: string; readonly sessionId: string },
): Promise<void> => endSession(context, { ...session, as: 'session.signed_out' });
