import { type Message, message } from '../../../platform/languages/translate.ts';
import { networkOf, networksOf, widestNetworkOf } from '../../../platform/network/network.ts';
import type { SecretBox } from '../../../platform/secrets/secret-keys.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/text/durations.ts';
import { CODE_LIFETIME_MS } from '../codes/one-time-code.ts';
import type { Counter } from './queries.ts';

export interface Limit {
  readonly name: string;
  readonly attempts: number;
  readonly windowMs: number;
  /** What an attempt adds to the counter, for example bytes. Default: 1. */
  readonly amount?: number;
  /** The error message. `wait`: the time until the next attempt is allowed, in words. */
  readonly refusal?: ((wait: Message) => Message) | undefined;
}

const limit = (name: string, attempts: number, windowMs: number): Limit => ({ name, attempts, windowMs });

/**
 * Limits on wrong passwords. A known browser has a separate limit, so that guesses from elsewhere don't lock it out.
 * Once the account's limit is reached, each network still gets a few attempts.
 */
const PASSWORD_BY_DEVICE = limit('password-device', 10, 15 * MINUTE_MS);
const PASSWORD_BY_NETWORK = limit('password-network', 50, 15 * MINUTE_MS);
const refusal = (wait: Message): Message =>
  message('Too many attempts. Try again in {wait}, or set a new password now.', { wait });
const PASSWORD_BY_PERSON_AND_NETWORK: Limit = { ...limit('password-here', 10, 15 * MINUTE_MS), refusal };
const PASSWORD_BY_PERSON: Limit = { ...limit('password', 100, 15 * MINUTE_MS), refusal };
const PASSWORD_BEYOND_BY_NETWORK = limit('password-beyond-here', 3, 15 * MINUTE_MS);
const PASSWORD_BEYOND = limit('password-beyond', 400, 15 * MINUTE_MS);
/** Limit on correct passwords per account, far above what a person needs. */
export const SIGNED_IN_BY_PERSON = limit('signed-in', 100, HOUR_MS);
export const PROOF_BY_PERSON = limit('proof', 100, 15 * MINUTE_MS);

/**
 * Wrong authenticator codes; three in a million are valid. After 26 guesses in a day, unknown browsers together have
 * two in two hours, each network one: at most 50 a day, and nobody waits longer. Backup codes can't be guessed, so they
 * are limited only by network.
 */
const FACTOR_BY_DEVICE = limit('factor-device', 10, 15 * MINUTE_MS);
const FACTOR_BY_NETWORK = limit('factor-network', 50, 15 * MINUTE_MS);
const FACTOR_BY_PERSON = limit('factor', 10, 15 * MINUTE_MS);
const FACTOR_BY_PERSON_A_DAY = limit('factor-day', 26, DAY_MS);
const FACTOR_BEYOND_BY_NETWORK = limit('factor-beyond-here', 1, 2 * HOUR_MS);
const FACTOR_BEYOND = limit('factor-beyond', 2, 2 * HOUR_MS);

export const FAILURE_EVENTS_BY_PERSON = limit('failure-events', 5, 15 * MINUTE_MS);

export const SIGN_UP_BY_NETWORK = limit('sign-up', 20, HOUR_MS);
/** Mails whose code was used don't count, so that many people behind one network can sign in. */
export const EMAIL_SIGN_IN_BY_NETWORK = limit('email-sign-in', 600, HOUR_MS);
const EMAIL_SIGN_IN_BY_DEVICE = limit('email-sign-in-device', 30, 30 * MINUTE_MS);
/** Mailed codes for one address that work in unknown browsers together, and in each known browser. */
export const MAX_MAILED_CODES = 3;
/**
 * Wrong eight-digit codes; links can't be guessed. After 30 in a day, unknown browsers together have three guesses in
 * 15 minutes, each network one: at most 318 a day against `MAX_MAILED_CODES` of 100 million, one success in 100,000
 * days of attack.
 */
const DIGITS_BY_DEVICE = limit('digits-device', 10, 15 * MINUTE_MS);
const DIGITS_BY_NETWORK = limit('digits-network', 100, 15 * MINUTE_MS);
export const DIGITS_BY_PERSON: Limit = {
  ...limit('digits', 30, DAY_MS),
  refusal: (wait) =>
    message(
      'Too many wrong codes were entered for this email address. Open the link in the email, or try again in {wait}.',
      { wait },
    ),
};
/** Limit on wrong digits for confirming one's identity in a session, in addition to the limits above. */
const DIGITS_BY_SESSION = limit('digits-session', 5, CODE_LIFETIME_MS['confirm-identity']);
const DIGITS_BEYOND_BY_NETWORK = limit('digits-beyond-here', 1, 15 * MINUTE_MS);
const DIGITS_BEYOND = limit('digits-beyond', 3, 15 * MINUTE_MS);

