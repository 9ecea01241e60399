/** Lets a generator make its next value while the last one is dealt with. */

export interface ReadAhead<T> {
  /** The next value; `undefined` after the last one. */
  take(): Promise<T | undefined>;
  /** Begins to make the value that is taken next, and waits for nothing; what goes wrong is told to whoever takes it. */
  begin(): void;
  /** Ends the source, once it has made what it is making. */
  close(): void;
}

/** One value of `source` can be made while the one before is dealt with. */
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
