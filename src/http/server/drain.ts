/** Stops the server without failing a request. */
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const IDLE_SWEEP_MS = 100;

export interface DrainTimes {
  /** New connections are still accepted for this long, while readiness is already false. */
  readonly graceMs: number;
  /** Past this, requests are refused with 503. */
  readonly deadlineMs: number;
  /** Past this, connections are cut. */
  readonly cutMs: number;
}

export const DRAIN_TIMES: DrainTimes = { graceMs: 1_500, deadlineMs: 8_000, cutMs: 9_000 };

export interface Drain {
  /** Not ready; every response closes its connection. */
  readonly draining: boolean;
  /** Past the deadline: new requests get 503. */
  readonly expired: boolean;
  /** Resolves when the last connection is closed. Further calls return the same promise. */
  begin(server: Server): Promise<void>;
}

export function createDrain(times: DrainTimes = DRAIN_TIMES): Drain {
  const state = { draining: false, expired: false };
  let done: Promise<void> | undefined;

  const run = async (server: Server): Promise<void> => {
    state.draining = true;
    await sleep(times.graceMs);
    // From here on no connection is accepted; idle ones are closed immediately.
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
    const expire = setTimeout(() => {
      state.expired = true;
    }, times.deadlineMs - times.graceMs);
    const cut = setTimeout(() => server.closeAllConnections(), times.cutMs - times.graceMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(expire);
    clearTimeout(cut);
  };

  return {
    get draining() {
      return state.draining;
    },
    get expired() {
      return state.expired;
    },
    begin(server) {
      done ??= run(server);
      return done;
    },
  };
}
