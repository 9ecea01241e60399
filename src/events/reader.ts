/**
 * Follows the event log by cursor and misses nothing. On PostgreSQL transactions take their numbers before they commit,
 * so a lower one can come to light after a higher one was read: the reader goes no further than a number below
 * which nobody can still be writing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, Queryable } from '../store/database.ts';

/** Events of one read. */
export const EVENTS_PER_READ = 500;
/** How often and after how long the transactions under way are looked at again before a read gives what is certain. */
const LOOKS = 4;
const LOOK_AGAIN_MS = 4;

export interface EventRecord {
  /** Place in the log; a cursor. */
  readonly seq: number;
  readonly accountId: string;
  readonly type: string;
  readonly at: string;
  readonly actor: string;
  readonly subjectId: string;
  readonly data: Readonly<Record<string, unknown>>;
}

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
      const events = await readBetween(db.read, cursor, upTo);
      cursor = events.length < EVENTS_PER_READ ? upTo : events.at(-1)!.seq;
      return events;
    },
    cursor: () => cursor ?? 0,
  };
}

async function lastSeq(db: Queryable): Promise<number> {
  const row = await db.selectFrom('events').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst();
  return row?.seq ?? 0;
}

async function readBetween(db: Queryable, after: number, upTo: number): Promise<EventRecord[]> {
  const rows = await db
    .selectFrom('events')
    .selectAll()
    .where('seq', '>', after)
    .where('seq', '<=', upTo)
    .orderBy('seq')
    .limit(EVENTS_PER_READ)
    .execute();
  return rows.map(toRecord);
}

export const toRecord = (row: {
  readonly seq: number;
  readonly account_id: string;
  readonly type: string;
  readonly at: string;
  readonly actor: string;
  readonly subject_id: string;
  readonly data: string;
}): EventRecord => ({
  seq: row.seq,
  accountId: row.account_id,
  type: row.type,
  at: row.at,
  actor: row.actor,
  subjectId: row.subject_id,
  data: JSON.parse(row.data) as Record<string, unknown>,
});

/**
 * Gives the highest number that is settled, `null` while that is not known. A statement locks the table before it draws a number, and the lock is let
 * go only once the transaction is seen by all. So a number that was drawn before the writers were listed is settled
 * as soon as none of those listed is left. (A transaction's own id would not do: one that began earlier may
 * draw its number later.)
 */
function settledOnPostgres(db: Queryable): () => Promise<number | null> {
  let settled: number | null = null;
  let pending: { readonly drawn: number; readonly writers: ReadonlySet<string> } | null = null;
  return async () => {
    for (let look = 1; ; look += 1) {
      const drawn: number = pending === null ? await lastDrawn(db) : pending.drawn;
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

async function lastDrawn(db: Queryable): Promise<number> {
  const { rows } = await sql<{ drawn: number }>`
    select coalesce(pg_sequence_last_value(pg_get_serial_sequence('events', 'seq')::regclass), 0) as drawn`.execute(
    db,
  );
  return rows[0]!.drawn;
}

async function currentWriters(db: Queryable): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ writer: string }>`
    select virtualtransaction as writer from pg_locks
    where locktype = 'relation' and relation = 'events'::regclass and mode = 'RowExclusiveLock' and granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db);
  return new Set(rows.map(({ writer }) => writer));
}
