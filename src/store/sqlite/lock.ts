/** First come, first served: a transaction of the HTTP thread and a batch never share the writing connection. */
export interface Lock {
  acquire(): Promise<void>;
  release(): void;
}

export function createLock(): Lock {
  let held = false;
  const waiting: (() => void)[] = [];
  return {
    acquire: () => {
      if (!held) {
        held = true;
        return Promise.resolve();
      }
      return new Promise((resolve) => waiting.push(resolve));
    },
    release: () => {
      const next = waiting.shift();
      if (next === undefined) held = false;
      else next();
    },
  };
}
