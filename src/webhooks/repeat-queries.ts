/** SQL of deliveries that are sent by hand. */
import { Refusal } from '../errors.ts';
import type { Queryable, Transaction } from '../store/database.ts';
import { isUuid } from '../store/uuid.ts';
import type { Delivery } from './delivery-queries.ts';
import type { Endpoint } from './endpoint-queries.ts';

/** Throws the refusal of a missing page if the endpoint has no such delivery. */
export async function findDelivery(
  db: Queryable,
  { id: endpointId, account_id }: Pick<Endpoint, 'id' | 'account_id'>,
  id: string,
): Promise<Delivery> {
  const row = isUuid(id)
    ? await db
        .selectFrom('deliveries')
        .selectAll()
        .where('account_id', '=', account_id)
        .where('id', '=', id)
        .where('endpoint_id', '=', endpointId)
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

/** A delivery that was not delivered begins its schedule again. */
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

interface Recovery {
  readonly since: string;
  /** When they are due. */
  readonly at: string;
  /** Deliveries with more attempts are left out. */
  readonly maxAttempts: number;
  readonly limit: number;
}

/**
 * Makes deliveries due again that were made since a time and were attempted without success: they have failed, or wait
 * for another attempt. Returns how many.
 */
export async function recoverFailed(
  tx: Transaction,
  { account_id, id: endpointId }: Pick<Endpoint, 'account_id' | 'id'>,
  { since, at, maxAttempts, limit }: Recovery,
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
