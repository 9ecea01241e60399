/**
 * Limits the uploads whose bodies are still arriving. If there are too many, the slowest ends, so that people who send
 * byte by byte cannot keep others from uploading.
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

  /** Ends the slowest upload that isn't in its first seconds. Returns whether there was one below `leastRate`. */
  const endSlowest = (leastRate: number): boolean => {
    const [slowest] = [...arriving]
      .filter(({ startedAtMs }) => nowMs() - startedAtMs >= START_MS)
      .sort((a, b) => rateOf(a) - rateOf(b));
    if (slowest === undefined || rateOf(slowest) >= leastRate) return false;
    forget(slowest);
    slowest.end(new Refusal('request_timeout', TOO_SLOW));
    return true;
  };

  /**
   * Passes the body through. Throws `request_timeout` if the upload is ended because it is slow, and `unavailable` if
   * there are too many uploads and none is slow.
   */
  return async function* (body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    if (arriving.size >= MAX_ARRIVING_UPLOADS && !endSlowest(SLOW_BYTES_A_SECOND)) {
      throw new Refusal('unavailable', TOO_MANY);
    }
    const ended = Promise.withResolvers<never>();
    // Nobody may be waiting for the next chunk when the upload is ended.
    ended.promise.catch(() => {});
    const upload: Arriving = { startedAtMs: nowMs(), bytes: 0, end: ended.reject };
    arriving.add(upload);
    const chunks = body[Symbol.asyncIterator]();
    try {
      while (true) {
        const { done, value } = await Promise.race([ended.promise, chunks.next()]);
        if (done === true) return;
        upload.bytes += value.length;
        bytesOfAll += value.length;
        while (bytesOfAll > MAX_ARRIVING_BYTES) {
          if (!endSlowest(Number.POSITIVE_INFINITY)) throw new Refusal('unavailable', TOO_MANY);
        }
        yield value;
      }
    } finally {
      forget(upload);
    }
  };
}
