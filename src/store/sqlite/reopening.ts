/** Reopens the connections where nothing else has helped. */
import { DatabaseUnavailable } from '../database.ts';
import { monotonicMs } from '../monotonic.ts';

/**
 * Runs work on the database. Calls `reopen` where all work has failed as unavailable for `afterMs`: after a failed lock
 * call SQLite may keep a lock by mistake until every connection of the process is closed.
 */
export function createReopening(afterMs: number, reopen: () => Promise<void>) {
  let failingSinceMs: number | null = null;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      const result = await work();
      failingSinceMs = null;
      return result;
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;
      const at = monotonicMs();
      failingSinceMs ??= at;
      if (at - failingSinceMs >= afterMs) {
        failingSinceMs = null;
        void reopen();
      }
      throw error;
    }
  };
}
