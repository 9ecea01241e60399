/** SQL of deleting deliveries. */
import type { Queryable, Transaction } from '../store/database.ts';

/** All endpoints, except those deleted since `deletedBefore`. */
export const listEndpointsToSweep = (
  db: Queryable,
  deletedBefore: string,
): Promise<{ readonly id: string; readonly deleted_at: string | null }[]> =>
  db
    .selectFrom('webhook_endpoints')
    .select(['id', 'deleted_at'])
    .where((eb) => eb.or([eb('deleted_at', 'is', null), eb('deleted_at', '<', deletedBefore)]))
    .execute();

/**
 * The newest delivery of an endpoint that is to be deleted: it no longer waits, and is not among the newest `kept` or has
 * an id below `firstKept`. `null`: there is none.
 */
export async function findExpired(
  db: Queryable,
  endpointId: string,
  { kept, firstKept }: { readonly kept: number; readonly firstKept: string },
): Promise<string | null> {
  const newest = db
    .selectFrom('deliveries')
    .select('id')
    .where('endpoint_id', '=', endpointId)
    .orderBy('id', 'desc')
    .limit(1);
  const lastKept = await newest.offset(kept - 1).executeTakeFirst();
  const before = lastKept === undefined || lastKept.id < firstKept ? firstKept : lastKept.id;
  const expired = await newest.where('id', '<', before).where('next_at', 'is', null).executeTakeFirst();
  return expired?.id ?? null;
}

/**
 * Deletes at most `limit` deliveries with their attempts. `upTo`: only deliveries up to this id that no longer wait;
 * `null`: all. Returns whether there may be more.
 */
export async function deleteDeliveries(
  tx: Transaction,
  endpointId: string,
  upTo: string | null,
  limit: number,
): Promise<boolean> {
  let query = tx.selectFrom('deliveries').select(['account_id', 'id']).where('endpoint_id', '=', endpointId);
  if (upTo !== null) query = query.where('next_at', 'is', null).where('id', '<=', upTo);
  const rows = await query.orderBy('id').limit(limit).execute();
  const [first] = rows;
  if (first === undefined) return false;
  const { account_id } = first;
  const ids = rows.map(({ id }) => id);
  await tx
    .deleteFrom('delivery_attempts')
    .where('account_id', '=', account_id)
    .where('delivery_id', 'in', ids)
    .execute();
  await tx.deleteFrom('deliveries').where('account_id', '=', account_id).where('id', 'in', ids).execute();
  return rows.length === limit;
}

export const deleteEndpointRow = (tx: Transaction, id: string): Promise<unknown> =>
  tx.deleteFrom('webhook_endpoints').where('id', '=', id).execute();
