/**
 * Delivers webhooks, in one process at a time: creates deliveries for new events, sends requests, records attempts.
 * Delivery is at least once: a delivery stays due until its attempt is recorded, so it may be sent twice after a crash
 * or if two processes briefly overlap.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../base/context.ts';
import type { Outgoing } from '../../platform/network/outgoing-request.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { NIL_UUID } from '../../platform/store/uuid.ts';
import { toIso } from '../../platform/text/time-text.ts';
import {
  type Delivery,
  deleteAttempts,
  listDue,
  listDueEndpoints,
  recordAttempts,
  shortenAttempts,
} from './delivery-queries.ts';
import { hasActiveEndpoint, readOpenEndpoints, updateEndpoint } from './endpoint-queries.ts';
import { disableWithEvent } from './endpoints.ts';
import { createFairQueue, type EndpointQueue, type FairQueue, QUEUE_LIMITS } from './fair-queue.ts';
import { createFanOut } from './fan-out.ts';
import { HOLDING_STATUSES } from './hold.ts';
import { hasSucceeded, healthAfter, heldUntilMs, isGone, isHeld, stateAfter } from './outcome.ts';
import { type SentAttempt, sendDelivery } from './send.ts';
import { withoutUndone } from './undone.ts';

/**
 * Pause between two rounds while there is work. Longer pauses make the transactions of a round larger: pauses of 250 ms
 * doubled the p99 latency of verifications.
 */
const ROUND_MS = 40;
/** Pause after a round that did not reach the end of the event log. */
const FAN_OUT_MS = 20;
/**
 * Pause between the starts of two requests. A start takes a few tenths of a millisecond on the thread that also answers
 * verifications, so ten starts at once would raise the p99 latency of verifications.
 */
const START_PAUSE_MS = 2;
/** Characters of the response, and of the URL, that are stored of each attempt but the last. */
const EARLIER_LENGTH = 100;
const ENDPOINTS_A_ROUND = 200;
const READ_AHEAD = 100;
/** When the deliverer stops, it aborts requests that are still open after this time. A restart sends them again. */
const STOP_MS = 1_000;

export interface DeliverServices {
  readonly context: Context;
  readonly outgoing: Outgoing;
  readonly baseUrl: string;
  /** Called after each attempt, for metrics. */
  readonly onAttempt?: (hasSucceeded: boolean) => void;
  readonly roundMs?: number;
}

export function createDeliverer(services: DeliverServices) {
  const { context, baseUrl, roundMs = ROUND_MS } = services;
  const fanOut = createFanOut(context, baseUrl);
  return {
    isDue: async (): Promise<boolean> => {
      const { read } = context.db;
      if (!(await hasActiveEndpoint(read))) return false;
      return (await listDueEndpoints(read, context.at(), NIL_UUID, 1)).length > 0 || (await fanOut.isDue());
    },
    /** Sends until nothing is due or `signal` aborts. */
    run: async (signal: AbortSignal): Promise<void> => {
      const sender = createSender(services, signal);
      const refill = createRefill(context, sender.fairQueue);
      try {
        while (!signal.aborted && sender.failure() === null) {
          const fanOutState = await fanOut.step();
          await record(services, sender);
          await refill();
          sender.start();
          if (fanOutState === 'none' && sender.fairQueue.isIdle()) break;
          await sleep(fanOutState === 'more' ? FAN_OUT_MS : roundMs, undefined, { signal }).catch(() => {});
        }
        await sender.drained(STOP_MS);
        await record(services, sender);
        if (sender.failure() !== null) throw sender.failure();
      } finally {
        await sender.drained(0);
      }
    },
  };
}

