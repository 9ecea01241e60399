import { setTimeout as sleep } from 'node:timers/promises';

/** Waits between two transactions of a flush, unless somebody waits for the flush to end. */
export type Pause = (ms: number) => Promise<void>;

/** Calls `write`, which must not reject, every `intervalMs` and on demand, one call at a time. */
export function createFlushes(write: (pause: Pause) => Promise<void>, intervalMs: number) {
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  /** Aborting it ends the pauses of the current flush. */
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
  /** Ends the pauses of the current flush, then flushes once more without pauses. */
  const now = (): Promise<void> => {
    hurry.abort();
    return flush();
  };
  return {
    now,
    isIdle: () => waiting === 0,
    /** Starts a flush within `delayMs`, or queues it behind the current one. */
    soon: (delayMs: number): void => {
      if (early !== null) return;
      early = setTimeout(() => {
        early = null;
        // The current flush has already taken what it writes, so queue one more.
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
