import type { Context } from '../../base/context.ts';
import { SIGN_IN_LINK_PATH } from '../../base/paths.ts';
import { DISK_FULL, invalid, Refusal } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import { hashOfSecret } from '../../platform/secrets/secrets.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { MINUTE_MS } from '../../platform/text/durations.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { refuseDeleted, spelledEmail } from '../accounts/account.ts';
import { type Account, findAccount } from '../accounts/queries.ts';
import { issueCode } from './codes/queries.ts';
import { typedCode } from './credentials/authenticator.ts';
import { verifyPasskey } from './credentials/passkeys.ts';
import { hashPassword, verifyPassword } from './credentials/password.ts';
import { type Credentials, findCredentials } from './credentials/queries.ts';
import { countSecondFactor, REFUSED_CODES, useSecondFactor } from './credentials/two-factor.ts';
import { type Charge, passwordLimits, SIGNED_IN_BY_PERSON } from './limits/limits.ts';
import { refund } from './limits/queries.ts';
import { countRequest, recordFailure, refuseRequest } from './limits/throttle.ts';
import type { Sent, SignInServices } from './services.ts';
import { cookieOf, dropCookie, keepsCookies, NO_COOKIES, setCookie } from './sessions/cookies.ts';
import { deleteStep, findStep, insertStep, takeTry } from './sessions/queries.ts';
import { deviceCookie, knownDevice } from './sessions/sealed-cookies.ts';
import { type NewSession, newCookieSecret, startSession } from './sessions/sessions.ts';

export interface SignInResult {
  readonly next: 'signed-in' | 'second-factor';
  readonly cookies: readonly string[];
}

const WRONG_PASSWORD = message('The email address or the password is wrong.');

/** Rejects an unknown address and a wrong password with the same message. Limits attempts (429). */
export async function signIn(
  services: SignInServices,
  input: Sent<'email' | 'password'>,
): Promise<SignInResult> {
  const { context } = services;
  const { caller } = input;
  const email = spelledEmail(input.email);
  const credentials = await findCredentials(context.db.read, email);
  const accountId = credentials?.account.id;
  const limits = passwordLimits(email, caller.address, knownDevice(services, caller, credentials?.account));
  const counted = await countRequest(services, caller, limits, accountId);
  // The limit is checked for unknown addresses too, so that the response time doesn't reveal whether an account exists.
  await refuseRequest(services, caller, [[SIGNED_IN_BY_PERSON, accountId ?? email]], accountId);
  const account = await accountOfPassword(context, credentials, input.password);
  if (account === null) {
    recordFailure(services, 'password', caller, accountId);
    throw invalid(WRONG_PASSWORD);
  }
  const successes: readonly Charge[] = [[SIGNED_IN_BY_PERSON, account.id]];
  await countRequest(services, caller, successes, account.id);
  // The errors below reveal the state of the account, but only to a caller with the correct password.
  if (account.email_verified_at === null && services.mailer.isReal) {
    await context.db.transaction((tx) => refund(tx, counted));
    throw invalid(
      message('The address of this account is not confirmed yet. Sign in with a code sent by mail.'),
    );
  }
  refuseSuspended(account);
  return context.db.transaction(async (tx) => {
    // The stored hash may have changed while the typed password was hashed.
    const current = await findCredentials(tx, email);
    if (current?.hash !== credentials?.hash || current === undefined) throw invalid(WRONG_PASSWORD);
    const { account } = current;
    return signInWithFirstFactor(services, tx, { account, factors: 1, caller }, counted);
  });
}

/** `counted`: keys of the counters to decrement if the sign-in succeeds. */
export async function signInWithFirstFactor(
  services: SignInServices,
  tx: Transaction,
  session: NewSession,
  counted: readonly string[] = [],
): Promise<SignInResult> {
  const { account, factors } = session;
  if (account.two_factor_at !== null && factors === 1) {
    return { next: 'second-factor', cookies: [await startStep(services, tx, session, counted)] };
  }
  const [result] = await Promise.all([signedIn(services, tx, session), refund(tx, counted)]);
  return result;
}

/** Always computes a hash, so that the response time doesn't reveal whether an account or a password exists. */
async function accountOfPassword(
  context: Context,
  credentials: Credentials | undefined,
  password: string,
): Promise<Account | null> {
  if (credentials?.hash == null) {
    await hashPassword(password, context.random);
    return null;
  }
  return (await verifyPassword(password, credentials.hash)) ? credentials.account : null;
}

function refuseSuspended(account: Account): void {
  refuseDeleted(account);
  if (account.suspended_at !== null) {
    throw invalid(
      message('This account is suspended. Contact <operator>the operator of this marketplace</operator>.'),
    );
  }
}

