import type { PlaceLimits } from './places.ts';

export interface ServerLimits {
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** How often Node looks for connections past a timeout; its default is 30 s. */
  readonly checkIntervalMs: number;
  readonly maxHeaderBytes: number;
  readonly keepAliveTimeoutMs: number;
  /** A connection is closed if its client reads nothing of a response for this long. */
  readonly answerStallMs: number;
  /** Each connection may take about 60 KiB of memory. Idle connections are closed to make room for new ones. */
  readonly maxConnections: number;
  /** Connections of one network with an incomplete request. Above this number, the oldest is closed. */
  readonly maxUnfinishedOfNetwork: number;
  /** Bytes of responses that clients have not read. Above this, the connection with the most is closed. */
  readonly maxUnsentBytes: number;
  /** Separate for pages and API calls, so that a rush for pages can't stop calls. */
  readonly pages: PlaceLimits;
  readonly calls: PlaceLimits;
  /** Health checks and metrics. */
  readonly probes: PlaceLimits;
}

export const SERVER_LIMITS: ServerLimits = {
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 10_000,
  checkIntervalMs: 250,
  maxHeaderBytes: 16 * 1024,
  // Longer than proxies keep a connection for reuse (Caddy 2 min, Google Cloud 10 min): a request that is sent while we
  // close the connection fails.
  keepAliveTimeoutMs: 620_000,
  answerStallMs: 30_000,
  maxConnections: 4_096,
  // Far more than the people behind one IP address have at a time, because a request usually arrives in an instant.
  maxUnfinishedOfNetwork: 256,
  // Enough for a few thousand pages. The connection limit bounds the number of slow clients.
  maxUnsentBytes: 64 * 1024 * 1024,
  // Pages wait longest: a person would rather wait than press the button again.
  pages: { places: 3, heldMs: 1_000, maxWithoutPlace: 256, maxWaiting: 512, maxWaitMs: 10_000 },
  calls: { places: 16, heldMs: 1_000, maxWithoutPlace: 256, maxWaiting: 512, maxWaitMs: 5_000 },
  probes: { places: 32, heldMs: 1_000, maxWithoutPlace: 256, maxWaiting: 512, maxWaitMs: 5_000 },
};
