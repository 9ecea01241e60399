/** SQL of deliveries: what is due, and what became of it. */
import { type Selectable, sql } from 'kysely';
import { Refusal } from '../errors.ts';
import type { Engine, Queryable, Transaction } from '../store/database.ts';
import { type ColumnKind, DIALECTS } from '../store/dialects.ts';
import { insertionOf, type RowColumns } from '../store/insert-rows.ts';
import type { DeliveriesTable, DeliveryAttemptsTable } from '../store/tables/webhooks.ts';
import { isUuid } from '../store/uuid.ts';
import { type Endpoint, openEndpoints } from './endpoint-queries.ts';

export type Delivery = Selectable<DeliveriesTable>;
export type DeliveryAttempt = Selectable<DeliveryAttemptsTable>;

/** Ids after `afterId`, in order, of endpoints with a delivery that is due at `at`. */
export async function listDueEndpoints(
  db: Queryable,
  { at, afterId, limit }: { readonly at: string; readonly afterId: string; readonly limit: number },
): Promise<string[]> {
  const rows = await openEndpoints(db)
    .select('webhook_endpoints.id')
    .where('webhook_endpoints.id', '>', afterId)
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

const DUE_COLUMNS = [
  'id',
  'account_id',
  'endpoint_id',
  'message_id',
  'payload',
  'attempts',
  'next_at',
  'delivered_at',
] as const;

export type DueDelivery = Pick<Delivery, (typeof DUE_COLUMNS)[number]>;

/** The deliveries of an endpoint that are due at `at`, the longest due first. */
export const listDue = (
  db: Queryable,
  endpointId: string,
  at: string,
  limit: number,
): Promise<DueDelivery[]> =>
  db
    .selectFrom('deliveries')
    .select(DUE_COLUMNS)
    .where('endpoint_id', '=', endpointId)
    .where('next_at', '<=', at)
    .orderBy('next_at')
    .limit(limit)
    .execute();

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
};

/** The state of a delivery after an attempt. */
export type DeliveryState = Pick<
  Delivery,
  'id' | 'account_id' | 'attempts' | 'next_at' | 'delivered_at' | 'failed_at'
> & {
  /** `next_at` before the attempt. */
  readonly was_due_at: string | null;
};

const STATE_COLUMNS: Readonly<Record<keyof DeliveryState, ColumnKind>> = {
  id: 'uuid',
  account_id: 'uuid',
  attempts: 'integer',
  next_at: 'time',
  delivered_at: 'time',
  failed_at: 'time',
  was_due_at: 'time',
};

/**
 * Records attempts and the new states of their deliveries. A failed attempt does not change its delivery if another
 * process delivered it, or the owner had it sent again, during the request.
 */
export async function recordAttempts(
  tx: Transaction,
  engine: Engine,
  attempts: readonly DeliveryAttempt[],
  states: readonly DeliveryState[],
): Promise<void> {
  if (attempts.length === 0) return;
  const { source, column } = DIALECTS[engine].jsonRows(JSON.stringify(states), STATE_COLUMNS);
  const isUnchanged = sql`deliveries.next_at = ${column('was_due_at')}`;
  await sql`update deliveries set attempts = ${column('attempts')}, next_at = ${column('next_at')},
      delivered_at = ${column('delivered_at')}, failed_at = ${column('failed_at')}
    from ${source}
    where deliveries.account_id = ${column('account_id')} and deliveries.id = ${column('id')}
      and (${column('delivered_at')} is not null or ${isUnchanged})`.execute(tx);
  await insertionOf(engine, 'delivery_attempts', ATTEMPT_COLUMNS, attempts).execute(tx);
}

type EndpointKey = Pick<Endpoint, 'id' | 'account_id'>;

/** Throws the refusal of a missing page if the endpoint has no such delivery. */
export async function findDelivery(db: Queryable, endpoint: EndpointKey, id: string): Promise<Delivery> {
  const row = isUuid(id)
    ? await db
        .selectFrom('deliveries')
        .selectAll()
        .where('account_id', '=', endpoint.account_id)
        .where('id', '=', id)
        .where('endpoint_id', '=', endpoint.id)
        .executeTakeFirst()
    : undefined;
  if (row === undefined) throw new Refusal('unknown_path', 'There is nothing at this address.');
  return row;
}

interface SendAgain {
  /**
   * One delivery in any state, or those made since a time that were attempted without success: they have failed, or
   * wait for another attempt.
   */
  readonly which: { readonly id: string } | { readonly since: string; readonly limit: number };
  /** When they are due. */
  readonly at: string;
  /** Deliveries with more attempts are left out. */
  readonly maxAttempts: number;
}

/** Makes deliveries due; those that were not delivered begin their schedule again. Returns how many. */
export async function makeDue(
  tx: Transaction,
  { id: endpointId, account_id }: EndpointKey,
  { which, at, maxAttempts }: SendAgain,
): Promise<number> {
  const repeatable = tx
    .selectFrom('deliveries')
    .select('deliveries.id')
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
  const undelivered = (since: string) =>
    repeatable.where('delivered_at', 'is', null).where('created_at', '>=', since);
  const chosen =
    'id' in which
      ? repeatable.where('account_id', '=', account_id).where('id', '=', which.id)
      : undelivered(which.since)
          .where('failed_at', 'is not', null)
          .unionAll(undelivered(which.since).where('next_at', 'is not', null).where('attempts', '>', 0))
          .limit(which.limit);
  const rows = await tx
    .updateTable('deliveries')
    .set((eb) => ({
      next_at: at,
      attempts: eb.case().when('delivered_at', 'is', null).then(0).else(eb.ref('attempts')).end(),
      failed_at: null,
    }))
    .where('account_id', '=', account_id)
    .where('id', 'in', chosen)
    .returning('id')
    .execute();
  return rows.length;
}

/** What is due, for operators. */
export interface WebhookBacklog {
  /** At most `BACKLOG_COUNTED`. */
  readonly due: number;
  /** Since when the oldest of them is due. */
  readonly since: string | null;
  readonly disabled: number;
}

export const BACKLOG_COUNTED = 10_000;

/** Deliveries to endpoints that get no requests now do not count. */
export async function readWebhookBacklog(db: Queryable, at: string): Promise<WebhookBacklog> {
  const due = openEndpoints(db)
    .innerJoin('deliveries', 'deliveries.endpoint_id', 'webhook_endpoints.id')
    .select('deliveries.next_at')
    .where('deliveries.next_at', '<=', at)
    .limit(BACKLOG_COUNTED);
  const found = await db
    .selectFrom(due.as('due'))
    .select(({ fn }) => [
      fn.countAll<number | string>().as('count'),
      fn.min<string | null>('due.next_at').as('since'),
    ])
    .executeTakeFirstOrThrow();
  const { disabled } = await db
    .selectFrom('webhook_endpoints')
    .select(({ fn }) => fn.countAll<number | string>().as('disabled'))
    .where('disabled_reason', 'in', ['gone', 'failing'])
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return { due: Number(found.count), since: found.since, disabled: Number(disabled) };
}
