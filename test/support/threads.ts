/** Observes the threads that this process starts. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';

/** A thread is idle if it uses at most `RESTING_SHARE` of one CPU during `RESTING_MS`. */
const RESTING_MS = 300;
const RESTING_SHARE = 0.01;
/** The diagnostics channel on which Node reports each new thread. */
const CHANNEL = 'worker_threads';

/** Runs `work`. Returns its result and the threads that were started during `work`. */
export async function threadsOf<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly threads: readonly Worker[] }> {
  const threads: Worker[] = [];
  const listen = (message: unknown) => void threads.push((message as { worker: Worker }).worker);
  subscribe(CHANNEL, listen);
  try {
    return { result: await work(), threads };
  } finally {
    unsubscribe(CHANNEL, listen);
  }
}

/** Returns the thread's CPU time during `work`, in milliseconds. */
async function busyMs(thread: Worker, work: Promise<unknown>): Promise<number> {
  const before = await thread.cpuUsage();
  await work;
  const { user, system } = await thread.cpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * Resolves once the thread is idle. If nobody reads the output, the thread is idle when the buffers are full. On a busy
 * machine, a thread that waits for the processor looks idle too.
 */
export async function untilResting(thread: Worker): Promise<void> {
  while ((await busyMs(thread, sleep(RESTING_MS))) > RESTING_MS * RESTING_SHARE);
}

/** Reads at least `bytes` more bytes and returns them as text. Throws if the download has fewer bytes left. */
export async function readOn(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  bytes: number,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  for (let left = bytes; left > 0; ) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the download ended ${left} bytes early`);
    chunks.push(value);
    left -= value.length;
  }
  return Buffer.concat(chunks).toString();
}

export const ended = async (thread: Worker): Promise<void> => void (await once(thread, 'exit'));
