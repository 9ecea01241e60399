/**
 * A transaction locks `event_rows` before it draws an event number and until its events are visible. So while a number
 * is not visible, its lock is held. Transaction IDs can't replace the lock: a lower ID may draw a higher number.
 */
import { sql } from 'kysely';
import type pg from 'pg';
import { DatabaseUnavailable, type EventNumbers, type Queryable } from '../database.ts';

/** Changes when the tables move to another engine. Running processes check it: theirs misses some writers. */
export const ENGINE_MARK = 'engine_mark';

/** Returns `null` if the tables were never moved to another engine. */
export async function readEngineMark(client: Pick<pg.Client, 'query'>): Promise<string | null> {
  const { rows } = await client.query('select value from settings where name = $1', [ENGINE_MARK]);
  return rows[0]?.value ?? null;
}

/** Throws `DatabaseUnavailable` if the tables were moved to another engine after `expected` was read. */
export function requireMark(mark: string | null, expected: string | null): void {
  if (mark === expected) return;
  throw new DatabaseUnavailable(
    'PostgreSQL: the database was moved to another engine after this process opened it; restart the process.',
  );
}

const LAST_DRAWN =
  "coalesce(pg_sequence_last_value(pg_get_serial_sequence('event_rows', 'seq')::regclass), 0) as drawn";

export async function readLastDrawn(client: Pick<pg.Client, 'query'>): Promise<number> {
  const { rows } = await client.query(`select ${LAST_DRAWN}`);
  return Number(rows[0].drawn);
}

/** `expectedMark`: the mark read before the engine was chosen. */
export const createEventNumbers = (read: Queryable, expectedMark: string | null): EventNumbers => ({
  lastDrawn: async () => {
    const { rows } = await sql<{ drawn: number }>`select ${sql.raw(LAST_DRAWN)}`.execute(read);
    return rows[0]!.drawn;
  },
  writers: async (among) => {
    // Read the mark and the writers in one statement. If the mark is unchanged, the tables had not been moved when the
    // writers were read. An engine that takes over later draws only higher numbers.
    const { rows } = await sql<{ mark: string | null; writers: string[] }>`
      select (select value from settings where name = ${ENGINE_MARK}) as mark, array(
        select virtualtransaction::text from pg_locks
        where locktype = 'relation' and relation = 'event_rows'::regclass and mode = 'RowExclusiveLock' and granted
          and database = (select oid from pg_database where datname = current_database())
      ) as writers`.execute(read);
    const { mark, writers } = rows[0]!;
    requireMark(mark, expectedMark);
    return new Set(writers.filter((writer) => among?.has(writer) ?? true));
  },
});
