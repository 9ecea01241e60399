/** Worker processes that share one port, for more throughput than one core allows. Requires PostgreSQL. */
import cluster, { type Worker } from 'node:cluster';
import type { Environment } from './config/setting.ts';

/** Delay before a crashed worker is replaced. Prevents a tight loop if workers crash at startup. */
const RESPAWN_DELAY_MS = 1_000;

/** Workers serve requests. The primary process supervises the workers. */
export const isWorker = (): boolean => cluster.isWorker;

/** Also `true` in a service without workers. */
export const isFirstWorker = (): boolean => !cluster.isWorker || cluster.worker?.id === 1;

/**
 * Rejects if a worker exits before it is listening; replaces workers that crash later. `env`: with all settings, so that
 * a worker never reads a settings file that has changed since the start.
 */
export async function startWorkers(
  count: number,
  env: Environment,
  onReplaced: (pid: number, how: string) => void,
) {
  let stopping = false;
  let port = 0;
  const running = new Set<Worker>();

  const start = (replaces: boolean): Promise<void> => {
    const worker = cluster.fork(env);
    running.add(worker);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let listening = false;
    worker.once('listening', (address) => {
      port = address.port;
      listening = true;
      resolve();
    });
    worker.once('exit', (code, signal) => {
      running.delete(worker);
      if (stopping) return resolve();
      if (!listening && !replaces) {
        return reject(
          new Error('A worker process exited before it could serve requests. Its error message is above.'),
        );
      }
      onReplaced(worker.process.pid ?? 0, signal ?? `code ${code}`);
      setTimeout(() => {
        if (!stopping) void start(true);
      }, RESPAWN_DELAY_MS);
    });
    return promise;
  };

  const stop = async () => {
    stopping = true;
    await Promise.all(
      [...running].map((worker) => {
        const ended = new Promise((resolve) => worker.once('exit', resolve));
        worker.process.kill('SIGTERM');
        return ended;
      }),
    );
  };

  try {
    await Promise.all(Array.from({ length: count }, () => start(false)));
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, stop };
}
