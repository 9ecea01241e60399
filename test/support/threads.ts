/** The threads that this one starts. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';

/** Node names a channel so that tells of each. */
const CHANNEL = 'worker_threads';

/** The threads that `work` starts. */
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

/** Milliseconds of a processor that the thread takes within the next `ms`. */
export async function busyMs(thread: Worker, ms: number): Promise<number> {
  const before = await thread.cpuUsage();
  await sleep(ms);
  const { user, system } = await thread.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Resolves when the thread has ended. */
export const ended = async (thread: Worker): Promise<void> => void (await once(thread, 'exit'));
