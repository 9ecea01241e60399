import type { Delivery, DeliveryAttempt } from '../../../background/webhooks/delivery-queries.ts';
import { countOf, type Queryable } from '../../../platform/store/database.ts';
import { isUuid } from '../../../platform/store/uuid.ts';

export const DELIVERY_FILTERS = ['all', 'failed', 'waiting'] as const;
export type DeliveryFilter = (typeof DELIVERY_FILTERS)[number];
export type CountedState = Exclude<DeliveryFilter, 'all'>;

/** For each state, the column that is set only for deliveries in that state. */
const COLUMNS = { failed: 'failed_at', waiting: 'next_at' } as const;

/** Newest first. `after`: ID of the last delivery on the previous page. */
export function listDeliveries(
  db: Queryable,
  endpointId: string,
  state: DeliveryFilter,
  limit: number,
  after?: string,
): Promise<Delivery[]> {
  let query = db.selectFrom('deliveries').selectAll().where('endpoint_id', '=', endpointId);
  if (state !== 'all') query = query.where(COLUMNS[state], 'is not', null);
  if (after !== undefined && isUuid(after)) query = query.where('id', '<', after);
  return query.orderBy('id', 'desc').limit(limit).execute();
}

/** Newest first. Not paginated, because a delivery has at most `MAX_ATTEMPTS` attempts. */
export const listAttempts = (db: Queryable, { account_id, id }: Delivery): Promise<DeliveryAttempt[]> =>
  db
    .selectFrom('delivery_attempts')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('delivery_id', '=', id)
    .orderBy('id', 'desc')
    .execute();

export type LastAttempt = Pick<DeliveryAttempt, 'status' | 'took_ms' | 'redirects_to'>;

export async function listLastAttempts(
  db: Queryable,
  accountId: string,
  deliveries: readonly Delivery[],
): Promise<ReadonlyMap<string, LastAttempt>> {
  if (deliveries.length === 0) return new Map();
  const attempts = await db
    .selectFrom('delivery_attempts')
    .select(['delivery_id', 'status', 'took_ms', 'redirects_to'])
    .where('account_id', '=', accountId)
    .where(
      'delivery_id',
      'in',
      deliveries.map(({ id }) => id),
    )
    .orderBy('id')
    .execute();
  // Later attempts overwrite earlier attempts of the same delivery.
  return new Map(attempts.map((attempt) => [attempt.delivery_id, attempt]));
}

export const COUNTED = 10_000;

export function countDeliveries(db: Queryable, endpointId: string, state: CountedState): Promise<number> {
  const counted = db
    .selectFrom('deliveries')
    .select('id')
    .where('endpoint_id', '=', endpointId)
    .where(COLUMNS[state], 'is not', null)
    .limit(COUNTED);
  return countOf(db.selectFrom(counted.as('counted')));
}
