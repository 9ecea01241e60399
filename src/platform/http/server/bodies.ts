/** Buffers a request's body before the request takes a slot (`slots.ts`), so that slow clients don't delay others. */

import { IncomingMessage, type ServerResponse } from 'node:http';
import { Refusal } from '../../errors.ts';
import type { Words } from '../../languages/translate.ts';
import { GrowingBuffer } from '../../network/growing-buffer.ts';

interface BodySink {
  /** The sink may keep `chunk`. */
  onBodyChunk(chunk: Buffer): void;
  /** Never called if the client disconnects first. */
  onBodyEnd(): void;
}

/** Passes the body directly to a sink: reading it as a stream would take a tenth of the processing time. */
export class DirectRequest extends IncomingMessage {
  #sink: BodySink | null = null;

  /** Call in the handler of the `request` event, before any byte of the body arrives. */
  readBody(sink: BodySink): void {
    this.#sink = sink;
  }

  /** Delivers the rest of the body as a stream again. */
  releaseBody(): void {
    this.#sink = null;
  }

  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    if (this.#sink === null) return super.push(chunk, encoding);
    if (chunk === null) this.#sink.onBodyEnd();
    else this.#sink.onBodyChunk(chunk);
    return true;
  }
}

/** Maximum size of the body of a form or an API call. Handlers reject a larger body without reading all of it. */
export const MAX_BODY_BYTES = 64 * 1024;
/** Limit for all incomplete bodies together. Above the limit, the request with the largest body is rejected. */
const MAX_UNFINISHED_BYTES = 64 * 1024 * 1024;

/**
 * At this number, the buffers of a body are merged: a client may send single bytes, and each buffer has an overhead.
 */
const MAX_CHUNKS = 64;

interface Unfinished {
  bytes: number;
  readonly refuse: () => void;
}

export function createBodyReader() {
  const unfinished = new Set<Unfinished>();
  let bytesOfAll = 0;

  const refuseLargest = (): void => {
    let largest: Unfinished | undefined;
    for (const body of unfinished) if (body.bytes > (largest?.bytes ?? 0)) largest = body;
    largest?.refuse();
  };

  /**
   * Calls `done` when the body is complete, missing, or longer than `MAX_BODY_BYTES`; the request is then a stream that
   * starts with the bytes that have arrived. Calls `refuse` instead if all incomplete bodies exceed
   * `MAX_UNFINISHED_BYTES` and this one is the largest. Call in the handler of the `request` event.
   */
  return (request: DirectRequest, response: ServerResponse, done: () => void, refuse: () => void): void => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
    if (encoding === undefined && (length === '0' || Number(length) > MAX_BODY_BYTES)) {
      done();
      return;
    }
    const chunks: Buffer[] = [];
    const forget = (): void => {
      if (unfinished.delete(body)) bytesOfAll -= body.bytes;
    };
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
        if (chunks.length === MAX_CHUNKS) chunks.splice(0, MAX_CHUNKS, Buffer.concat(chunks));
        body.bytes += chunk.length;
        bytesOfAll += chunk.length;
        if (body.bytes > MAX_BODY_BYTES) {
          release(false);
          done();
        } else if (bytesOfAll > MAX_UNFINISHED_BYTES) refuseLargest();
      },
      onBodyEnd() {
        release(true);
        done();
      },
    });
  };
}

/** Throws `body_too_large` if the body is longer than `maxBytes`. */
export async function readBytes(
  { body }: { readonly body: AsyncIterable<Uint8Array> | null },
  maxBytes: number,
  detail: Words,
): Promise<Buffer> {
  const received = new GrowingBuffer();
  for await (const chunk of body ?? []) {
    if (received.length + chunk.length > maxBytes) throw new Refusal('body_too_large', detail);
    received.add(chunk);
  }
  return received.bytes();
}
