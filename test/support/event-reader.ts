/** Reads the event log of all accounts by cursor, up to the last settled event. */
import type { Context } from '../../src/base/context.ts';
import { type LoggedEvent, toRecord } from '../../src/base/events/queries.ts';
import { createReadSettled } from '../../src/base/events/settled.ts';
import type { Queryable } from '../../src/platform/store/database.ts';

const EVENTS_PER_READ = 500;

/** `after`: the cursor to continue from. `'now'` skips all events that are settled at the first call of `next`. */
export function createEventReader({ db, now }: Pick<Context, 'db' | 'now'>, after: number | 'now') {
  const readSettled = createReadSettled(db, now);
  let cursor = after === 'now' ? null : after;
  return {
    /** Returns up to `EVENTS_PER_READ` events, oldest first; empty if there are no new ones. */
    next: async (): Promise<LoggedEvent[]> => {
      const upTo = (await readSettled())?.seq ?? null;
      cursor ??= upTo;
      if (upTo === null || cursor === null || upTo <= cursor) return [];
      const events = await readEventsBetween(db.read, cursor, upTo, EVENTS_PER_READ);
      cursor = events.length < EVENTS_PER_READ ? upTo : events.at(-1)!.seq;
      return events;
    },
    /** The `seq` up to which the log has been read. With `'now'`, 0 before the first read. */
    cursor: () => cursor ?? 0,
  };
}

/** Returns up to `limit` events with `after` < `seq` <= `upTo`, oldest first. */
export async function readEventsBetween(
  db: Queryable,
  after: number,
  upTo: number,
  limit: number,
): Promise<LoggedEvent[]> {
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
