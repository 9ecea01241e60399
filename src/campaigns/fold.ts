/** Folds what batches append into the counts a label is read from. */
import type { Context } from '../context.ts';
import { moveDeltasIntoCounts, readFoldBacklog } from './queries.ts';

/** Deltas moved in one transaction; small enough to hold no one up. */
const DELTAS_PER_FOLD = 5_000;
/** So many are folded at once; fewer cost whoever reads counts nothing that could be noticed. */
const DUE_DELTAS = 1_000;
/** Fewer are folded as soon as the oldest is so old. */
const DUE_AFTER_MS = 60_000;

/** Folds what is due. A fold is a flush, and long work on the embedded database takes whoever writes for company. */
export async function foldDueLabelDeltas(context: Pick<Context, 'db' | 'now'>): Promise<void> {
  const { waiting, since } = await readFoldBacklog(context.db.read);
  const isOld = since !== null && context.now() - Date.parse(since) >= DUE_AFTER_MS;
  if (waiting >= DUE_DELTAS || isOld) await foldAllLabelDeltas(context);
}

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
