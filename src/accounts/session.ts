import { DAY_MS, HOUR_MS, MINUTE_MS } from '../text/durations.ts';

/** `absoluteMs`: from the sign-in, regardless of use; `idleMs`: without use. */
const PERSON_LIFETIME = { absoluteMs: 30 * DAY_MS, idleMs: 7 * DAY_MS };
/** An operator's session gives access to the data of all accounts, so it ends with the working day. */
const OPERATOR_LIFETIME = { absoluteMs: 12 * HOUR_MS, idleMs: HOUR_MS };

export const sessionLifetime = (isOperator: boolean) => (isOperator ? OPERATOR_LIFETIME : PERSON_LIFETIME);

/** Per account; starting another session ends the oldest. */
export const MAX_SESSIONS = 20;

export const OIDC_LIFETIME_MS = 10 * MINUTE_MS;

/** For the event of the new session. Other methods, such as a password, are not recorded. */
export type SignInMethod = 'oidc' | 'email';

/** How long after confirming their identity a person can make sensitive changes to the account. */
export const FRESH_PROOF_MS = 10 * MINUTE_MS;

export const isFreshProof = ({ provenAt }: { readonly provenAt: string }, now: number): boolean =>
  Date.parse(provenAt) > now - FRESH_PROOF_MS;

/** What an operator must do before using the desk: use the second factor (`prove`) or set one up (`enroll`). */
export type DeskLock = 'prove' | 'enroll' | null;

export function deskLock(
  session: { readonly isOperator: boolean; readonly factors: number; readonly hasFactor: boolean },
  isRequired: boolean,
): DeskLock {
  if (!isRequired || !session.isOperator || session.factors > 1) return null;
  return session.hasFactor ? 'prove' : 'enroll';
}
