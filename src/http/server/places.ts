/** Admits a few requests at a time; the others wait in one queue per network. */
import type { ServerResponse } from 'node:http';
import { nextTurn } from './turns.ts';

export interface PlaceLimits {
  /** How many requests may run at the same time; each of them holds a place. */
  readonly places: number;
  /** A request that takes longer gives its place back, because it mostly waits for the database or another server. */
  readonly heldMs: number;
  /** While this many requests that have exceeded `heldMs` are still running, no request is admitted. */
  readonly maxWithoutPlace: number;
  readonly maxWaiting: number;
  /** A request that has waited longer is refused, because its client is about to give up. */
  readonly maxWaitMs: number;
}

interface Waiting {
  /**
   * The client's network; on IPv6, the largest block that a provider assigns to one customer. Networks take turns, so a
   * network with many requests delays only itself.
   */
  readonly network: string;
  readonly response: ServerResponse;
  /** Called when the request gets a place. Call `leave` when the response is ready, to give the place back. */
  readonly begin: (leave: () => void) => void;
  /** Called if no place becomes free in time, or too many requests wait. */
  readonly refuse: () => void;
}

export type Places = ReturnType<typeof createPlaces>;

type Queued = Waiting & { readonly since: number };

/** A property instead of a WeakMap, whose entries each cost time in every garbage collection. */
const leaving = Symbol('leave');
type Placed = ServerResponse & { [leaving]?: () => void };

/**
 * Gives a request's place back early, before a long wait (such as for an upload) that has its own limit on concurrency.
 */
export const leavePlace = (response: ServerResponse): void => (response as Placed)[leaving]?.();

export function createPlaces(limits: PlaceLimits) {
  let free = limits.places;
  let withoutPlace = 0;
  let waiting = 0;
  /** By network, in the order of their turns. */
  const lines = new Map<string, Queued[]>();

  const admit = (): void => {
    while (free > 0 && waiting > 0 && withoutPlace < limits.maxWithoutPlace) {
      const [network, line] = lines.entries().next().value!;
      const next = line.shift()!;
      waiting -= 1;
      lines.delete(network);
      if (line.length > 0) lines.set(network, line);
      if (next.response.destroyed) continue;
      if (performance.now() - next.since > limits.maxWaitMs) next.refuse();
      else start(next);
    }
  };

  const start = ({ response, begin }: Queued): void => {
    free -= 1;
    let isHeld = true;
    const giveBack = (): void => {
      if (!isHeld) return;
      isHeld = false;
      clearTimeout(timer);
      free += 1;
    };
    const timer = setTimeout(() => {
      giveBack();
      withoutPlace += 1;
      response.once('close', () => {
        withoutPlace -= 1;
        admit();
      });
      admit();
    }, limits.heldMs).unref();
    const leave = (): void => {
      giveBack();
      admit();
    };
    (response as Placed)[leaving] = leave;
    response.once('close', leave);
    void nextTurn().then(() => (response.destroyed ? leave() : begin(leave)));
  };

  const dropOne = (): void => {
    let longest: Queued[] = [];
    // Among queues of the same length, the one whose turn is last.
    for (const line of lines.values()) if (line.length >= longest.length) longest = line;
    const dropped = longest.pop();
    if (dropped === undefined) return;
    waiting -= 1;
    if (longest.length === 0) lines.delete(dropped.network);
    if (!dropped.response.destroyed) dropped.refuse();
  };

  return {
    enter(request: Waiting): void {
      const line = lines.getOrInsertComputed(request.network, () => []);
      line.push({ ...request, since: performance.now() });
      waiting += 1;
      admit();
      if (waiting > limits.maxWaiting) dropOne();
    },
  };
}
