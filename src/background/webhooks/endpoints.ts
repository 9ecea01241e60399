import type { Context } from '../../base/context.ts';
import type { DisabledReason } from '../../base/events/catalogue/access.ts';
import type { EventType, Exactly, RestOfData } from '../../base/events/catalogue.ts';
import { type Actor, appendEdit, appendEvent } from '../../base/events/queries.ts';
import { settledSeq } from '../../base/events/settled.ts';
import { personOf, requireMember } from '../../people/accounts/membership-queries.ts';
import { findFirstOperator, lockAccount } from '../../people/accounts/queries.ts';
import { invalid } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import type { Outgoing } from '../../platform/network/outgoing-request.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { idOfNew } from '../../platform/store/form-id.ts';
import { MARKETPLACE_ID } from '../../platform/store/tables/webhooks.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { isMarketplaces, MAX_ENDPOINTS, SECRET_OVERLAP_MS, storedEventTypes } from './endpoint.ts';
import {
  type Endpoint,
  findEndpoint,
  insertEndpointOnce,
  listEndpoints,
  updateEndpoint,
} from './endpoint-queries.ts';
import { type EndpointFormat, formatFor, shownUrl } from './formats.ts';
import { mintSecret, purposeOfWebhookSecret } from './signing.ts';

/** Subject of error messages about the URL, which is the label of its field. */
export const ENDPOINT_URL = message('The URL');

export interface OwnEndpoint {
  /** The owner, or `MARKETPLACE_ID`. */
  readonly accountId: string;
  readonly endpointId: string;
}

export type EndpointToChange = OwnEndpoint & { readonly actor: Actor };

export interface EndpointInput {
  readonly accountId: string;
  readonly actor: Actor;
  readonly url: string;
  readonly description?: string | null;
  readonly eventTypes: readonly EventType[];
  readonly format?: EndpointFormat;
}

const MADE_BEFORE = message(
  'This form was already submitted, and the endpoint was added. If the endpoint has a signing secret that you didn’t save, roll the secret on the endpoint’s page.',
);

export interface EndpointWithSecret {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
}

type AddressColumns = Pick<Endpoint, 'url' | 'secret' | 'secret_made_at'>;

const chatAddress = ({ secretBox }: Context, id: string, url: string, at: string): AddressColumns => ({
  url: shownUrl(url),
  secret: secretBox.encrypt(url, purposeOfWebhookSecret(id)),
  secret_made_at: at,
});

/**
 * Creates an endpoint that receives events from now on. Refuses an address that must not be called. `formId`: the
 * form's UUIDv7, so that submitting the form twice creates only one endpoint. Ignored if it is not a UUID.
 */
export async function createEndpoint(
  context: Context,
  outgoing: Outgoing,
  { accountId, url, description = null, eventTypes, format = 'standard', actor }: EndpointInput,
  formId?: string,
): Promise<EndpointWithSecret> {
  const at = context.at();
  const setBy = personOf(actor);
  await outgoing.check(url, ENDPOINT_URL);
  formatFor(url, format);
  const id = idOfNew(context, accountId, formId);
  const secret = mintSecret(context.random);
  const address =
    format === 'standard'
      ? { url, secret: context.secretBox.encrypt(secret, purposeOfWebhookSecret(id)), secret_made_at: at }
      : chatAddress(context, id, url, at);
  // The cursor is read before the insert, so that every event after the insert has a higher number.
  const cursor = await settledSeq(context.db, context.now);
  await context.db.transaction(async (tx) => {
    await lockAccount(tx, context.db.engine, accountId);
    await requireMember(tx, accountId, actor);
    const isNew = await insertEndpointOnce(tx, {
      id,
      account_id: accountId,
      format,
      ...address,
      description,
      event_types: storedEventTypes(accountId, eventTypes),
      created_at: at,
      url_set_by_id: setBy,
      secret_set_by_id: setBy,
      cursor,
    });
    if (!isNew) throw invalid(MADE_BEFORE);
    if ((await listEndpoints(tx, accountId)).length > MAX_ENDPOINTS) {
      const values = { maxEndpoints: MAX_ENDPOINTS };
      throw invalid(
        accountId === MARKETPLACE_ID
          ? message('The marketplace can have at most {maxEndpoints} endpoints; delete one first.', values)
          : message('An account can have at most {maxEndpoints} endpoints; delete one first.', values),
      );
    }
    const endpoint = { id, account_id: accountId, url };
    await appendEndpointEvent(tx, endpoint, { at, actor }, 'endpoint.created', { event_types: eventTypes });
  });
  return { id, url, secret };
}

/** If `url` is `null`, keeps the address. A new address also applies to waiting deliveries. The format can't change. */
export async function editEndpoint(
  context: Context,
  outgoing: Outgoing,
  input: Omit<EndpointInput, 'url' | 'format'> & OwnEndpoint & { readonly url: string | null },
): Promise<void> {
  const { url, description = null, eventTypes } = input;
  if (url !== null) await outgoing.check(url, ENDPOINT_URL);
  await change(context, input, async (tx, { id, account_id, format, url: before }, by) => {
    if (url !== null) formatFor(url, format);
    const address =
      url === null
        ? {}
        : {
            ...(format === 'standard' ? { url } : chatAddress(context, id, url, by.at)),
            url_set_by_id: personOf(by.actor),
          };
    const event_types = storedEventTypes(account_id, eventTypes);
    await updateEndpoint(tx, id, { ...address, description, event_types });
    const endpoint = { id, account_id, url: url ?? before };
    await appendEndpointEvent(tx, endpoint, by, 'endpoint.changed', { event_types: eventTypes });
  });
}

