/** Helpers that read recorded events and check refusals. */
import { expect } from 'vitest';
import { Refusal } from '../../src/platform/errors.ts';
import type { Database } from '../../src/platform/store/database.ts';

export interface SeenEvent {
  readonly type: string;
  readonly account_id: string;
  readonly at: string;
  readonly actor: string;
  readonly data: unknown;
}

/** Returns the events of a subject, oldest first. */
export async function eventsOf(db: Database, subjectId: string): Promise<readonly SeenEvent[]> {
  const rows = await db.read
    .selectFrom('events')
    .select(['type', 'account_id', 'at', 'actor', 'data'])
    .where('subject_id', '=', subjectId)
    .orderBy('seq')
    .execute();
  return rows.map((row) => ({ ...row, data: JSON.parse(row.data) }));
}

export const typesOf = async (db: Database, subjectId: string): Promise<readonly string[]> =>
  (await eventsOf(db, subjectId)).map(({ type }) => type);

/** Expects exactly one of several concurrent calls to succeed, and the others to fail with `sentence`. */
export async function expectOneOf(works: readonly Promise<unknown>[], sentence: string): Promise<void> {
  const tries = await Promise.allSettled(works);
  const refusals = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason.message] : []));
  expect(refusals).toEqual(Array(works.length - 1).fill(expect.stringContaining(sentence)));
}

/** Returns the message of the refusal. Throws if the call succeeds or fails with another error. */
export async function refusalOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
  throw new Error('Expected a refusal, but the call succeeded.');
}
