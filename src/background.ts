/** Work after an answer, finished before the process ends. */

export interface Background {
  /** Starts work; its errors go to `onFailure`. */
  start(work: () => Promise<unknown>): void;
  /** Waits for the work under way. */
  drained(): Promise<unknown>;
}

export function createBackground(onFailure: (error: unknown) => void): Background {
  const underWay = new Set<Promise<unknown>>();
  return {
    start: (work) => {
      const running = work()
        .catch(onFailure)
        .finally(() => underWay.delete(running));
      underWay.add(running);
    },
    drained: () => Promise.all(underWay),
  };
}
