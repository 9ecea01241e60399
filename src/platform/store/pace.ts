/** Splits long writes into short transactions, so that other writers are hardly delayed. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Engine, Semaphore, Transaction } from './database.ts';
import { createSemaphore } from './semaphore.ts';

interface Bounds {
  readonly targetMs: number;
  readonly maxRows: number;
}

/** On SQLite, all other writers wait for each transaction; on PostgreSQL, only claims on the same offer. */
const WITH_OTHERS: Readonly<Record<Engine, Bounds>> = {
  sqlite: { targetMs: 4, maxRows: 1_500 },
  postgres: { targetMs: 50, maxRows: 2_500 },
  citus: { targetMs: 50, maxRows: 2_500 },
};
/** Pause between transactions. SQLite's write lock has no queue, so without a pause, other writers would starve. */
const PAUSE_MS: Readonly<Record<Engine, number>> = { sqlite: 6, postgres: 0, citus: 0 };
/** Bounds while there are no other writers. A new writer waits for at most one transaction of this length. */
const ALONE: Bounds = { targetMs: 100, maxRows: 3_500 };
/** Also the first number of rows, because the first transactions of a process take longest. */
const MIN_ROWS = 25;
/** Rounding down to a multiple of 250, or else of 25, limits the number of prepared statements. */
const ROW_STEPS = [250, 25] as const;
/** Limit per step. When another writer appears, the number of rows may shrink further. */
const MAX_CHANGE = 2;

export interface Pace {
  rows(): number;
  /** Call after each transaction; resolves when the next may start. `elapsedMs`: how long locks were held. */
  done(rows: number, elapsedMs: number): Promise<void>;
}

export function createPace(db: Pick<Database, 'engine' | 'hasOtherWriters'>): Pace {
  const withOthers = WITH_OTHERS[db.engine];
  const pauseMs = PAUSE_MS[db.engine];
  let next = MIN_ROWS;
  let bounds = withOthers;
  // The first call sees no writers, because it has nothing to compare with. An error appears again in the next call.
  void db.hasOtherWriters().catch(() => {});
  return {
    rows: () => next,
    done: async (rows, elapsedMs) => {
      const wasAlone = bounds === ALONE;
      bounds = (await db.hasOtherWriters()) ? withOthers : ALONE;
      // A partial transaction, such as the last one, doesn't show how long a full transaction takes.
      if (rows >= next || elapsedMs > bounds.targetMs) {
        const fitting = (rows * bounds.targetMs) / Math.max(elapsedMs, 1);
        const least = wasAlone && bounds === withOthers ? MIN_ROWS : next / MAX_CHANGE;
        const target = Math.min(Math.max(fitting, least), next * MAX_CHANGE);
        const rounding = target >= ROW_STEPS[0] ? ROW_STEPS[0] : ROW_STEPS[1];
        next = Math.max(Math.floor(target / rounding) * rounding, MIN_ROWS);
      }
      next = Math.min(next, bounds.maxRows);
      if (pauseMs > 0) await sleep(pauseMs);
    },
  };
}

export async function timedTransaction<T>(
  db: Pick<Database, 'transaction'>,
  work: (tx: Transaction) => Promise<T>,
): Promise<{ readonly result: T; readonly heldMs: number }> {
  let startedAt = 0;
  const result = await db.transaction((tx) => {
    startedAt = performance.now();
    return work(tx);
  });
  return { result, heldMs: performance.now() - startedAt };
}

/** Pause after a bulk write, as a multiple of its duration. Three of four redemptions don't wait for bulk writes. */
const BULK_PAUSES = 3;
const MAX_BULK_PAUSE_MS = 500;

/**
 * Writes of many rows run one at a time with pauses, so that redemptions rarely wait. Callers don't wait for the pause.
 */
export function createBulkQueue(pause: (ms: number) => Promise<unknown> = sleep): Semaphore {
  const queue = createSemaphore(1);
  let paused: Promise<unknown> = Promise.resolve();
  return {
    run: (work) =>
      queue.run(async () => {
        await paused;
        const startedAt = performance.now();
        try {
          return await work();
        } finally {
          paused = pause(Math.min(BULK_PAUSES * (performance.now() - startedAt), MAX_BULK_PAUSE_MS));
        }
      }),
  };
}
