/** How long sessions last, and how many an account has. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export interface SessionLifetime {
  /** From the sign-in, however much the session is used. */
  readonly absoluteMs: number;
  /** Without use. */
  readonly idleMs: number;
}

const PERSON_LIFETIME: SessionLifetime = { absoluteMs: 30 * DAY_MS, idleMs: 7 * DAY_MS };
/** An operator's session opens every account's data, so it ends with the working day. */
const OPERATOR_LIFETIME: SessionLifetime = { absoluteMs: 12 * HOUR_MS, idleMs: HOUR_MS };

export const sessionLifetime = (isOperator: boolean): SessionLifetime =>
  isOperator ? OPERATOR_LIFETIME : PERSON_LIFETIME;

/** Sessions of one account; the oldest ends when one more begins. */
export const MAX_SESSIONS = 20;

/** The time a session was last seen is written again after this long. */
export const TOUCH_INTERVAL_MS = 5 * MINUTE_MS;

/** Between the password and the second factor. */
export const STEP_LIFETIME_MS = 10 * MINUTE_MS;

/** How long a browser counts as known to the person who signed in with it. */
export const DEVICE_LIFETIME_MS = 180 * DAY_MS;

/** 256 bits. */
export const COOKIE_SECRET_BYTES = 32;

/** Characters of a User-Agent that a session remembers. */
export const MAX_USER_AGENT_LENGTH = 300;

/** A person who proved who they are within this time is not asked again before a change to their account. */
export const FRESH_PROOF_MS = 10 * MINUTE_MS;

/**
 * What keeps an operator from the desk while a second factor is required: `prove`, to use the second factor that the
 * account has, or `enroll`, to set one up; `null` where nothing does.
 */
export type DeskLock = 'prove' | 'enroll' | null;

export function deskLock(
  session: { readonly isOperator: boolean; readonly factors: number; readonly hasFactor: boolean },
  isRequired: boolean,
): DeskLock {
  if (!isRequired || !session.isOperator || session.factors > 1) return null;
  return session.hasFactor ? 'prove' : 'enroll';
}
