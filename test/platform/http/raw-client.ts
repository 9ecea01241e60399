/** Sends raw bytes to an HTTP server and parses the responses strictly. */
import { connect, type Socket } from 'node:net';

export interface RawResponse {
  readonly status: number;
  /** Names are in lower case. */
  readonly headers: Map<string, string>;
  readonly body: string;
}

interface RawExchange {
  readonly responses: RawResponse[];
  /** Whether the server closed or reset the connection. */
  readonly closed: boolean;
  /** Bytes after the last complete response. */
  readonly rest: string;
}

interface RawOptions {
  /** Reading stops if this many final responses have arrived and no more bytes arrive for `settleMs`. */
  readonly answers?: number;
  /** Indexes of the responses to HEAD requests, which have no body. */
  readonly bodyless?: readonly number[];
  readonly settleMs?: number;
  readonly timeoutMs?: number;
}

/**
 * Writes `parts` one by one. Reads until the server closes the connection, enough responses have arrived, or the
 * timeout expires.
 */
export function exchange(
  port: number,
  parts: readonly (string | Buffer)[],
  options: RawOptions = {},
): Promise<RawExchange> {
  const { settleMs = 40, timeoutMs = 2_000, bodyless = [] } = options;
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let settle: NodeJS.Timeout | undefined;
    let finished = false;
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const finish = (closed: boolean): void => {
      if (finished) return;
      finished = true;
      clearTimeout(settle);
      clearTimeout(timeout);
      socket.destroy();
      resolve({ ...parseResponses(Buffer.concat(chunks), bodyless), closed });
    };
    const timeout = setTimeout(() => finish(false), timeoutMs);
    socket.on('connect', () => void sendAll(socket, parts));
    socket.on('data', (chunk: Uint8Array) => {
      chunks.push(chunk);
      const seen = parseResponses(Buffer.concat(chunks), bodyless).responses.filter((r) => r.status >= 200);
      if (options.answers !== undefined && seen.length >= options.answers) {
        clearTimeout(settle);
        settle = setTimeout(() => finish(false), settleMs);
      }
    });
    socket.on('error', () => {});
    socket.on('close', () => finish(true));
  });
}

async function sendAll(socket: Socket, parts: readonly (string | Buffer)[]): Promise<void> {
  for (const part of parts) {
    if (socket.destroyed) return;
    socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Returns all complete responses and the remaining bytes. Throws if a response is malformed. */
export function parseResponses(
  bytes: Buffer,
  bodyless: readonly number[] = [],
): { responses: RawResponse[]; rest: string } {
  const responses: RawResponse[] = [];
  let rest = bytes;
  for (;;) {
    const read = readResponse(rest, bodyless.includes(responses.length));
    if (read === null) return { responses, rest: rest.toString('latin1') };
    responses.push(read.response);
    rest = rest.subarray(read.length);
  }
}

/**
 * Returns the first response, or `null` if it is incomplete. Throws if the response is chunked, repeats a header or has
 * a malformed status line.
 */
export function readResponse(
  bytes: Buffer,
  isBodyless = false,
): { readonly response: RawResponse; readonly length: number } | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3}) .*$/.exec(statusLine);
  if (status === null) throw new Error(`malformed status line: ${statusLine}`);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    if (headers.has(name)) throw new Error(`duplicate header: ${name}`);
    headers.set(name, line.slice(colon + 1).trim());
  }
  if (headers.has('transfer-encoding')) throw new Error('unexpected chunked response');
  const start = end + 4;
  const length = start + (isBodyless ? 0 : Number(headers.get('content-length') ?? 0));
  if (bytes.length < length) return null;
  return {
    response: { status: Number(status[1]), headers, body: bytes.toString('utf8', start, length) },
    length,
  };
}
