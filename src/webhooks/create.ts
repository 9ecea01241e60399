import { lockAccount } from '../accounts/queries.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import { appendEvent } from '../events/queries.ts';
import { settledSeq } from '../events/settled.ts';
import { idOfForm } from '../keys/key.ts';
import type { Outgoing } from '../outgoing-request.ts';
import { isUuid, uuidv7 } from '../store/uuid.ts';
import { optional } from '../text.ts';
import {
  MAX_ENDPOINTS,
  parseEndpointDescription,
  parseEventTypes,
  parseScheme,
  type Scheme,
} from './endpoint.ts';
import { countEndpoints, insertEndpointOnce, insertSecret } from './endpoint-queries.ts';
import { sealedSecret } from './secrets.ts';
import type { SigningSecret } from './signing.ts';

/** Begins the sentence of a refusal of an address. */
export const ADDRESS = 'The address';

export interface CreateEndpoint {
  readonly accountId: string;
  readonly url: string;
  readonly description?: string | undefined;
  readonly eventTypes: readonly string[];
  readonly scheme: string;
  /** The form's UUIDv7: a form that is sent twice makes one endpoint. Any other value is ignored. */
  readonly formId?: string | undefined;
}

/** The form was sent before; the answer to its first sending showed the secret. */
export class EndpointMadeBefore extends Refusal {
  constructor() {
    super('invalid_request', 'This form was sent before, and its endpoint was made then.');
    this.name = 'EndpointMadeBefore';
  }
}

/** The account has as many endpoints as it may have. */
export class TooManyEndpoints extends Refusal {
  constructor() {
    super('invalid_request', `An account has at most ${MAX_ENDPOINTS} endpoints; delete one first.`);
    this.name = 'TooManyEndpoints';
  }
}

/** A new endpoint with its secret, which is shown only once. */
export interface NewEndpoint extends SigningSecret {
  readonly id: string;
  readonly url: string;
  readonly scheme: Scheme;
}

/** Refuses an address that must not be called. Events from now on are sent to it. */
export async function createEndpoint(
  context: Context,
  outgoing: Outgoing,
  input: CreateEndpoint,
): Promise<NewEndpoint> {
  const { accountId, url, formId } = input;
  const at = new Date(context.now()).toISOString();
  const scheme = parseScheme(input.scheme);
  const eventTypes = parseEventTypes(input.eventTypes);
  const description = optional(input.description, parseEndpointDescription);
  await outgoing.check(url, ADDRESS);
  const id = formId !== undefined && isUuid(formId) ? idOfForm(accountId, formId) : uuidv7(context);
  const { signing, row } = sealedSecret(context, { accountId, endpointId: id, scheme, at });
  // Read before the endpoint exists, so that every later event has a higher number.
  const place = await settledSeq(context.db, context.now);
  await context.db.transaction(async (tx) => {
    await lockAccount(tx, context.db.engine, accountId);
    const isNew = await insertEndpointOnce(tx, {
      id,
      account_id: accountId,
      url,
      description,
      event_types: eventTypes,
      scheme,
      created_at: at,
      follows_from: place,
    });
    if (!isNew) throw new EndpointMadeBefore();
    if ((await countEndpoints(tx, accountId)) > MAX_ENDPOINTS) throw new TooManyEndpoints();
    await insertSecret(tx, row);
    await appendEvent(tx, {
      accountId,
      type: 'endpoint.created',
      at,
      actor: `account:${accountId}`,
      subjectId: id,
      data: { origin: new URL(url).origin, event_types: eventTypes, scheme },
    });
  });
  return { id, url, scheme, ...signing };
}