function createSender({ context, outgoing, onAttempt }: DeliverServices, signal: AbortSignal) {
  const fairQueue = createFairQueue(QUEUE_LIMITS, context.now);
  const ending = new AbortController();
  const underWay = new Set<Promise<void>>();
  const ended: SentAttempt[] = [];
  let failure: unknown = null;
  let isEnding = false;
  let isPausing = false;

  const send = async (queue: EndpointQueue, delivery: Delivery): Promise<void> => {
    try {
      const sent = await sendDelivery(context, outgoing, queue.endpoint, delivery, ending.signal);
      // Recording this attempt will disable the endpoint.
      if (isGone(sent)) queue.deliveries = [];
      const heldMs = heldUntilMs([sent], context.now());
      if (heldMs !== null) queue.heldUntilMs = Math.max(queue.heldUntilMs, heldMs);
      // The delivery is sent again before the later ones.
      if (isHeld(sent)) queue.deliveries.unshift(delivery);
      ended.push(sent);
      onAttempt?.(hasSucceeded(sent));
    } catch (error) {
      fairQueue.release([delivery]);
      if (!ending.signal.aborted) failure ??= error;
    } finally {
      fairQueue.end(queue);
    }
  };
  const start = (): void => {
    if (isPausing || isEnding || signal.aborted || failure !== null) return;
    const next = fairQueue.next();
    if (next === null) return;
    const sending = send(next.queue, next.delivery).finally(() => {
      underWay.delete(sending);
      start();
    });
    underWay.add(sending);
    isPausing = true;
    setTimeout(() => {
      isPausing = false;
      start();
    }, START_PAUSE_MS);
  };

  return {
    fairQueue,
    start,
    /** The first unexpected error, or `null`. After an error, no more requests are started. */
    failure: () => failure,
    ended,
    /** Starts no more requests and waits for open ones. Aborts requests that are still open after `waitMs`. */
    drained: async (waitMs: number) => {
      isEnding = true;
      const end = setTimeout(() => ending.abort(new Error('the job is stopping')), waitMs);
      await Promise.all(underWay);
      clearTimeout(end);
    },
  };
}

/** Returns a function that updates the queues from the stored endpoints and queues due deliveries. */
function createRefill({ db, now }: Context, fairQueue: FairQueue): () => Promise<void> {
  let afterId = NIL_UUID;
  return async () => {
    const at = toIso(now());
    const due = await listDueEndpoints(db.read, at, afterId, ENDPOINTS_A_ROUND);
    afterId = due.length < ENDPOINTS_A_ROUND ? NIL_UUID : due.at(-1)!;
    const ids = [...new Set([...due, ...fairQueue.all().map(({ endpoint }) => endpoint.id)])];
    fairQueue.refresh(await readOpenEndpoints(db.read, ids));
    for (const queue of fairQueue.all().filter(({ endpoint }) => due.includes(endpoint.id))) {
      if (queue.deliveries.length > READ_AHEAD / 2 || queue.heldUntilMs > now()) continue;
      const queued = new Set([...queue.deliveries.map(({ id }) => id), ...queue.inProgress]);
      const dueDeliveries = await listDue(db.read, queue.endpoint.id, at, READ_AHEAD + queued.size);
      const added = dueDeliveries.filter(({ id }) => !queued.has(id)).slice(0, READ_AHEAD);
      queue.deliveries.push(...(await withoutUndone(db, added)));
    }
  };
}

async function record({ context }: DeliverServices, sender: ReturnType<typeof createSender>): Promise<void> {
  const sent = sender.ended.splice(0);
  if (sent.length === 0) return;
  const { db, random } = context;
  const nowMs = context.now();
  const states = sent.map((one) => stateAfter(one, nowMs, random(1)[0]! / 0xff));
  const attempts = sent.map(({ attempt }) => attempt);
  const byEndpoint = Map.groupBy(sent, ({ delivery }) => delivery.endpoint_id);
  await db.transaction(async (tx) => {
    // A receiver may ask to wait hundreds of times, so only its last such response is kept.
    const held = sent.filter(isHeld).map(({ delivery }) => delivery);
    await deleteAttempts(tx, held, HOLDING_STATUSES);
    const repeated = sent.filter(({ delivery }) => delivery.attempts > 0).map(({ delivery }) => delivery);
    await shortenAttempts(tx, repeated, EARLIER_LENGTH);
    await recordAttempts(tx, db.engine, attempts, states);
    let hasDisabled = false;
    // Reads the endpoints again, because enabling an endpoint during a request clears its `failing_since`.
    for (const endpoint of await readOpenEndpoints(tx, [...byEndpoint.keys()])) {
      const { id, failing_since } = endpoint;
      const { failingSince, disabled } = healthAfter(failing_since, byEndpoint.get(id)!);
      const heldMs = heldUntilMs(byEndpoint.get(id)!, nowMs);
      if (failingSince !== failing_since || heldMs !== null) {
        const hold = heldMs === null ? {} : { held_until: toIso(heldMs) };
        await updateEndpoint(tx, id, { failing_since: failingSince, ...hold });
      }
      if (
        disabled !== null &&
        (await disableWithEvent(tx, endpoint, { at: toIso(nowMs), actor: 'service' }, disabled))
      )
        hasDisabled = true;
    }
    // If a crash loses recorded attempts, their requests are sent again. But a crash must not lose the event about a
    // disabled endpoint.
    if (!hasDisabled) await DIALECTS[db.engine].commitUnflushed(tx);
  });
  sender.fairQueue.release(sent.map(({ delivery }) => delivery));
}
