import { type Selectable, type SqlBool, sql } from 'kysely';
import { nothingThere } from '../../platform/errors.ts';
import { countOf, type Engine, type Queryable, type Transaction } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { insertionOf, type RowColumns } from '../../platform/store/insert-rows.ts';
import type { DeliveriesTable, DeliveryAttemptsTable } from '../../platform/store/tables/webhooks.ts';
import { isUuid } from '../../platform/store/uuid.ts';
import { type Endpoint, isNotHeld, openEndpoints } from './endpoint-queries.ts';

export type Delivery = Selectable<DeliveriesTable>;
export type DeliveryAttempt = Selectable<DeliveryAttemptsTable>;

export type NewDelivery = Omit<DeliveriesTable, 'attempts' | 'delivered_at' | 'failed_at'>;

const NEW_COLUMNS: RowColumns<NewDelivery & Pick<Delivery, 'attempts' | 'next_at'>> = {
  id: 'uuid',
  account_id: 'uuid',
  endpoint_id: 'uuid',
  event_seq: 'integer',
  message_id: 'text',
  type: 'text',
  payload: 'text',
  created_at: 'time',
  attempts: 'integer',
  next_at: 'time',
  trace: 'text',
};

/** Inserts deliveries. Ignores deliveries that already exist. */
export async function insertDeliveries(tx: Transaction, engine: Engine, deliveries: readonly NewDelivery[]) {
  if (deliveries.length === 0) return;
  const rows = deliveries.map((delivery) => ({ ...delivery, attempts: 0 }));
  const insertion = insertionOf(engine, 'deliveries', NEW_COLUMNS, rows);
  await sql`${insertion} on conflict (account_id, endpoint_id, event_seq) do nothing`.execute(tx);
}

