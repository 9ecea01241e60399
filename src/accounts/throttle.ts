/**
 * Limits on attempts, counted in the database for all processes. An attempt is counted before it is judged, by one limit
 * after the other. The first reached limit refuses it and later ones do not count it, so guesses from one network do not
 * lock a person out elsewhere.
 */
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import type { Transaction } from '../store/database.ts';
import { noteFailure } from './failures.ts';
import { type Counted, counterOf } from './limits.ts';
import type { Caller, SignInServices } from './services.ts';
import { countOne, reachedUntil, uncountOne } from './throttle-queries.ts';

const MINUTE_MS = 60_000;

const tooOften = (waitMs: number): Refusal => {
  const minutes = Math.max(1, Math.ceil(waitMs / MINUTE_MS));
  return new Refusal(
    'rate_limited',
    `That was tried too often. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
  );
};

/** Refuses (429) if a limit is reached already. Writes nothing. */
async function refuseReached(
  { db, now }: Pick<Context, 'db' | 'now'>,
  counted: readonly Counted[],
): Promise<void> {
  const until = await reachedUntil(db.read, now(), counted.map(counterOf));
  if (until !== null) throw tooOften(until - now());
}

/** Counts an attempt, or refuses it (429) with the time to try again if a limit is reached. */
export async function countAttempt(context: Context, counted: readonly Counted[]): Promise<void> {
  // Most refusals end here, without a write.
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

/** `countAttempt` for a request, with a record of a refusal. `accountId`: where one is known. */
export const countRequest = (
  services: SignInServices,
  caller: Caller,
  counted: readonly Counted[],
  accountId?: string,
): Promise<void> => recorded(services, caller, accountId, countAttempt(services.context, counted));

/** `refuseReached` for a request, with a record of a refusal. `accountId`: where one is known. */
export const refuseRequest = (
  services: SignInServices,
  caller: Caller,
  counted: readonly Counted[],
  accountId?: string,
): Promise<void> => recorded(services, caller, accountId, refuseReached(services.context, counted));

async function recorded(
  services: SignInServices,
  caller: Caller,
  accountId: string | undefined,
  judged: Promise<void>,
): Promise<void> {
  try {
    await judged;
  } catch (error) {
    if (error instanceof Refusal) noteFailure(services, 'limit', caller, accountId);
    throw error;
  }
}

/**
 * Undoes one count of each of these keys, since the attempt succeeded. Other counts stay; otherwise an attacker's own
 * successful sign-ins would undo the counts of guesses at other accounts.
 */
export async function forgive(tx: Transaction, keys: readonly string[]): Promise<void> {
  for (const key of keys) await uncountOne(tx, key);
}
