/** Which upload or download ends when all slots are taken, so that byte-by-byte clients keep nobody out. */
import { SECOND_MS } from '../../platform/text/durations.ts';

/** Half a megabit per second, which is slow for a phone, is four times as much. */
const SLOW_BYTES_A_SECOND = 16 * 1024;
/** A slower start doesn't count, because a connection needs a few round trips to become fast. */
const START_MS = 3 * SECOND_MS;

export interface Transfer {
  readonly network: string;
  readonly startedAtMs: number;
  /** Bytes that the client has sent or received. */
  readonly bytes: number;
  /** False while the client waits for this service. */
  readonly waitsForClient: boolean;
}

const rateOf = ({ startedAtMs, bytes }: Transfer, nowMs: number): number =>
  (bytes * SECOND_MS) / Math.max(nowMs - startedAtMs, START_MS);

const isSlow = (transfer: Transfer, nowMs: number): boolean =>
  transfer.waitsForClient &&
  nowMs - transfer.startedAtMs >= START_MS &&
  rateOf(transfer, nowMs) < SLOW_BYTES_A_SECOND;

export const slowestOf = <T extends Transfer>(transfers: readonly T[], nowMs: number): T | undefined =>
  transfers.toSorted((a, b) => rateOf(a, nowMs) - rateOf(b, nowMs))[0];

/** The transfers of the network with the most, by number or by `sizeOf`. */
export const largestNetwork = <T extends Transfer>(
  transfers: readonly T[],
  sizeOf: (ofNetwork: readonly T[]) => number = ({ length }) => length,
): readonly T[] =>
  [...Map.groupBy(transfers, ({ network }) => network).values()]
    .sort((a, b) => sizeOf(a) - sizeOf(b))
    .at(-1) ?? [];

/** For a client of `network`: the slowest, or, if none is slow, one of the largest network. `undefined`: wait. */
export function transferToEnd<T extends Transfer>(
  transfers: readonly T[],
  network: string,
  nowMs: number,
): T | undefined {
  const slow = transfers.filter((transfer) => isSlow(transfer, nowMs));
  if (slow.length > 0) return slowestOf(slow, nowMs);
  const own = transfers.filter((transfer) => transfer.network === network).length;
  const largest = largestNetwork(transfers);
  return largest.length > own + 1 ? slowestOf(largest, nowMs) : undefined;
}
