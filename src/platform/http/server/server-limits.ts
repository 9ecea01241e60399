import type { SlotLimits } from './slots.ts';

export interface ServerLimits {
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** How often Node checks connections for timeouts. Node's default is 30 s. */
  readonly checkIntervalMs: number;
  readonly maxHeaderBytes: number;
  readonly keepAliveTimeoutMs: number;
  /** A connection is closed if its client reads nothing of a response for this long. */
  readonly responseStallMs: number;
  /** Each connection may take about 60 KiB of memory. Idle connections are closed to make room for new ones. */
  readonly maxConnections: number;
  /** Connections with an incomplete request from one network; above this, its oldest one is closed. */
  readonly maxUnfinishedOfNetwork: number;
  /** Unread response bytes of all connections; above this, the connections with the most are closed. */
  readonly maxUnsentBytes: number;
  /** Pages, API calls and probes have separate limits, so that a rush of page requests can't block API calls. */
  readonly pages: SlotLimits;
  readonly calls: SlotLimits;
  /** Health checks and metrics. */
  readonly probes: SlotLimits;
}

export const SERVER_LIMITS: ServerLimits = {
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 10_000,
  checkIntervalMs: 250,
  maxHeaderBytes: 16 * 1024,
  // Longer than proxies keep idle connections (Caddy 2 min, Google Cloud 10 min). If the server closed a connection
  // first, a request sent at the same time would fail.
  keepAliveTimeoutMs: 620_000,
  responseStallMs: 30_000,
  maxConnections: 4_096,
  // Far more than the people behind one IP address need, because a request usually arrives within milliseconds.
  maxUnfinishedOfNetwork: 256,
  // Enough to send pages to a few thousand slow clients, about as many as `maxConnections` allows.
  maxUnsentBytes: 64 * 1024 * 1024,
  // Pages wait longest, because a person prefers waiting to pressing the button again.
  pages: { slots: 3, heldMs: 1_000, maxWithoutSlot: 256, maxWaiting: 512, maxWaitMs: 10_000 },
  calls: { slots: 16, heldMs: 1_000, maxWithoutSlot: 256, maxWaiting: 512, maxWaitMs: 5_000 },
  probes: { slots: 32, heldMs: 1_000, maxWithoutSlot: 256, maxWaiting: 512, maxWaitMs: 5_000 },
};
