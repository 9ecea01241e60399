/**
 * Manual sends by owners: resend one delivery, resend all failed ones created since a given time, or send a test event.
 */

import type { Context } from '../../base/context.ts';
import { chargeGrowth } from '../../people/growth/growth.ts';
import type { Limit } from '../../people/sign-in/limits/limits.ts';
import { countAttempt } from '../../people/sign-in/limits/throttle.ts';
import { invalid } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import { uuidv7 } from '../../platform/store/uuid.ts';
import { HOUR_MS } from '../../platform/text/durations.ts';
import {
  countRepeatable,
  findDelivery,
  insertDeliveries,
  makeDue,
  type Repeatable,
} from './delivery-queries.ts';
import { isMarketplaces } from './endpoint.ts';
import { type Endpoint, findEndpoint } from './endpoint-queries.ts';
import type { OwnEndpoint } from './endpoints.ts';
import { ID_BYTES, messageIdOf, testMessage } from './message.ts';
import { DELAYS_MS } from './outcome.ts';

const BY_HAND: Limit = { name: 'webhook-by-hand', attempts: 120, windowMs: HOUR_MS };
export const MAX_ATTEMPTS = 50;
/** Maximum number of attempts before a resend. Leaves room for a full retry schedule after the resend. */
const MAX_ATTEMPTS_BEFORE_RESEND = MAX_ATTEMPTS - DELAYS_MS.length;
const RECOVERED_AT_ONCE = 500;
/** An attempt, with the endpoint's URL and response. */
const BYTES_OF_ATTEMPT = 3 * 1_024;

export async function resendDelivery(
  context: Context,
  input: OwnEndpoint & { readonly deliveryId: string },
): Promise<void> {
  const endpoint = await requireEndpointForResend(context, input);
  const { id } = await findDelivery(context.db.read, endpoint, input.deliveryId);
  if ((await repeat(context, endpoint, { id })) > 0) return;
  throw invalid(
    message(
      'This delivery was attempted more than {maxAttemptsBeforeResend} times and cannot be sent again.',
      { maxAttemptsBeforeResend: MAX_ATTEMPTS_BEFORE_RESEND },
    ),
  );
}

/**
 * Resends deliveries created at `since` or later that were attempted but not delivered. Returns their number. Each counts
 * toward what the account may store, because the owner of a failing server can resend thousands again and again.
 */
export async function recoverDeliveries(
  context: Context,
  { since, ...own }: OwnEndpoint & { readonly since: string },
): Promise<number> {
  const endpoint = await requireEndpointForResend(context, own);
  if (!isMarketplaces(endpoint)) {
    const resends = await countRepeatable(context.db.read, endpoint, repeatable({ since }));
    await chargeGrowth(context, { accountId: own.accountId, bytes: resends * BYTES_OF_ATTEMPT });
  }
  let recovered = 0;
  let portion: number;
  do {
    portion = await repeat(context, endpoint, { since, limit: RECOVERED_AT_ONCE });
    recovered += portion;
  } while (portion === RECOVERED_AT_ONCE);
  return recovered;
}

const repeatable = (which: Repeatable['which']): Repeatable => ({
  which,
  maxAttempts: MAX_ATTEMPTS_BEFORE_RESEND,
});

const repeat = (context: Context, endpoint: Endpoint, which: Repeatable['which']) =>
  context.db.transaction((tx) => makeDue(tx, endpoint, repeatable(which), context.at()));

export async function sendTestEvent(context: Context, own: OwnEndpoint): Promise<string> {
  const endpoint = await requireEndpointForResend(context, own);
  const at = context.at();
  const message = testMessage(at, endpoint.id);
  const delivery = {
    id: uuidv7(context),
    account_id: own.accountId,
    endpoint_id: endpoint.id,
    event_seq: null,
    message_id: messageIdOf('test', context.random(ID_BYTES)),
    type: message.type,
    payload: JSON.stringify(message),
    created_at: at,
    next_at: at,
    trace: null,
  };
  await context.db.transaction((tx) => insertDeliveries(tx, context.db.engine, [delivery]));
  return delivery.id;
}

/** Throws if the endpoint is disabled or the rate limit is exceeded. */
async function requireEndpointForResend(
  context: Context,
  { accountId, endpointId }: OwnEndpoint,
): Promise<Endpoint> {
  const endpoint = await findEndpoint(context.db.read, accountId, endpointId);
  if (endpoint.disabled_at !== null) throw invalid(message('The endpoint is disabled. Enable it first.'));
  await countAttempt(context, [[BY_HAND, accountId]]);
  return endpoint;
}
