/**
 * Sends what is due, in one process at a time: makes deliveries of new events, makes the requests, records the attempts.
 * A delivery stays due until its attempt is recorded. If a process is killed after a request and before the record, or
 * if two processes send for a moment, a delivery is sent again: each is sent at least once.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { findAccount } from '../accounts/queries.ts';
import type { Context } from '../context.ts';
import type { Mailer } from '../mail/mail.ts';
import type { Outgoing } from '../outgoing-request.ts';
import { DIALECTS } from '../store/dialects.ts';
import type { DueDelivery } from './delivery-queries.ts';
import { listDue, listDueEndpoints, recordAttempts } from './delivery-queries.ts';
import { disableWithEvent } from './disable.ts';
import type { DisabledReason } from './endpoint.ts';
import {
  type Endpoint,
  hasActiveEndpoint,
  listSecrets,
  markFailing,
  readOpenEndpoints,
} from './endpoint-queries.ts';
import { createLanes, LANE_LIMITS, type Lane, type LaneLimits, type Lanes } from './lanes.ts';
import { hasSucceeded, healthAfter, isGone, stateAfter } from './outcome.ts';
import { type SentAttempt, sendDelivery } from './send.ts';
import { createSpread } from './spread.ts';

/**
 * Time between two looks for new events and due deliveries, while there is work. Each look is two transactions. Longer
 * ones write more rows at a time: at 250 ms the p99 of verifications doubled.
 */
const LOOK_MS = 40;
/** The same while there are more new events than one look makes deliveries of. */
const SPREAD_MS = 20;
/**
 * Pause between the starts of two requests. Each start takes some tenths of a millisecond of the thread that answers
 * verifications; ten at once would be seen in their p99.
 */
const START_PAUSE_MS = 2;
/** Endpoints that one look takes on; the next look goes on with others. */
const ENDPOINTS_A_LOOK = 200;
/** Deliveries that are read ahead of their requests, for one endpoint. */
const READ_AHEAD = 100;
/** How long a stop waits for requests under way; those that take longer are made again after the next start. */
const STOP_MS = 1_000;

export interface DeliverServices {
  readonly context: Context;
  readonly outgoing: Outgoing;
  readonly mailer: Mailer;
  /** Of this service, for links in mails. */
  readonly baseUrl: string;
  /** Called for each attempt; for metrics. */
  readonly onAttempt?: (hasSucceeded: boolean) => void;
  readonly limits?: LaneLimits;
  readonly lookMs?: number;
}

export interface Deliverer {
  /** Whether there is something to send. Writes nothing. */
  isDue(): Promise<boolean>;
  /** Sends until nothing is due now. `signal` ends it: requests under way get a second to end. */
  run(signal: AbortSignal): Promise<void>;
}

