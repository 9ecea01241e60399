/** Cuts long writes into transactions so short that nobody else on the database waits noticeably. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Engine } from '../../store/database.ts';

interface Bounds {
  /** What a transaction aims at. */
  readonly targetMs: number;
  readonly maxRows: number;
}

/**
 * On SQLite everybody waits who writes, and a transaction that meets a slow disk still stays around 50 ms. On PostgreSQL
 * only those wait who claim the same offer.
 */
const IN_COMPANY: Readonly<Record<Engine, Bounds>> = {
  sqlite: { targetMs: 25, maxRows: 1_500 },
  postgres: { targetMs: 50, maxRows: 2_500 },
};
/** SQLite's write lock has no queue: another writer finds it free only between two transactions. */
const PAUSE_MS: Readonly<Record<Engine, number>> = { sqlite: 5, postgres: 0 };
/** Whoever comes waits for this transaction, and for none after it that is as long. */
const ALONE: Bounds = { targetMs: 100, maxRows: 2_500 };
const FIRST_ROWS = 250;
const MIN_ROWS = 25;
/**
 * Chunks come in few sizes, so that statements with a placeholder a value are prepared once and used again: in
 * multiples of the first or, below it, of the second.
 */
const ROW_STEPS = [250, 25] as const;
/** A chunk grows or, in the same company, shrinks at most by this factor at a time. */
const MAX_CHANGE = 2;

export interface Pace {
  /** How many rows the next transaction takes. */
  rows(): number;
  /** A transaction of `rows` rows held its locks for `elapsedMs`. Resolves when the next one may begin. */
  done(rows: number, elapsedMs: number): Promise<void>;
}

export function createPace(db: Pick<Database, 'engine' | 'hasCompany'>): Pace {
  const inCompany = IN_COMPANY[db.engine];
  const pauseMs = PAUSE_MS[db.engine];
  let next = FIRST_ROWS;
  let bounds = inCompany;
  return {
    rows: () => next,
    done: async (rows, elapsedMs) => {
      const wasAlone = bounds === ALONE;
      bounds = (await db.hasCompany()) ? inCompany : ALONE;
      // A short chunk, the last one or one cut before the pace grew, says nothing of a full one.
      if (rows >= next || elapsedMs > bounds.targetMs) {
        const fitting = (rows * bounds.targetMs) / Math.max(elapsedMs, 1);
        const least = wasAlone && bounds === inCompany ? MIN_ROWS : next / MAX_CHANGE;
        const wanted = Math.min(Math.max(fitting, least), next * MAX_CHANGE);
        const rounding = wanted >= ROW_STEPS[0] ? ROW_STEPS[0] : ROW_STEPS[1];
        next = Math.max(Math.floor(wanted / rounding) * rounding, MIN_ROWS);
      }
      next = Math.min(next, bounds.maxRows);
      if (pauseMs > 0) await sleep(pauseMs);
    },
  };
}

/** Times how long a transaction holds its locks: from the moment its work begins. */
export function createHoldTimer(): { start(): void; elapsedMs(): number } {
  let startedAt = performance.now();
  return {
    start: () => {
      startedAt = performance.now();
    },
    elapsedMs: () => performance.now() - startedAt,
  };
}
