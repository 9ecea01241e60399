/**
 * Chooses the next delivery. Prefers the account with the fewest open requests; in a tie, the account whose last
 * request started earliest. Within an account, prefers the endpoint with the fewest open requests. As a result, slow or
 * dead receivers delay only deliveries of the same account. Failing receivers of any number of accounts leave half of
 * the requests to the others.
 */
import { SECOND_MS } from '../../platform/text/durations.ts';
import type { EpochMs } from '../../platform/text/time-text.ts';
import type { Delivery } from './delivery-queries.ts';
import type { Endpoint } from './endpoint-queries.ts';

/** Maximum numbers of open requests. An account with three dead endpoints can still send to its other endpoints. */
export const QUEUE_LIMITS = { total: 128, failing: 64, perAccount: 8, perEndpoint: 2 };

interface Account {
  underWay: number;
  /** Sequence number of the account's last request. */
  lastStart: number;
}

export interface EndpointQueue {
  endpoint: Endpoint;
  readonly account: Account;
  deliveries: Delivery[];
  underWay: number;
  /** Ids of deliveries with an open request or with an attempt that is not recorded yet. */
  readonly inProgress: Set<string>;
  /** The receiver gets no requests until this time. */
  heldUntilMs: EpochMs;
}

/** Chats show messages in the order of the requests, so a chat gets one request at a time. */
const PER_CHAT = 1;
/** A queue that is held for at most this long keeps the deliverer running, because the job starts only once a second. */
const SHORT_HOLD_MS = 5 * SECOND_MS;

export function createFairQueue(
  { total, failing, perAccount, perEndpoint } = QUEUE_LIMITS,
  now: () => EpochMs = Date.now,
) {
  const queues = new Map<string, EndpointQueue>();
  let free = total;
  let starts = 0;

  const isEmpty = ({ deliveries, inProgress }: EndpointQueue): boolean =>
    deliveries.length + inProgress.size === 0;
  /** The limit per account shrinks with `free`, so that a few accounts cannot exhaust the total limit. */
  const mayStart = ({
    endpoint,
    deliveries,
    inProgress,
    underWay,
    account,
    heldUntilMs,
  }: EndpointQueue): boolean =>
    deliveries[0] !== undefined &&
    // A held delivery is queued again before its attempt is recorded.
    !inProgress.has(deliveries[0].id) &&
    underWay < (endpoint.format === 'standard' ? perEndpoint : Math.min(PER_CHAT, perEndpoint)) &&
    heldUntilMs <= now() &&
    account.underWay < (free * perAccount) / total;

  const openToFailing = (): number =>
    [...queues.values()].reduce((sum, one) => sum + (isFailing(one) ? one.underWay : 0), 0);

  return {
    all: (): readonly EndpointQueue[] => [...queues.values()],
    /** Creates or updates the queues of `endpoints`. Clears all other queues. */
    refresh: (endpoints: readonly Endpoint[]): void => {
      const active = new Set(endpoints.map(({ id }) => id));
      for (const [id, queue] of queues) {
        if (!active.has(id)) queue.deliveries = [];
        if (isEmpty(queue)) queues.delete(id);
      }
      const accounts = new Map(
        [...queues.values()].map(({ endpoint, account }) => [endpoint.account_id, account]),
      );
      for (const endpoint of endpoints) {
        const { id, account_id } = endpoint;
        const account = accounts.getOrInsertComputed(account_id, () => ({ underWay: 0, lastStart: 0 }));
        const queue = queues.getOrInsertComputed(id, () => ({
          endpoint,
          account,
          deliveries: [],
          underWay: 0,
          inProgress: new Set(),
          heldUntilMs: 0,
        }));
        queue.heldUntilMs = Math.max(queue.heldUntilMs, Date.parse(endpoint.held_until ?? '') || 0);
        queue.endpoint = endpoint;
      }
    },
    next: (): { readonly queue: EndpointQueue; readonly delivery: Delivery } | null => {
      let queue: EndpointQueue | undefined;
      const isLimited = openToFailing() >= failing;
      for (const one of queues.values()) {
        if (isLimited && isFailing(one)) continue;
        if (mayStart(one) && (queue === undefined || isBefore(one, queue))) queue = one;
      }
      const delivery = queue?.deliveries.shift();
      if (queue === undefined || delivery === undefined) return null;
      queue.inProgress.add(delivery.id);
      queue.underWay += 1;
      queue.account.underWay += 1;
      queue.account.lastStart = ++starts;
      free -= 1;
      // Moves the queue to the end, so that equally busy endpoints of an account take turns.
      queues.delete(queue.endpoint.id);
      queues.set(queue.endpoint.id, queue);
      return { queue, delivery };
    },
    end: (queue: EndpointQueue): void => {
      queue.underWay -= 1;
      queue.account.underWay -= 1;
      free += 1;
    },
    /** Allows deliveries to be queued again. Call it after their attempts were recorded or abandoned. */
    release: (deliveries: readonly Pick<Delivery, 'id' | 'endpoint_id'>[]): void => {
      for (const { id, endpoint_id } of deliveries) queues.get(endpoint_id)?.inProgress.delete(id);
    },
    /** Whether no delivery is being sent or waiting to be recorded, and none can be sent soon. */
    isIdle: (): boolean =>
      [...queues.values()].every(
        (queue) =>
          isEmpty(queue) || (queue.inProgress.size === 0 && queue.heldUntilMs > now() + SHORT_HOLD_MS),
      ),
  };
}

export type FairQueue = ReturnType<typeof createFairQueue>;

const isFailing = ({ endpoint }: EndpointQueue): boolean => endpoint.failing_since !== null;

const isBefore = (one: EndpointQueue, other: EndpointQueue): boolean =>
  (one.account.underWay - other.account.underWay ||
    one.account.lastStart - other.account.lastStart ||
    one.underWay - other.underWay) < 0;
