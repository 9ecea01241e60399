/**
 * Follows the event log by cursor and misses nothing. On PostgreSQL transactions take their numbers before they commit,
 * so a lower number can become visible after a higher one was read. The reader stops below the lowest number that an
 * open transaction could still write.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Engine, Queryable } from '../store/database.ts';
import { currentWriters, type EventRecord, lastDrawnSeq, lastSeq, readEventsBetween } from './queries.ts';

/** Events of one read. */
export const EVENTS_PER_READ = 500;
/** Retries, and the pause between them, while waiting for open writers. */
const LOOKS = 4;
const LOOK_AGAIN_MS = 4;

export interface EventReader {
  /** The next events, oldest first, at most `EVENTS_PER_READ`; empty when there is nothing new. */
  next(): Promise<EventRecord[]>;
  /** `seq` of the last event returned. */
  cursor(): number;
}

/** `after`: the cursor of the last event already read; `now`: only events from the first `next` on. */
export function createEventReader(db: Database, after: number | 'now'): EventReader {
  const settled = SETTLED[db.engine](db.read);
  let cursor = after === 'now' ? null : after;
  return {
    next: async () => {
      const upTo = await settled();
      cursor ??= upTo;
      if (upTo === null || cursor === null || upTo <= cursor) return [];
      const events = await readEventsBetween(db.read, cursor, upTo, EVENTS_PER_READ);
      cursor = events.length < EVENTS_PER_READ ? upTo : events.at(-1)!.seq;
      return events;
    },
    cursor: () => cursor ?? 0,
  };
}

/**
 * Returns the highest settled number, `null` while it is unknown. A statement locks the table before it draws a number,
 * and releases the lock only after its transaction is visible. So a number drawn before the writers were listed is
 * settled once none of those writers is left. (Transaction ids do not work here: a transaction that began earlier may
 * draw its number later.)
 */
function settledOnPostgres(db: Queryable): () => Promise<number | null> {
  let settled: number | null = null;
  let pending: { readonly drawn: number; readonly writers: ReadonlySet<string> } | null = null;
  return async () => {
    for (let look = 1; ; look += 1) {
      const drawn: number = pending === null ? await lastDrawnSeq(db) : pending.drawn;
      const writers = await currentWriters(db);
      const left: ReadonlySet<string> =
        pending === null ? writers : new Set([...pending.writers].filter((writer) => writers.has(writer)));
      if (left.size === 0) {
        settled = drawn;
        pending = null;
        return settled;
      }
      pending = { drawn, writers: left };
      if (look >= LOOKS) return settled;
      await sleep(LOOK_AGAIN_MS);
    }
  };
}

/** How to find the highest number below which no transaction is still writing; it gives `null` while that is not known. */
const SETTLED: Readonly<Record<Engine, (db: Queryable) => () => Promise<number | null>>> = {
  // There is one writer at a time, and a number is drawn in its transaction.
  sqlite: (db) => () => lastSeq(db),
  postgres: settledOnPostgres,
};
