/** Lets a generator make its next value while the last one is processed. */

export interface ReadAhead<T> {
  /** The next value; `undefined` after the last one. */
  take(): Promise<T | undefined>;
  /** Begins to make the next value and returns immediately; an error is thrown by the `take` of that value. */
  begin(): void;
  /** Ends the source after its current value. */
  close(): void;
}

/** One value of `source` can be made while the previous one is processed. */
export function createReadAhead<T>(source: AsyncGenerator<T, void>): ReadAhead<T> {
  let next: Promise<IteratorResult<T, void>> | null = null;
  const start = () => {
    next ??= source.next();
    next.catch(() => undefined);
    return next;
  };
  return {
    begin: () => {
      start();
    },
    take: async () => {
      const result = await start();
      next = null;
      return result.done ? undefined : result.value;
    },
    close: () => {
      source.return().catch(() => undefined);
    },
  };
}