const STEP_LIFETIME_MS = 10 * MINUTE_MS;

/** `counted`: keys of the counters to decrement once the second factor is verified. */
async function startStep(
  { context, baseUrl }: SignInServices,
  tx: Transaction,
  { account, how, providerSession = null }: NewSession,
  counted: readonly string[],
): Promise<string> {
  const now = context.now();
  const secret = newCookieSecret(context);
  await insertStep(tx, {
    secret_hash: hashOfSecret(secret),
    account_id: account.id,
    how: how ?? null,
    provider_session: providerSession,
    tries: 0,
    counted: JSON.stringify(counted),
    created_at: toIso(now),
    expires_at: toIso(now + STEP_LIFETIME_MS),
  });
  return setCookie(baseUrl, 'two_factor', secret, STEP_LIFETIME_MS);
}

/** Maximum number of codes that a person may try after the first factor. */
const TRIES_A_STEP = 5;

const TOO_LATE = message('This took too long. Sign in again.');
const REFUSALS = { ...REFUSED_CODES, 'too-many': message('Too many attempts. Sign in again.') };

/** Rejects wrong and used codes, expired sign-ins, and too many attempts. */
export async function proveSecondFactor(
  services: SignInServices,
  { code, caller }: Sent<'code'>,
): Promise<SignInResult> {
  const { context, baseUrl } = services;
  const typed = typedCode(code);
  const secret = cookieOf(baseUrl, caller.cookie, 'two_factor') ?? '';
  const step = await findStep(context.db.read, secret, context.at());
  if (step === undefined) throw invalid(keepsCookies(caller.cookie) ? TOO_LATE : NO_COOKIES);
  const { account_id: accountId, secret_hash } = step;
  // Counted before the code is checked, so that concurrent guesses cannot exceed a limit.
  const counted = await countSecondFactor(services, { caller, accountId, typed });
  const outcome = await context.db.transaction(async (tx) => {
    if (!(await takeTry(tx, secret_hash, TRIES_A_STEP))) return 'too-many';
    const checked = await useSecondFactor(services, tx, accountId, typed);
    if (checked !== 'right') return checked;
    if (!(await deleteStep(tx, secret_hash))) throw invalid(TOO_LATE);
    await refund(tx, [...(JSON.parse(step.counted) as string[]), ...counted]);
    const account = await findAccount(tx, accountId);
    const { how, provider_session: providerSession } = step;
    return signedIn(services, tx, { account, factors: 2, caller, how: how ?? undefined, providerSession });
  });
  if (typeof outcome === 'string') {
    recordFailure(services, 'second-factor', caller, accountId);
    throw invalid(REFUSALS[outcome]);
  }
  return { ...outcome, cookies: [...outcome.cookies, dropCookie(baseUrl, 'two_factor')] };
}

interface SignInLinkRequest {
  readonly account: string;
  readonly baseUrl: string;
  readonly next: string;
  /** A day if omitted. */
  readonly lifetimeMs?: number;
}

/** Works once and revokes earlier links. Its code is in the fragment, which is never sent or logged. */
export async function issueSignInLink(
  context: Context,
  { account, baseUrl, next, lifetimeMs }: SignInLinkRequest,
): Promise<string> {
  return await context.db.transaction(async (tx) => {
    const person = await findAccount(tx, account);
    refuseSuspended(person);
    const code = await issueCode(tx, context, { purpose: 'sign-in', accountId: person.id, lifetimeMs });
    return `${baseUrl}${SIGN_IN_LINK_PATH}?next=${encodeURIComponent(next)}#${code}`;
  });
}

/** The caller must have verified the person's identity. Rejects suspended accounts. */
export const signInProven = (
  services: SignInServices,
  { accountId, ...session }: Omit<NewSession, 'account'> & { readonly accountId: string },
): Promise<SignInResult> =>
  services.context.db.transaction(async (tx) =>
    signedIn(services, tx, { account: await findAccount(tx, accountId), ...session }),
  );

async function signedIn(
  services: SignInServices,
  tx: Transaction,
  session: NewSession,
): Promise<SignInResult> {
  const { account, caller } = session;
  refuseSuspended(account);
  if (account.operator_since === null && services.diskIsFull()) throw new Refusal('unavailable', DISK_FULL);
  const cookie = await startSession(services, tx, session);
  return { next: 'signed-in', cookies: [cookie, deviceCookie(services, caller, account)] };
}

export const signInByPasskey = async (
  services: SignInServices,
  { credential, caller }: Sent<'credential'>,
): Promise<SignInResult> =>
  signInProven(services, { accountId: await verifyPasskey(services, credential), factors: 2, caller });
