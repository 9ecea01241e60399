import type { ExpressionBuilder, Insertable, Selectable, Updateable } from 'kysely';
import type { EventType } from '../../base/events/catalogue.ts';
import { nothingThere } from '../../platform/errors.ts';
import { isFound, type Queryable, type Transaction } from '../../platform/store/database.ts';
import type { Schema } from '../../platform/store/schema.ts';
import { MARKETPLACE_ID, type WebhookEndpointsTable } from '../../platform/store/tables/webhooks.ts';
import { isUuid } from '../../platform/store/uuid.ts';
import { readEventTypes } from './endpoint.ts';

type EndpointRow = Selectable<WebhookEndpointsTable>;

export type Endpoint = Omit<EndpointRow, 'event_types' | 'deleted_at'> & {
  readonly event_types: readonly EventType[];
};

const toEndpoint = ({ deleted_at: _, event_types, ...row }: EndpointRow): Endpoint => ({
  ...row,
  event_types: readEventTypes(row.account_id, event_types),
});

/** Returns `false` if an endpoint with this id already exists or was created concurrently. */
export const insertEndpointOnce = (tx: Transaction, endpoint: Insertable<WebhookEndpointsTable>) =>
  isFound(
    tx
      .insertInto('webhook_endpoints')
      .values(endpoint)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id'),
  );

const existing = (db: Queryable) => db.selectFrom('webhook_endpoints').where('deleted_at', 'is', null);

export async function findEndpoint(db: Queryable, accountId: string, id: string): Promise<Endpoint> {
  const row = isUuid(id)
    ? await existing(db)
        .selectAll()
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .executeTakeFirst()
    : undefined;
  if (row === undefined) throw nothingThere();
  return toEndpoint(row);
}

export async function listEndpoints(db: Queryable, accountId: string): Promise<Endpoint[]> {
  const rows = await existing(db).selectAll().where('account_id', '=', accountId).orderBy('id').execute();
  return rows.map(toEndpoint);
}

/**
 * Endpoints that receive requests. Excludes disabled endpoints, deleted endpoints and those of suspended accounts. The
 * marketplace's endpoints have no account.
 */
export const openEndpoints = (db: Queryable) =>
  db
    .selectFrom('webhook_endpoints')
    .leftJoin('accounts', 'accounts.id', 'webhook_endpoints.account_id')
    .where('webhook_endpoints.disabled_at', 'is', null)
    .where('webhook_endpoints.deleted_at', 'is', null)
    .where('accounts.suspended_at', 'is', null);

/** Whether the receiver accepts requests at `at`, as far as it has said. */
export const isNotHeld = (at: string) => (eb: ExpressionBuilder<Schema, 'webhook_endpoints'>) =>
  eb.or([eb('webhook_endpoints.held_until', 'is', null), eb('webhook_endpoints.held_until', '<=', at)]);

export async function readOpenEndpoints(db: Queryable, ids: readonly string[]): Promise<Endpoint[]> {
  if (ids.length === 0) return [];
  const rows = await openEndpoints(db)
    .selectAll('webhook_endpoints')
    .where('webhook_endpoints.id', 'in', ids)
    .execute();
  return rows.map(toEndpoint);
}

export const hasActiveEndpoint = (db: Queryable): Promise<boolean> =>
  isFound(existing(db).select('id').where('disabled_at', 'is', null).limit(1));

export const hasMarketplaceEndpoint = (db: Queryable): Promise<boolean> =>
  isFound(
    existing(db)
      .select('id')
      .where('account_id', '=', MARKETPLACE_ID)
      .where('disabled_at', 'is', null)
      .limit(1),
  );

/** Updates an endpoint only if its columns still have the values in `still`. Returns whether it was updated. */
export const updateEndpoint = (
  tx: Transaction,
  id: string,
  change: Updateable<WebhookEndpointsTable>,
  still: Partial<Pick<EndpointRow, 'disabled_at' | 'secret_made_at'>> = {},
): Promise<boolean> =>
  isFound(
    tx
      .updateTable('webhook_endpoints')
      .set(change)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .where((eb) => eb.and(still))
      .returning('id'),
  );

/**
 * Returns the endpoint furthest behind in the event log. The endpoint may be disabled, because an endpoint that is
 * enabled again can still get the events that it missed.
 */
export const findLastEndpoint = (db: Queryable) =>
  existing(db).selectAll().orderBy('cursor').limit(1).executeTakeFirst();

/** Endpoints whose deliveries may be too many or too old, and endpoints that were deleted before `deletedBefore`. */
export const listEndpointsToSweep = (db: Queryable, deletedBefore: string) =>
  db
    .selectFrom('webhook_endpoints')
    .select(['id', 'account_id', 'deleted_at'])
    .where((eb) => eb.or([eb('deleted_at', 'is', null), eb('deleted_at', '<', deletedBefore)]))
    .execute();

export const deleteEndpointRow = (tx: Transaction, id: string): Promise<unknown> =>
  tx.deleteFrom('webhook_endpoints').where('id', '=', id).execute();
