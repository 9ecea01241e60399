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

/**
 * The function rejects after `timeoutMs`. Concurrent callers share one check; a call after a timeout starts another.
 */
export function withTimeout<T>(check: () => Promise<T>, timeoutMs: number): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= new Promise<T>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
      check()
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    }).finally(() => {
      running = undefined;
    });
    return running;
  };
}
