/** Limits how many requests run concurrently. The others wait in one queue per network, and the networks take turns. */
import type { ServerResponse } from 'node:http';
import { nextTurn } from '../../process/turns.ts';

export interface PlaceLimits {
  /** Maximum number of requests that run concurrently. Each of them holds a place. */
  readonly places: number;
  /**
   * How long a request may hold its place. A request that runs longer releases the place, because it is probably
   * waiting for the database or another server.
   */
  readonly heldMs: number;
  /** Maximum number of running requests that have exceeded `heldMs`. At this number, no request is admitted. */
  readonly maxWithoutPlace: number;
  readonly maxWaiting: number;
  /**
   * How long a request may wait for a place. After this time, the request is rejected, because its client is probably
   * about to time out.
   */
  readonly maxWaitMs: number;
}

interface Waiting {
  /**
   * The client's network; for IPv6, the largest block that a provider assigns to one customer. A network with many
   * requests delays only its own requests.
   */
  readonly network: string;
  readonly response: ServerResponse;
  /**
   * Called when the request gets a place. `begin` must call `leave` when the response is ready, to release the place.
   */
  readonly begin: (leave: () => void) => void;
  /** Called if no place becomes free in time or if too many requests are waiting. */
  readonly refuse: () => void;
}

export type Places = ReturnType<typeof createPlaces>;

type Queued = Waiting & { readonly since: number };

/** `leave` is stored in a property, because WeakMap entries would slow down every garbage collection. */
const leaving = Symbol('leave');
type Placed = ServerResponse & { [leaving]?: () => void };

/** Releases the request's place. Call before a long wait that has a separate limit, such as an upload. */
export const leavePlace = (response: ServerResponse): void => (response as Placed)[leaving]?.();

export function createPlaces(limits: PlaceLimits) {
  let free = limits.places;
  let withoutPlace = 0;
  let waiting = 0;
  /** Queues by network, in the order of the networks' turns. */
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
    // Drop from the longest queue. If several queues are the longest, drop from the queue whose turn comes last.
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
