/** Folds the deltas that batches append into the counts of labels. */
import type { Context } from '../context.ts';
import { DIALECTS } from '../store/dialects.ts';
import { MINUTE_MS } from '../text/durations.ts';
import { moveDeltasIntoCounts, readFoldBacklog } from './queries.ts';

/** Deltas moved in one transaction, few enough not to delay other writers. */
const DELTAS_PER_FOLD = 5_000;
/** Folded as soon as this many wait; fewer don't slow down reads. */
const DUE_DELTAS = 1_000;
/** Fewer are folded once the oldest is this old. */
const DUE_AFTER_MS = MINUTE_MS;

type Folding = Pick<Context, 'db' | 'timeZone'>;

/** Whether a fold is due. Folds are rare because an import treats any other writer as contention. */
export async function isFoldDue(context: Pick<Context, 'db' | 'now'>): Promise<boolean> {
  const { waiting, since } = await readFoldBacklog(context.db.read);
  return waiting >= DUE_DELTAS || (since !== null && context.now() - Date.parse(since) >= DUE_AFTER_MS);
}

/** Folds everything in short transactions; `signal` stops it between two of them. */
export async function foldAllLabelDeltas(context: Folding, signal?: AbortSignal): Promise<void> {
  while (signal?.aborted !== true && (await foldLabelDeltas(context)) === DELTAS_PER_FOLD);
}

/** Moves at most `limit` deltas in one transaction and returns how many. Any number of processes may call it. */
export function foldLabelDeltas(context: Folding, limit = DELTAS_PER_FOLD): Promise<number> {
  const { db, timeZone } = context;
  return db.transaction(async (tx) => {
    // Deltas whose fold is lost in a crash are folded again.
    await DIALECTS[db.engine].commitUnflushed(tx);
    return await moveDeltasIntoCounts(tx, db.engine, timeZone, limit);
  });
}
