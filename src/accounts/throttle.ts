/**
 * Limits on attempts, counted in the database so that every process counts alike. Each attempt is counted before it is
 * judged, against one limit after the other; the first that is reached refuses it, and the limits after it do not count
 * it, so that guesses from one network do not lock out a person elsewhere.
 */
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import { networkOf } from '../network.ts';
import { hashOfSecret } from '../secrets.ts';
import type { Transaction } from '../store/database.ts';
import type { Caller, SignInServices } from './services.ts';
import { CLOCK_SKEW_MS, type Counter, countOne, reachedUntil, uncountOne } from './throttle-queries.ts';

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
 * Wrong passwords. A browser that the person has signed in with before has a limit of its own and no other, so that
 * nobody else's guesses lock it out.
 */
const PASSWORD_BY_DEVICE = limit('password-device', 10, 15 * MINUTE_MS);
const PASSWORD_BY_NETWORK = limit('password-network', 50, 15 * MINUTE_MS);
const PASSWORD_BY_PERSON_AND_NETWORK = limit('password-here', 10, 15 * MINUTE_MS);
const PASSWORD_BY_PERSON = limit('password', 100, 15 * MINUTE_MS);
/** Right passwords of one account: far more than a person needs. */
export const SIGNED_IN_BY_PERSON = limit('signed-in', 100, HOUR_MS);
/** Passwords asked for again in a session that is open. */
export const PROOF_BY_PERSON = limit('proof', 100, 15 * MINUTE_MS);

/** Wrong second factors. The limit of a day keeps a guess unlikely over a year (three of a million codes are right). */
const FACTOR_BY_DEVICE = limit('factor-device', 10, 15 * MINUTE_MS);
const FACTOR_BY_NETWORK = limit('factor-network', 50, 15 * MINUTE_MS);
const FACTOR_BY_PERSON = limit('factor', 10, 15 * MINUTE_MS);
const FACTOR_BY_PERSON_A_DAY = limit('factor-day', 50, DAY_MS);

export const SIGN_UP_BY_NETWORK = limit('sign-up', 20, HOUR_MS);
export const MAIL_BY_PERSON = limit('mail', 5, HOUR_MS);
export const MAIL_BY_NETWORK = limit('mail-network', 20, HOUR_MS);
export const CODE_BY_NETWORK = limit('code', 20, 15 * MINUTE_MS);
/** Bounds what is kept for passkey sign-ins that are begun; there is nothing to guess. */
export const PASSKEY_BY_NETWORK = limit('passkey', 300, 15 * MINUTE_MS);

/** A counter that ends later than this from now was written while the clock was ahead. */
export const LATEST_END_MS = DAY_MS + CLOCK_SKEW_MS;

/** A limit and what it counts for: an e-mail address, a network. */
export type Counted = readonly [limit: Limit, subject: string];

/** What a password for an e-mail address is counted by. `device`: of `knownDevice`. */
export const passwordLimits = (email: string, network: string, device: string | null): readonly Counted[] =>
  device !== null
    ? [[PASSWORD_BY_DEVICE, device]]
    : [
        [PASSWORD_BY_NETWORK, network],
        [PASSWORD_BY_PERSON_AND_NETWORK, `${email} ${network}`],
        [PASSWORD_BY_PERSON, email],
      ];

/** What a second factor of an account is counted by. */
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

/** Subjects are hashed: the table does not say who tried what. */
const counterOf = ([{ name, attempts, windowMs }, subject]: Counted): Counter => ({
  key: `${name}:${hashOfSecret(subject)}`,
  attempts,
  windowMs,
});

export const keysOf = (counted: readonly Counted[]): readonly string[] =>
  counted.map((entry) => counterOf(entry).key);

const tooOften = (waitMs: number): Refusal => {
  const minutes = Math.max(1, Math.ceil(waitMs / MINUTE_MS));
  return new Refusal(
    'rate_limited',
    `That was tried too often. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
  );
};

/** Refuses (429) where a limit is reached already. Counts and writes nothing. */
export async function refuseReached(
  { db, now }: Pick<Context, 'db' | 'now'>,
  counted: readonly Counted[],
): Promise<void> {
  const until = await reachedUntil(db.read, now(), counted.map(counterOf));
  if (until !== null) throw tooOften(until - now());
}

/** Counts an attempt. Refuses it (429) and says when to try again where a limit is reached. */
export async function countAttempt(context: Context, counted: readonly Counted[]): Promise<void> {
  // Most refusals end here, beside the writer and without a write.
  await refuseReached(context, counted);
  const now = context.now();
  const until = await context.db.transaction(async (tx) => {
    for (const entry of counted) {
      const counter = counterOf(entry);
      if (!(await countOne(tx, now, counter))) return (await reachedUntil(tx, now, [counter])) ?? now;
    }
    return null;
  });
  if (until !== null) throw tooOften(until - now);
}

/** The same for a request; a refusal is noted in the security log. `accountId`: where one is known. */
export async function countRequest(
  { context, securityLog }: SignInServices,
  { address }: Caller,
  counted: readonly Counted[],
  accountId?: string,
): Promise<void> {
  try {
    await countAttempt(context, counted);
  } catch (error) {
    if (error instanceof Refusal) {
      securityLog('throttled', {
        network: networkOf(address),
        ...(accountId !== undefined && { accountId }),
      });
    }
    throw error;
  }
}

/**
 * Takes back one attempt that was counted under each of these keys: it was no failure after all. The attempts of others
 * stay counted, or one account of one's own would buy guesses at others.
 */
export async function forgive(tx: Transaction, keys: readonly string[]): Promise<void> {
  for (const key of keys) await uncountOne(tx, key);
}
