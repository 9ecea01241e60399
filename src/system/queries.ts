/** SQL of the system page. */
import type { Queryable } from '../store/database.ts';

export interface FoldBacklog {
  /** Changes of label counts that wait to be folded. */
  readonly waiting: number;
  /** Of the oldest one, ISO 8601 UTC; `null` where none waits. */
  readonly since: string | null;
}

/** Counts are exact all the same: what is not folded yet is added when they are read. */
export async function readFoldBacklog(db: Queryable): Promise<FoldBacklog> {
  const row = await db
    .selectFrom('label_deltas')
    .select(({ fn }) => [fn.countAll().as('waiting'), fn.min('at').as('since')])
    .executeTakeFirstOrThrow();
  return { waiting: Number(row.waiting), since: row.since };
}