const mailRefusal = (wait: Message): Message =>
  message(
    'We’ve already sent several emails to this address. Open the link in the newest one, or try again in {wait}.',
    { wait },
  );
/** Counts mails of all kinds that strangers can cause, to all spellings of a mailbox (`mailboxOf`). */
export const MAIL_BY_PERSON: Limit = { ...limit('mail', 5, HOUR_MS), refusal: mailRefusal };
/** Mails that a known browser requested. They don't count towards `MAIL_BY_PERSON`, which strangers can use up. */
export const MAIL_BY_DEVICE: Limit = { ...limit('mail-device', 5, 30 * MINUTE_MS), refusal: mailRefusal };
/**
 * Mails beyond `MAIL_BY_PERSON`, only if no earlier code works. Address changes have more: several accounts may want
 * the same address, and each needs a mail.
 */
export const SIGN_IN_MAIL_BEYOND: Limit = {
  ...limit('mail-beyond', 1, CODE_LIFETIME_MS['email-sign-in']),
  refusal: mailRefusal,
};
export const SPELLINGS_BEYOND: Limit = {
  ...limit('spellings-beyond', 1, CODE_LIFETIME_MS['email-sign-in']),
  refusal: mailRefusal,
};
/** One mail for all forms that a session opens within this time. Shorter than the lifetime of the code in the mail. */
export const PROOF_MAIL_BY_SESSION = limit('proof-mail', 1, 5 * MINUTE_MS);
/** Only sessions of the account count, so strangers can't keep the person from confirming their identity. */
export const PROOF_MAIL_BEYOND = limit('proof-mail-beyond', 1, CODE_LIFETIME_MS['confirm-identity']);
export const PASSWORD_MAIL_BEYOND = limit('password-mail-beyond', 1, CODE_LIFETIME_MS['set-password']);
export const CHANGE_MAIL_BEYOND = limit('change-mail-beyond', 10, HOUR_MS);
/** An account that isn't new has this for itself, so that strangers can't keep a person from changing to an address. */
export const CHANGE_MAIL_OWN = limit('change-mail-own', 1, HOUR_MS);
export const MAIL_BY_NETWORK = limit('mail-network', 20, HOUR_MS);
/** Mails to new addresses that one account may cause. */
export const CHANGE_MAIL_BY_ACCOUNT = limit('change-mail', 10, HOUR_MS);
/** Mails to new addresses that all accounts younger than a week may cause, because anybody can create those. */
export const CHANGE_MAIL_BY_NEWCOMERS: Charge = [limit('change-mail-newcomers', 60, HOUR_MS), ''];
/** Invitations that one account, or all operators together, may mail to one mailbox. */
const INVITATION_BY_ACCOUNT = limit('invitation-account', 3, DAY_MS);
/**
 * Invitations that all accounts without an approved listing may mail to one mailbox. Anybody can create such accounts,
 * so above this limit and the limit of all mail, one more invitation is mailed every two hours.
 */
const INVITATION_BY_MAILBOX = limit('invitation-mailbox', 5, DAY_MS);
const INVITATION_BEYOND = limit('invitation-beyond', 1, 2 * HOUR_MS);
/** Invitations that all accounts without an approved listing may mail. Above, inviters get links to pass on. */
export const INVITATION_BY_NEWCOMERS: Charge = [limit('invitation-newcomers', 60, HOUR_MS), ''];
/** Invitations that may be mailed by all accounts in one network. */
export const INVITATION_BY_NETWORK = limit('invitation-network', 60, HOUR_MS);
export const CODE_BY_NETWORK = limit('code', 20, 15 * MINUTE_MS);
/** Limits the number of stored challenges. Guesses need no limit, because passkeys can't be guessed. */
export const PASSKEY_BY_NETWORK = limit('passkey', 300, 15 * MINUTE_MS);
/** Each sign-in takes two requests, and all people in a company may share one network. */
export const OIDC_BY_NETWORK = limit('oidc', 1_000, 15 * MINUTE_MS);
/** Only invalid logout tokens count. */
export const OIDC_LOGOUT_BY_NETWORK = limit('oidc-logout', 100, 15 * MINUTE_MS);

