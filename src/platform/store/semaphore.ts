import { DatabaseUnavailable, type Semaphore } from './database.ts';

const MAX_WAITING = 5_000;

/** Runs `size` callers at a time. The others wait without occupying a connection. */
export function createSemaphore(size: number): Semaphore {
  let running = 0;
  const waiting: (() => void)[] = [];
  return {
    run: async (work) => {
      if (running < size) running += 1;
      else {
        if (waiting.length >= MAX_WAITING)
          throw new DatabaseUnavailable('Too many requests are waiting for the database.');
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}
