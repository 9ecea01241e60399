export type Background = ReturnType<typeof createBackground>;

/** Runs work after a response. On shutdown, the process waits for the work to finish. */
export function createBackground(onFailure: (error: unknown) => void) {
  const underWay = new Set<Promise<unknown>>();
  const stopping = new AbortController();
  return {
    /** Starts work and passes errors to `onFailure`. `signal` is aborted on shutdown, so that the work ends soon. */
    start: (work: (signal: AbortSignal) => Promise<unknown>): void => {
      const running = work(stopping.signal)
        .catch(onFailure)
        .finally(() => underWay.delete(running));
      underWay.add(running);
    },
    /** Aborts running work and resolves once it has ended. */
    drained: (): Promise<unknown> => {
      stopping.abort();
      return Promise.all(underWay);
    },
  };
}

const CHECK_INTERVAL_MS = 50;

/** Returns a function that starts polling: `check` is called every 50 ms until it returns false. */
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

/** Concurrent callers share one call of `work`. */
export function singleFlight<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () => {
    running ??= work().finally(() => {
      running = null;
    });
    return running;
  };
}

/**
 * The function rejects after `timeoutMs`. Concurrent callers share one check; a call after a timeout starts another.
 */
export const withTimeout = <T>(check: () => Promise<T>, timeoutMs: number): (() => Promise<T>) =>
  singleFlight(
    () =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
        check()
          .then(resolve, reject)
          .finally(() => clearTimeout(timer));
      }),
  );
