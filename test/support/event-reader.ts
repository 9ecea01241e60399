/** Follows the event log by cursor, all accounts together, and stops where the log is no longer settled. */
import type { Context } from '../../src/context.ts';
import { type EventRecord, toRecord } from '../../src/events/queries.ts';
import { createReadSettled } from '../../src/events/settled.ts';
import type { Queryable } from '../../src/store/database.ts';

/** Events of one read. */
const EVENTS_PER_READ = 500;

/** `after` is the cursor of the last event already read, or `'now'` for only events after the first call of `next`. */
export function createEventReader({ db, now }: Pick<Context, 'db' | 'now'>, after: number | 'now') {
  const readSettled = createReadSettled(db, now);
  let cursor = after === 'now' ? null : after;
  return {
    /** The next events, oldest first, at most `EVENTS_PER_READ`; empty when there is nothing new. */
    next: async (): Promise<EventRecord[]> => {
      const upTo = (await readSettled())?.seq ?? null;
      cursor ??= upTo;
      if (upTo === null || cursor === null || upTo <= cursor) return [];
      const events = await readEventsBetween(db.read, cursor, upTo, EVENTS_PER_READ);
      cursor = events.length < EVENTS_PER_READ ? upTo : events.at(-1)!.seq;
      return events;
    },
    /** `seq` of the last event returned. */
    cursor: () => cursor ?? 0,
  };
}

/** At most `limit` events with `after` < `seq` <= `upTo`, oldest first. */
export async function readEventsBetween(
  db: Queryable,
  after: number,
  upTo: number,
  limit: number,
): Promise<EventRecord[]> {
  const rows = await db
    .selectFrom('events')
    .selectAll()
    .where('seq', '>', after)
    .where('seq', '<=', upTo)
    .orderBy('seq')
    .limit(limit)
    .execute();
  return rows.map(toRecord);
}
