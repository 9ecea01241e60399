/** SQL of endpoints. */
import type { Selectable, Updateable } from 'kysely';
import { Refusal } from '../errors.ts';
import type { Queryable, Transaction } from '../store/database.ts';
import type { WebhookEndpointsTable } from '../store/tables/webhooks.ts';
import { isUuid } from '../store/uuid.ts';
import type { DisabledReason, WebhookEventType } from './endpoint.ts';

type EndpointRow = Selectable<WebhookEndpointsTable>;

export type Endpoint = Omit<EndpointRow, 'event_types' | 'deleted_at'> & {
  readonly event_types: readonly WebhookEventType[];
};

const toEndpoint = ({ deleted_at: _, event_types, ...row }: EndpointRow): Endpoint => ({
  ...row,
  event_types: JSON.parse(event_types) as WebhookEventType[],
});

type NewEndpointRow = Pick<
  Endpoint,
  'id' | 'account_id' | 'url' | 'description' | 'event_types' | 'secret' | 'created_at' | 'cursor'
>;

/** False if an endpoint with this id exists, or is being created at the same time. */
export async function insertEndpointOnce(
  tx: Transaction,
  { event_types, ...endpoint }: NewEndpointRow,
): Promise<boolean> {
  const { created_at: secret_made_at } = endpoint;
  const row = await tx
    .insertInto('webhook_endpoints')
    .values({ ...endpoint, event_types: JSON.stringify(event_types), secret_made_at })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

const existing = (db: Queryable) => db.selectFrom('webhook_endpoints').where('deleted_at', 'is', null);

/** Throws the refusal of a missing page for an unknown endpoint and for another account's. */
export async function findEndpoint(db: Queryable, accountId: string, id: string): Promise<Endpoint> {
  const row = isUuid(id)
    ? await existing(db)
        .selectAll()
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .executeTakeFirst()
    : undefined;
  if (row === undefined) throw new Refusal('unknown_path', 'There is nothing at this address.');
  return toEndpoint(row);
}

/** The endpoints of an account in order of creation. */
export async function listEndpoints(db: Queryable, accountId: string): Promise<Endpoint[]> {
  const rows = await existing(db).selectAll().where('account_id', '=', accountId).orderBy('id').execute();
  return rows.map(toEndpoint);
}

/** Endpoints that receive requests; endpoints of suspended accounts don't. */
export const openEndpoints = (db: Queryable) =>
  db
    .selectFrom('webhook_endpoints')
    .innerJoin('accounts', 'accounts.id', 'webhook_endpoints.account_id')
    .where('webhook_endpoints.disabled_at', 'is', null)
    .where('webhook_endpoints.deleted_at', 'is', null)
    .where('accounts.suspended_at', 'is', null);

/** Those of `ids` that get requests now. */
export async function readOpenEndpoints(db: Queryable, ids: readonly string[]): Promise<Endpoint[]> {
  if (ids.length === 0) return [];
  const rows = await openEndpoints(db)
    .selectAll('webhook_endpoints')
    .where('webhook_endpoints.id', 'in', ids)
    .execute();
  return rows.map(toEndpoint);
}

/** Whether there is an endpoint for which deliveries are made. */
export async function hasActiveEndpoint(db: Queryable): Promise<boolean> {
  const row = await existing(db).select('id').where('disabled_at', 'is', null).limit(1).executeTakeFirst();
  return row !== undefined;
}

const update = (tx: Transaction, id: string, change: Updateable<WebhookEndpointsTable>) =>
  tx
    .updateTable('webhook_endpoints')
    .set(change)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('id');

export const updateEndpoint = (
  tx: Transaction,
  id: string,
  { event_types, ...change }: Pick<Endpoint, 'url' | 'description' | 'event_types'>,
): Promise<unknown> => update(tx, id, { ...change, event_types: JSON.stringify(event_types) }).execute();

/** Returns whether it was enabled. Its cursor stays, so that the events since then can follow. */
export const disableEndpointAt = async (
  tx: Transaction,
  id: string,
  at: string,
  reason: DisabledReason,
): Promise<boolean> =>
  (await update(tx, id, { disabled_at: at, disabled_reason: reason })
    .where('disabled_at', 'is', null)
    .executeTakeFirst()) !== undefined;

/** Returns whether it was disabled. `cursor`: events up to this number are not sent. */
export const enableEndpointAt = async (tx: Transaction, id: string, cursor?: number): Promise<boolean> =>
  (await update(tx, id, {
    disabled_at: null,
    disabled_reason: null,
    failing_since: null,
    ...(cursor !== undefined && { cursor }),
  })
    .where('disabled_at', 'is not', null)
    .executeTakeFirst()) !== undefined;

/** Returns whether it existed. The row and its deliveries are deleted in the background. */
export const markEndpointDeleted = async (tx: Transaction, id: string, at: string): Promise<boolean> =>
  (await update(tx, id, { deleted_at: at, secret: '', old_secret: null }).executeTakeFirst()) !== undefined;

/** `since`: the first failure; `null`: it has succeeded since. */
export const markFailing = (tx: Transaction, id: string, since: string | null): Promise<unknown> =>
  update(tx, id, { failing_since: since })
    .where('failing_since', since === null ? 'is not' : 'is', null)
    .execute();

/** The current secret becomes the old one. Returns false if another request has rolled it since `endpoint` was read. */
export const replaceSecret = async (
  tx: Transaction,
  { id, secret: old_secret, secret_made_at }: Endpoint,
  made: { readonly secret: string; readonly at: string; readonly oldUntil: string },
): Promise<boolean> =>
  (await update(tx, id, {
    secret: made.secret,
    secret_made_at: made.at,
    old_secret,
    old_secret_until: made.oldUntil,
  })
    .where('secret_made_at', '=', secret_made_at)
    .executeTakeFirst()) !== undefined;

/** The endpoint that is furthest behind in the event log; a disabled one counts, since its events may be sent later. */
export async function findLastEndpoint(db: Queryable): Promise<Endpoint | undefined> {
  const row = await existing(db).selectAll().orderBy('cursor').limit(1).executeTakeFirst();
  return row && toEndpoint(row);
}
