/**
 * Follows the event log by cursor and misses nothing. On PostgreSQL transactions take their numbers before they commit,
 * so a lower one can come to light after a higher one was read: the reader goes no further than a number below
 * which nobody can still be writing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Queryable } from '../store/database.ts';
import { currentWriters, type EventRecord, lastDrawnSeq, lastSeq, readEventsBetween } from './queries.ts';

/** Events of one read. */
export const EVENTS_PER_READ = 500;
/** How often and after how long the transactions under way are looked at again before a read gives what is certain. */
const LOOKS = 4;
const LOOK_AGAIN_MS = 4;

export interface EventReader {
  /** The events after those given before, oldest first, at most `EVENTS_PER_READ`; none when there is nothing new. */
  next(): Promise<EventRecord[]>;
  /** `seq` of the last event given. */
  cursor(): number;
}

/** `after`: the cursor of the last event that is known; `now`: only what comes from the first `next` on. */
export function createEventReader(db: Database, after: number | 'now'): EventReader {
  const settled: () => Promise<number | null> =
    db.engine === 'postgres' ? settledOnPostgres(db.read) : () => lastSeq(db.read);
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
 * Gives the highest number that is settled, `null` while that is not known. A statement locks the table before it draws
 * a number, and the lock is released only after the transaction is visible to all. So a number that was drawn before
 * the writers were listed is settled as soon as none of those writers is left. (Transaction ids would not do: a
 * transaction that began earlier may draw its number later.)
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
