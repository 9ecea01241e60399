/**
 * Attempts counted in fixed windows, in the database, so that every process counts alike. One statement counts and
 * tells, on both engines; the store-backed limiters on npm each speak to a driver of their own.
 */
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import { sha256 } from '../secrets.ts';

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
 * lasts longer than its window, and a passkey is not counted.
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

/** A limit and whom it counts for: an e-mail address, a client address. */
export type Counted = readonly [limit: Limit, subject: string];

/** Subjects are hashed: who tried what is not kept here. */
const keyOf = ([limit, subject]: Counted): string =>
  `${limit.name}:${Buffer.from(sha256(subject)).toString('base64url')}`;

/** Counts an attempt. Throws a refusal (429) that says when to try again, once a limit is passed. */
export async function countAttempt(context: Context, counted: readonly Counted[]): Promise<void> {
  const now = context.now();
  let waitMs = 0;
  await context.db.transaction(async (tx) => {
    for (const entry of counted) {
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
      if (Number(points) > limit.attempts) waitMs = Math.max(waitMs, Number(expires_ms) - now);
    }
  });
  if (waitMs > 0) {
    const minutes = Math.ceil(waitMs / MINUTE_MS);
    throw new Refusal(
      'rate_limited',
      `That was tried too often. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    );
  }
}

/** Takes back what `countAttempt` counted: it was no failure after all. */
export async function forgiveAttempts(context: Context, counted: readonly Counted[]): Promise<void> {
  await context.db.transaction((tx) =>
    tx.deleteFrom('throttles').where('key', 'in', counted.map(keyOf)).execute(),
  );
}

/** Rows of windows that are over. */
export const sweepThrottles = (context: Context): Promise<unknown> =>
  context.db.transaction((tx) =>
    tx.deleteFrom('throttles').where('expires_ms', '<', context.now()).execute(),
  );
