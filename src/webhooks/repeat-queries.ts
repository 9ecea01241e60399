/** SQL of deliveries that an owner has sent by hand. */
import { Refusal } from '../errors.ts';
import type { Queryable, Transaction } from '../store/database.ts';
import { isUuid } from '../store/uuid.ts';
import type { Delivery } from './delivery-queries.ts';

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

export async function countAttempts(db: Queryable, deliveryId: string): Promise<number> {
  const { count } = await db
    .selectFrom('delivery_attempts')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('delivery_id', '=', deliveryId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The delivery is due at `at`. One that has failed begins its schedule again. */
export const makeDue = (tx: Transaction, id: string, at: string): Promise<unknown> =>
  tx
    .updateTable('deliveries')
    .set((eb) => ({
      next_at: at,
      attempts: eb.case().when('delivered_at', 'is', null).then(0).else(eb.ref('attempts')).end(),
      failed_at: null,
    }))
    .where('id', '=', id)
    .execute();

/** Makes at most `limit` deliveries that failed due again, of those made since a time; returns how many. */
export async function makeFailedDue(
  tx: Transaction,
  endpointId: string,
  { since, at, limit }: { readonly since: string; readonly at: string; readonly limit: number },
): Promise<number> {
  const rows = await tx
    .updateTable('deliveries')
    .set({ next_at: at, attempts: 0, failed_at: null })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('deliveries')
        .select('id')
        .where('endpoint_id', '=', endpointId)
        .where('failed_at', 'is not', null)
        .where('created_at', '>=', since)
        .limit(limit),
    )
    .returning('id')
    .execute();
  return rows.length;
}