export async function listDueEndpoints(db: Queryable, at: string, afterId: string, limit: number) {
  const rows = await openEndpoints(db)
    .select('webhook_endpoints.id')
    .where('webhook_endpoints.id', '>', afterId)
    .where(isNotHeld(at))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('deliveries')
          .select('deliveries.id')
          .whereRef('deliveries.endpoint_id', '=', 'webhook_endpoints.id')
          .where('deliveries.next_at', '<=', at),
      ),
    )
    .orderBy('webhook_endpoints.id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export const listDue = (db: Queryable, endpointId: string, at: string, limit: number): Promise<Delivery[]> =>
  db
    .selectFrom('deliveries')
    .selectAll()
    .where('endpoint_id', '=', endpointId)
    .where('next_at', '<=', at)
    .orderBy('next_at')
    .orderBy('id')
    .limit(limit)
    .execute();

type DeliveryKey = Pick<Delivery, 'id' | 'account_id'>;

/** Queries also name the accounts, by which a distributed database finds the rows. */
const keysOf = (deliveries: readonly DeliveryKey[]) => ({
  accountIds: [...new Set(deliveries.map(({ account_id }) => account_id))],
  ids: deliveries.map(({ id }) => id),
});

/** Deletes deliveries that were never attempted. */
export async function deleteUnsent(tx: Transaction, deliveries: readonly DeliveryKey[]): Promise<void> {
  const { accountIds, ids } = keysOf(deliveries);
  await tx
    .deleteFrom('deliveries')
    .where('account_id', 'in', accountIds)
    .where('id', 'in', ids)
    .where('attempts', '=', 0)
    .execute();
}

const ATTEMPT_COLUMNS: RowColumns<DeliveryAttempt> = {
  id: 'uuid',
  account_id: 'uuid',
  delivery_id: 'uuid',
  url: 'text',
  at: 'time',
  took_ms: 'integer',
  status: 'integer',
  answer_type: 'text',
  answer: 'text',
  failure: 'text',
  redirects_to: 'text',
};

type StateColumn = 'id' | 'account_id' | 'attempts' | 'next_at' | 'delivered_at' | 'failed_at';

/** State of a delivery after an attempt. `was_due_at`: `next_at` before a failed attempt; `null` after a success. */
export type DeliveryState = Pick<Delivery, StateColumn> & { readonly was_due_at: string | null };

const STATE_COLUMNS: RowColumns<DeliveryState> = {
  id: 'uuid',
  account_id: 'uuid',
  attempts: 'integer',
  next_at: 'time',
  delivered_at: 'time',
  failed_at: 'time',
  was_due_at: 'time',
};

/**
 * Records attempts and the new states of their deliveries. A failure doesn't change the state if `next_at` changed
 * during the request: another process attempted the delivery, or the owner resent it.
 */
export async function recordAttempts(
  tx: Transaction,
  engine: Engine,
  attempts: readonly DeliveryAttempt[],
  states: readonly DeliveryState[],
): Promise<void> {
  if (attempts.length === 0) return;
  const { source, column } = DIALECTS[engine].jsonRows(JSON.stringify(states), STATE_COLUMNS);
  await sql`update deliveries set attempts = ${column('attempts')}, next_at = ${column('next_at')},
      delivered_at = ${column('delivered_at')}, failed_at = ${column('failed_at')}
    from ${source}
    where deliveries.account_id = ${column('account_id')} and deliveries.id = ${column('id')}
      and (${column('was_due_at')} is null or deliveries.next_at = ${column('was_due_at')})`.execute(tx);
  await insertionOf(engine, 'delivery_attempts', ATTEMPT_COLUMNS, attempts).execute(tx);
}

/** Deletes attempts of the deliveries that the receiver answered with one of these statuses. */
export async function deleteAttempts(
  tx: Transaction,
  deliveries: readonly DeliveryKey[],
  statuses: readonly number[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const { accountIds, ids } = keysOf(deliveries);
  await tx
    .deleteFrom('delivery_attempts')
    .where('account_id', 'in', accountIds)
    .where('delivery_id', 'in', ids)
    .where('status', 'in', statuses)
    .execute();
}

/** Shortens what is stored of earlier attempts, so that a retry adds little to the database. */
export async function shortenAttempts(
  tx: Transaction,
  deliveries: readonly DeliveryKey[],
  length: number,
): Promise<void> {
  if (deliveries.length === 0) return;
  const { accountIds, ids } = keysOf(deliveries);
  await tx
    .updateTable('delivery_attempts')
    .set({
      url: sql<string>`substr(url, 1, ${sql.lit(length)})`,
      answer: sql<string>`substr(answer, 1, ${sql.lit(length)})`,
    })
    .where('account_id', 'in', accountIds)
    .where('delivery_id', 'in', ids)
    .where(sql<SqlBool>`(length(url) > ${sql.lit(length)} or length(answer) > ${sql.lit(length)})`)
    .execute();
}

export async function findDelivery(db: Queryable, endpoint: Endpoint, id: string): Promise<Delivery> {
  const row = isUuid(id)
    ? await db
        .selectFrom('deliveries')
        .selectAll()
        .where('account_id', '=', endpoint.account_id)
        .where('id', '=', id)
        .where('endpoint_id', '=', endpoint.id)
        .executeTakeFirst()
    : undefined;
  if (row === undefined) throw nothingThere();
  return row;
}

/**
 * Deliveries that can be sent again: the delivery `id` in any state, or up to `limit` deliveries created at `since` or
 * later that were attempted but not delivered. Without deliveries that have more than `maxAttempts` attempts.
 */
export interface Repeatable {
  readonly which: { readonly id: string } | { readonly since: string; readonly limit?: number };
  readonly maxAttempts: number;
}

function repeatableIds(
  db: Queryable,
  { id: endpointId, account_id }: Endpoint,
  { which, maxAttempts }: Repeatable,
) {
  const repeatable = db
    .selectFrom('deliveries')
    .select('deliveries.id')
    .where('account_id', '=', account_id)
    .where('endpoint_id', '=', endpointId)
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
  if ('id' in which) return repeatable.where('id', '=', which.id);
  const { since, limit } = which;
  return repeatable
    .where('delivered_at', 'is', null)
    .where('attempts', '>', 0)
    .where('created_at', '>=', since)
    .$if(limit !== undefined, (query) => query.limit(limit!));
}

export const countRepeatable = (db: Queryable, endpoint: Endpoint, repeatable: Repeatable): Promise<number> =>
  countOf(db.selectFrom(repeatableIds(db, endpoint, repeatable).as('repeatable')));

/** Makes deliveries due at `at`. Restarts the retry schedule of undelivered ones. Returns their number. */
export async function makeDue(
  tx: Transaction,
  endpoint: Endpoint,
  repeatable: Repeatable,
  at: string,
): Promise<number> {
  const rows = await tx
    .updateTable('deliveries')
    .set((eb) => ({
      next_at: at,
      attempts: eb.case().when('delivered_at', 'is', null).then(0).else(eb.ref('attempts')).end(),
      failed_at: null,
    }))
    .where('account_id', '=', endpoint.account_id)
    .where('id', 'in', repeatableIds(tx, endpoint, repeatable))
    .returning('id')
    .execute();
  return rows.length;
}

export const BACKLOG_COUNTED = 10_000;

/**
 * `due`: the number of due deliveries, counted up to `BACKLOG_COUNTED`. `since`: the earliest time at which a counted
 * delivery became due. Deliveries of endpoints that currently receive no requests are not counted. `disabled`: the
 * number of endpoints that the service has disabled.
 */
export async function readWebhookBacklog(db: Queryable, at: string) {
  const due = openEndpoints(db)
    .innerJoin('deliveries', 'deliveries.endpoint_id', 'webhook_endpoints.id')
    .select('deliveries.next_at')
    .where(isNotHeld(at))
    .where('deliveries.next_at', '<=', at)
    .limit(BACKLOG_COUNTED);
  const waiting = await db
    .selectFrom(due.as('due'))
    .select(({ fn }) => [fn.countAll<number>().as('due'), fn.min<string | null>('due.next_at').as('since')])
    .executeTakeFirstOrThrow();
  const disabled = await countOf(
    db
      .selectFrom('webhook_endpoints')
      .where('disabled_reason', 'in', ['gone', 'failing'])
      .where('deleted_at', 'is', null),
  );
  return { ...waiting, disabled };
}

export type WebhookBacklog = Awaited<ReturnType<typeof readWebhookBacklog>>;

/**
 * Returns the id of the newest delivery to delete, or `null`. A delivery can be deleted if it is no longer waiting and
 * either is not among the newest `limit` deliveries or has an id below `firstKept`.
 */
export async function findExpired(
  db: Queryable,
  endpointId: string,
  { limit, firstKept }: { readonly limit: number; readonly firstKept: string },
): Promise<string | null> {
  const newest = db
    .selectFrom('deliveries')
    .select('id')
    .where('endpoint_id', '=', endpointId)
    .orderBy('id', 'desc')
    .limit(1);
  const lastKept = await newest.offset(limit - 1).executeTakeFirst();
  const before = lastKept === undefined || lastKept.id < firstKept ? firstKept : lastKept.id;
  const expired = await newest.where('id', '<', before).where('next_at', 'is', null).executeTakeFirst();
  return expired?.id ?? null;
}

/**
 * Deletes at most `limit` deliveries and their attempts. `upTo`: deletes only deliveries up to this id that are no
 * longer waiting; `null`: deletes any delivery. Returns whether there may be more to delete.
 */
export async function deleteDeliveries(
  tx: Transaction,
  { id, account_id }: Pick<Endpoint, 'id' | 'account_id'>,
  upTo: string | null,
  limit: number,
): Promise<boolean> {
  const of = tx.selectFrom('deliveries').select('id').where('endpoint_id', '=', id);
  const which = upTo === null ? of : of.where('next_at', 'is', null).where('id', '<=', upTo);
  const ids = (await which.orderBy('id').limit(limit).execute()).map((row) => row.id);
  if (ids.length === 0) return false;
  await tx
    .deleteFrom('delivery_attempts')
    .where('account_id', '=', account_id)
    .where('delivery_id', 'in', ids)
    .execute();
  await tx.deleteFrom('deliveries').where('account_id', '=', account_id).where('id', 'in', ids).execute();
  return ids.length === limit;
}
