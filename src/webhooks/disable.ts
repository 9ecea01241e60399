import type { Context } from '../context.ts';
import { appendEvent } from '../events/queries.ts';
import type { Transaction } from '../store/database.ts';
import type { DisabledReason } from './endpoint.ts';
import { disableEndpointAt, type Endpoint, findEndpoint } from './endpoint-queries.ts';

export interface OwnEndpoint {
  readonly accountId: string;
  readonly endpointId: string;
}

/** Ends sending for the owner; deliveries that wait stay. Does nothing where it is disabled already. */
export async function disableEndpoint(
  context: Context,
  { accountId, endpointId }: OwnEndpoint,
): Promise<void> {
  const at = new Date(context.now()).toISOString();
  await context.db.transaction(async (tx) => {
    const endpoint = await findEndpoint(tx, accountId, endpointId);
    await disableWithEvent(tx, endpoint, at, 'by_hand');
  });
}

/** Returns whether the endpoint was not disabled before. */
export async function disableWithEvent(
  tx: Transaction,
  { id, account_id, url }: Pick<Endpoint, 'id' | 'account_id' | 'url'>,
  at: string,
  reason: DisabledReason,
): Promise<boolean> {
  if (!(await disableEndpointAt(tx, id, at, reason))) return false;
  await appendEvent(tx, {
    accountId: account_id,
    type: 'endpoint.disabled',
    at,
    actor: reason === 'by_hand' ? `account:${account_id}` : 'service',
    subjectId: id,
    data: { origin: new URL(url).origin, reason },
  });
  return true;
}
