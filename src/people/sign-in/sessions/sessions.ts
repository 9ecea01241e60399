import type { Context } from '../../../base/context.ts';
import type { EventData, EventType, Exactly } from '../../../base/events/catalogue.ts';
import { appendEvent } from '../../../base/events/queries.ts';
import { invalid } from '../../../platform/errors.ts';
import { message } from '../../../platform/languages/translate.ts';
import { hashOfSecret } from '../../../platform/secrets/secrets.ts';
import type { Transaction } from '../../../platform/store/database.ts';
import { uuidv7 } from '../../../platform/store/uuid.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/text/durations.ts';
import { toIso } from '../../../platform/text/time-text.ts';
import { findFirstWorkAccount } from '../../accounts/membership-queries.ts';
import { type Account, putUse, unplanDeletionOf } from '../../accounts/queries.ts';
import { listOperatorIdentities } from '../oidc/queries.ts';
import type { Caller, SignInServices } from '../services.ts';
import { cookieOf, setCookie } from './cookies.ts';
import {
  deleteOldestSessions,
  deleteSession,
  deleteSessionBySecret,
  deleteSessions,
  insertSession,
  type SignedIn,
  shortenSessions,
  updateLastSeen,
  updateSession,
} from './queries.ts';

/** `absoluteMs` counts from the sign-in, `idleMs` from the last use. */
const PERSON_LIFETIME = { absoluteMs: 30 * DAY_MS, idleMs: 7 * DAY_MS };
/** Operators can access the data of all accounts, so their sessions expire after a working day. */
const OPERATOR_LIFETIME = { absoluteMs: 12 * HOUR_MS, idleMs: HOUR_MS };

/** With `OIDC_ONLY`, people return to the provider at least this often, so that leavers lose access. */
const OIDC_ONLY_LIFETIME_MS = 12 * HOUR_MS;

export const sessionLifetime = (isOperator: boolean) => (isOperator ? OPERATOR_LIFETIME : PERSON_LIFETIME);

/** Maximum number of sessions per account. Starting another session revokes the oldest. */
export const MAX_SESSIONS = 20;

/** How long a proof of identity allows changes that a thief of the session could keep, such as new credentials. */
export const FRESH_PROOF_MS = 10 * MINUTE_MS;
/** How long it allows other sensitive changes. */
export const RECENT_PROOF_MS = 4 * HOUR_MS;

interface Proven {
  readonly provenAt: string;
}

export const isFreshProof = (session: Proven, now: number): boolean =>
  isYounger(session, now, FRESH_PROOF_MS);

/** Operators can access the data of all accounts, so each of their sensitive changes needs a fresh proof. */
export const isRecentProof = (session: Proven & { readonly isOperator: boolean }, now: number): boolean =>
  isYounger(session, now, session.isOperator ? FRESH_PROOF_MS : RECENT_PROOF_MS);

function isYounger({ provenAt }: Proven, now: number, windowMs: number): boolean {
  const ageMs = now - Date.parse(provenAt);
  // A time in the future comes from a clock that was ahead.
  return ageMs > -FRESH_PROOF_MS && ageMs < windowMs;
}

/** What an operator must do before using the desk: use the second factor (`prove`) or set one up (`enroll`). */
export type DeskLock = 'prove' | 'enroll' | null;

export function deskLock(
  session: { readonly isOperator: boolean; readonly factors: number; readonly hasFactor: boolean },
  isRequired: boolean,
): DeskLock {
  if (!isRequired || !session.isOperator || session.factors > 1) return null;
  return session.hasFactor ? 'prove' : 'enroll';
}

/** Minimum time between two updates of a session's `last_seen_at`. */
const TOUCH_INTERVAL_MS = 5 * MINUTE_MS;
const COOKIE_SECRET_BYTES = 32;
const MAX_USER_AGENT_LENGTH = 300;

export const newCookieSecret = ({ random }: Context): string =>
  Buffer.from(random(COOKIE_SECRET_BYTES)).toString('base64url');

