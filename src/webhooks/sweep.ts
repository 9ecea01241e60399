/** Deletes old deliveries, those beyond the number that is kept, and all of deleted endpoints. */
import type { Context } from '../context.ts';
import { firstUuidAt } from '../store/uuid.ts';
import {
  deleteDeliveries,
  deleteEndpointRow,
  findExpired,
  listDeletedEndpoints,
  listSweptEndpoints,
} from './sweep-queries.ts';

/** Deliveries that were delivered or failed are kept for this long. */
export const DELIVERIES_KEPT_DAYS = 30;
/** How many of the newest deliveries of each endpoint are kept. Those that wait have a limit of their own. */
export const DELIVERIES_KEPT = 10_000;
/** Deliveries deleted in one transaction, with their attempts. */
const DELIVERIES_PER_DELETION = 200;
/** Requests that were under way when an endpoint was deleted have ended by then. */
const DELETED_AFTER_MS = 5 * 60_000;
const DAY_MS = 86_400_000;

type SweepContext = Pick<Context, 'db' | 'now'>;

export interface SweepOptions {
  readonly signal?: AbortSignal;
  readonly kept?: number;
}

/** Whether a sweep would find something to delete. */
export async function deliveriesNeedSweep(context: SweepContext, kept?: number): Promise<boolean> {
  const { db, now } = context;
  if ((await listDeletedEndpoints(db.read, deletedBefore(now()))).length > 0) return true;
  for (const id of await listSweptEndpoints(db.read)) {
    if ((await findExpired(db.read, id, bounds(now(), kept))) !== null) return true;
  }
  return false;
}

/** Works in short transactions; `signal` ends it between two of them. */
export async function sweepDeliveries(
  { db, now }: SweepContext,
  { signal, kept }: SweepOptions = {},
): Promise<void> {
  const deleteAll = async (endpointId: string, upTo: string | null) => {
    const portion = () =>
      db.transaction((tx) => deleteDeliveries(tx, endpointId, upTo, DELIVERIES_PER_DELETION));
    while (signal?.aborted !== true && (await portion()));
  };
  for (const id of await listDeletedEndpoints(db.read, deletedBefore(now()))) {
    await deleteAll(id, null);
    if (signal?.aborted === true) return;
    await db.transaction((tx) => deleteEndpointRow(tx, id));
  }
  for (const id of await listSweptEndpoints(db.read)) {
    if (signal?.aborted === true) return;
    const upTo = await findExpired(db.read, id, bounds(now(), kept));
    if (upTo !== null) await deleteAll(id, upTo);
  }
}

const bounds = (nowMs: number, kept = DELIVERIES_KEPT) => ({
  kept,
  firstKept: firstUuidAt(nowMs - DELIVERIES_KEPT_DAYS * DAY_MS),
});
const deletedBefore = (nowMs: number): string => new Date(nowMs - DELETED_AFTER_MS).toISOString();