export function createDeliverer(services: DeliverServices): Deliverer {
  const { context, lookMs = LOOK_MS } = services;
  const spread = createSpread(context);
  return {
    isDue: async () => {
      const { db } = context;
      if (!(await hasActiveEndpoint(db.read))) return false;
      const due = await listDueEndpoints(db.read, { at: nowOf(context), afterId: FIRST_ID, limit: 1 });
      return due.length > 0 || (await spread.isDue());
    },
    run: async (signal) => {
      const sender = createSender(services, signal);
      const refill = createRefill(context, sender.lanes);
      try {
        while (!signal.aborted && sender.failure() === null) {
          const spreading = await spread.step();
          await record(services, sender);
          await refill();
          sender.start();
          if (spreading === 'none' && sender.lanes.isIdle()) break;
          await sleep(spreading === 'more' ? SPREAD_MS : lookMs, undefined, { signal }).catch(() => {});
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

/** The requests of one run. */
interface Sender {
  readonly lanes: Lanes;
  /** Starts what may start; each request that ends starts the next. */
  start(): void;
  /** Attempts that ended since the last call. */
  takeEnded(): SentAttempt[];
  /** What went wrong besides an attempt; then nothing more is started. */
  failure(): unknown;
  /** Starts nothing more, and waits for requests under way: those that take longer are ended. */
  drained(waitMs: number): Promise<void>;
}

function createSender(
  { context, outgoing, onAttempt, limits = LANE_LIMITS }: DeliverServices,
  signal: AbortSignal,
): Sender {
  const lanes = createLanes(limits, () => performance.now());
  const ending = new AbortController();
  const underWay = new Set<Promise<void>>();
  let ended: SentAttempt[] = [];
  let failure: unknown = null;
  let isEnding = false;
  let isPausing = false;

  const send = async (lane: Lane, delivery: DueDelivery): Promise<void> => {
    try {
      const target = { url: lane.endpoint.url, secrets: lane.secrets };
      const sent = await sendDelivery(context, outgoing, target, delivery, ending.signal);
      lanes.end(lane, delivery.id);
      // The endpoint is disabled once this is recorded.
      if (isGone(sent)) lane.queue = [];
      ended.push(sent);
      onAttempt?.(hasSucceeded(sent));
    } catch (error) {
      lanes.giveUp(lane, delivery.id);
      if (!ending.signal.aborted) failure ??= error;
    }
  };
  const start = () => {
    if (isPausing || isEnding || signal.aborted || failure !== null) return;
    const next = lanes.next();
    if (next === null) return;
    const sending = send(next.lane, next.delivery).finally(() => {
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
    lanes,
    start,
    failure: () => failure,
    takeEnded: () => {
      const taken = ended;
      ended = [];
      return taken;
    },
    drained: async (waitMs) => {
      isEnding = true;
      const end = setTimeout(() => ending.abort(new Error('the run of the job ends')), waitMs);
      await Promise.all(underWay);
      clearTimeout(end);
    },
  };
}

/** Reads due deliveries into the lanes, and the present state of their endpoints. */
function createRefill({ db, now }: Context, lanes: Lanes): () => Promise<void> {
  let afterId = FIRST_ID;
  return async () => {
    const at = new Date(now()).toISOString();
    const due = await listDueEndpoints(db.read, { at, afterId, limit: ENDPOINTS_A_LOOK });
    afterId = due.length < ENDPOINTS_A_LOOK ? FIRST_ID : due.at(-1)!;
    const ids = [...new Set([...due, ...lanes.all().map(({ endpoint }) => endpoint.id)])];
    lanes.refresh(await readOpenEndpoints(db.read, ids), await listSecrets(db.read, ids, at));
    for (const lane of lanes.all().filter(({ endpoint }) => due.includes(endpoint.id))) {
      if (lane.queue.length > READ_AHEAD / 2) continue;
      const known = new Set([...lane.queue.map(({ id }) => id), ...lane.underWay, ...lane.ended]);
      const found = await listDue(db.read, lane.endpoint.id, at, READ_AHEAD + known.size);
      lane.queue.push(...found.filter(({ id }) => !known.has(id)).slice(0, READ_AHEAD));
    }
  };
}

/** Writes the attempts that ended and the new states of deliveries and endpoints, in one short transaction. */
async function record({ context, mailer, baseUrl }: DeliverServices, sender: Sender): Promise<void> {
  const sent = sender.takeEnded();
  if (sent.length === 0) return;
  const { db } = context;
  const nowMs = context.now();
  const states = sent.map((one) => stateAfter(one, nowMs, chance(context)));
  const byEndpoint = Map.groupBy(sent, ({ delivery }) => delivery.endpoint_id);
  const hasMail = await db.transaction(async (tx) => {
    await recordAttempts(
      tx,
      db.engine,
      sent.map(({ attempt }) => attempt),
      states,
    );
    let hasDisabled = false;
    // Read again: an endpoint that was enabled meanwhile has no failures.
    for (const endpoint of await readOpenEndpoints(tx, [...byEndpoint.keys()])) {
      const { id, failing_since } = endpoint;
      const health = healthAfter(failing_since, byEndpoint.get(id)!);
      if (health.failingSince !== failing_since) await markFailing(tx, id, health.failingSince);
      const { disabled: reason } = health;
      if (reason !== null && (await disableWithEvent(tx, endpoint, new Date(nowMs).toISOString(), reason))) {
        hasDisabled = true;
        const { email } = await findAccount(tx, endpoint.account_id);
        await mailer.keep(tx, { to: email, ...disabledMail(endpoint, reason, baseUrl) });
      }
    }
    // An attempt that a crash loses is made again. The event of a disabled endpoint must not be lost.
    if (!hasDisabled) await DIALECTS[db.engine].commitUnflushed(tx);
    return hasDisabled;
  });
  sender.lanes.recorded(sent.map(({ delivery }) => delivery));
  if (hasMail) mailer.start();
}

const disabledMail = ({ id, url }: Endpoint, reason: DisabledReason, baseUrl: string) => ({
  subject: 'A webhook endpoint was disabled',
  text: `Claimcheck no longer sends events to your webhook endpoint at ${new URL(url).origin}: ${
    reason === 'gone'
      ? 'it answered 410 Gone, which asks for no more.'
      : 'every request has failed for five days.'
  }

Nothing is lost. Once the endpoint works, enable it here and choose whether the events since then follow:
${baseUrl}/dashboard/webhooks/${id}
`,
});

/** Before every id. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** From 0 to 1. */
const chance = ({ random }: Pick<Context, 'random'>): number => random(1)[0]! / 0xff;

const nowOf = ({ now }: Pick<Context, 'now'>): string => new Date(now()).toISOString();
