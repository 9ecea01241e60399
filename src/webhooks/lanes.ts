/**
 * Chooses the next delivery. The account with the fewest requests under way comes first; among equals, the one that has
 * waited longest for its turn. Within an account, the endpoint with the fewest requests under way comes first. So slow
 * or dead receivers delay only deliveries of their own account.
 */
import type { Delivery } from './delivery-queries.ts';
import type { Endpoint } from './endpoint-queries.ts';

/** Requests under way at the same time. With three dead endpoints, an account can still send to its others. */
export const LANE_LIMITS = { total: 128, perAccount: 8, perEndpoint: 2 };

interface Account {
  underWay: number;
  /** When it last started a request, as a number that grows with every start. */
  turn: number;
}

export interface Lane {
  endpoint: Endpoint;
  readonly account: Account;
  queue: Delivery[];
  underWay: number;
  /** Ids of deliveries that are under way, or have ended with an attempt that is not recorded yet. */
  readonly taken: Set<string>;
}

export function createLanes({ total, perAccount, perEndpoint } = LANE_LIMITS) {
  const lanes = new Map<string, Lane>();
  let free = total;
  let starts = 0;

  const isEmpty = ({ queue, taken }: Lane): boolean => queue.length + taken.size === 0;
  /** The limit per account shrinks with `free`, so that a few accounts cannot use up the total limit. */
  const mayStart = ({ queue, underWay, account }: Lane): boolean =>
    queue.length > 0 && underWay < perEndpoint && account.underWay < (free * perAccount) / total;

  return {
    all: (): readonly Lane[] => [...lanes.values()],
    /** Updates the lanes to the current state of `endpoints`. All other lanes lose their queue. */
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
        const lane = lanes.get(id) ?? { endpoint, account, queue: [], underWay: 0, taken: new Set() };
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
      // Moved to the end, so that equally busy endpoints of an account take turns.
      lanes.delete(lane.endpoint.id);
      lanes.set(lane.endpoint.id, lane);
      return { lane, delivery };
    },
    end: (lane: Lane): void => {
      lane.underWay -= 1;
      lane.account.underWay -= 1;
      free += 1;
    },
    /** These deliveries may be queued again: their attempt is recorded, or their request was given up. */
    release: (deliveries: readonly Pick<Delivery, 'id' | 'endpoint_id'>[]): void => {
      for (const { id, endpoint_id } of deliveries) lanes.get(endpoint_id)?.taken.delete(id);
    },
    /** Nothing is queued, under way or to be recorded. */
    isIdle: (): boolean => [...lanes.values()].every(isEmpty),
  };
}

export type Lanes = ReturnType<typeof createLanes>;

const isBefore = (one: Lane, other: Lane): boolean =>
  (one.account.underWay - other.account.underWay ||
    one.account.turn - other.account.turn ||
    one.underWay - other.underWay) < 0;