/**
 * What an attempt is charged to: a limit, for an address, account or network. `beyond`: limits for attempts above
 * `limit`. Such an attempt is rejected if any of these limits is reached.
 */
export type Charge = readonly [limit: Limit, subject: string, beyond?: readonly Charge[]];

/** Returns a limit for each network that contains the address. If `of` is set, only attempts for that subject count. */
export const byNetwork = (
  limit: Limit,
  address: string | null,
  of: string | null = null,
): readonly Charge[] =>
  networksOf(networkOf(address)).map(({ network, times }) => [
    { ...limit, attempts: limit.attempts * times },
    of === null ? network : `${of} ${network}`,
  ]);

const beyondOf = (
  byWidestNetwork: Limit,
  total: Limit,
  subject: string,
  address: string | null,
): readonly Charge[] => [
  [byWidestNetwork, `${subject} ${widestNetworkOf(networkOf(address))}`],
  [total, subject],
];

export function passwordLimits(
  email: string,
  address: string | null,
  device: string | null,
): readonly Charge[] {
  if (device !== null) return [[PASSWORD_BY_DEVICE, device]];
  const beyond = beyondOf(PASSWORD_BEYOND_BY_NETWORK, PASSWORD_BEYOND, email, address);
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
): readonly Charge[] {
  if (device !== null) return [[FACTOR_BY_DEVICE, device]];
  const beyond = beyondOf(FACTOR_BEYOND_BY_NETWORK, FACTOR_BEYOND, accountId, address);
  return [
    ...backupCodeLimits(address),
    [FACTOR_BY_PERSON, accountId, beyond],
    [FACTOR_BY_PERSON_A_DAY, accountId, beyond],
  ];
}

/** Strangers can't use up the limit of an account with an approved listing (`isApproved`). */
export function invitationLimits(accountId: string, mailbox: string, isApproved: boolean): readonly Charge[] {
  const own: Charge = [INVITATION_BY_ACCOUNT, `${accountId} ${mailbox}`];
  if (isApproved) return [own];
  const beyond: readonly Charge[] = [[INVITATION_BEYOND, mailbox]];
  return [
    own,
    [INVITATION_BY_MAILBOX, mailbox, beyond],
    [MAIL_BY_PERSON, mailbox, beyond],
    // The last one, so that only mailed invitations count.
    INVITATION_BY_NEWCOMERS,
  ];
}

/** An operator is trusted, but a mistake or a stolen session must not flood a mailbox. */
export const operatorInvitationLimits = (mailbox: string): readonly Charge[] => [
  [INVITATION_BY_ACCOUNT, `marketplace ${mailbox}`],
];

export const backupCodeLimits = (address: string | null): readonly Charge[] =>
  byNetwork(FACTOR_BY_NETWORK, address);

/** Limits on requests for sign-in mails. `device`: the id of a known browser. */
export const emailSignInLimits = (address: string | null, device: string | null): readonly Charge[] =>
  device === null ? byNetwork(EMAIL_SIGN_IN_BY_NETWORK, address) : [[EMAIL_SIGN_IN_BY_DEVICE, device]];

export function digitsLimits(
  email: string,
  address: string | null,
  device: string | null,
): readonly Charge[] {
  if (device !== null) return [[DIGITS_BY_DEVICE, device]];
  const beyond = beyondOf(DIGITS_BEYOND_BY_NETWORK, DIGITS_BEYOND, email, address);
  return [...byNetwork(DIGITS_BY_NETWORK, address), [DIGITS_BY_PERSON, email, beyond]];
}

/** Limits on wrong digits from a mail that `requestProofMail` sent. */
export const proofDigitsLimits = (
  { sessionId, email }: { readonly sessionId: string; readonly email: string },
  address: string | null,
  device: string | null,
): readonly Charge[] => [
  [DIGITS_BY_SESSION, sessionId],
  // The refusals for sign-ins mention the link, which these mails don't have.
  ...digitsLimits(email, address, device).map(
    ([limit, ...of]): Charge => [{ ...limit, refusal: undefined }, ...of],
  ),
];

/** Hashes the subject with the secret key, so that the table of counters reveals no addresses. */
export const counterOf = (
  secretBox: SecretBox,
  [{ name, attempts, windowMs, amount = 1 }, subject]: Charge,
): Counter => ({
  key: `${name}:${secretBox.hashOfSubject(subject)}`,
  attempts,
  windowMs,
  amount,
});
