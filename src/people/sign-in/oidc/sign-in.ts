import type { Context } from '../../../base/context.ts';
import { Refusal } from '../../../platform/errors.ts';
import { message } from '../../../platform/languages/translate.ts';
import { networkOf } from '../../../platform/network/network.ts';
import { hashOfSecret } from '../../../platform/secrets/secrets.ts';
import type { Transaction } from '../../../platform/store/database.ts';
import { MINUTE_MS } from '../../../platform/text/durations.ts';
import { toIso } from '../../../platform/text/time-text.ts';
import { parseAccountName, parseEmail } from '../../accounts/account.ts';
import { addAccount } from '../../accounts/create.ts';
import { readPolicy, refuseBlockedAddress } from '../../accounts/policy.ts';
import { type Account, findAccount, findByEmail, lockAccount, setSince } from '../../accounts/queries.ts';
import { type Confirmed, confirmFirst, type EarlierAccess, isUnclaimed, takeOver } from '../email/confirm.ts';
import { byNetwork, OIDC_BY_NETWORK } from '../limits/limits.ts';
import { countRequest } from '../limits/throttle.ts';
import type { Caller, Sent, SignInServices } from '../services.ts';
import { cookieOf, keepsCookies, NO_COOKIES, setCookie } from '../sessions/cookies.ts';
import { appendAccountEvent, type DeskLock, endSessions, newCookieSecret } from '../sessions/sessions.ts';
import { type SignInResult, signInWithFirstFactor } from '../sign-in.ts';
import type { Claims } from './claims.ts';
import { applyOperatorClaim } from './operator-claim.ts';
import { IDENTITY_CAUSES, type IdentityProvider, IdentityRefusal, type OidcChecks } from './provider.ts';
import {
  findAccountOfIdentity,
  insertIdentity,
  insertOidcSignIn,
  listIdentities,
  takeOidcSignIn,
} from './queries.ts';

export const OIDC_LIFETIME_MS = 10 * MINUTE_MS;

export interface OpenSession {
  readonly accountId: string;
  readonly sessionId: string;
  readonly isFreshlyProven: boolean;
  readonly deskLock: DeskLock;
}

/** Only this browser can complete it. `isSignedIn`: to confirm or connect, so the provider must authenticate again. */
export async function beginOidc(
  services: SignInServices,
  provider: IdentityProvider,
  { caller, next, isSignedIn }: Sent<'next'> & { readonly isSignedIn: boolean },
): Promise<{ readonly url: string; readonly cookies: readonly string[] }> {
  const { context, baseUrl } = services;
  await countRequest(services, caller, byNetwork(OIDC_BY_NETWORK, caller.address));
  const checks: OidcChecks = {
    state: newCookieSecret(context),
    nonce: newCookieSecret(context),
    verifier: newCookieSecret(context),
  };
  const url = await logged(services, caller, () => provider.authorizationUrl(checks, { again: isSignedIn }));
  // All tabs of a browser share one cookie, so that several tabs can sign in concurrently.
  const browser = cookieOf(baseUrl, caller.cookie, 'oidc') ?? newCookieSecret(context);
  const stateHash = hashOfSecret(checks.state);
  await context.db.transaction((tx) =>
    insertOidcSignIn(tx, {
      state_hash: stateHash,
      browser_hash: hashOfSecret(browser),
      sealed: context.secretBox.encrypt(
        JSON.stringify({ ...checks, issuer: provider.issuer, next }),
        purposeOf(stateHash),
      ),
      expires_at: toIso(context.now() + OIDC_LIFETIME_MS),
    }),
  );
  return { url: url.href, cookies: [setCookie(baseUrl, 'oidc', browser, OIDC_LIFETIME_MS)] };
}

/** Returns the encryption purpose that binds the encrypted values of a sign-in to its row. */
const purposeOf = (stateHash: string): string => `oidc:${stateHash}`;

/**
 * `search`: of the callback URL. Refuses an unverified address, a sign-in that was used or started in another browser,
 * and an account that may belong to somebody else (`accountOfClaims`).
 */
