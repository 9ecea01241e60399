/** Bounds how long something that may hang is awaited. */

/** Runs one check at a time; concurrent callers share its result. Rejects after `timeoutMs`. */
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
