import type { Context } from '../context.ts';
import { appendEvent } from '../events/queries.ts';
import type { OwnEndpoint } from './disable.ts';
import { findEndpoint, markEndpointDeleted } from './endpoint-queries.ts';

/** Ends sending for good. Its secrets are gone at once, its deliveries are deleted in the background. */
export async function deleteEndpoint(
  context: Context,
  { accountId, endpointId }: OwnEndpoint,
): Promise<void> {
  const at = new Date(context.now()).toISOString();
  await context.db.transaction(async (tx) => {
    const { id, url } = await findEndpoint(tx, accountId, endpointId);
    if (!(await markEndpointDeleted(tx, id, at))) return;
    await appendEvent(tx, {
      accountId,
      type: 'endpoint.deleted',
      at,
      actor: `account:${accountId}`,
      subjectId: id,
      data: { origin: new URL(url).origin },
    });
  });
}
