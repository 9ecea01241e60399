/** Keeps a file in memory, so that its disk is not what is timed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('./hold_in_memory.py', import.meta.url));

/** Runs `work` while `file` is in memory. Takes Python; throws when the script fails. */
export async function withInMemory<T>(file: string, work: () => Promise<T>): Promise<T> {
  const holder = spawn('python3', [SCRIPT, file], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(holder, 'close');
  const failed = ended.then(([code]) => {
    throw new Error(`reading ${file} into memory ended with ${code}`);
  });
  // Who waits no more has its end already.
  failed.catch(() => {});
  await Promise.race([once(holder.stdout, 'data'), failed]);
  try {
    return await work();
  } finally {
    holder.stdin.end();
    await ended;
  }
}
