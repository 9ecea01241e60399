import type { Context } from '../context.ts';
import { appendEvent } from '../events/queries.ts';
import { settledSeq } from '../events/settled.ts';
import type { OwnEndpoint } from './disable.ts';
import { enableEndpointAt, findEndpoint } from './endpoint-queries.ts';

export interface EnableEndpoint extends OwnEndpoint {
  /** Whether the events since it was disabled are sent too. */
  readonly sendsMissed: boolean;
}

/** Sends again; deliveries that waited are sent in any case. Does nothing where it is not disabled. */
export async function enableEndpoint(context: Context, input: EnableEndpoint): Promise<void> {
  const { accountId, endpointId, sendsMissed } = input;
  const place = sendsMissed ? undefined : await settledSeq(context.db, context.now);
  await context.db.transaction(async (tx) => {
    const { id, url } = await findEndpoint(tx, accountId, endpointId);
    if (!(await enableEndpointAt(tx, id, place))) return;
    await appendEvent(tx, {
      accountId,
      type: 'endpoint.enabled',
      at: new Date(context.now()).toISOString(),
      actor: `account:${accountId}`,
      subjectId: id,
      data: { origin: new URL(url).origin },
    });
  });
}
