import { IncomingMessage } from 'node:http';

/** Takes the body of a request as the parser reads it. */
export interface BodySink {
  /** Bytes of the body; `chunk` is the sink's to keep. */
  onBodyChunk(chunk: Buffer): void;
  /** The body is whole. Never called when the client goes away before. */
  onBodyEnd(): void;
}

/**
 * A request whose body can go straight to its reader. A small body is one chunk that the parser already holds,
 * and the stream between costs a tenth of a whole request. What a request does not hand to a sink is an
 * ordinary stream.
 */
export class DirectRequest extends IncomingMessage {
  #sink: BodySink | null = null;

  /** Call while the request is being announced, before any of its body has come. */
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
