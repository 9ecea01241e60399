/**
 * Chooses the next delivery. Prefers the account with the fewest open requests; in a tie, the account whose last
 * request started earliest. Within an account, prefers the endpoint with the fewest open requests. As a result, slow or
 * dead receivers delay only deliveries of their own account.
 */
import { SECOND_MS } from '../../platform/text/durations.ts';
import type { EpochMs } from '../../platform/text/time-text.ts';
import type { Delivery } from './delivery-queries.ts';
import type { Endpoint } from './endpoint-queries.ts';

/** Maximum numbers of open requests. An account with three dead endpoints can still send to its other endpoints. */
export const LANE_LIMITS = { total: 128, perAccount: 8, perEndpoint: 2 };

interface Account {
  underWay: number;
  /** Sequence number of the account's last request. */
  turn: number;
}

export interface Lane {
  endpoint: Endpoint;
  readonly account: Account;
  queue: Delivery[];
  underWay: number;
  /** Ids of deliveries with an open request or with an attempt that is not recorded yet. */
  readonly taken: Set<string>;
  /** The receiver gets no requests until this time. */
  heldUntilMs: EpochMs;
}

/** Chats show messages in the order of the requests, so a chat gets one request at a time. */
const PER_CHAT = 1;
/** A lane that is held for at most this long keeps the deliverer running, because the job starts only once a second. */
const SHORT_HOLD_MS = 5 * SECOND_MS;

export function createLanes({ total, perAccount, perEndpoint } = LANE_LIMITS, now: () => EpochMs = Date.now) {
  const lanes = new Map<string, Lane>();
  let free = total;
  let starts = 0;

  const isEmpty = ({ queue, taken }: Lane): boolean => queue.length + taken.size === 0;
  /** The limit per account shrinks with `free`, so that a few accounts cannot exhaust the total limit. */
  const mayStart = ({ endpoint, queue, taken, underWay, account, heldUntilMs }: Lane): boolean =>
    queue[0] !== undefined &&
    // A held delivery is queued again before its attempt is recorded.
    !taken.has(queue[0].id) &&
    underWay < (endpoint.format === 'standard' ? perEndpoint : Math.min(PER_CHAT, perEndpoint)) &&
    heldUntilMs <= now() &&
    account.underWay < (free * perAccount) / total;

  return {
    all: (): readonly Lane[] => [...lanes.values()],
    /** Creates or updates the lanes of `endpoints`. Clears the queues of all other lanes. */
    refresh: (endpoints: readonly Endpoint[]): void => {
      const active = new Set(endpoints.map(({ id }) => id));
      for (const [id, lane] of lanes) {
        if (!active.has(id)) lane.queue = [];
        if (isEmpty(lane)) lanes.delete(id);
      }
      const accounts = new Map(
        [...lanes.values()].map(({ endpoint, account }) => [endpoint.account_id, account]),
      );
      for (const endpoint of endpoints) {
        const { id, account_id } = endpoint;
        const account = accounts.get(account_id) ?? { underWay: 0, turn: 0 };
        accounts.set(account_id, account);
        const lane = lanes.get(id) ?? {
          endpoint,
          account,
          queue: [],
          underWay: 0,
          taken: new Set(),
          heldUntilMs: 0,
        };
        lane.heldUntilMs = Math.max(lane.heldUntilMs, Date.parse(endpoint.held_until ?? '') || 0);
        lane.endpoint = endpoint;
        lanes.set(id, lane);
      }
    },
    next: (): { readonly lane: Lane; readonly delivery: Delivery } | null => {
      let lane: Lane | undefined;
      for (const one of lanes.values()) {
        if (mayStart(one) && (lane === undefined || isBefore(one, lane))) lane = one;
      }
      const delivery = lane?.queue.shift();
      if (lane === undefined || delivery === undefined) return null;
      lane.taken.add(delivery.id);
      lane.underWay += 1;
      lane.account.underWay += 1;
      lane.account.turn = ++starts;
      free -= 1;
      // Moves the lane to the end, so that equally busy endpoints of an account take turns.
      lanes.delete(lane.endpoint.id);
      lanes.set(lane.endpoint.id, lane);
      return { lane, delivery };
    },
    end: (lane: Lane): void => {
      lane.underWay -= 1;
      lane.account.underWay -= 1;
      free += 1;
    },
    /** Allows deliveries to be queued again. Call it after their attempts were recorded or abandoned. */
    release: (deliveries: readonly Pick<Delivery, 'id' | 'endpoint_id'>[]): void => {
      for (const { id, endpoint_id } of deliveries) lanes.get(endpoint_id)?.taken.delete(id);
    },
    /** Whether no delivery is being sent or waiting to be recorded, and none can be sent soon. */
    isIdle: (): boolean =>
      [...lanes.values()].every(
        (lane) => isEmpty(lane) || (lane.taken.size === 0 && lane.heldUntilMs > now() + SHORT_HOLD_MS),
      ),
  };
}

export type Lanes = ReturnType<typeof createLanes>;

const isBefore = (one: Lane, other: Lane): boolean =>
  (one.account.underWay - other.account.underWay ||
    one.account.turn - other.account.turn ||
    one.underWay - other.underWay) < 0;
