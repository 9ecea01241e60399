/**
 * Finds the number up to which the event log is settled: no event with a lower number can appear later. On PostgreSQL,
 * a transaction takes event numbers before it commits, so a lower number can become visible after a higher one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { singleFlight } from '../../platform/process/background.ts';
import { type Database, DatabaseUnavailable } from '../../platform/store/database.ts';

/** Maximum number of checks for open writers per call of `ReadSettled`, and the pause between checks. */
const MAX_CHECKS = 4;
const CHECK_PAUSE_MS = 4;
/** Attempts in `settledSeq`, and the pause between them: about two seconds together. */
const MAX_WAITS = 50;
const WAIT_MS = 25;

interface Settled {
  /** All events up to this number are visible. New events get higher numbers. */
  readonly seq: number;
  /** Events with numbers above `seq` were numbered at this time or later (epoch milliseconds, this process's clock). */
  readonly atMs: number;
}

/** Returns `null` until the writers that were open at the first call have finished. Never `null` on SQLite. */
export type ReadSettled = () => Promise<Settled | null>;

type SettledDatabase = Pick<Database, 'eventNumbers'>;

/**
 * The last number is settled once the writers that are open after reading it have finished. Reuse the returned function:
 * each call continues to wait for the writers that earlier calls found.
 */
export function createReadSettled({ eventNumbers }: SettledDatabase, now: () => number): ReadSettled {
  let settled: Settled | null = null;
  let pending: (Settled & { readonly writers: ReadonlySet<string> }) | null = null;

  return singleFlight(async () => {
    for (let checks = 1; ; checks += 1) {
      const isFresh = pending === null;
      const { seq, atMs }: Settled = pending ?? { atMs: now(), seq: await eventNumbers.lastDrawn() };
      const writers: ReadonlySet<string> = await eventNumbers.writers(pending?.writers);
      pending = writers.size === 0 ? null : { seq, atMs, writers };
      if (pending === null) settled = { seq, atMs };
      if ((pending === null && isFresh) || checks >= MAX_CHECKS) return settled;
      if (pending !== null) await sleep(CHECK_PAUSE_MS);
    }
  });
}

/** Waits for open transactions. Throws `DatabaseUnavailable` if one stays open for about two seconds. */
export async function settledSeq(db: SettledDatabase, now: () => number): Promise<number> {
  const readSettled = createReadSettled(db, now);
  for (let waits = 0; waits < MAX_WAITS; waits += 1) {
    const settled = await readSettled();
    if (settled !== null) return settled.seq;
    await sleep(WAIT_MS);
  }
  throw new DatabaseUnavailable(
    'PostgreSQL: a transaction that writes events has been open for more than two seconds.',
  );
}
