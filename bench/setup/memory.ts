/** Keeps a file in memory, so that measurements don't include reads from disk. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('./hold_in_memory.py', import.meta.url));

/** Runs `work` while `file` is in memory. Needs Python. Throws if the Python script fails. */
export async function withInMemory<T>(file: string, work: () => Promise<T>): Promise<T> {
  const holder = spawn('python3', [SCRIPT, file], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(holder, 'close').then(([code]) => {
    if (code !== 0) throw new Error(`the process that holds ${file} in memory exited with ${code}`);
  });
  await Promise.race([once(holder.stdout, 'data'), ended]);
  const [result] = await Promise.all([work().finally(() => holder.stdin.end()), ended]);
  return result;
}
