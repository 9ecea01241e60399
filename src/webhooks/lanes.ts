/**
 * Chooses the next delivery: of the account with the fewest requests under way, then of the account whose requests have
 * used the least time lately, and within an account of the endpoint with the fewest requests under way. So receivers
 * that are slow or dead delay deliveries of their own account only.
 */
import { MINUTE_MS } from '../durations.ts';
import type { DueDelivery } from './delivery-queries.ts';
import type { Endpoint } from './endpoint-queries.ts';

/** Requests under way at the same time. */
export interface LaneLimits {
  readonly total: number;
  readonly perAccount: number;
  readonly perEndpoint: number;
}

/** With three dead endpoints an account still has places for its others. */
export const LANE_LIMITS: LaneLimits = { total: 128, perAccount: 8, perEndpoint: 2 };

const HALF_LIFE_MS = MINUTE_MS;
/** An account without deliveries is forgotten when its used time has fallen below this. */
const FORGOTTEN_MS = 1_000;

interface Account {
  underWay: number;
  /** Time of its requests up to `countedAtMs`; half of it is forgotten in each `HALF_LIFE_MS`. */
  usedMs: number;
  countedAtMs: number;
}

/** The deliveries of an endpoint that are due. */
export interface Lane {
  endpoint: Endpoint;
  readonly account: Account;
  queue: DueDelivery[];
  underWay: number;
  /** Ids of deliveries that are under way, or have ended with an attempt that is not recorded yet. */
  readonly taken: Set<string>;
}

export interface Lanes {
  all(): readonly Lane[];
  /** Updates the lanes to the present state of `endpoints`. All other lanes lose their queue. */
  refresh(endpoints: readonly Endpoint[]): void;
  /** Takes the next delivery that may be sent; `null`: none may. */
  next(): { readonly lane: Lane; readonly delivery: DueDelivery } | null;
  /** The request has ended. */
  end(lane: Lane): void;
  /** These deliveries may be queued again: their attempt is recorded, or their request was given up. */
  release(deliveries: readonly Pick<DueDelivery, 'id' | 'endpoint_id'>[]): void;
  /** Nothing is queued, under way or to be recorded. */
  isIdle(): boolean;
}

/** `clock`: milliseconds. */
export function createLanes({ total, perAccount, perEndpoint }: LaneLimits, clock: () => number): Lanes {
  const lanes = new Map<string, Lane>();
  let accounts = new Map<string, Account>();
  let free = total;

  const isEmpty = ({ queue, taken }: Lane): boolean => queue.length + taken.size === 0;
  const newLane = (endpoint: Endpoint): Lane => {
    const account = accounts.get(endpoint.account_id) ?? { underWay: 0, usedMs: 0, countedAtMs: clock() };
    accounts.set(endpoint.account_id, account);
    return { endpoint, account, queue: [], underWay: 0, taken: new Set() };
  };
  /** The limit of accounts shrinks with the places that are free, so that a few accounts cannot take all of them. */
  const mayStart = ({ queue, underWay, account }: Lane): boolean =>
    queue.length > 0 && underWay < perEndpoint && account.underWay < (free * perAccount) / total;
  const findNext = (): Lane | undefined => {
    let first: Lane | undefined;
    for (const lane of lanes.values()) {
      if (!mayStart(lane)) continue;
      countTime(lane.account, clock());
      if (first === undefined || isBefore(lane, first)) first = lane;
    }
    return first;
  };

  return {
    all: () => [...lanes.values()],
    refresh: (endpoints) => {
      const active = new Set(endpoints.map(({ id }) => id));
      for (const [id, lane] of lanes) {
        if (!active.has(id)) lane.queue = [];
        if (isEmpty(lane)) lanes.delete(id);
      }
      const used = [...accounts].filter(([, account]) => {
        countTime(account, clock());
        return account.usedMs >= FORGOTTEN_MS;
      });
      const busy = [...lanes.values()].map(
        ({ endpoint, account }) => [endpoint.account_id, account] as const,
      );
      accounts = new Map([...used, ...busy]);
      for (const endpoint of endpoints) {
        const lane = lanes.get(endpoint.id);
        if (lane !== undefined) lane.endpoint = endpoint;
        else lanes.set(endpoint.id, newLane(endpoint));
      }
    },
    next: () => {
      const lane = findNext();
      const delivery = lane?.queue.shift();
      if (lane === undefined || delivery === undefined) return null;
      lane.taken.add(delivery.id);
      lane.underWay += 1;
      lane.account.underWay += 1;
      free -= 1;
      // Equal lanes take turns.
      lanes.delete(lane.endpoint.id);
      lanes.set(lane.endpoint.id, lane);
      return { lane, delivery };
    },
    end: (lane) => {
      countTime(lane.account, clock());
      lane.underWay -= 1;
      lane.account.underWay -= 1;
      free += 1;
    },
    release: (deliveries) => {
      for (const { id, endpoint_id } of deliveries) lanes.get(endpoint_id)?.taken.delete(id);
    },
    isIdle: () => [...lanes.values()].every(isEmpty),
  };
}

const isBefore = (one: Lane, other: Lane): boolean =>
  (one.account.underWay - other.account.underWay ||
    one.account.usedMs - other.account.usedMs ||
    one.underWay - other.underWay) < 0;

function countTime(account: Account, nowMs: number): void {
  const passedMs = nowMs - account.countedAtMs;
  account.usedMs = account.usedMs * 2 ** (-passedMs / HALF_LIFE_MS) + account.underWay * passedMs;
  account.countedAtMs = nowMs;
}
