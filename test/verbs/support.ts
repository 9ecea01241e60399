/** What the contract tests of the verbs compare. */
import { Refusal } from '../../src/errors.ts';
import type { Database } from '../../src/store/database.ts';

export interface SeenEvent {
  readonly type: string;
  readonly account_id: string;
  readonly at: string;
  readonly actor: string;
  readonly data: unknown;
}

/** The events of one subject, in order. */
export async function eventsOf(db: Database, subjectId: string): Promise<readonly SeenEvent[]> {
  const rows = await db.read
    .selectFrom('events')
    .select(['type', 'account_id', 'at', 'actor', 'data'])
    .where('subject_id', '=', subjectId)
    .orderBy('seq')
    .execute();
  return rows.map((row) => ({ ...row, data: JSON.parse(row.data) }));
}

/** The sentence with which a verb refuses. Anything else that it does is a failed test. */
export async function refusalOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
  throw new Error('It was not refused.');
}
