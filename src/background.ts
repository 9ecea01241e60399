/** Work that no answer waits for, finished before the process ends. */

export interface Background {
  /** Starts work; what it throws goes to `onFailure`. */
  start(work: () => Promise<unknown>): void;
  /** Waits for what is under way. */
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
