/** Cuts long writes into transactions so short that nobody else on the database waits noticeably. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '../store/database.ts';

/** What a transaction aims at; one that meets a slow disk then still stays around 50 ms. */
const TARGET_MS = 25;
const FIRST_ROWS = 250;
const MIN_ROWS = 25;
const MAX_ROWS = 1_500;
/**
 * Chunks come in few sizes, so that statements with a placeholder a value are prepared once and used again: in
 * multiples of the first or, below it, of the second.
 */
const ROW_STEPS = [250, 25] as const;
/** A chunk grows or shrinks at most by this factor at a time. */
const MAX_CHANGE = 2;
/** SQLite's write lock has no queue: whoever wants it finds it free only between two transactions. */
const SQLITE_PAUSE_MS = 5;

export interface Pace {
  /** How many rows the next transaction takes. */
  rows(): number;
  /** A transaction of `rows` rows held its locks for `elapsedMs`. Resolves when the next one may begin. */
  done(rows: number, elapsedMs: number): Promise<void>;
}

export function createPace(engine: Engine): Pace {
  let next = FIRST_ROWS;
  return {
    rows: () => next,
    done: async (rows, elapsedMs) => {
      const fitting = (rows * TARGET_MS) / Math.max(elapsedMs, 1);
      // A short chunk, the last one or one cut before the pace grew, says nothing of a full one.
      if (rows >= next || elapsedMs > TARGET_MS) {
        const bounded = Math.min(Math.max(fitting, next / MAX_CHANGE), next * MAX_CHANGE);
        const rounding = bounded >= ROW_STEPS[0] ? ROW_STEPS[0] : ROW_STEPS[1];
        next = Math.min(Math.max(Math.floor(bounded / rounding) * rounding, MIN_ROWS), MAX_ROWS);
      }
      if (engine === 'sqlite') await sleep(SQLITE_PAUSE_MS);
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
