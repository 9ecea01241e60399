/** One reader of the event log a process, for all the live pages that wait for something to happen. */
import type { Database } from '../store/database.ts';
import { createEventReader, EVENTS_PER_READ, type EventReader, type EventRecord } from './reader.ts';

/** How often the log is read while somebody listens: a live page is within a second of what happened. */
const READ_INTERVAL_MS = 400;

export interface EventFeed {
  /**
   * Calls `listener` with the events of each read that brought any, from about now on; the listener must not throw.
   * Answers with the function that ends it. Nothing is read while nobody listens.
   */
  subscribe(listener: (events: readonly EventRecord[]) => void): () => void;
  /** Resolves when no read is under way any more. */
  close(): Promise<void>;
}

export function createEventFeed(
  db: Database,
  options: { readonly onFailure?: (error: unknown) => void; readonly intervalMs?: number } = {},
): EventFeed {
  const listeners = new Set<(events: readonly EventRecord[]) => void>();
  let timer: NodeJS.Timeout | null = null;
  let reader: EventReader | null = null;
  let reading: Promise<void> | null = null;

  const read = async (from: EventReader) => {
    try {
      for (let more = true; more; ) {
        const events = await from.next();
        if (events.length > 0) for (const listener of listeners) listener(events);
        more = events.length === EVENTS_PER_READ && listeners.size > 0;
      }
    } catch (error) {
      // What was not read comes with the next read: the cursor has not moved.
      options.onFailure?.(error);
    }
  };
  const tick = () => {
    if (reader === null || reading !== null) return;
    reading = read(reader).then(() => {
      reading = null;
    });
  };
  const stop = () => {
    if (timer !== null) clearInterval(timer);
    timer = null;
    reader = null;
  };

  return {
    subscribe: (listener) => {
      // Two subscriptions of one function are two.
      const own = (events: readonly EventRecord[]) => listener(events);
      listeners.add(own);
      if (timer === null) {
        reader = createEventReader(db, 'now');
        timer = setInterval(tick, options.intervalMs ?? READ_INTERVAL_MS);
        timer.unref();
        tick();
      }
      return () => {
        listeners.delete(own);
        if (listeners.size === 0) stop();
      };
    },
    close: async () => {
      listeners.clear();
      stop();
      await reading;
    },
  };
}
