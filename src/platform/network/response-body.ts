/** Bodies of responses from other servers: their size, compression and charset. */
import type { Transform } from 'node:stream';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
  constants as zlib,
} from 'node:zlib';
import { GrowingBuffer } from './growing-buffer.ts';
import type { OutgoingResponse } from './outgoing-request.ts';

/** The body may be cut, because only its first bytes are read. With these options, the cut is not an error. */
const ZLIB = { finishFlush: zlib.Z_SYNC_FLUSH };
const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(ZLIB),
  'x-gzip': () => createGunzip(ZLIB),
  deflate: () => createInflate(ZLIB),
  br: () => createBrotliDecompress({ finishFlush: zlib.BROTLI_OPERATION_FLUSH }),
  zstd: () => createZstdDecompress({ finishFlush: zlib.ZSTD_e_flush }),
};

/** Some servers compress although nobody asked for it. Returns at most `maxBytes`, or `body` if its header is wrong. */
export async function decompressedBody(
  { headers, body }: Pick<OutgoingResponse, 'headers' | 'body'>,
  maxBytes: number,
): Promise<Buffer> {
  const encoding = [headers['content-encoding'] ?? ''].flat().join(',').trim().toLowerCase();
  const decoder = DECODERS[encoding]?.();
  if (decoder === undefined) return body;
  const decompressed = new GrowingBuffer();
  decoder.end(body);
  try {
    for await (const part of decoder) {
      decompressed.add(part as Buffer);
      // Leaving the loop stops the decoder.
      if (decompressed.length >= maxBytes) break;
    }
  } catch {
    return body;
  }
  return decompressed.length === 0 ? body : decompressed.bytes().subarray(0, maxBytes);
}

/** `contentType`: with a charset that browsers know; otherwise, the text is UTF-8. */
export function textOf(body: Buffer, contentType: string | null): string {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType ?? '') ?? [];
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return body.toString('utf8');
  }
}

/**
 * Reading more than `maxBytes` of the body fails. Counts the bytes after decompression, so a small response that expands
 * to gigabytes fails too.
 */
export function limitedResponse(response: Response, maxBytes: number): Response {
  if (response.body === null) return response;
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform: (part, controller) => {
      bytes += part.length;
      if (bytes <= maxBytes) controller.enqueue(part);
      else controller.error(new Error('the response is too large'));
    },
  });
  return new Response(response.body.pipeThrough(limit), response);
}
