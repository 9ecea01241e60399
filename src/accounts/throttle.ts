/**
 * Attempts counted in fixed windows, in the database, so that every process counts alike. One statement counts and
 * tells, on both engines; the store-backed limiters on npm each speak to a driver of their own.
 */
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import { sha256 } from '../secrets.ts';
import type { Transaction } from '../store/database.ts';

export interface Limit {
  /** What is counted, as part of the key. */
  readonly name: string;
  readonly attempts: number;
  readonly windowMs: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Failed sign-ins. By person and address together, so that someone else's guesses do not lock a person out at home;
 * by person alone far wider, against guesses from everywhere; by address, against one who tries many people. No lock
 * lasts longer than its window, and nobody is kept from their passkey.
 */
export const SIGN_IN_BY_PERSON_AND_ADDRESS: Limit = {
  name: 'sign-in-here',
  attempts: 10,
  windowMs: 15 * MINUTE_MS,
};
export const SIGN_IN_BY_PERSON: Limit = { name: 'sign-in', attempts: 100, windowMs: 15 * MINUTE_MS };
export const SIGN_IN_BY_ADDRESS: Limit = { name: 'sign-in-address', attempts: 50, windowMs: 15 * MINUTE_MS };
export const SIGN_UP_BY_ADDRESS: Limit = { name: 'sign-up', attempts: 20, windowMs: HOUR_MS };
export const MAIL_BY_PERSON: Limit = { name: 'mail', attempts: 5, windowMs: HOUR_MS };
export const MAIL_BY_ADDRESS: Limit = { name: 'mail-address', attempts: 20, windowMs: HOUR_MS };
export const CODE_BY_ADDRESS: Limit = { name: 'code', attempts: 20, windowMs: 15 * MINUTE_MS };

/** Bounds what is kept for sign-ins that are begun, not guesses: there is nothing to guess at a passkey. */
export const PASSKEY_BY_ADDRESS: Limit = { name: 'passkey', attempts: 300, windowMs: 15 * MINUTE_MS };

/** How long a code of an authenticator app may still be right: the step before and after count too (RFC 6238, 5.2). */
export const APP_CODE_ONCE: Limit = { name: 'app-code', attempts: 1, windowMs: 90_000 };

/** A limit and whom it counts for: an e-mail address, a network. */
export type Counted = readonly [limit: Limit, subject: string];

/** Subjects are hashed: who tried what is not kept here. */
const keyOf = ([limit, subject]: Counted): string =>
  `${limit.name}:${Buffer.from(sha256(subject)).toString('base64url')}`;

/** Counts an attempt. Throws a refusal (429) that says when to try again, once a limit is passed. */
export async function countAttempt(context: Context, counted: readonly Counted[]): Promise<void> {
  const now = context.now();
  let waitMs = 0;
  await context.db.transaction(async (tx) => {
    // Always in the same order, so that two processes never wait for each other.
    for (const entry of counted) waitMs = Math.max(waitMs, await count(tx, now, entry));
  });
  if (waitMs > 0) {
    const minutes = Math.ceil(waitMs / MINUTE_MS);
    throw new Refusal(
      'rate_limited',
      `That was tried too often. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    );
  }
}

/** Milliseconds to wait; 0 while the limit is kept. */
async function count(tx: Transaction, now: number, entry: Counted): Promise<number> {
  const [limit] = entry;
  const { points, expires_ms } = await tx
    .insertInto('throttles')
    .values({ key: keyOf(entry), points: 1, expires_ms: now + limit.windowMs })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        points: sql<number>`case when throttles.expires_ms > ${now} then throttles.points + 1 else 1 end`,
        expires_ms: sql<number>`case when throttles.expires_ms > ${now} then throttles.expires_ms else ${now + limit.windowMs} end`,
      }),
    )
    .returning(['points', 'expires_ms'])
    .executeTakeFirstOrThrow();
  return Number(points) > limit.attempts ? Number(expires_ms) - now : 0;
}

/** Whether this is the first time within the window, of all who ask at once. */
export const isFirstTime = (context: Context, entry: Counted): Promise<boolean> =>
  context.db.transaction(async (tx) => (await count(tx, context.now(), entry)) === 0);

/**
 * Takes back one attempt that `countAttempt` counted: it was no failure after all. What others counted stays, or who
 * tries many people from one place would sign in as themselves now and then.
 */
export async function forgiveAttempt(context: Context, counted: readonly Counted[]): Promise<void> {
  await context.db.transaction(async (tx) => {
    for (const entry of counted) {
      await tx
        .updateTable('throttles')
        .set({ points: sql<number>`points - 1` })
        .where('key', '=', keyOf(entry))
        .where('points', '>', 0)
        .execute();
    }
  });
}
