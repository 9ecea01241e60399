/** The limits of signing in: what is counted, by which subject, and how often within a window. */
import { hashOfSecret } from '../secrets.ts';
import { CLOCK_SKEW_MS, type Counter } from './throttle-queries.ts';

export interface Limit {
  /** What is counted, as part of the key. */
  readonly name: string;
  readonly attempts: number;
  readonly windowMs: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const limit = (name: string, attempts: number, windowMs: number): Limit => ({ name, attempts, windowMs });

/**
 * Wrong passwords. A browser that the person has signed in with before has only a limit of its own, so that guesses from
 * elsewhere do not lock it out.
 */
const PASSWORD_BY_DEVICE = limit('password-device', 10, 15 * MINUTE_MS);
const PASSWORD_BY_NETWORK = limit('password-network', 50, 15 * MINUTE_MS);
const PASSWORD_BY_PERSON_AND_NETWORK = limit('password-here', 10, 15 * MINUTE_MS);
const PASSWORD_BY_PERSON = limit('password', 100, 15 * MINUTE_MS);
/** Right passwords of one account: far more than a person needs. */
export const SIGNED_IN_BY_PERSON = limit('signed-in', 100, HOUR_MS);
/** Passwords asked for again in an open session. */
export const PROOF_BY_PERSON = limit('proof', 100, 15 * MINUTE_MS);

/** Wrong second factors. Three of a million codes are right; the daily limit makes a right guess in a year unlikely. */
const FACTOR_BY_DEVICE = limit('factor-device', 10, 15 * MINUTE_MS);
const FACTOR_BY_NETWORK = limit('factor-network', 50, 15 * MINUTE_MS);
const FACTOR_BY_PERSON = limit('factor', 10, 15 * MINUTE_MS);
const FACTOR_BY_PERSON_A_DAY = limit('factor-day', 50, DAY_MS);

/** Events about refused attempts of one account. */
export const FAILURE_EVENTS_BY_PERSON = limit('failure-events', 5, 15 * MINUTE_MS);

export const SIGN_UP_BY_NETWORK = limit('sign-up', 20, HOUR_MS);
export const MAIL_BY_PERSON = limit('mail', 5, HOUR_MS);
export const MAIL_BY_NETWORK = limit('mail-network', 20, HOUR_MS);
export const CODE_BY_NETWORK = limit('code', 20, 15 * MINUTE_MS);
/** Limits the stored challenges of passkey sign-ins; there is nothing to guess. */
export const PASSKEY_BY_NETWORK = limit('passkey', 300, 15 * MINUTE_MS);
/** Two requests of each sign-in through the identity provider. A whole company may share one network. */
export const OIDC_BY_NETWORK = limit('oidc', 1_000, 15 * MINUTE_MS);

/** A counter that ends later than this from now was written while the clock was ahead. */
export const LATEST_END_MS = DAY_MS + CLOCK_SKEW_MS;

/** A limit and the subject it counts: an e-mail address, a network. */
export type Counted = readonly [limit: Limit, subject: string];

/** The limits for a password of an e-mail address. `device`: from `knownDevice`. */
export const passwordLimits = (email: string, network: string, device: string | null): readonly Counted[] =>
  device !== null
    ? [[PASSWORD_BY_DEVICE, device]]
    : [
        [PASSWORD_BY_NETWORK, network],
        [PASSWORD_BY_PERSON_AND_NETWORK, `${email} ${network}`],
        [PASSWORD_BY_PERSON, email],
      ];

/** The limits for a second factor of an account. */
export const factorLimits = (
  accountId: string,
  network: string,
  device: string | null,
): readonly Counted[] =>
  device !== null
    ? [[FACTOR_BY_DEVICE, device]]
    : [
        [FACTOR_BY_NETWORK, network],
        [FACTOR_BY_PERSON, accountId],
        [FACTOR_BY_PERSON_A_DAY, accountId],
      ];

/** Subjects are hashed, so that the table reveals no addresses. */
export const counterOf = ([{ name, attempts, windowMs }, subject]: Counted): Counter => ({
  key: `${name}:${hashOfSecret(subject)}`,
  attempts,
  windowMs,
});

export const keysOf = (counted: readonly Counted[]): readonly string[] =>
  counted.map((entry) => counterOf(entry).key);
