/** Folds what batches append into the counts a label is read from. */
import type { Context } from '../context.ts';
import { moveDeltasIntoCounts } from './queries.ts';

/** Deltas moved in one transaction; small enough to hold no one up. */
const DELTAS_PER_FOLD = 5_000;

/** Folds until nothing is left, one short transaction after the other. */
export async function foldAllLabelDeltas(context: Pick<Context, 'db'>): Promise<void> {
  while ((await foldLabelDeltas(context)) === DELTAS_PER_FOLD);
}

/**
 * Moves a bounded number of deltas into the counts in one transaction and tells how many; fewer than
 * `limit` means that none is left. Any number of processes may call it at the same time.
 */
export function foldLabelDeltas(context: Pick<Context, 'db'>, limit = DELTAS_PER_FOLD): Promise<number> {
  return context.db.transaction((tx) => moveDeltasIntoCounts(tx, context.db.engine, limit));
}
