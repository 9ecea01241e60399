import { setTimeout as sleep } from 'node:timers/promises';

/** Waits between two transactions of a flush. Returns early once `now` or `close` is called. */
export type Pause = (ms: number) => Promise<void>;

/** Calls `write` every `intervalMs` and on demand, never concurrently. `write` must not reject. */
export function createFlushes(write: (pause: Pause) => Promise<void>, intervalMs: number) {
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  /** Aborted to end the pauses of the current flush. */
  let hurry = new AbortController();
  const pause: Pause = (ms) => sleep(ms, undefined, { signal: hurry.signal, ref: false }).catch(() => {});
  const flush = (): Promise<void> => {
    waiting += 1;
    last = last
      .then(() => write(pause))
      .then(() => {
        waiting -= 1;
      });
    return last;
  };
  const timer = setInterval(() => {
    if (waiting > 0) return;
    hurry = new AbortController();
    void flush();
  }, intervalMs);
  timer.unref();
  let early: NodeJS.Timeout | null = null;
  /** Ends the pauses of the current flush, then flushes again without pauses. */
  const now = (): Promise<void> => {
    hurry.abort();
    return flush();
  };
  return {
    now,
    isIdle: () => waiting === 0,
    /** Schedules a flush within `delayMs`. If another flush is running at that time, the new flush starts after it. */
    soon: (delayMs: number): void => {
      if (early !== null) return;
      early = setTimeout(() => {
        early = null;
        // If another flush is queued, a new flush isn't needed, because the queued flush writes all records. A running
        // flush isn't enough, because it doesn't write records added since it started.
        if (waiting <= 1) void flush();
      }, delayMs);
      early.unref();
    },
    close: (): Promise<void> => {
      clearInterval(timer);
      if (early !== null) clearTimeout(early);
      return now();
    },
  };
}
