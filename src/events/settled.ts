/**
 * Up to which number the event log is settled: below it nothing can appear any more. On PostgreSQL transactions take
 * their numbers before they commit, so a lower number can become visible after a higher one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabaseReader, DatabaseUnavailable, type Engine, type Queryable } from '../store/database.ts';
import { currentWriters, lastDrawnSeq, lastSeq } from './queries.ts';

/** Looks at the writers, and the pause between them, while one that may hold a lower number is open. */
const LOOKS = 4;
const LOOK_AGAIN_MS = 4;
/** The same for a caller that needs the number: two seconds. */
const MAX_WAITS = 50;
const WAIT_MS = 25;

export interface Settled {
  /** Every event up to this number can be read; no other one will ever have such a number. */
  readonly seq: number;
  /** A moment before which no later number was drawn: milliseconds since the epoch, by the clock of this process. */
  readonly atMs: number;
}

/** `null` while it is not known: only in a process that has just started, and only on PostgreSQL. */
export type ReadSettled = () => Promise<Settled | null>;

/** One for each process: what it has learned about open writers helps its next call. May be called concurrently. */
export function createReadSettled(db: DatabaseReader, now: () => number): ReadSettled {
  const look = LOOK[db.engine](db.read, now);
  let looking: Promise<Settled | null> | null = null;
  return () => {
    looking ??= look().finally(() => {
      looking = null;
    });
    return looking;
  };
}

/**
 * A number up to which the log is settled, after a wait for transactions that are open now. Throws `DatabaseUnavailable`
 * where one stays open for seconds.
 */
export async function settledSeq(db: DatabaseReader, now: () => number): Promise<number> {
  const readSettled = createReadSettled(db, now);
  for (let waits = 0; waits < MAX_WAITS; waits += 1) {
    const settled = await readSettled();
    if (settled !== null) return settled.seq;
    await sleep(WAIT_MS);
  }
  throw new DatabaseUnavailable('PostgreSQL: a transaction that writes events has been open for seconds.');
}

/**
 * A statement locks the table before it draws a number, and releases the lock only after its transaction is visible. So
 * a number drawn before the writers were listed is settled once none of those writers is left. (Transaction ids do not
 * work here: a transaction that began earlier may draw its number later.)
 */
function lookOnPostgres(db: Queryable, now: () => number): ReadSettled {
  let settled: Settled | null = null;
  let pending: (Settled & { readonly writers: ReadonlySet<string> }) | null = null;
  return async () => {
    for (let looks = 1; ; looks += 1) {
      const isFresh = pending === null;
      const { seq, atMs }: Settled = pending ?? { atMs: now(), seq: await lastDrawnSeq(db) };
      const writers = await currentWriters(db);
      const left: ReadonlySet<string> =
        pending === null ? writers : new Set([...pending.writers].filter((writer) => writers.has(writer)));
      pending = left.size === 0 ? null : { seq, atMs, writers: left };
      if (pending === null) settled = { seq, atMs };
      if ((pending === null && isFresh) || looks >= LOOKS) return settled;
      if (pending !== null) await sleep(LOOK_AGAIN_MS);
    }
  };
}

const LOOK: Readonly<Record<Engine, (db: Queryable, now: () => number) => ReadSettled>> = {
  // There is one writer at a time, and a number is drawn in its transaction.
  sqlite: (db, now) => async () => {
    const atMs = now();
    return { seq: await lastSeq(db), atMs };
  },
  postgres: lookOnPostgres,
};
