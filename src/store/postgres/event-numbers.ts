/**
 * Numbers of events, drawn from a sequence. A transaction locks the table before it draws a number, and releases the
 * lock only once its events are visible, so the holders of that lock are the writers that may have drawn a number whose
 * event is not visible yet. (Comparing transaction ids would not work: an older transaction may draw its number later.)
 */
import { sql } from 'kysely';
import type pg from 'pg';
import { DatabaseUnavailable, type EventNumbers, type Queryable } from '../database.ts';

/**
 * A setting that changes when the database is moved to another engine. A process that is already running keeps its old
 * engine, which would not see all writers.
 */
export const ENGINE_MARK = 'engine_mark';

/** `null`: the database was never moved. */
export async function readEngineMark(client: Pick<pg.Client, 'query'>): Promise<string | null> {
  const { rows } = await client.query('select value from settings where name = $1', [ENGINE_MARK]);
  return rows[0]?.value ?? null;
}

/** Throws `DatabaseUnavailable` if the mark is no longer `known`, that is, if the database has been moved since. */
export function requireMark(mark: string | null, known: string | null): void {
  if (mark === known) return;
  throw new DatabaseUnavailable(
    'PostgreSQL: the database was moved to a different kind of server after this process opened it; restart the process.',
  );
}

const LAST_DRAWN =
  "coalesce(pg_sequence_last_value(pg_get_serial_sequence('event_rows', 'seq')::regclass), 0) as drawn";

export async function readLastDrawn(client: Pick<pg.Client, 'query'>): Promise<number> {
  const { rows } = await client.query(`select ${LAST_DRAWN}`);
  return Number(rows[0].drawn);
}

/** `known`: the mark read before the engine was chosen. */
export const createEventNumbers = (read: Queryable, known: string | null): EventNumbers => ({
  lastDrawn: async () => {
    const { rows } = await sql<{ drawn: number }>`select ${sql.raw(LAST_DRAWN)}`.execute(read);
    return rows[0]!.drawn;
  },
  writers: async (among) => {
    // Reads the mark in the same statement. If it is unchanged, the database had not been moved by then, so another
    // engine can only draw numbers above those drawn so far.
    const { rows } = await sql<{ mark: string | null; writers: string[] }>`
      select (select value from settings where name = ${ENGINE_MARK}) as mark, array(
        select virtualtransaction::text from pg_locks
        where locktype = 'relation' and relation = 'event_rows'::regclass and mode = 'RowExclusiveLock' and granted
          and database = (select oid from pg_database where datname = current_database())
      ) as writers`.execute(read);
    const { mark, writers } = rows[0]!;
    requireMark(mark, known);
    return new Set(writers.filter((writer) => among?.has(writer) ?? true));
  },
});
