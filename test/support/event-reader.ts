/** Follows the event log by cursor and misses nothing: it stops where the log is settled (`settled.ts`). */
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import { type EventRecord, readDeletedEvents, readEventsBetween } from './queries.ts';
import { createReadSettled } from './settled.ts';

/** Events of one read. */
export const EVENTS_PER_READ = 500;

export interface EventReader {
  /**
   * The next events, oldest first, at most `EVENTS_PER_READ`; empty when there is nothing new. Throws `cursor_gone` where
   * events after the last one returned were deleted.
   */
  next(): Promise<EventRecord[]>;
  /** `seq` of the last event returned. */
  cursor(): number;
}

/** `after`: the cursor of the last event already read; `now`: only events from the first `next` on. */
export function createEventReader(
  { db, now }: Pick<Context, 'db' | 'now'>,
  after: number | 'now',
): EventReader {
  const readSettled = createReadSettled(db, now);
  let cursor = after === 'now' ? null : after;
  return {
    next: async () => {
      const upTo = (await readSettled())?.seq ?? null;
      cursor ??= upTo;
      if (upTo === null || cursor === null || upTo <= cursor) return [];
      const events = await readEventsBetween(db.read, cursor, upTo, EVENTS_PER_READ);
      const deleted = await readDeletedEvents(db.read);
      if (deleted !== null && cursor < deleted.seq) {
        throw new Refusal(
          'cursor_gone',
          `Events after this cursor were deleted: the log begins at ${deleted.until}.`,
        );
      }
      cursor = events.length < EVENTS_PER_READ ? upTo : events.at(-1)!.seq;
      return events;
    },
    cursor: () => cursor ?? 0,
  };
}
