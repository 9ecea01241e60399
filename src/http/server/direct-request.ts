import { IncomingMessage } from 'node:http';

/** Takes the body of a request as the parser reads it. */
export interface BodySink {
  /** Bytes of the body; the sink may keep `chunk`. */
  onBodyChunk(chunk: Buffer): void;
  /** The body is complete. Never called if the client disconnects before. */
  onBodyEnd(): void;
}

/**
 * A request whose body can go directly to its reader. A small body is one chunk that the parser already has, and a
 * stream would cost a tenth of the whole request. Without a sink the body is an ordinary stream.
 */
export class DirectRequest extends IncomingMessage {
  #sink: BodySink | null = null;

  /** Call in the request event, before any byte of the body arrives. */
  readBody(sink: BodySink): void {
    this.#sink = sink;
  }

  /** The rest of the body is a stream again. */
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
