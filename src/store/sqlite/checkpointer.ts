/**
 * Writes the log of short commits back into the file, in a thread and on a connection of its own: the thread that
 * commits would be held up for some milliseconds, and with it every caller that waits.
 */
import { type SqliteWorker, startWorker } from './worker-client.ts';

/** Some hundred pages of the log: few enough to be written in milliseconds, many enough to hold the same page often. */
const EVERY_BATCHES = 64;

export interface Checkpointer {
  /** A batch was committed. */
  committed(): void;
  /** Closes the connection; the next checkpoint opens it anew. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

/** Its thread starts with the first checkpoint, so that short commands and idle services have none. */
export function createCheckpointer(file: string): Checkpointer {
  let worker: Promise<SqliteWorker> | null = null;
  let batches = 0;
  let isRunning = false;

  const run = async (): Promise<void> => {
    isRunning = true;
    batches = 0;
    try {
      worker ??= startWorker({ file, readOnly: false, programs: {} }).catch((error: unknown) => {
        worker = null;
        throw error;
      });
      await (await worker).request({ kind: 'checkpoint' });
    } catch {
      // What was committed is safe in the log. A disk that fails is seen by the writer, which writes the log back itself.
    } finally {
      isRunning = false;
    }
  };

  return {
    committed: () => {
      batches += 1;
      if (batches >= EVERY_BATCHES && !isRunning) void run();
    },
    reopen: async () => {
      await worker?.then((one) => one.request({ kind: 'reopen' })).catch(() => {});
    },
    close: async () => {
      await worker?.then((one) => one.close()).catch(() => {});
    },
  };
}
