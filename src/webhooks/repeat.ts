/** What an owner has sent by hand: one delivery again, all that failed, a test event. */

import type { Limit } from '../accounts/limits.ts';
import { countAttempt } from '../accounts/throttle.ts';
import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { encodeBase62 } from '../secrets.ts';
import { uuidv7 } from '../store/uuid.ts';
import type { OwnEndpoint } from './disable.ts';
import { MAX_WAITING, TEST_EVENT_TYPE } from './endpoint.ts';
import { type Endpoint, findEndpoint } from './endpoint-queries.ts';
import { testPayload } from './message.ts';
import { countAttempts, findDelivery, makeDue, recoverFailed } from './repeat-queries.ts';
import { DELAYS_MS } from './schedule.ts';
import { countWaiting, insertDeliveries } from './spread-queries.ts';

/** Requests that an account asks for by hand. */
const BY_HAND: Limit = { name: 'webhook-by-hand', attempts: 120, windowMs: 3_600_000 };
/** Attempts of one delivery. */
export const MAX_ATTEMPTS = 50;
/** With more attempts than this nobody may ask for another: a whole schedule could follow and exceed the limit. */
const MAX_BEFORE_ASKING = MAX_ATTEMPTS - DELAYS_MS.length;
/** Deliveries made due in one transaction. */
const RECOVERED_AT_ONCE = 500;
/** 128 bits fit into 22 characters. */
const TEST_ID_BYTES = 16;
const TEST_ID_LENGTH = 22;

const countByHand = (context: Context, accountId: string) => countAttempt(context, [[BY_HAND, accountId]]);

export interface ResendDelivery extends OwnEndpoint {
  readonly deliveryId: string;
}

/** Sends one delivery again, whatever became of it. */
export async function resendDelivery(context: Context, input: ResendDelivery): Promise<void> {
  const { accountId, endpointId, deliveryId } = input;
  refuseDisabled(await findEndpoint(context.db.read, accountId, endpointId));
  const delivery = await findDelivery(context.db.read, accountId, endpointId, deliveryId);
  await countByHand(context, accountId);
  await context.db.transaction(async (tx) => {
    const made = await countAttempts(tx, delivery);
    if (made > MAX_BEFORE_ASKING) {
      throw invalid(
        `It was sent ${made} times already; it is not sent again after more than ${MAX_BEFORE_ASKING}.`,
      );
    }
    await makeDue(tx, delivery, nowOf(context));
  });
}

export interface RecoverDeliveries extends OwnEndpoint {
  /** ISO 8601 UTC. */
  readonly since: string;
}

/**
 * Sends all deliveries again that were made since a time and tried without success, also those that wait for another
 * attempt; returns how many.
 */
export async function recoverDeliveries(context: Context, input: RecoverDeliveries): Promise<number> {
  const { accountId, endpointId, since } = input;
  const endpoint = await findEndpoint(context.db.read, accountId, endpointId);
  refuseDisabled(endpoint);
  await countByHand(context, accountId);
  const at = nowOf(context);
  let recovered = 0;
  for (let more = true; more; ) {
    const portion = await context.db.transaction((tx) =>
      recoverFailed(tx, endpoint, {
        since,
        at,
        maxAttempts: MAX_BEFORE_ASKING,
        limit: RECOVERED_AT_ONCE,
      }),
    );
    recovered += portion;
    more = portion === RECOVERED_AT_ONCE;
  }
  return recovered;
}

/** Sends a test event, which no change caused; returns the id of its delivery. */
export async function sendTestEvent(
  context: Context,
  { accountId, endpointId }: OwnEndpoint,
): Promise<string> {
  const endpoint = await findEndpoint(context.db.read, accountId, endpointId);
  refuseDisabled(endpoint);
  await countByHand(context, accountId);
  const id = uuidv7(context);
  const at = nowOf(context);
  const messageId = encodeBase62(context.random(TEST_ID_BYTES), TEST_ID_LENGTH);
  await context.db.transaction(async (tx) => {
    const waiting = (await countWaiting(tx, [endpoint.id])).get(endpoint.id) ?? 0;
    if (waiting >= MAX_WAITING) throw invalid(`${MAX_WAITING} deliveries wait already, which is the most.`);
    await insertDeliveries(tx, context.db.engine, [
      {
        id,
        account_id: accountId,
        endpoint_id: endpoint.id,
        event_seq: null,
        message_id: `test_${messageId}`,
        type: TEST_EVENT_TYPE,
        payload: testPayload(at, endpoint.id),
        created_at: at,
        attempts: 0,
        next_at: at,
      },
    ]);
  });
  return id;
}

function refuseDisabled({ disabled_at }: Endpoint): void {
  if (disabled_at !== null) throw invalid('The endpoint is disabled; enable it first.');
}

const nowOf = ({ now }: Context): string => new Date(now()).toISOString();
