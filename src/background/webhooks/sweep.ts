/** Deletes old and surplus deliveries, and the rows of deleted endpoints. */
import type { Context } from '../../base/context.ts';
import { firstUuidOf } from '../../platform/store/uuid.ts';
import { DAY_MS, MINUTE_MS } from '../../platform/text/durations.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { deleteDeliveries, findExpired } from './delivery-queries.ts';
import { deleteEndpointRow, listEndpointsToSweep } from './endpoint-queries.ts';

export const DELIVERIES_KEPT_DAYS = 30;
/** Number of newest deliveries kept per endpoint. Waiting deliveries are always kept. */
export const DELIVERIES_KEPT = 10_000;
const DELIVERIES_PER_DELETION = 200;
/** How long a deleted endpoint's rows are kept, so that its open requests can finish first. */
const DELETED_AFTER_MS = 5 * MINUTE_MS;

type SweepContext = Pick<Context, 'db' | 'now'>;

export async function deliveriesNeedSweep(context: SweepContext, limit = DELIVERIES_KEPT): Promise<boolean> {
  for await (const _ of listExpired(context, limit)) return true;
  return false;
}

/** Deletes in short transactions. `signal` stops the sweep between transactions. */
export async function sweepDeliveries(
  context: SweepContext,
  { signal, limit = DELIVERIES_KEPT }: { readonly signal?: AbortSignal; readonly limit?: number } = {},
): Promise<void> {
  const { db } = context;
  for await (const { endpoint, upTo } of listExpired(context, limit)) {
    for (let more = true; more; ) {
      if (signal?.aborted === true) return;
      more = await db.transaction((tx) => deleteDeliveries(tx, endpoint, upTo, DELIVERIES_PER_DELETION));
    }
    if (upTo === null) await db.transaction((tx) => deleteEndpointRow(tx, endpoint.id));
  }
}

/** Yields endpoints with rows to delete. `upTo`: id of the newest delivery to delete; `null` to delete all rows. */
async function* listExpired({ db, now }: SweepContext, limit: number) {
  const deletedBefore = toIso(now() - DELETED_AFTER_MS);
  const firstKept = firstUuidOf(now() - DELIVERIES_KEPT_DAYS * DAY_MS);
  for (const endpoint of await listEndpointsToSweep(db.read, deletedBefore)) {
    const isDeleted = endpoint.deleted_at !== null;
    const upTo = isDeleted ? null : await findExpired(db.read, endpoint.id, { limit, firstKept });
    if (isDeleted || upTo !== null) yield { endpoint, upTo };
  }
}
