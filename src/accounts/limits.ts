import { type Message, message } from '../languages/translate.ts';
import { networkOf, networksOf, widestNetworkOf } from '../network/network.ts';
import type { SecretBox } from '../secrets/secret-keys.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../text/durations.ts';
import { CODE_LIFETIME_MS } from './one-time-code.ts';
import type { Counter } from './throttle-queries.ts';

export interface Limit {
  readonly name: string;
  readonly attempts: number;
  readonly windowMs: number;
  /** The sentence of a refusal. `wait`: the time until the next attempt, in words. */
  readonly refusal?: (wait: Message) => Message;
}

const limit = (name: string, attempts: number, windowMs: number): Limit => ({ name, attempts, windowMs });

/**
 * Wrong passwords. A browser that the account knows has a separate limit, so that guesses from elsewhere do not lock it
 * out. Once the person's limit is reached, unknown browsers still get a few attempts from each network.
 */
const PASSWORD_BY_DEVICE = limit('password-device', 10, 15 * MINUTE_MS);
const PASSWORD_BY_NETWORK = limit('password-network', 50, 15 * MINUTE_MS);
const refusal = (wait: Message): Message =>
  message('Too many attempts. Try again in {wait}, or set a new password now.', { wait });
const PASSWORD_BY_PERSON_AND_NETWORK: Limit = { ...limit('password-here', 10, 15 * MINUTE_MS), refusal };
const PASSWORD_BY_PERSON: Limit = { ...limit('password', 100, 15 * MINUTE_MS), refusal };
const PASSWORD_BEYOND_BY_NETWORK = limit('password-beyond-here', 3, 15 * MINUTE_MS);
const PASSWORD_BEYOND = limit('password-beyond', 400, 15 * MINUTE_MS);
/** Correct passwords for one account; far more than a person needs. */
export const SIGNED_IN_BY_PERSON = limit('signed-in', 100, HOUR_MS);
export const PROOF_BY_PERSON = limit('proof', 100, 15 * MINUTE_MS);

/**
 * Wrong codes of an authenticator app. Three codes in a million are right at any time, so with 50 guesses a day, a hit
 * within a year is unlikely. Ten of the 50 are limited to one per network, so that guesses from one network do not lock
 * the person out. Backup codes cannot be guessed, so they are limited by network only.
 */
const FACTOR_BY_DEVICE = limit('factor-device', 10, 15 * MINUTE_MS);
const FACTOR_BY_NETWORK = limit('factor-network', 50, 15 * MINUTE_MS);
const FACTOR_BY_PERSON = limit('factor', 10, 15 * MINUTE_MS);
const FACTOR_BY_PERSON_A_DAY = limit('factor-day', 40, DAY_MS);
const FACTOR_BEYOND_BY_NETWORK = limit('factor-beyond-here', 1, DAY_MS);
const FACTOR_BEYOND = limit('factor-beyond', 10, DAY_MS);

export const FAILURE_EVENTS_BY_PERSON = limit('failure-events', 5, 15 * MINUTE_MS);

export const SIGN_UP_BY_NETWORK = limit('sign-up', 20, HOUR_MS);
/** A sign-in mail that was used no longer counts, so that a crowd behind one network can sign in. */
export const EMAIL_SIGN_IN_BY_NETWORK = limit('email-sign-in', 300, HOUR_MS);
/** Wrong eight-digit codes; one guess in a hundred million is right. Links can't be guessed and aren't counted here. */
export const DIGITS_BY_PERSON: Limit = {
  ...limit('digits', 50, DAY_MS),
  refusal: () =>
    message('Too many wrong codes were entered for this address. Open the link in the mail instead.'),
};
export const DIGITS_BY_NETWORK = limit('digits-network', 100, 15 * MINUTE_MS);
export const MAIL_BY_PERSON = limit('mail', 5, HOUR_MS);
/**
 * Mails above `MAIL_BY_PERSON`, sent only if no earlier mail still works. A change of address gets more, because
 * several accounts may ask for the same address, and each needs a separate mail.
 */
export const SIGN_IN_MAIL_BEYOND = limit('mail-beyond', 1, CODE_LIFETIME_MS['email-sign-in']);
export const PASSWORD_MAIL_BEYOND = limit('password-mail-beyond', 1, CODE_LIFETIME_MS['set-password']);
export const CHANGE_MAIL_BEYOND = limit('change-mail-beyond', 10, HOUR_MS);
export const MAIL_BY_NETWORK = limit('mail-network', 20, HOUR_MS);
export const CODE_BY_NETWORK = limit('code', 20, 15 * MINUTE_MS);
/** Limits the stored challenges of passkey sign-ins; there is nothing to guess. */
export const PASSKEY_BY_NETWORK = limit('passkey', 300, 15 * MINUTE_MS);
/** Requests to sign in through the identity provider, two for each sign-in. A whole company may share one network. */
export const OIDC_BY_NETWORK = limit('oidc', 1_000, 15 * MINUTE_MS);

/** `beyond`: once `limit` is reached, an attempt is still admitted while it is within these limits. */
export type Counted = readonly [limit: Limit, subject: string, beyond?: readonly Counted[]];

/** One limit for each network that contains the address. With `of`, only attempts for that subject count. */
export const byNetwork = (
  limit: Limit,
  address: string | null,
  of: string | null = null,
): readonly Counted[] =>
  networksOf(networkOf(address)).map(({ network, times }) => [
    { ...limit, attempts: limit.attempts * times },
    of === null ? network : `${of} ${network}`,
  ]);

const byWidestNetwork = (limit: Limit, address: string | null, of: string): Counted => [
  limit,
  `${of} ${widestNetworkOf(networkOf(address))}`,
];

export function passwordLimits(
  email: string,
  address: string | null,
  device: string | null,
): readonly Counted[] {
  if (device !== null) return [[PASSWORD_BY_DEVICE, device]];
  const beyond: readonly Counted[] = [
    byWidestNetwork(PASSWORD_BEYOND_BY_NETWORK, address, email),
    [PASSWORD_BEYOND, email],
  ];
  return [
    ...byNetwork(PASSWORD_BY_NETWORK, address),
    ...byNetwork(PASSWORD_BY_PERSON_AND_NETWORK, address, email),
    [PASSWORD_BY_PERSON, email, beyond],
  ];
}

export function factorLimits(
  accountId: string,
  address: string | null,
  device: string | null,
): readonly Counted[] {
  if (device !== null) return [[FACTOR_BY_DEVICE, device]];
  const beyond: readonly Counted[] = [
    byWidestNetwork(FACTOR_BEYOND_BY_NETWORK, address, accountId),
    [FACTOR_BEYOND, accountId],
  ];
  return [
    ...backupCodeLimits(address),
    [FACTOR_BY_PERSON, accountId, beyond],
    [FACTOR_BY_PERSON_A_DAY, accountId, beyond],
  ];
}

export const backupCodeLimits = (address: string | null): readonly Counted[] =>
  byNetwork(FACTOR_BY_NETWORK, address);

/** Subjects are hashed under the secret key, so that the table reveals no addresses. */
export const counterOf = (
  secretBox: SecretBox,
  [{ name, attempts, windowMs }, subject]: Counted,
): Counter => ({
  key: `${name}:${secretBox.hashOfSubject(subject)}`,
  attempts,
  windowMs,
});
