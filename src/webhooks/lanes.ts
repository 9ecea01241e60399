/**
 * Which delivery goes next: that of the account with the fewest requests under way, then with the least time that its
 * requests have used lately, and in an account that of the endpoint with the fewest. Receivers that are slow or dead
 * thus delay their own account, and no other.
 */
import type { DueDelivery } from './delivery-queries.ts';
import type { Endpoint, SecretRow } from './endpoint-queries.ts';

export interface LaneLimits {
  /** Requests under way to all endpoints. */
  readonly places: number;
  /** The same for one account. */
  readonly perAccount: number;
}

export const LANE_LIMITS: LaneLimits = { places: 128, perAccount: 8 };

const HALF_LIFE_MS = 60_000;
/** An account without deliveries is remembered until it counts as having used less than this. */
const FORGOTTEN_MS = 1_000;

interface Account {
  underWay: number;
  /** Time of its requests up to `countedAtMs`; half of it is forgotten in each `HALF_LIFE_MS`. */
  usedMs: number;
  countedAtMs: number;
}

export interface Lane {
  endpoint: Endpoint;
  readonly account: Account;
  /** That sign now. */
  secrets: readonly SecretRow[];
  /** Due and not under way. */
  queue: DueDelivery[];
  /** Ids of deliveries. */
  readonly underWay: Set<string>;
  /** Ended, and not recorded yet. */
  readonly ended: Set<string>;
}

export interface Lanes {
  all(): readonly Lane[];
  /** Takes over the present state of `endpoints`. Lanes of others get no more requests and lose their queue. */
  refresh(endpoints: readonly Endpoint[], secrets: readonly SecretRow[]): void;
  /** Takes the next delivery that may be sent; `null`: none may. */
  next(): { readonly lane: Lane; readonly delivery: DueDelivery } | null;
  /** The request has ended with an attempt to record. */
  end(lane: Lane, deliveryId: string): void;
  /** The attempts are recorded: these deliveries may be read again. */
  recorded(deliveries: readonly DueDelivery[]): void;
  /** The request was given up; its delivery stays due. */
  giveUp(lane: Lane, deliveryId: string): void;
  /** Nothing is queued, under way or to be recorded. */
  isIdle(): boolean;
}

/** `clock`: milliseconds. */
export function createLanes({ places, perAccount }: LaneLimits, clock: () => number): Lanes {
  const lanes = new Map<string, Lane>();
  let accounts = new Map<string, Account>();
  let free = places;

  const newLane = (endpoint: Endpoint, secrets: readonly SecretRow[]): Lane => {
    const account = accounts.get(endpoint.account_id) ?? { underWay: 0, usedMs: 0, countedAtMs: clock() };
    accounts.set(endpoint.account_id, account);
    return { endpoint, secrets, account, queue: [], underWay: new Set(), ended: new Set() };
  };
  /**
   * An account may use its share of the places that are free, and an endpoint as many as its account then has left. So
   * a few accounts cannot take all places, and one endpoint cannot take all places of its account.
   */
  const mayStart = ({ queue, underWay, account }: Lane): boolean =>
    queue.length > 0 && underWay.size < (free * perAccount) / places - account.underWay;
  const findNext = (): Lane | undefined => {
    let first: Lane | undefined;
    for (const lane of lanes.values()) {
      if (!mayStart(lane)) continue;
      countTime(lane.account, clock());
      if (first === undefined || isBefore(lane, first)) first = lane;
    }
    return first;
  };
  const leave = (lane: Lane, deliveryId: string): void => {
    countTime(lane.account, clock());
    lane.underWay.delete(deliveryId);
    lane.account.underWay -= 1;
    free += 1;
  };

  return {
    all: () => [...lanes.values()],
    refresh: (endpoints, secrets) => {
      const ofEndpoint = Map.groupBy(secrets, ({ endpoint_id }) => endpoint_id);
      const active = new Set(endpoints.map(({ id }) => id));
      for (const [id, lane] of lanes) {
        if (!active.has(id)) lane.queue = [];
        if (lane.queue.length + lane.underWay.size + lane.ended.size === 0) lanes.delete(id);
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
        const now = { endpoint, secrets: ofEndpoint.get(endpoint.id) ?? [] };
        const lane = lanes.get(endpoint.id);
        if (lane !== undefined) Object.assign(lane, now);
        else lanes.set(endpoint.id, newLane(endpoint, now.secrets));
      }
    },
    next: () => {
      const lane = findNext();
      const delivery = lane?.queue.shift();
      if (lane === undefined || delivery === undefined) return null;
      lane.underWay.add(delivery.id);
      lane.account.underWay += 1;
      free -= 1;
      // Among equals the others have their turn before it.
      lanes.delete(lane.endpoint.id);
      lanes.set(lane.endpoint.id, lane);
      return { lane, delivery };
    },
    end: (lane, deliveryId) => {
      leave(lane, deliveryId);
      lane.ended.add(deliveryId);
    },
    recorded: (deliveries) => {
      for (const { id, endpoint_id } of deliveries) lanes.get(endpoint_id)?.ended.delete(id);
    },
    giveUp: leave,
    isIdle: () =>
      [...lanes.values()].every(
        ({ queue, underWay, ended }) => queue.length === 0 && underWay.size === 0 && ended.size === 0,
      ),
  };
}

const isBefore = (one: Lane, other: Lane): boolean =>
  (one.account.underWay - other.account.underWay ||
    one.account.usedMs - other.account.usedMs ||
    one.underWay.size - other.underWay.size) < 0;

function countTime(account: Account, nowMs: number): void {
  const passedMs = nowMs - account.countedAtMs;
  account.usedMs = account.usedMs * 2 ** (-passedMs / HALF_LIFE_MS) + account.underWay * passedMs;
  account.countedAtMs = nowMs;
}
