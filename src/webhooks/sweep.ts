/** Deletes old deliveries, those beyond the number that is kept, and deleted endpoints with all of theirs. */
import type { Context } from '../context.ts';
import { firstUuidAt } from '../store/uuid.ts';
import { DAY_MS, MINUTE_MS } from '../text/durations.ts';
import { toIso } from '../text/time-text.ts';
import {
  deleteDeliveries,
  deleteEndpointRow,
  findExpired,
  listEndpointsToSweep,
} from './delivery-queries.ts';

/** How long deliveries are kept that were delivered or failed. */
export const DELIVERIES_KEPT_DAYS = 30;
/** Deliveries kept per endpoint, newest first. Waiting deliveries don't count. */
export const DELIVERIES_KEPT = 10_000;
/** Deliveries that one transaction deletes with their attempts. */
const DELIVERIES_PER_DELETION = 200;
/** Requests that were under way when an endpoint was deleted have ended by then. */
const DELETED_AFTER_MS = 5 * MINUTE_MS;

type SweepContext = Pick<Context, 'db' | 'now'>;

/** Writes nothing. */
export async function deliveriesNeedSweep(context: SweepContext, kept?: number): Promise<boolean> {
  for await (const _ of findSwept(context, kept)) return true;
  return false;
}

/** Works in short transactions; `signal` ends it between two of them. */
export async function sweepDeliveries(
  context: SweepContext,
  { signal, kept }: { readonly signal?: AbortSignal; readonly kept?: number } = {},
): Promise<void> {
  const { db } = context;
  for await (const { id, isDeleted, upTo } of findSwept(context, kept)) {
    for (let more = true; more; ) {
      if (signal?.aborted === true) return;
      more = await db.transaction((tx) => deleteDeliveries(tx, id, upTo, DELIVERIES_PER_DELETION));
    }
    if (isDeleted) await db.transaction((tx) => deleteEndpointRow(tx, id));
  }
}

/** Endpoints with something to delete. `upTo`: the last delivery that is deleted; `null`: all are. */
async function* findSwept({ db, now }: SweepContext, kept = DELIVERIES_KEPT) {
  const deletedBefore = toIso(now() - DELETED_AFTER_MS);
  const firstKept = firstUuidAt(now() - DELIVERIES_KEPT_DAYS * DAY_MS);
  for (const { id, deleted_at } of await listEndpointsToSweep(db.read, deletedBefore)) {
    if (deleted_at !== null) yield { id, isDeleted: true, upTo: null };
    else {
      const upTo = await findExpired(db.read, id, { kept, firstKept });
      if (upTo !== null) yield { id, isDeleted: false, upTo };
    }
  }
}
