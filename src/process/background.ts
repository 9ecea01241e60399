/** Work besides requests: after a response, and on a timer that runs only while needed. */

/** Work after a response, finished before the process ends. */
export interface Background {
  /** Starts work; its errors go to `onFailure`. `signal`: the process stops, and the work is to end soon. */
  start(work: (signal: AbortSignal) => Promise<unknown>): void;
  /** Asks the work under way to end, and waits for it. */
  drained(): Promise<unknown>;
}

export function createBackground(onFailure: (error: unknown) => void): Background {
  const underWay = new Set<Promise<unknown>>();
  const stopping = new AbortController();
  return {
    start: (work) => {
      const running = work(stopping.signal)
        .catch(onFailure)
        .finally(() => underWay.delete(running));
      underWay.add(running);
    },
    drained: () => {
      stopping.abort();
      return Promise.all(underWay);
    },
  };
}

const CHECK_INTERVAL_MS = 50;

/** Returns a function that starts calling `check` every 50 ms until it returns false. */
export function createWatch(check: () => boolean): () => void {
  let isWatching = false;
  const watch = () => {
    if (isWatching) return;
    isWatching = true;
    setTimeout(() => {
      isWatching = false;
      if (check()) watch();
    }, CHECK_INTERVAL_MS).unref();
  };
  return watch;
}