export async function completeOidc(
  services: SignInServices,
  provider: IdentityProvider,
  { caller, search, session }: Sent<'search'> & { readonly session: OpenSession | null },
): Promise<SignInResult & Pick<Confirmed, 'ended'> & { readonly path: string }> {
  const { context } = services;
  await countRequest(services, caller, byNetwork(OIDC_BY_NETWORK, caller.address));
  return logged(services, caller, async () => {
    const { next: path, issuer, ...checks } = await takeSignIn(services, caller, search);
    // Otherwise, one provider could complete a sign-in that was started at another one.
    if (issuer !== provider.issuer) throw new IdentityRefusal('no_such_sign_in');
    const claims = await provider.claimsOf(search, checks);
    const result = await context.db.transaction(async (tx) => {
      const { account: person, ended } = await accountOfClaims(services, tx, claims, session);
      if (person.suspended_at !== null) throw new IdentityRefusal('account_suspended');
      const account = await applyOperatorClaim(services, tx, person, claims);
      const signedIn = await signInWithFirstFactor(services, tx, {
        account,
        factors: claims.isMultiFactor ? 2 : 1,
        caller,
        how: 'oidc',
        provenAtMs: Math.min(claims.authenticatedAtMs ?? 0, context.now()),
        providerSession: claims.providerSession,
      });
      return { ...signedIn, ended };
    });
    return { ...result, path };
  });
}

interface StartedSignIn extends OidcChecks {
  readonly issuer: string;
  readonly next: string;
}

/** Consumes the sign-in that this browser started, even if the provider's response is an error. */
async function takeSignIn(
  { context, baseUrl }: SignInServices,
  { cookie }: Caller,
  search: string,
): Promise<StartedSignIn> {
  const state = new URLSearchParams(search).get('state') ?? '';
  const browser = cookieOf(baseUrl, cookie, 'oidc') ?? '';
  const at = context.at();
  const sealed = await context.db.transaction((tx) => takeOidcSignIn(tx, { state, browser, at }));
  const text =
    sealed === undefined ? null : context.secretBox.decrypt(sealed, purposeOf(hashOfSecret(state)));
  if (text === null) {
    throw new IdentityRefusal('no_such_sign_in', keepsCookies(cookie) ? {} : { sentence: NO_COOKIES });
  }
  return JSON.parse(text) as StartedSignIn;
}

/**
 * A new identity is linked to the existing account of its address in three cases only: the person is signed in to it with
 * a fresh proof of identity, or nobody is signed in and it is unclaimed (`isUnclaimed`) or connects itself.
 */
async function accountOfClaims(
  services: SignInServices,
  tx: Transaction,
  claims: Claims,
  session: OpenSession | null,
): Promise<Confirmed> {
  const { context, mailer } = services;
  const { issuer, subject } = claims;
  const linkedAccount = await findAccountOfIdentity(tx, issuer, subject);
  if (linkedAccount !== undefined) return { account: ofSession(linkedAccount, session), ended: {} };
  const email = verifiedEmail(claims);
  const account = await findByEmail(tx, email);
  if (account !== undefined) {
    await lockAccount(tx, context.db.engine, account.id);
    // A concurrent sign-in of the same person may have linked the identity in the meantime.
    const linkedSince = await findAccountOfIdentity(tx, issuer, subject);
    if (linkedSince !== undefined) return { account: ofSession(linkedSince, session), ended: {} };
    if (session === null && (await isUnclaimed(tx, await findAccount(tx, account.id)))) {
      const takeover = await takeOver(context, tx, account);
      await link(context, tx, account, claims, { replaced: true, ...takeover.ended });
      return takeover;
    }
    if (session === null && (await connectsItself(services, tx, account, claims))) {
      const confirmed = await confirmFirst(context, tx, await findAccount(tx, account.id));
      await endSessions(context, tx, account.id, null);
      await link(context, tx, account, claims);
      return confirmed;
    }
    const { sessionId } = requireProven(services, ofSession(account, session), session);
    // As with a mailed code: without a mail server, the operator vouches for people, and nothing ends.
    const confirmed = mailer.isReal
      ? await confirmFirst(context, tx, await findAccount(tx, account.id), sessionId)
      : { account, ended: {} };
    await link(context, tx, account, claims);
    return confirmed;
  }
  if (session !== null) throw new IdentityRefusal('other_account');
  refuseBlockedAddress(await readPolicy(tx), email);
  const created = await addAccount(tx, context, {
    email,
    name: nameOf(claims) ?? email,
    verified: true,
    actor: 'self',
    // The button that opens the provider doesn't mention the terms, so the person must accept them before publishing.
    acceptsTerms: false,
  });
  if (created !== null) {
    await link(context, tx, created, claims);
    return { account: created, ended: {} };
  }
  // A concurrent transaction has created an account with this address, perhaps for the same identity.
  const linkedSince = await findAccountOfIdentity(tx, issuer, subject);
  if (linkedSince === undefined) throw new IdentityRefusal('account_exists');
  return { account: linkedSince, ended: {} };
}

