/** Reads the bodies of requests before these take a place, so that a client that sends slowly holds nobody up. */
import type { ServerResponse } from 'node:http';
import type { DirectRequest } from './direct-request.ts';

/** The longest body of a form or a call. A handler refuses a longer one without reading it to its end. */
export const MAX_BODY_BYTES = 64 * 1024;
/** Bytes of all bodies that are not complete. Beyond that the request with the most bytes is refused. */
const MAX_UNFINISHED_BYTES = 64 * 1024 * 1024;

/** Parts of a body that are kept apart. */
const MAX_CHUNKS = 64;

export interface Bodies {
  /**
   * Calls `done` when the body has arrived, or more of it than any handler reads; the request is then a stream that begins
   * with what has arrived. `refuse`: there is no room for this body. Call in the request event.
   */
  read(request: DirectRequest, response: ServerResponse, done: () => void, refuse: () => void): void;
}

interface Unfinished {
  bytes: number;
  readonly refuse: () => void;
}

export function createBodies(maxUnfinishedBytes = MAX_UNFINISHED_BYTES): Bodies {
  const unfinished = new Set<Unfinished>();
  let bytesOfAll = 0;

  const refuseLargest = (): void => {
    let largest: Unfinished | undefined;
    for (const body of unfinished) if (body.bytes > (largest?.bytes ?? 0)) largest = body;
    largest?.refuse();
  };

  return {
    read(request, response, done, refuse) {
      const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
      if (encoding === undefined && (length === '0' || Number(length) > MAX_BODY_BYTES)) {
        done();
        return;
      }
      const chunks: Buffer[] = [];
      const forget = (): void => {
        if (unfinished.delete(body)) bytesOfAll -= body.bytes;
      };
      /** Makes the request a stream again. */
      const release = (isComplete: boolean): void => {
        forget();
        request.releaseBody();
        for (const chunk of chunks) request.push(chunk);
        if (isComplete) request.push(null);
      };
      const body: Unfinished = {
        bytes: 0,
        refuse: () => {
          chunks.length = 0;
          release(false);
          refuse();
        },
      };
      unfinished.add(body);
      response.once('close', forget);
      request.readBody({
        onBodyChunk(chunk) {
          chunks.push(chunk);
          // Each buffer takes some hundred bytes, and a client may send bodies byte by byte.
          if (chunks.length === MAX_CHUNKS) chunks.splice(0, MAX_CHUNKS, Buffer.concat(chunks));
          body.bytes += chunk.length;
          bytesOfAll += chunk.length;
          if (body.bytes > MAX_BODY_BYTES) {
            release(false);
            done();
          } else if (bytesOfAll > maxUnfinishedBytes) refuseLargest();
        },
        onBodyEnd() {
          release(true);
          done();
        },
      });
    },
  };
}
