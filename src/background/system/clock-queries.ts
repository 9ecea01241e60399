import { type RawBuilder, sql } from 'kysely';
import type { Queryable, Transaction } from '../../platform/store/database.ts';
import type { Schema } from '../../platform/store/schema.ts';

export interface CorrectedTime {
  readonly table: keyof Schema & string;
  /** The column by which rows are chosen. Need not be unique. */
  readonly key: string;
  readonly column: string;
  /** How far the time may be in the future. Rows that were created in the future may have no time in the future. */
  readonly maxAheadMs: number;
  readonly createdColumn?: string;
  /** What replaces the time: a time this much after now, or no time. */
  readonly toMs: number | null;
}

export interface Bounds {
  /** What replaces a time. */
  readonly to: string | null;
  /** Later times come from a clock that was ahead, not only from a process whose clock differs a little. */
  readonly ahead: string;
  /** `maxAheadMs` after now. */
  readonly latest: string;
}

const isAhead = (
  { column, createdColumn }: CorrectedTime,
  { ahead, latest }: Bounds,
): RawBuilder<boolean> => {
  const isTooLate = sql<boolean>`${sql.ref(column)} > ${latest}`;
  if (createdColumn === undefined) return isTooLate;
  return sql`${sql.ref(column)} > ${ahead} and (${isTooLate} or ${sql.ref(createdColumn)} > ${ahead})`;
};

/** Returns the keys of rows whose time is too far in the future. */
export async function findAhead(
  db: Queryable,
  time: CorrectedTime,
  bounds: Bounds,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ row_key: string }>`select distinct ${sql.ref<string>(time.key)} as row_key
    from ${sql.table(time.table)} where ${isAhead(time, bounds)} limit ${limit}`.execute(db);
  return rows.map(({ row_key }) => row_key);
}

export const correct = (
  tx: Transaction,
  time: CorrectedTime,
  bounds: Bounds,
  keys: readonly string[],
): Promise<unknown> =>
  sql`update ${sql.table(time.table)} set ${sql.ref(time.column)} = ${bounds.to}
    where ${sql.ref(time.key)} in (${sql.join(keys)}) and ${isAhead(time, bounds)}`.execute(tx);

/** The newest times of jobs and of the log of events; `null`: there is none. */
export async function readNewestTimes(db: Queryable) {
  const [job, event] = await Promise.all([
    db
      .selectFrom('jobs')
      .select(({ fn }) => fn.max<string | null>('started_at').as('at'))
      .executeTakeFirst(),
    db.selectFrom('events').select('at').orderBy('seq', 'desc').limit(1).executeTakeFirst(),
  ]);
  return { job: job?.at ?? null, event: event?.at ?? null };
}
