/**
 * Writes the log of short commits back into the file, in the thread that reads: the thread that commits would be held up
 * for some milliseconds, and with it every caller that waits. A separate thread would take 20 MB.
 */
import type { SqliteWorker } from './worker-client.ts';

/** Some hundred pages of the log: few enough to be written in milliseconds, many enough to hold the same page often. */
export const EVERY_BATCHES = 64;

export interface Checkpointer {
  /** A batch was committed. */
  committed(): void;
}

export function createCheckpointer(reader: SqliteWorker): Checkpointer {
  let batches = 0;
  let isRunning = false;

  const run = async (): Promise<void> => {
    isRunning = true;
    batches = 0;
    try {
      await reader.request({ kind: 'checkpoint' });
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
  };
}
