/**
 * Limits the uploads whose bodies are still arriving. If there are too many, the slowest ends, so that people who send
 * byte by byte cannot keep others from uploading; if none is slow, the slowest of the network with the most ends. Memory
 * is taken from the network that holds the most.
 */
import { Refusal } from '../../errors.ts';
import { message } from '../../languages/translate.ts';
import { SECOND_MS } from '../../text/durations.ts';

export const MAX_ARRIVING_UPLOADS = 64;
/** Limit for the bytes of all arriving uploads together. */
export const MAX_ARRIVING_BYTES = 64 * 1024 * 1024;
/** Half a megabit per second is slow for a phone. */
const SLOW_BYTES_A_SECOND = 16 * 1024;
/** A slower start doesn't count, because a connection needs a few round trips to become fast. */
const START_MS = 3 * SECOND_MS;

const TOO_SLOW = message(
  'The picture arrived too slowly while many others were being uploaded. Try again in a minute.',
);
const TOO_MANY = message('Many pictures are being uploaded. Try again in a minute.');

interface Arriving {
  readonly network: string;
  readonly startedAtMs: number;
  bytes: number;
  readonly end: (refusal: Refusal) => void;
}

/** `nowMs`: a monotonic clock. */
export function createArrivals(nowMs: () => number = () => performance.now()) {
  const arriving = new Set<Arriving>();
  let bytesOfAll = 0;

  const rateOf = ({ startedAtMs, bytes }: Arriving): number =>
    (bytes * SECOND_MS) / Math.max(nowMs() - startedAtMs, START_MS);

  const forget = (upload: Arriving): void => {
    if (arriving.delete(upload)) bytesOfAll -= upload.bytes;
  };

  const endSlowest = (uploads: readonly Arriving[]): void => {
    const [slowest] = [...uploads].sort((a, b) => rateOf(a) - rateOf(b));
    if (slowest === undefined) return;
    forget(slowest);
    slowest.end(new Refusal('request_timeout', TOO_SLOW));
  };

  const largestNetwork = (sizeOf: (uploads: readonly Arriving[]) => number): readonly Arriving[] =>
    [...Map.groupBy(arriving, ({ network }) => network).values()]
      .sort((a, b) => sizeOf(a) - sizeOf(b))
      .at(-1) ?? [];

  /** Ends an upload if all slots are taken. Throws `unavailable` if the new upload should wait instead. */
  const requireSlot = (network: string): void => {
    if (arriving.size < MAX_ARRIVING_UPLOADS) return;
    const all = [...arriving];
    const slow = all.filter(
      (upload) => nowMs() - upload.startedAtMs >= START_MS && rateOf(upload) < SLOW_BYTES_A_SECOND,
    );
    if (slow.length > 0) {
      endSlowest(slow);
      return;
    }
    const own = all.filter((upload) => upload.network === network).length;
    const largest = largestNetwork(({ length }) => length);
    if (largest.length <= own + 1) throw new Refusal('unavailable', TOO_MANY);
    endSlowest(largest);
  };

  const bytesOf = (uploads: readonly Arriving[]): number =>
    uploads.reduce((sum, { bytes }) => sum + bytes, 0);

  /** Ends the slowest of the larger uploads of the network that holds the most. */
  const freeMemory = (): void => {
    const largest = largestNetwork(bytesOf);
    const average = bytesOf(largest) / largest.length;
    endSlowest(largest.filter(({ bytes }) => bytes >= average));
  };

  /**
   * Passes the body through. Throws `request_timeout` if the upload is ended in favour of others, and `unavailable` if
   * there are too many uploads. `network`: the client's network.
   */
  return async function* (body: AsyncIterable<Uint8Array>, network: string): AsyncGenerator<Uint8Array> {
    requireSlot(network);
    const ended = Promise.withResolvers<never>();
    // Nobody may be waiting for the next chunk when the upload is ended.
    ended.promise.catch(() => {});
    const upload: Arriving = { network, startedAtMs: nowMs(), bytes: 0, end: ended.reject };
    arriving.add(upload);
    const chunks = body[Symbol.asyncIterator]();
    try {
      while (true) {
        const { done, value } = await Promise.race([ended.promise, chunks.next()]);
        if (done === true) return;
        upload.bytes += value.length;
        bytesOfAll += value.length;
        while (bytesOfAll > MAX_ARRIVING_BYTES) freeMemory();
        yield value;
      }
    } finally {
      forget(upload);
    }
  };
}

/** Maximum number of uploads per process that have arrived. Each holds several copies of its file in memory. */
const MAX_UPLOADS = 8;
/** A network can't keep others from uploading with pictures that take long to process. */
const MAX_UPLOADS_OF_NETWORK = MAX_UPLOADS / 2;

/** Limits the uploads that have arrived and are being processed. Throws `unavailable` if there are too many. */
export function createUploadSlots() {
  /** The network of each upload. */
  const arrived: string[] = [];
  return async <T>(network: string, work: () => Promise<T>): Promise<T> => {
    const ofNetwork = arrived.filter((other) => other === network).length;
    if (arrived.length >= MAX_UPLOADS || ofNetwork >= MAX_UPLOADS_OF_NETWORK) {
      throw new Refusal('unavailable', TOO_MANY);
    }
    arrived.push(network);
    try {
      return await work();
    } finally {
      arrived.splice(arrived.indexOf(network), 1);
    }
  };
}
