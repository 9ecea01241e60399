/**
 * Which delivery goes next. Each endpoint has a lane with a few requests under way at a time. Endpoints that fail or
 * answer slowly share a limit of their own, so that they do not hold up the others.
 */
import type { DueDelivery } from './delivery-queries.ts';
import type { Endpoint, SecretRow } from './endpoint-queries.ts';

export interface LaneLimits {
  /** Requests under way to all endpoints that answer well, and to all others. */
  readonly ready: number;
  readonly troubled: number;
  /** The same for one endpoint. */
  readonly readyEach: number;
  readonly troubledEach: number;
  /** An endpoint is troubled while a request takes longer than this, and after one that did. */
  readonly slowMs: number;
}

export const LANE_LIMITS: LaneLimits = {
  ready: 48,
  troubled: 16,
  readyEach: 8,
  troubledEach: 2,
  slowMs: 2_000,
};

type Kind = 'ready' | 'troubled';

export interface Lane {
  endpoint: Endpoint;
  /** That sign now. */
  secrets: readonly SecretRow[];
  /** Due and not under way. */
  queue: DueDelivery[];
  /** Start of each request under way, by delivery, in milliseconds. */
  readonly underWay: Map<string, number>;
  /** Ended, and not recorded yet. */
  readonly ended: Set<string>;
  isTroubled: boolean;
}

export interface Lanes {
  all(): readonly Lane[];
  /** Takes over the present state of `endpoints`. Lanes of others get no more requests and lose their queue. */
  refresh(endpoints: readonly Endpoint[], secrets: readonly SecretRow[]): void;
  /** Takes the next delivery that may be sent; `null`: none may. */
  next(): { readonly lane: Lane; readonly delivery: DueDelivery } | null;
  /** The request has ended with an attempt to record, and with success or not. */
  end(lane: Lane, deliveryId: string, hasSucceeded: boolean): void;
  /** The attempts are recorded: these deliveries may be read again. */
  recorded(deliveries: readonly DueDelivery[]): void;
  /** The request was given up; its delivery stays due. */
  giveUp(lane: Lane, deliveryId: string): void;
  /** Nothing is queued, under way or to be recorded. */
  isIdle(): boolean;
}

/** `clock`: milliseconds. */
export function createLanes(limits: LaneLimits, clock: () => number): Lanes {
  const lanes = new Map<string, Lane>();

  const kindOf = ({ isTroubled, underWay }: Lane): Kind => {
    const latest = clock() - limits.slowMs;
    const isSlow = [...underWay.values()].some((startedMs) => startedMs < latest);
    return isTroubled || isSlow ? 'troubled' : 'ready';
  };
  /** The first lane in turn that may start a request. */
  const findNext = (): Lane | undefined => {
    const all = [...lanes.values()].map((lane) => ({ lane, kind: kindOf(lane) }));
    const underWay = { ready: 0, troubled: 0 };
    for (const { lane, kind } of all) underWay[kind] += lane.underWay.size;
    return all.find(
      ({ lane, kind }) =>
        lane.queue.length > 0 && lane.underWay.size < limits[`${kind}Each`] && underWay[kind] < limits[kind],
    )?.lane;
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
      for (const endpoint of endpoints) {
        const now = { endpoint, secrets: ofEndpoint.get(endpoint.id) ?? [] };
        const lane = lanes.get(endpoint.id);
        if (lane !== undefined) Object.assign(lane, now);
        else lanes.set(endpoint.id, { ...now, ...EMPTY(), isTroubled: endpoint.failing_since !== null });
      }
    },
    next: () => {
      const lane = findNext();
      const delivery = lane?.queue.shift();
      if (lane === undefined || delivery === undefined) return null;
      lane.underWay.set(delivery.id, clock());
      // The others have their turn before it.
      lanes.delete(lane.endpoint.id);
      lanes.set(lane.endpoint.id, lane);
      return { lane, delivery };
    },
    end: (lane, deliveryId, hasSucceeded) => {
      const startedMs = lane.underWay.get(deliveryId)!;
      lane.isTroubled = !hasSucceeded || clock() - startedMs > limits.slowMs;
      lane.underWay.delete(deliveryId);
      lane.ended.add(deliveryId);
    },
    recorded: (deliveries) => {
      for (const { id, endpoint_id } of deliveries) lanes.get(endpoint_id)?.ended.delete(id);
    },
    giveUp: (lane, deliveryId) => lane.underWay.delete(deliveryId),
    isIdle: () =>
      [...lanes.values()].every(
        ({ queue, underWay, ended }) => queue.length === 0 && underWay.size === 0 && ended.size === 0,
      ),
  };
}

const EMPTY = () => ({ queue: [], underWay: new Map(), ended: new Set<string>() });
