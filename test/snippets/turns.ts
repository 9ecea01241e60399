/** Limits concurrent starts of compilers and servers. Too many starts would slow down the programs under test. */
const MAX_STARTS = 2;

let starts = 0;
const waiting: (() => void)[] = [];

/** Runs at most `MAX_STARTS` calls of `start` at a time. */
export async function inTurn<T>(start: () => Promise<T>): Promise<T> {
  if (starts === MAX_STARTS) await new Promise<void>((resolve) => waiting.push(resolve));
  else starts += 1;
  try {
    return await start();
  } finally {
    // Hands the slot to the next waiting caller, or frees it.
    const next = waiting.shift();
    if (next === undefined) starts -= 1;
    else next();
  }
}
