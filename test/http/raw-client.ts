/** Speaks HTTP byte by byte, and reads answers strictly. */
import { connect, type Socket } from 'node:net';

export interface RawResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Map<string, string>;
  readonly body: string;
}

export interface RawExchange {
  readonly responses: RawResponse[];
  /** The server closed or reset the connection. */
  readonly closed: boolean;
  /** Bytes after the last whole answer; never any unless something is out of step. */
  readonly rest: string;
}

export interface RawOptions {
  /** Stop once this many final answers came (and nothing more within `settleMs`). */
  readonly answers?: number;
  /** Answers to HEAD carry no body, by position. */
  readonly bodyless?: readonly number[];
  readonly settleMs?: number;
  /** Give up after this long. */
  readonly timeoutMs?: number;
}

/** Sends `parts` in turn, one write each, and reads until the server closes or enough has come. */
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

/** Every complete answer at the start of `bytes`. Throws where other bytes follow. */
export function parseResponses(
  bytes: Buffer,
  bodyless: readonly number[] = [],
): { responses: RawResponse[]; rest: string } {
  const responses: RawResponse[] = [];
  let text = bytes.toString('latin1');
  for (;;) {
    const end = text.indexOf('\r\n\r\n');
    if (end < 0) return { responses, rest: text };
    const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
    const status = /^HTTP\/1\.1 (\d{3}) .*$/.exec(statusLine);
    if (status === null) throw new Error(`not a status line: ${statusLine}`);
    const headers = new Map<string, string>();
    for (const line of lines) {
      const name = line.slice(0, line.indexOf(':')).toLowerCase();
      if (headers.has(name)) throw new Error(`two ${name} headers`);
      headers.set(name, line.slice(line.indexOf(':') + 1).trim());
    }
    let length = Number(headers.get('content-length') ?? 0);
    if (bodyless.includes(responses.length)) length = 0;
    if (headers.has('transfer-encoding')) throw new Error('a chunked answer');
    const start = end + 4;
    if (text.length < start + length) return { responses, rest: text };
    const body = Buffer.from(text.slice(start, start + length), 'latin1').toString('utf8');
    responses.push({ status: Number(status[1]), headers, body });
    text = text.slice(start + length);
  }
}
