import type { Queryable } from '../../store/database.ts';
import { isUuid } from '../../store/uuid.ts';
import type { Delivery, DeliveryAttempt } from '../../webhooks/delivery-queries.ts';

export const DELIVERY_FILTERS = ['all', 'failed', 'waiting'] as const;
export type DeliveryFilter = (typeof DELIVERY_FILTERS)[number];

/** Newest first. `after`: the last delivery of the previous page. */
export function listDeliveries(
  db: Queryable,
  endpointId: string,
  state: DeliveryFilter,
  limit: number,
  after?: string,
): Promise<Delivery[]> {
  let query = db.selectFrom('deliveries').selectAll().where('endpoint_id', '=', endpointId);
  if (state === 'failed') query = query.where('failed_at', 'is not', null);
  if (state === 'waiting') query = query.where('next_at', 'is not', null);
  if (after !== undefined && isUuid(after)) query = query.where('id', '<', after);
  return query.orderBy('id', 'desc').limit(limit).execute();
}

/** Newest first. There is no limit here, since a delivery has at most `MAX_ATTEMPTS` attempts. */
export const listAttempts = (db: Queryable, { account_id, id }: Delivery): Promise<DeliveryAttempt[]> =>
  db
    .selectFrom('delivery_attempts')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('delivery_id', '=', id)
    .orderBy('id', 'desc')
    .execute();

export const WAITING_COUNTED = 10_000;

export async function countWaiting(db: Queryable, endpointId: string): Promise<number> {
  const waiting = db
    .selectFrom('deliveries')
    .select('next_at')
    .where('endpoint_id', '=', endpointId)
    .where('next_at', 'is not', null)
    .limit(WAITING_COUNTED);
  const { count } = await db
    .selectFrom(waiting.as('waiting'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
