/** Compilers and servers that start at once: more would slow each other down, and delay the answers of programs. */
const MAX_STARTS = 2;

let starts = 0;
const waiting: (() => void)[] = [];

/** Runs `start` when it is its turn. */
export async function inTurn<T>(start: () => Promise<T>): Promise<T> {
  if (starts === MAX_STARTS) await new Promise<void>((resolve) => waiting.push(resolve));
  else starts += 1;
  try {
    return await start();
  } finally {
    // The next in the queue gets the turn; without one it is free.
    const next = waiting.shift();
    if (next === undefined) starts -= 1;
    else next();
  }
}
