/** Rate limits with fixed windows. A single statement counts an attempt and reports whether it is allowed. */
import { type RawBuilder, sql } from 'kysely';
import type { Queryable, Transaction } from '../../../platform/store/database.ts';
import { DAY_MS, MINUTE_MS } from '../../../platform/text/durations.ts';

export interface Counter {
  readonly key: string;
  readonly attempts: number;
  readonly windowMs: number;
  /** What an attempt adds. */
  readonly amount: number;
}

/**
 * How much later than `now + windowMs` a window may end. Windows can end later for two reasons: the clocks of processes
 * differ, and another attempt with a later `now` may start the window while this attempt is waiting for the row lock.
 */
const CLOCK_SKEW_MS = MINUTE_MS;
/** How far in the future the end of a live window can be. No window is longer than a day. */
export const LATEST_END_MS = DAY_MS + CLOCK_SKEW_MS;

/** The latest end of a live window. A window with a later end is ignored, because a clock was ahead. */
const latestEnd = ({ windowMs }: Counter, now: number): number => now + windowMs + CLOCK_SKEW_MS;

const isLive = (counter: Counter, now: number): RawBuilder<boolean> =>
  sql<boolean>`(throttles.expires_ms > ${now} and throttles.expires_ms <= ${latestEnd(counter, now)})`;

/** Counts an attempt. If it would exceed the limit, writes nothing and returns false. */
export async function countOne(tx: Transaction, now: number, counter: Counter): Promise<boolean> {
  const { amount, attempts } = counter;
  if (amount > attempts) return false;
  const live = isLive(counter, now);
  const end = now + counter.windowMs;
  const row = await tx
    .insertInto('throttles')
    .values({ key: counter.key, points: amount, expires_ms: end })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({
          points: sql<number>`case when ${live} then throttles.points + ${sql.val(amount)} else ${sql.val(amount)} end`,
          expires_ms: sql<number>`case when ${live} then throttles.expires_ms else ${sql.val(end)} end`,
        })
        .where(sql<boolean>`(not ${live} or throttles.points <= ${attempts - amount})`),
    )
    .returning('points')
    .executeTakeFirst();
  return row !== undefined;
}

/** Maps the key of each limit that the attempt would exceed to the end of its window, in milliseconds since the epoch. */
export async function reachedUntil(
  db: Queryable,
  now: number,
  counters: readonly Counter[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('throttles')
    .select(['key', 'points', 'expires_ms'])
    .where(
      'key',
      'in',
      counters.map(({ key }) => key),
    )
    .execute();
  const ends = new Map<string, number>();
  for (const counter of counters) {
    if (counter.amount > counter.attempts) ends.set(counter.key, now + counter.windowMs);
    const row = rows.find(({ key }) => key === counter.key);
    const until = Number(row?.expires_ms);
    const isReached = Number(row?.points) > counter.attempts - counter.amount;
    if (isReached && until > now && until <= latestEnd(counter, now)) ends.set(counter.key, until);
  }
  return ends;
}

/** Resetting to zero would let attackers erase their failed attempts by signing in to their own account. */
export async function forgive(tx: Transaction, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await tx
    .updateTable('throttles')
    .set((eb) => ({ points: eb('points', '-', 1) }))
    .where('key', 'in', keys)
    .where('points', '>', 0)
    .execute();
}
