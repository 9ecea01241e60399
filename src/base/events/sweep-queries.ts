import { sql } from 'kysely';
import type { Queryable, Transaction } from '../../platform/store/database.ts';
import { readJsonSetting, writeSetting } from '../../platform/store/settings.ts';
import type { LoggedEvent } from './queries.ts';

export interface DeletedEvents {
  /** Events up to this number may have been deleted. */
  readonly seq: number;
  /** Events from this time on have not been deleted. */
  readonly until: string;
}

const DELETED_EVENTS = 'deleted_events';

/** `null`: nothing was deleted. Call after reading events, because some may be deleted during the read. */
export const readDeletedEvents = (db: Queryable) => readJsonSetting<DeletedEvents>(db, DELETED_EVENTS);

/** Never lowers the recorded number or time. */
export async function rememberDeletedEvents(tx: Transaction, deleted: DeletedEvents): Promise<void> {
  const previous = await readDeletedEvents(tx);
  const merged: DeletedEvents = {
    seq: Math.max(deleted.seq, previous?.seq ?? 0),
    until: previous !== null && previous.until > deleted.until ? previous.until : deleted.until,
  };
  await writeSetting(tx, DELETED_EVENTS, JSON.stringify(merged));
}

export const firstEvents = (db: Queryable, limit: number): Promise<Pick<LoggedEvent, 'seq' | 'at'>[]> =>
  db.selectFrom('events').select(['seq', 'at']).orderBy('seq').limit(limit).execute();

/** The first event after `seq` with a time up to `at`. Scans all events in between. */
export const firstEventOfPast = (
  db: Queryable,
  seq: number,
  at: string,
): Promise<Pick<LoggedEvent, 'at'> | undefined> =>
  db
    .selectFrom('events')
    .select('at')
    .where('seq', '>', seq)
    .where('at', '<=', at)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();

export async function deleteEventsUpTo(tx: Transaction, seq: number): Promise<void> {
  await tx.deleteFrom('event_rows').where('seq', '<=', seq).execute();
}

/** The first and the last event number in a partition; both are `null` if the partition is empty. */
export async function numbersOf(db: Queryable, partition: string) {
  const { rows } = await sql<{ readonly first: number | null; readonly last: number | null }>`
    select min(seq) as first, max(seq) as last from ${sql.table(partition)}`.execute(db);
  return rows[0]!;
}
