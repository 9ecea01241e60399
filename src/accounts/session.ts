/** Limits of sessions: lifetimes and number. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../text/durations.ts';

export interface SessionLifetime {
  /** From the sign-in, regardless of use. */
  readonly absoluteMs: number;
  /** Without use. */
  readonly idleMs: number;
}

const PERSON_LIFETIME: SessionLifetime = { absoluteMs: 30 * DAY_MS, idleMs: 7 * DAY_MS };
/** An operator's session opens every account's data, so it ends with the working day. */
const OPERATOR_LIFETIME: SessionLifetime = { absoluteMs: 12 * HOUR_MS, idleMs: HOUR_MS };

export const sessionLifetime = (isOperator: boolean): SessionLifetime =>
  isOperator ? OPERATOR_LIFETIME : PERSON_LIFETIME;

/** Per account; one more ends the oldest. */
export const MAX_SESSIONS = 20;

/** Minimum time between two updates of when a session was last seen. */
export const TOUCH_INTERVAL_MS = 5 * MINUTE_MS;

export const STEP_LIFETIME_MS = 10 * MINUTE_MS;

export const OIDC_LIFETIME_MS = 10 * MINUTE_MS;

/** How long an intent of somebody who is not signed in is kept: they may have to sign up first. */
export const INTENT_LIFETIME_MS = HOUR_MS;

/** How a session began, if its event names it. */
export type SignInMethod = 'oidc' | 'email';

/** How long a browser stays known after a sign-in. */
export const DEVICE_LIFETIME_MS = 180 * DAY_MS;

export const COOKIE_SECRET_BYTES = 32;

export const MAX_USER_AGENT_LENGTH = 300;

/** How long after confirming their identity a person can change the account. */
export const FRESH_PROOF_MS = 10 * MINUTE_MS;

export const isFreshProof = ({ provenAt }: { readonly provenAt: string }, now: number): boolean =>
  Date.parse(provenAt) > now - FRESH_PROOF_MS;

/**
 * What an operator must do before using the desk, if a second factor is required. `prove`: use the account's second
 * factor; `enroll`: set one up; `null`: nothing.
 */
export type DeskLock = 'prove' | 'enroll' | null;

export function deskLock(
  session: { readonly isOperator: boolean; readonly factors: number; readonly hasFactor: boolean },
  isRequired: boolean,
): DeskLock {
  if (!isRequired || !session.isOperator || session.factors > 1) return null;
  return session.hasFactor ? 'prove' : 'enroll';
}
