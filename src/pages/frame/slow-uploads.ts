/**
 * Limits the uploads whose bodies are still arriving. If there are too many, the slowest ends, so that people who send
 * byte by byte cannot keep others from uploading; if none is slow, the slowest of the network with the most ends. Memory
 * is taken from the network that holds the most.
 */
import { Refusal } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import { largestNetwork, slowestOf, type Transfer, transferToEnd } from './transfers.ts';

export const MAX_ARRIVING_UPLOADS = 64;
/** Limit for the bytes of all arriving uploads together. */
export const MAX_ARRIVING_BYTES = 64 * 1024 * 1024;
const TOO_SLOW = message(
  'The picture arrived too slowly while many others were being uploaded. Try again in a minute.',
);
export const TOO_MANY_UPLOADS = message('Many pictures are being uploaded. Try again in a minute.');

interface Arriving extends Transfer {
  bytes: number;
  readonly end: (refusal: Refusal) => void;
}

/** `nowMs`: a monotonic clock. */
export function createArrivals(nowMs: () => number = () => performance.now()) {
  const arriving = new Set<Arriving>();
  let bytesOfAll = 0;

  const forget = (upload: Arriving): void => {
    if (arriving.delete(upload)) bytesOfAll -= upload.bytes;
  };

  const end = (upload: Arriving | undefined): void => {
    if (upload === undefined) return;
    forget(upload);
    upload.end(new Refusal('request_timeout', TOO_SLOW));
  };

  /** Ends an upload if all slots are taken. Throws `unavailable` if the new upload should wait instead. */
  const requireSlot = (network: string): void => {
    if (arriving.size < MAX_ARRIVING_UPLOADS) return;
    const ended = transferToEnd([...arriving], network, nowMs());
    if (ended === undefined) throw new Refusal('unavailable', TOO_MANY_UPLOADS);
    end(ended);
  };

  const bytesOf = (uploads: readonly Arriving[]): number =>
    uploads.reduce((sum, { bytes }) => sum + bytes, 0);

  /** Ends the slowest of the larger uploads of the network that holds the most. */
  const freeMemory = (): void => {
    const largest = largestNetwork([...arriving], bytesOf);
    const average = bytesOf(largest) / largest.length;
    end(
      slowestOf(
        largest.filter(({ bytes }) => bytes >= average),
        nowMs(),
      ),
    );
  };

  /** Throws `request_timeout` if the upload ends in favour of others, and `unavailable` if there are too many. */
  return async function* (body: AsyncIterable<Uint8Array>, network: string): AsyncGenerator<Uint8Array> {
    requireSlot(network);
    const ended = Promise.withResolvers<never>();
    // Nobody may be waiting for the next chunk when the upload is ended.
    ended.promise.catch(() => {});
    const upload: Arriving = {
      ...{ network, startedAtMs: nowMs(), bytes: 0, waitsForClient: true },
      end: ended.reject,
    };
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
