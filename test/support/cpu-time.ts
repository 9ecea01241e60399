/** Measures work in processor time of the thread. Unlike wall time, it doesn't grow if the machine is busy. */

/** Slow work is repeated, because the first run may include compilation or garbage collection. */
const TRIES = 4;

/** Returns the processor time of `work` in milliseconds: of its first run that takes at most `fastMs`, or the least. */
export async function cpuMsOf(work: () => unknown, fastMs: number): Promise<number> {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && leastMs > fastMs; tries++) {
    const before = process.threadCpuUsage();
    await work();
    const { user, system } = process.threadCpuUsage(before);
    leastMs = Math.min(leastMs, (user + system) / 1_000);
  }
  return leastMs;
}
