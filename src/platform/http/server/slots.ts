/** Limits how many requests run concurrently. The others wait in one queue per network, and the networks take turns. */
import type { ServerResponse } from 'node:http';
import { startLater } from '../../process/yielding.ts';

export interface SlotLimits {
  /** Maximum number of requests that run concurrently. Each of them holds a slot. */
  readonly slots: number;
  /** A request that runs longer releases its slot: it is probably waiting for the database or another server. */
  readonly heldMs: number;
  /** Maximum number of running requests that have exceeded `heldMs`. At this number, no request starts. */
  readonly maxWithoutSlot: number;
  readonly maxWaiting: number;
  /** A request that waits longer is rejected, because its client is probably about to time out. */
  readonly maxWaitMs: number;
}

interface Waiting {
  /** A network with many requests delays only its own. For IPv6, the largest block of one customer. */
  readonly network: string;
  readonly response: ServerResponse;
  /** Called with the slot. Must call `leave` when the response is ready, even if the client has disconnected. */
  readonly begin: (leave: () => void) => void;
  /** Called if no slot becomes free in time or if too many requests are waiting. */
  readonly refuse: () => void;
}

export type Slots = ReturnType<typeof createSlots>;

type Queued = Waiting & { readonly since: number };

/** Stored in properties, because WeakMap entries would slow down every garbage collection. */
const releasing = Symbol('release');
const regaining = Symbol('regain');
type WithSlot = ServerResponse & {
  [releasing]?: () => void;
  /** Unset while the request has not called `releaseSlot`. */
  [regaining]?: (() => Promise<boolean>) | undefined;
};

/** Releases the request's slot. Call before a long wait that has a separate limit, such as an upload. */
export const releaseSlot = (response: ServerResponse): void => (response as WithSlot)[releasing]?.();

/**
 * After `releaseSlot`, waits for a slot like a new request, so that networks take turns with rendering too. Resolves to
 * false if the request was refused or its client has gone.
 */
export const regainSlot = async (response: ServerResponse): Promise<boolean> =>
  (await (response as WithSlot)[regaining]?.()) ?? true;

export function createSlots(limits: SlotLimits) {
  let free = limits.slots;
  let withoutSlot = 0;
  let waiting = 0;
  /** Queues by network, in the order of the networks' turns. */
  const queues = new Map<string, Queued[]>();

  const startNext = (): void => {
    while (free > 0 && waiting > 0 && withoutSlot < limits.maxWithoutSlot) {
      const [network, queue] = queues.entries().next().value!;
      const next = queue.shift()!;
      waiting -= 1;
      queues.delete(network);
      if (queue.length > 0) queues.set(network, queue);
      if (next.response.destroyed) continue;
      if (performance.now() - next.since > limits.maxWaitMs) next.refuse();
      else start(next);
    }
  };

  const start = (request: Queued): void => {
    const { begin } = request;
    const response: WithSlot = request.response;
    free -= 1;
    let state: 'in slot' | 'without slot' | 'released' = 'in slot';
    let timer: NodeJS.Timeout | undefined;
    const onTimeout = (): void => {
      state = 'without slot';
      free += 1;
      withoutSlot += 1;
      startNext();
    };
    const release = (): void => {
      clearTimeout(timer);
      if (state === 'in slot') free += 1;
      if (state === 'without slot') withoutSlot -= 1;
      state = 'released';
      startNext();
    };
    response[releasing] = () => {
      release();
      response[regaining] ??= () => regain(request);
    };
    startLater(() => {
      if (response.destroyed) {
        release();
        return;
      }
      // The slot that the request holds when the response is ready, which may be a second one.
      begin(() => response[releasing]!());
      // A cached response is ready immediately, and needs neither a timer nor a listener.
      if (state === 'released') return;
      timer = setTimeout(onTimeout, limits.heldMs).unref();
      // If the client disconnects first, the work for the response goes on and keeps the slot. Otherwise, a client that
      // disconnects from each request could make the process do any amount of work at the same time.
      response.once('close', () => {
        if (response.writableEnded) release();
      });
    });
  };

  const regain = ({ network, response, refuse }: Waiting): Promise<boolean> =>
    new Promise((resolve) => {
      const target: WithSlot = response;
      target[regaining] = undefined;
      if (response.destroyed) {
        resolve(false);
        return;
      }
      response.once('close', () => resolve(false));
      enter({
        network,
        response,
        begin: () => resolve(true),
        refuse: () => {
          refuse();
          resolve(false);
        },
      });
    });

  const dropOne = (): void => {
    let longest: Queued[] = [];
    // Drop from the longest queue. If several queues are the longest, drop from the queue whose turn comes last.
    for (const queue of queues.values()) if (queue.length >= longest.length) longest = queue;
    const dropped = longest.pop();
    if (dropped === undefined) return;
    waiting -= 1;
    if (longest.length === 0) queues.delete(dropped.network);
    if (!dropped.response.destroyed) dropped.refuse();
  };

  const enter = (request: Waiting): void => {
    const queue = queues.getOrInsertComputed(request.network, () => []);
    queue.push({ ...request, since: performance.now() });
    waiting += 1;
    startNext();
    if (waiting > limits.maxWaiting) dropOne();
  };

  return { enter };
}