/** Keeps waiting deliveries. Does nothing if the endpoint is already disabled. */
export const disableEndpoint = (context: Context, own: EndpointToChange): Promise<void> =>
  change(context, own, async (tx, endpoint, by) => {
    await disableWithEvent(tx, endpoint, by, 'manual');
  });

export async function disableWithEvent(
  tx: Transaction,
  endpoint: Endpoint,
  by: By,
  reason: DisabledReason,
): Promise<boolean> {
  const disabled = { disabled_at: by.at, disabled_reason: reason };
  if (!(await updateEndpoint(tx, endpoint.id, disabled, { disabled_at: null }))) return false;
  await appendEndpointEvent(tx, endpoint, by, 'endpoint.disabled', { reason });
  return true;
}

/** `sendsMissed`: also sends the events that the endpoint missed while disabled. Waiting deliveries are always sent. */
export async function enableEndpoint(
  context: Context,
  input: EndpointToChange & { readonly sendsMissed: boolean },
): Promise<void> {
  const skipped = input.sendsMissed ? {} : { cursor: await settledSeq(context.db, context.now) };
  const person = personOf(input.actor);
  const vouchedBy = { url_set_by_id: person, secret_set_by_id: person };
  const enabled = { disabled_at: null, disabled_reason: null, failing_since: null, ...skipped };
  await change(context, input, async (tx, endpoint, by) => {
    const { id, disabled_at, disabled_reason } = endpoint;
    const change = { ...enabled, ...(disabled_reason === 'member_gone' && vouchedBy) };
    if (disabled_at === null || !(await updateEndpoint(tx, id, change, { disabled_at }))) return;
    await appendEndpointEvent(tx, endpoint, by, 'endpoint.enabled', {});
  });
}

/** Marks an endpoint as deleted and erases its secrets. A background job deletes the deliveries and then the row. */
export const deleteEndpoint = (context: Context, own: EndpointToChange): Promise<void> =>
  change(context, own, async (tx, endpoint, by) => {
    const deleted = { deleted_at: by.at, secret: '', old_secret: null };
    if (!(await updateEndpoint(tx, endpoint.id, deleted))) return;
    await appendEndpointEvent(tx, endpoint, by, 'endpoint.deleted', {});
  });

/**
 * Replaces the secret. Requests are signed with both the old and the new secret until `oldUntil`. The old secret of an
 * earlier roll expires immediately. `madeAt`: `secret_made_at` of the secret that the form showed, so that submitting
 * the form twice rolls the secret only once.
 */
export async function rollSecret(
  context: Context,
  input: EndpointToChange & { readonly madeAt: string },
): Promise<EndpointWithSecret & { readonly oldUntil: string }> {
  const secret = mintSecret(context.random);
  const oldUntil = toIso(context.now() + SECRET_OVERLAP_MS);
  return await change(context, input, async (tx, endpoint, by) => {
    const { id, url, format, secret: old_secret, secret_made_at } = endpoint;
    if (format !== 'standard')
      throw invalid(message('This endpoint has no signing secret. Its URL is the secret.'));
    const sealed = context.secretBox.encrypt(secret, purposeOfWebhookSecret(id));
    const change = {
      secret: sealed,
      secret_made_at: by.at,
      old_secret,
      old_secret_until: oldUntil,
      secret_set_by_id: personOf(by.actor),
    };
    if (secret_made_at !== input.madeAt || !(await updateEndpoint(tx, id, change, { secret_made_at }))) {
      throw invalid(message('This secret was already rolled. The new secret was shown after the roll.'));
    }
    await appendEndpointEvent(tx, endpoint, by, 'endpoint.secret_rolled', { old_expires_at: oldUntil });
    return { id, url, secret, oldUntil };
  });
}

const change = <T>(
  { db, now }: Context,
  { accountId, endpointId, actor }: EndpointToChange,
  work: (tx: Transaction, endpoint: Endpoint, by: By) => Promise<T>,
): Promise<T> =>
  db.transaction(async (tx) => {
    await lockAccount(tx, db.engine, accountId);
    await requireMember(tx, accountId, actor);
    return await work(tx, await findEndpoint(tx, accountId, endpointId), { at: toIso(now()), actor });
  });

interface By {
  readonly at: string;
  readonly actor: Actor;
}

type EndpointEvent = Extract<EventType, `endpoint.${string}`>;

/**
 * Appends an event about the endpoint to the owner's log. Events about the marketplace's endpoints are in the log of the
 * operator who acts, like changes of settings, or else of the first operator.
 */
async function appendEndpointEvent<
  T extends EndpointEvent,
  const D extends RestOfData<T, 'origin' | 'marketplace'>,
>(
  tx: Transaction,
  endpoint: Pick<Endpoint, 'id' | 'account_id' | 'url'>,
  { at, actor }: By,
  type: T,
  data: Exactly<T, D>,
): Promise<void> {
  const { id, account_id, url } = endpoint;
  const ofMarketplace = isMarketplaces(endpoint);
  const accountId = ofMarketplace ? (personOf(actor) ?? (await findFirstOperator(tx))) : account_id;
  if (accountId === null) return;
  // Only the origin of the URL, because the path and the query may contain a secret.
  const common = { origin: new URL(url).origin, ...(ofMarketplace && { marketplace: true }) };
  // `never`: the compiler has checked the caller's data, and can't see that the other members complete it.
  const event = { accountId, at, actor, subjectId: id, data: { ...common, ...data } as never };
  if (type === 'endpoint.changed') await appendEdit(tx, { ...event, type });
  else await appendEvent(tx, { ...event, type });
}