/**
 * With `OIDC_ONLY`, people who had an account before can sign in to it in no other way, so the provider is trusted with
 * a confirmed address. Not if the account has an identity: another provider could take it over. An operator's only if
 * the provider says that the person is one: controlling an address must not be enough to open the desk.
 */
const connectsItself = async (
  { isOidcOnly, mailer }: SignInServices,
  tx: Transaction,
  { id, email_verified_at, operator_since }: Account,
  { isOperator }: Claims,
): Promise<boolean> =>
  isOidcOnly &&
  (operator_since === null || isOperator === true) &&
  // With a mail server, connecting confirms the address and ends earlier access (`confirmFirst`).
  (email_verified_at !== null || mailer.isReal) &&
  (await listIdentities(tx, id)).length === 0;

async function link(
  context: Context,
  tx: Transaction,
  account: Account,
  { issuer, subject }: Claims,
  data: EarlierAccess & { readonly replaced?: true } = {},
): Promise<void> {
  const created_at = context.at();
  await insertIdentity(tx, { account_id: account.id, issuer, subject, created_at, operator_since: null });
  await setSince(tx, account.id, 'email_verified_at', created_at);
  const what = { issuer, ...data };
  await appendAccountEvent(context, tx, account.id, 'account.identity_linked', what);
}

/** If somebody is signed in, the identity must belong to their account. */
function ofSession(account: Account, session: OpenSession | null): Account {
  if (session !== null && session.accountId !== account.id) throw new IdentityRefusal('other_account');
  return account;
}

const NOT_CONNECTED = message(
  'An account with your email address already exists here, but you can’t sign in to it in this way. Ask <operator>the operator of this marketplace</operator>.',
);

/** Requires a fresh proof of identity, because a linked identity can sign in to the account. */
function requireProven(
  { isOidcOnly }: SignInServices,
  account: Account,
  session: OpenSession | null,
): OpenSession {
  const isProven =
    session?.accountId === account.id && session.isFreshlyProven && session.deskLock !== 'prove';
  if (!isProven) throw new IdentityRefusal('account_exists', isOidcOnly ? { sentence: NOT_CONNECTED } : {});
  return session;
}

function verifiedEmail({ email, isEmailVerified }: Claims): string {
  if (typeof email !== 'string' || email.trim() === '') throw new IdentityRefusal('email_missing');
  if (!isEmailVerified) {
    throw new IdentityRefusal(isEmailVerified === null ? 'email_verified_missing' : 'email_not_verified');
  }
  return parseEmail(email);
}

/** `null`: the name is missing, or is not a valid account name. */
function nameOf({ name }: Claims): string | null {
  try {
    return typeof name === 'string' ? parseAccountName(name) : null;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

function reasonOf(error: Refusal): string {
  const isOfIdentity = error instanceof IdentityRefusal;
  if (!isOfIdentity && error.code !== 'invalid_request') return error.code;
  const problem = isOfIdentity ? error.problem : 'email_not_accepted';
  const code = isOfIdentity && error.libraryCode !== undefined ? ` ${error.libraryCode}` : '';
  const cause = IDENTITY_CAUSES[problem];
  return `${problem}${code}${cause === undefined ? '' : `: ${cause}`}`;
}

/** Logs refusals with their reason and network, without any text from the provider or the browser. */
async function logged<T>(services: SignInServices, { address }: Caller, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) {
      services.securityLog('identity_refused', { network: networkOf(address), reason: reasonOf(error) });
    }
    throw error;
  }
}
