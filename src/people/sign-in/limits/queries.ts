/** Rate limits with fixed windows. A single statement counts an attempt and reports whether it is allowed. */
import { sql } from 'kysely';
import { compileOnce } from '../../../platform/store/compile-once.ts';
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

interface Count {
  readonly key: string;
  readonly amount: number;
  /** Counts up to this number still allow the attempt. */
  readonly atMost: number;
  readonly now: number;
  /** End of a new window. */
  readonly end: number;
  /** Latest end of a live window. */
  readonly latest: number;
}

const upsertCount = compileOnce((db, { key, amount, atMost, now, end, latest }: Count) => {
  const live = sql`(throttles.expires_ms > ${now} and throttles.expires_ms <= ${latest})`;
  return db
    .insertInto('throttles')
    .values({ key, points: amount, expires_ms: end })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({
          points: sql<number>`case when ${live} then throttles.points + ${sql.val(amount)} else ${sql.val(amount)} end`,
          expires_ms: sql<number>`case when ${live} then throttles.expires_ms else ${sql.val(end)} end`,
        })
        .where(sql<boolean>`(not ${live} or throttles.points <= ${atMost})`),
    )
    .returning('points');
});

/** Counts an attempt. If it would exceed the limit, writes nothing and returns false. */
export async function countOne(tx: Transaction, now: number, counter: Counter): Promise<boolean> {
  const { amount, attempts } = counter;
  if (amount > attempts) return false;
  const [end, latest] = [now + counter.windowMs, latestEnd(counter, now)];
  const rows = await upsertCount(tx, {
    key: counter.key,
    amount,
    atMost: attempts - amount,
    now,
    end,
    latest,
  });
  return rows.length > 0;
}

const selectCounters = compileOnce((db, { keys }: { keys: readonly string[] }, { isOneOf }) =>
  db
    .selectFrom('throttles')
    .select(['key', 'points', 'expires_ms'])
    .where(isOneOf(sql.ref('key'), 'text', keys)),
);

/** Maps the key of each limit that the attempt would exceed to the end of its window, in milliseconds since the epoch. */
export async function reachedUntil(
  db: Queryable,
  now: number,
  counters: readonly Counter[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await selectCounters(db, { keys: counters.map(({ key }) => key) });
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

const subtractOne = compileOnce((db, { keys }: { keys: readonly string[] }, { isOneOf }) =>
  db
    .updateTable('throttles')
    .set((eb) => ({ points: eb('points', '-', 1) }))
    .where(isOneOf(sql.ref('key'), 'text', keys))
    .where('points', '>', 0),
);

/** Gives an attempt back. Resetting to zero would let attackers erase their failed attempts by signing in to their own account. */
export async function refund(tx: Transaction, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await subtractOne(tx, { keys });
}
