import type { Context } from '../context.ts';
import { appendEdit } from '../events/edit-queries.ts';
import type { Outgoing } from '../outgoing-request.ts';
import { optional } from '../text.ts';
import { ADDRESS } from './create.ts';
import { parseEndpointDescription, parseEventTypes } from './endpoint.ts';
import { findEndpoint, updateEndpoint } from './endpoint-queries.ts';

export interface EditEndpoint {
  readonly accountId: string;
  readonly endpointId: string;
  readonly url: string;
  readonly description?: string | undefined;
  readonly eventTypes: readonly string[];
}

/** Changes where events go, and which. Deliveries that wait go to the new address. */
export async function editEndpoint(context: Context, outgoing: Outgoing, input: EditEndpoint): Promise<void> {
  const { accountId, endpointId, url } = input;
  const eventTypes = parseEventTypes(input.eventTypes);
  const description = optional(input.description, parseEndpointDescription);
  await findEndpoint(context.db.read, accountId, endpointId);
  await outgoing.check(url, ADDRESS);
  await context.db.transaction(async (tx) => {
    const { id } = await findEndpoint(tx, accountId, endpointId);
    await updateEndpoint(tx, id, { url, description, event_types: eventTypes });
    await appendEdit(tx, {
      accountId,
      type: 'endpoint.changed',
      at: new Date(context.now()).toISOString(),
      actor: `account:${accountId}`,
      subjectId: id,
      data: { origin: new URL(url).origin, event_types: eventTypes },
    });
  });
}