export const OPERATOR_ELSEWHERE = message(
  'You are an operator through your company’s identity provider, so sign in with it.',
);

const ONLY_BY_PROVIDER = message(
  'People sign in to this service only through its identity provider. Choose “Sign in”.',
);

export interface NewSession {
  readonly account: Account;
  /** 2: a second factor was verified, or a passkey was used. */
  readonly factors: 1 | 2;
  readonly caller: Caller;
  /** Recorded in the sign-in event. `link`: from the terminal. Omitted for other methods, such as a password. */
  readonly how?: 'oidc' | 'email' | 'link' | undefined;
  /** Whether this transaction has created the account, so that it has no sessions or memberships yet. */
  readonly isNew?: boolean;
  /** When the person last confirmed their identity. Defaults to now. */
  readonly provenAtMs?: number | undefined;
  /** The session at the identity provider, as in the table. */
  readonly providerSession?: string | null;
}

/**
 * Starts a session and revokes the browser's previous session. Returns the `Set-Cookie` header. With `OIDC_ONLY`, refuses
 * all ways to sign in but the providers and links from the terminal, whatever pages and verbs allow.
 */
export async function startSession(
  { context, baseUrl, isOidcOnly, operatorIssuers }: SignInServices,
  tx: Transaction,
  { account, factors, caller, how, isNew = false, provenAtMs, providerSession = null }: NewSession,
): Promise<string> {
  if (how !== 'oidc' && how !== 'link') {
    if (isOidcOnly) throw invalid(ONLY_BY_PROVIDER);
    if (account.operator_since !== null && operatorIssuers.length > 0) {
      const identities = await listOperatorIdentities(tx, account.id);
      // The provider must be asked whether the person is still an operator.
      if (identities.some(({ issuer }) => operatorIssuers.includes(issuer)))
        throw invalid(OPERATOR_ELSEWHERE);
    }
  }
  const now = context.now();
  const { absoluteMs: longestMs, idleMs } = sessionLifetime(account.operator_since !== null);
  const absoluteMs = isOidcOnly ? Math.min(longestMs, OIDC_ONLY_LIFETIME_MS) : longestMs;
  const former = cookieOf(baseUrl, caller.cookie, 'session_token');
  const ended = former === null ? undefined : await deleteSessionBySecret(tx, former);
  if (ended !== undefined) {
    await appendAccountEvent(context, tx, ended.account_id, 'session.revoked', {}, ended.id);
  }
  const id = uuidv7(context);
  const secret = newCookieSecret(context);
  const signedIn = { ip: caller.address, ...(how !== undefined && { how }) };
  const worksIn = isNew ? null : await findFirstWorkAccount(tx, account.id);
  // Issued concurrently, so that the round trips overlap.
  await Promise.all([
    insertSession(tx, {
      id,
      account_id: account.id,
      token_hash: hashOfSecret(secret),
      factors,
      proven_at: toIso(provenAtMs ?? now),
      created_at: toIso(now),
      last_seen_at: toIso(now),
      expires_at: toIso(now + absoluteMs),
      idle_expires_at: toIso(now + idleMs),
      ip: caller.address,
      user_agent: caller.userAgent.slice(0, MAX_USER_AGENT_LENGTH),
      works_in_id: worksIn,
      provider_session: providerSession,
    }),
    putUse(tx, account.id, toIso(now)),
    appendAccountEvent(context, tx, account.id, 'session.signed_in', signedIn, id),
  ]);
  if (account.delete_reason === 'unused' && (await unplanDeletionOf(tx, account.id))) {
    await appendAccountEvent(context, tx, account.id, 'account.deletion_undone', {});
  }
  const oldestIds = isNew ? [] : await deleteOldestSessions(tx, account.id, MAX_SESSIONS);
  for (const oldest of oldestIds) {
    await appendAccountEvent(context, tx, account.id, 'session.revoked', {}, oldest);
  }
  return setCookie(baseUrl, 'session_token', secret, absoluteMs);
}

