/** SQL of endpoints and their secrets. */
import { type Selectable, sql } from 'kysely';
import { Refusal } from '../errors.ts';
import type { Queryable, Transaction } from '../store/database.ts';
import type { WebhookEndpointsTable, WebhookSecretsTable } from '../store/tables/webhooks.ts';
import { isUuid } from '../store/uuid.ts';
import type { DisabledReason, WebhookEventType } from './endpoint.ts';

type EndpointRow = Selectable<WebhookEndpointsTable>;
export type SecretRow = Selectable<WebhookSecretsTable>;

export type Endpoint = Omit<EndpointRow, 'event_types' | 'deleted_at'> & {
  readonly event_types: readonly WebhookEventType[];
};

/** The cursor up to which events became deliveries, in `event_cursors`; the migration makes it. */
export const CURSOR = 'webhooks';

const toEndpoint = ({ deleted_at: _, event_types, ...row }: EndpointRow): Endpoint => ({
  ...row,
  event_types: JSON.parse(event_types) as WebhookEventType[],
});

/** False where an endpoint with this id exists, or is being made at the same time. */
export async function insertEndpointOnce(
  tx: Transaction,
  { event_types, ...endpoint }: Omit<Endpoint, 'failing_since' | 'disabled_at' | 'disabled_reason'>,
): Promise<boolean> {
  const row = await tx
    .insertInto('webhook_endpoints')
    .values({ ...endpoint, event_types: JSON.stringify(event_types) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

const existing = (db: Queryable) =>
  db.selectFrom('webhook_endpoints').selectAll().where('deleted_at', 'is', null);

/** The endpoint of an account. Throws the refusal of a missing page for an unknown one and another account's. */
export async function findEndpoint(db: Queryable, accountId: string, id: string): Promise<Endpoint> {
  const row = isUuid(id)
    ? await existing(db).where('account_id', '=', accountId).where('id', '=', id).executeTakeFirst()
    : undefined;
  if (row === undefined) throw new Refusal('unknown_path', 'There is nothing at this address.');
  return toEndpoint(row);
}

/** The endpoints of an account in order of creation. */
export async function listEndpoints(db: Queryable, accountId: string): Promise<Endpoint[]> {
  const rows = await existing(db).where('account_id', '=', accountId).orderBy('id').execute();
  return rows.map(toEndpoint);
}

/** All endpoints that deliveries are made for. */
export async function listActiveEndpoints(db: Queryable): Promise<Endpoint[]> {
  const rows = await existing(db).where('disabled_at', 'is', null).orderBy('id').execute();
  return rows.map(toEndpoint);
}

/** Endpoints that requests are made to now. What goes to those of a suspended account waits. */
export const openEndpoints = (db: Queryable) =>
  db
    .selectFrom('webhook_endpoints')
    .innerJoin('accounts', 'accounts.id', 'webhook_endpoints.account_id')
    .where('webhook_endpoints.disabled_at', 'is', null)
    .where('webhook_endpoints.deleted_at', 'is', null)
    .where('accounts.suspended_at', 'is', null);

/** Of these, the ones that requests are made to now. */
export async function readOpenEndpoints(db: Queryable, ids: readonly string[]): Promise<Endpoint[]> {
  if (ids.length === 0) return [];
  const rows = await openEndpoints(db)
    .selectAll('webhook_endpoints')
    .where('webhook_endpoints.id', 'in', ids)
    .execute();
  return rows.map(toEndpoint);
}

export async function countEndpoints(db: Queryable, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('webhook_endpoints')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

type EndpointChange = Pick<Endpoint, 'url' | 'description' | 'event_types'>;

export const updateEndpoint = (
  tx: Transaction,
  id: string,
  { event_types, ...change }: EndpointChange,
): Promise<unknown> =>
  tx
    .updateTable('webhook_endpoints')
    .set({ ...change, event_types: JSON.stringify(event_types) })
    .where('id', '=', id)
    .execute();

/**
 * Ends sending. The endpoint keeps its place in the log: once it is enabled, the events since then may follow. False
 * where it is disabled already.
 */
export async function disableEndpointAt(
  tx: Transaction,
  id: string,
  at: string,
  reason: DisabledReason,
): Promise<boolean> {
  const row = await tx
    .updateTable('webhook_endpoints')
    .set((eb) => ({
      disabled_at: at,
      disabled_reason: reason,
      follows_from: eb.fn.coalesce(
        'follows_from',
        eb.selectFrom('event_cursors').select('seq').where('name', '=', CURSOR),
      ),
    }))
    .where('id', '=', id)
    .where('disabled_at', 'is', null)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** `followsFrom`: the events after this number are sent. False where it is not disabled. */
export async function enableEndpointAt(tx: Transaction, id: string, followsFrom?: number): Promise<boolean> {
  const row = await tx
    .updateTable('webhook_endpoints')
    .set({
      disabled_at: null,
      disabled_reason: null,
      failing_since: null,
      ...(followsFrom !== undefined && { follows_from: followsFrom }),
    })
    .where('id', '=', id)
    .where('disabled_at', 'is not', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Nothing finds it from now on; its rows are deleted in the background. False where it was deleted already. */
export async function markEndpointDeleted(tx: Transaction, id: string, at: string): Promise<boolean> {
  const row = await tx
    .updateTable('webhook_endpoints')
    .set({ deleted_at: at })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  await tx.deleteFrom('webhook_secrets').where('endpoint_id', '=', id).execute();
  return row !== undefined;
}

/** `since`: the first failure; `null`: it succeeded since. Does nothing if the endpoint is in that state already. */
export const markFailing = (tx: Transaction, id: string, since: string | null): Promise<unknown> =>
  tx
    .updateTable('webhook_endpoints')
    .set({ failing_since: since })
    .where('id', '=', id)
    .where('failing_since', since === null ? 'is not' : 'is', null)
    .execute();

export const insertSecret = (tx: Transaction, secret: SecretRow): Promise<unknown> =>
  tx.insertInto('webhook_secrets').values(secret).execute();

/** Secrets that sign at `at`, the newest first. */
export async function listSecrets(
  db: Queryable,
  endpointIds: readonly string[],
  at: string,
): Promise<SecretRow[]> {
  if (endpointIds.length === 0) return [];
  return db
    .selectFrom('webhook_secrets')
    .selectAll()
    .where('endpoint_id', 'in', endpointIds)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
    .orderBy('id', 'desc')
    .execute();
}

/** Ends the current secret at `expiresAt`, and deletes those that ended before `at`. */
export async function expireSecrets(
  tx: Transaction,
  endpointId: string,
  at: string,
  expiresAt: string,
): Promise<void> {
  const own = tx.deleteFrom('webhook_secrets').where('endpoint_id', '=', endpointId);
  await own.where('expires_at', '<=', at).execute();
  await tx
    .updateTable('webhook_secrets')
    .set({ expires_at: expiresAt })
    .where('endpoint_id', '=', endpointId)
    .where('expires_at', 'is', null)
    .execute();
}

/** How many secrets are encrypted under the secret key of this fingerprint; without one, under any. */
export async function countWebhookSecrets(db: Queryable, fingerprint?: string): Promise<number> {
  let query = db.selectFrom('webhook_secrets').select(({ fn }) => fn.countAll<number | string>().as('count'));
  if (fingerprint !== undefined) query = query.where('sealed', 'like', `${fingerprint}.%`);
  return Number((await query.executeTakeFirstOrThrow()).count);
}

/** Secrets that are encrypted under another secret key than that of this fingerprint, in the order of ids. */
export const readSecretsOfOtherKeys = (
  db: Queryable,
  fingerprint: string,
  page: { readonly afterId: string; readonly limit: number },
): Promise<Pick<SecretRow, 'id' | 'endpoint_id' | 'sealed'>[]> =>
  db
    .selectFrom('webhook_secrets')
    .select(['id', 'endpoint_id', 'sealed'])
    .where('sealed', 'not like', `${fingerprint}.%`)
    .where('id', '>', page.afterId)
    .orderBy('id')
    .limit(page.limit)
    .execute();

/** Changes nothing where the secret is no longer `from`. */
export const replaceSealed = (
  tx: Transaction,
  id: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<unknown> =>
  tx
    .updateTable('webhook_secrets')
    .set({ sealed: to })
    .where('id', '=', id)
    .where('sealed', '=', from)
    .execute();

/** The number in the log that all endpoints without a number of their own have reached. */
export async function readCursor(db: Queryable): Promise<number> {
  const row = await db
    .selectFrom('event_cursors')
    .select('seq')
    .where('name', '=', CURSOR)
    .executeTakeFirstOrThrow();
  return row.seq;
}

/** An endpoint, and the number in the log after which it still has to get events. */
export interface EndpointPlace {
  readonly id: string;
  readonly account_id: string;
  readonly disabled_at: string | null;
  readonly place: number;
}

/** The endpoint furthest behind in the log, disabled ones included: what they missed may be sent. `null`: none. */
export async function findLastPlace(db: Queryable): Promise<EndpointPlace | null> {
  const row = await existing(db)
    .clearSelect()
    .select(['id', 'account_id', 'disabled_at'])
    .select((eb) =>
      eb.fn
        .coalesce('follows_from', eb.selectFrom('event_cursors').select('seq').where('name', '=', CURSOR))
        .as('place'),
    )
    .orderBy('place')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : { ...row, place: Number(row.place) };
}

/** False where the cursor is no longer at `from`. */
export async function moveCursor(tx: Transaction, from: number, to: number): Promise<boolean> {
  const row = await tx
    .updateTable('event_cursors')
    .set({ seq: to })
    .where('name', '=', CURSOR)
    .where('seq', '=', from)
    .returning('seq')
    .executeTakeFirst();
  return row !== undefined;
}

/** Sets the place of an endpoint if it is still `seen`; a disabled one keeps its place. */
export const moveEndpoint = (
  tx: Transaction,
  id: string,
  seen: number | null,
  followsFrom: number | null,
): Promise<unknown> =>
  tx
    .updateTable('webhook_endpoints')
    .set({ follows_from: followsFrom })
    .where('id', '=', id)
    .where('follows_from', seen === null ? 'is' : '=', seen)
    .where('disabled_at', 'is', null)
    .execute();

/** Whether there is an endpoint that deliveries are made for. */
export async function hasActiveEndpoint(db: Queryable): Promise<boolean> {
  const row = await db
    .selectFrom('webhook_endpoints')
    .select(sql<number>`1`.as('one'))
    .where('disabled_at', 'is', null)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
