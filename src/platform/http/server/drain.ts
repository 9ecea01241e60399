import type { Server } from 'node:http';
import { Server as TcpServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

const IDLE_SWEEP_MS = 100;

/** All times are measured from the start of the shutdown. */
export interface DrainTimes {
  /** How long new connections are still accepted after readiness has become false. */
  readonly graceMs: number;
  /** After this time, requests are rejected with 503. */
  readonly deadlineMs: number;
  /** After this time, all connections are closed. */
  readonly cutMs: number;
}

export const DRAIN_TIMES: DrainTimes = { graceMs: 1_500, deadlineMs: 8_000, cutMs: 9_000 };

export type Drain = ReturnType<typeof createDrain>;

export function createDrain(times: DrainTimes = DRAIN_TIMES) {
  let draining = false;
  let expired = false;
  let done: Promise<void> | undefined;

  const run = async (server: Server): Promise<void> => {
    draining = true;
    await sleep(times.graceMs);
    // Accept the connections that arrived while the thread was busy, because closing the server resets them.
    await nextTurn();
    // Stop accepting connections. `server.close` would also close idle connections immediately. A connection is idle
    // until its first request arrives, so new connections have until the first sweep.
    const closed = new Promise<void>((resolve) => TcpServer.prototype.close.call(server, () => resolve()));
    const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
    const expire = setTimeout(() => {
      expired = true;
    }, times.deadlineMs - times.graceMs);
    const cut = setTimeout(() => server.closeAllConnections(), times.cutMs - times.graceMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(expire);
    clearTimeout(cut);
  };

  return {
    /** While true, the process is not ready, and each response closes its connection. */
    get draining(): boolean {
      return draining;
    },
    get expired(): boolean {
      return expired;
    },
    /** Resolves when the last connection is closed. Later calls return the same promise. */
    begin: (server: Server): Promise<void> => (done ??= run(server)),
  };
}
