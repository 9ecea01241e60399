/** SQL of deliveries that an owner has sent by hand. */
import { Refusal } from '../errors.ts';
import type { Queryable, Transaction } from '../store/database.ts';
import { isUuid } from '../store/uuid.ts';
import type { Delivery } from './delivery-queries.ts';
import type { Endpoint } from './endpoint-queries.ts';

/** The delivery of an endpoint of an account. Throws the refusal of a missing page for all others. */
export async function findDelivery(
  db: Queryable,
  accountId: string,
  endpointId: string,
  id: string,
): Promise<Delivery> {
  const row =
    isUuid(id) && isUuid(endpointId)
      ? await db
          .selectFrom('deliveries')
          .selectAll()
          .where('id', '=', id)
          .where('endpoint_id', '=', endpointId)
          .where('account_id', '=', accountId)
          .executeTakeFirst()
      : undefined;
  if (row === undefined) throw new Refusal('unknown_path', 'There is nothing at this address.');
  return row;
}

type DeliveryKey = Pick<Delivery, 'account_id' | 'id'>;

export async function countAttempts(db: Queryable, { account_id, id }: DeliveryKey): Promise<number> {
  const { count } = await db
    .selectFrom('delivery_attempts')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('account_id', '=', account_id)
    .where('delivery_id', '=', id)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The delivery is due at `at`. One that was not delivered begins its schedule again. */
export const makeDue = (tx: Transaction, { account_id, id }: DeliveryKey, at: string): Promise<unknown> =>
  tx
    .updateTable('deliveries')
    .set((eb) => ({
      next_at: at,
      attempts: eb.case().when('delivered_at', 'is', null).then(0).else(eb.ref('attempts')).end(),
      failed_at: null,
    }))
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute();

export interface Recovered {
  /** ISO 8601 UTC. */
  readonly since: string;
  readonly at: string;
  /** Deliveries with more attempts are left out. */
  readonly maxAttempts: number;
  readonly limit: number;
}

/**
 * Makes at most `limit` deliveries due again, of those made since a time that were tried without success; returns how
 * many. They have failed for good, or wait for another attempt.
 */
export async function recoverFailed(
  tx: Transaction,
  { account_id, id: endpointId }: Pick<Endpoint, 'account_id' | 'id'>,
  { since, at, maxAttempts, limit }: Recovered,
): Promise<number> {
  const undelivered = tx
    .selectFrom('deliveries')
    .select('deliveries.id')
    .where('endpoint_id', '=', endpointId)
    .where('delivered_at', 'is', null)
    .where('created_at', '>=', since)
    .where(
      (eb) =>
        eb
          .selectFrom('delivery_attempts as made')
          .select(eb.fn.countAll<number>().as('count'))
          .whereRef('made.account_id', '=', 'deliveries.account_id')
          .whereRef('made.delivery_id', '=', 'deliveries.id'),
      '<=',
      maxAttempts,
    );
  const rows = await tx
    .updateTable('deliveries')
    .set({ next_at: at, attempts: 0, failed_at: null })
    .where('account_id', '=', account_id)
    .where(
      'id',
      'in',
      undelivered
        .where('failed_at', 'is not', null)
        .unionAll(undelivered.where('next_at', 'is not', null).where('attempts', '>', 0))
        .limit(limit),
    )
    .returning('id')
    .execute();
  return rows.length;
}