export type OwnSession = Pick<SignedIn, 'accountId' | 'sessionId' | 'isOperator' | 'name' | 'email'>;

/** `Set-Cookie` headers for the response, for example the cookie with the session's new secret. */
export interface Renewed {
  readonly cookies: readonly string[];
}

/**
 * Rotates the session's secret and renews the proof of identity. Omit `factors` if unchanged. Refuses if the session has
 * ended since the request began, for example because somebody has confirmed the address of the account.
 */
export async function renewSession(
  { context, baseUrl }: SignInServices,
  tx: Transaction,
  { sessionId, isOperator }: Pick<SignedIn, 'sessionId' | 'isOperator'>,
  factors?: 1 | 2,
): Promise<string> {
  const secret = newCookieSecret(context);
  const isOpen = await updateSession(tx, sessionId, {
    token_hash: hashOfSecret(secret),
    proven_at: context.at(),
    ...(factors !== undefined && { factors }),
  });
  if (!isOpen) throw invalid(message('Your session has ended. Nothing was changed. Sign in again.'));
  // The cookie gets a full lifetime, but the session's `expires_at` doesn't change.
  return setCookie(baseUrl, 'session_token', secret, sessionLifetime(isOperator).absoluteMs);
}

/** Runs `change`, such as a password change, and rotates the session's secret in the same transaction. */
export const renewedAfter = async (
  services: SignInServices,
  session: OwnSession,
  change: (tx: Transaction) => Promise<unknown>,
  factors?: 1 | 2,
): Promise<Renewed> => ({
  cookies: [
    await services.context.db.transaction(async (tx) => {
      await change(tx);
      return renewSession(services, tx, session, factors);
    }),
  ],
});

export async function touchSession(context: Context, session: SignedIn): Promise<void> {
  const now = context.now();
  const before = toIso(now - TOUCH_INTERVAL_MS);
  if (session.lastSeenAt > before) return;
  const seen = {
    last_seen_at: toIso(now),
    idle_expires_at: toIso(now + sessionLifetime(session.isOperator).idleMs),
  };
  await context.db.transaction((tx) => updateLastSeen(tx, session.sessionId, seen, before));
}

type SessionOfAccount = Pick<SignedIn, 'accountId' | 'sessionId'>;

export const endSession = (
  context: Context,
  { accountId, sessionId, as }: SessionOfAccount & { as: 'session.signed_out' | 'session.revoked' },
): Promise<boolean> =>
  context.db.transaction(async (tx) => {
    if (!(await deleteSession(tx, accountId, sessionId))) return false;
    await appendAccountEvent(context, tx, accountId, as, {}, sessionId);
    return true;
  });

/** With `OIDC_ONLY`, for sessions from before it was set. */
export const limitSessions = ({ db, now }: Pick<Context, 'db' | 'now'>): Promise<unknown> =>
  db.transaction((tx) => shortenSessions(tx, toIso(now() + OIDC_ONLY_LIFETIME_MS)));

export async function endSessions(
  context: Context,
  tx: Transaction,
  accountId: string,
  exceptId: string | null,
): Promise<number> {
  const ended = await deleteSessions(tx, accountId, exceptId);
  for (const id of ended) await appendAccountEvent(context, tx, accountId, 'session.revoked', {}, id);
  return ended.length;
}

export const revokeOtherSessions = (
  context: Context,
  { accountId, sessionId }: SessionOfAccount,
): Promise<number> => context.db.transaction((tx) => endSessions(context, tx, accountId, sessionId));

/** The account is also the actor of the event. */
export const appendAccountEvent = <T extends EventType, const D extends EventData<T>>(
  context: Context,
  tx: Transaction,
  accountId: string,
  type: T,
  data: Exactly<T, D>,
  subjectId: string = accountId,
): Promise<void> =>
  appendEvent(tx, {
    accountId,
    type,
    at: context.at(),
    actor: `account:${accountId}`,
    subjectId,
    data,
  });
