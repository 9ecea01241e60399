/** Clients that call the verify endpoint on raw keep-alive connections and record each call and its answer. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { VERIFY_PATH } from '../../src/claims/verify/decision/verification.ts';
import { type RawResponse, readResponse } from '../platform/http/raw-client.ts';
import type { Answer, Operation } from './history.ts';

const HOST = '127.0.0.1';
/** Maximum time to wait for an answer. */
const ANSWER_TIMEOUT_MS = 15_000;
/** Pause between attempts to connect, and between the polls of `untilAnswered`. */
const RECONNECT_MS = 10;

export interface Call {
  readonly apiKey: string;
  readonly token: string;
  readonly redeem: boolean;
  readonly idempotencyKey?: string | null;
}

export interface HttpAnswer extends Answer, RawResponse {}

class ConnectionLost extends Error {}

/** When the client cuts the connection: after it has written the request, or at the first byte of the answer. */
export type Cut = 'written' | 'first byte';

export interface Connection {
  /** False once either side has closed the connection, or an answer had `Connection: close`. */
  usable(): boolean;
  /** Sends a request and resolves with its answer. Overlapping calls are pipelined. */
  exchange(request: string | Buffer): Promise<HttpAnswer>;
  /** Sends the rest of a request that `exchange` sent only partly. */
  send(rest: string | Buffer): void;
  /** Sends a request and cuts the connection. Resolves once the connection is closed. */
  cut(request: string | Buffer, at: Cut): Promise<void>;
  close(): void;
}

export function requestText(call: Call): string {
  const body = JSON.stringify({ token: call.token, redeem: call.redeem });
  const idempotency = call.idempotencyKey ? `Idempotency-Key: "${call.idempotencyKey}"\r\n` : '';
  return (
    `POST ${VERIFY_PATH} HTTP/1.1\r\nHost: ${HOST}\r\nAuthorization: Bearer ${call.apiKey}\r\n` +
    `Content-Type: application/json\r\n${idempotency}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

/** Rejects if no server is listening. */
export async function openConnection(port: number): Promise<Connection> {
  const socket = connect({ host: HOST, port, noDelay: true });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject);
  });
  return createConnection(socket);
}

interface Waiter {
  resolve(answer: HttpAnswer): void;
  reject(error: Error): void;
}

function createConnection(socket: Socket): Connection {
  const waiting: Waiter[] = [];
  let received: Buffer = Buffer.alloc(0);
  let usable = true;
  let firstByte = () => {};

  const lose = (why: string) => {
    usable = false;
    for (const { reject } of waiting.splice(0)) reject(new ConnectionLost(why));
    socket.destroy();
  };
  socket.removeAllListeners('error');
  socket.on('error', (error) => lose(error.message));
  socket.on('end', () => lose('closed by the server'));
  socket.on('close', () => lose('closed'));
  socket.setTimeout(ANSWER_TIMEOUT_MS, () => {
    if (waiting.length > 0) lose('no answer in time');
  });
  socket.on('data', (bytes: Buffer) => {
    firstByte();
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes]);
    for (let read = readResponse(received); read !== null; read = readResponse(received)) {
      received = received.subarray(read.length);
      const { headers } = read.response;
      if (headers.get('connection') === 'close') usable = false;
      const waiter = waiting.shift();
      if (waiter === undefined) lose('an answer without a request');
      else waiter.resolve({ ...read.response, replayed: headers.get('idempotency-replayed') === 'true' });
    }
  });

  return {
    usable: () => usable,
    exchange: (request) => {
      if (!usable) return Promise.reject(new ConnectionLost('not usable'));
      const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
      waiting.push({ resolve, reject });
      socket.write(request);
      return promise;
    },
    send: (rest) => void socket.write(rest),
    cut: (request, at) =>
      new Promise((resolve) => {
        socket.once('close', () => resolve());
        if (at === 'first byte') firstByte = () => socket.resetAndDestroy();
        socket.write(request, () => {
          // The client does not reset the connection here, because a reset could discard a request that the server has
          // not read yet.
          if (at === 'written') socket.destroy();
        });
      }),
    close: () => {
      usable = false;
      socket.destroy();
    },
  };
}

/** An operation with its call and the headers of its answer. */
export interface SentOperation extends Operation {
  readonly call: Call;
  readonly answer: HttpAnswer | null;
}

export interface Client {
  /**
   * Sends the call on the open connection, or on a new one if there is none, and records the operation. Returns `null`
   * and records nothing if no connection could be opened.
   */
  verify(call: Call): Promise<SentOperation | null>;
  close(): void;
}

/** Returns the port for a new connection; `null` if no server is available. */
type ChoosePort = () => number | null;

/** Returns a client that keeps one connection open. Calls `port` for each new connection. */
export function createClient(
  port: ChoosePort,
  history: SentOperation[] = [],
  onRefused: () => void = () => {},
): Client {
  let connection: Connection | null = null;
  const connected = async (): Promise<Connection | null> => {
    if (connection?.usable()) return connection;
    connection?.close();
    const chosen = port();
    connection = chosen === null ? null : await openConnection(chosen).catch(() => null);
    if (chosen !== null && connection === null) onRefused();
    return connection;
  };
  return {
    verify: async (call) => {
      const open = await connected();
      if (open === null) return null;
      const { token, redeem } = call;
      const startedMs = performance.now();
      const answer = await open.exchange(requestText(call)).catch((error: unknown) => {
        if (error instanceof ConnectionLost) return null;
        throw error;
      });
      const operation: SentOperation = {
        call,
        token,
        redeem,
        idempotencyKey: call.idempotencyKey ?? null,
        startedMs,
        endedMs: answer === null ? Number.POSITIVE_INFINITY : performance.now(),
        answer,
      };
      history.push(operation);
      return operation;
    },
    close: () => connection?.close(),
  };
}

export interface Load {
  readonly history: SentOperation[];
  /** Number of failed attempts to connect. A client retries until it can send its call. */
  refused(): number;
  /** Resolves once all clients have finished. */
  readonly done: Promise<unknown>;
  stop(): Promise<void>;
}

interface LoadOptions {
  readonly clients: number;
  readonly port: (client: number) => number | null;
  /** The client's next call; `null` if the client is finished. */
  readonly next: (client: number) => Call | null;
  /** Pause of each client between two calls; 0 by default. */
  readonly pauseMs?: number;
}

/** Starts a closed loop: each client sends its next call once the previous one is answered or lost. */
export function startLoad(options: LoadOptions): Load {
  const history: SentOperation[] = [];
  let stopping = false;
  let refused = 0;
  const onRefused = () => {
    refused += 1;
  };
  const run = async (index: number) => {
    const client = createClient(() => options.port(index), history, onRefused);
    while (!stopping) {
      const call = options.next(index);
      if (call === null) break;
      while (!stopping && (await client.verify(call)) === null) await sleep(RECONNECT_MS);
      if (options.pauseMs) await sleep(options.pauseMs);
    }
    client.close();
  };
  const running = Promise.all(Array.from({ length: options.clients }, (_, index) => run(index)));
  return {
    history,
    refused: () => refused,
    done: running,
    stop: async () => {
      stopping = true;
      await running;
    },
  };
}

/** Resolves once `count` calls have been answered with 200; rejects after `ANSWER_TIMEOUT_MS`. */
export async function untilAnswered(load: Load, count: number): Promise<void> {
  const deadline = performance.now() + ANSWER_TIMEOUT_MS;
  while (load.history.filter(isAcknowledged).length < count) {
    if (performance.now() > deadline)
      throw new Error(`fewer than ${count} calls were answered with 200 in time`);
    await sleep(RECONNECT_MS);
  }
}

export const isAcknowledged = ({ answer }: Operation): boolean => answer?.status === 200;

/** End times of the calls that started at `fromMs` or later and were answered with 200. */
export const successesAfter = (load: Load, fromMs: number): readonly number[] =>
  load.history
    .filter((operation) => isAcknowledged(operation) && operation.startedMs >= fromMs)
    .map(({ endedMs }) => endedMs);

/** Pipelines the calls over `connections` connections. Returns the answers in the order of the calls. */
export async function burst(
  ports: readonly number[],
  connections: number,
  calls: readonly Call[],
): Promise<HttpAnswer[]> {
  const open = await Promise.all(
    Array.from({ length: connections }, (_, index) => openConnection(ports[index % ports.length]!)),
  );
  try {
    return await Promise.all(
      calls.map((call, index) => open[index % connections]!.exchange(requestText(call))),
    );
  } finally {
    for (const connection of open) connection.close();
  }
}

/** Returns the `code` of an error, or the `status` of any other answer. */
export function outcomeOf(answer: Answer): string {
  const { status, code } = JSON.parse(answer.body) as { status: unknown; code?: string };
  return code ?? String(status);
}

const RETRYING_CLIENTS = 16;

/** Retries calls with their idempotency keys. Throws if a retry is not answered with 200. */
export async function retryUnknown(
  unknown: readonly SentOperation[],
  port: number,
): Promise<SentOperation[]> {
  const left = unknown.map(({ call }) => call);
  const { history, done } = startLoad({
    clients: RETRYING_CLIENTS,
    port: () => port,
    next: () => left.pop() ?? null,
  });
  await done;
  const failed = history.find(({ answer }) => answer?.status !== 200);
  if (failed) throw new Error(`a retry returned ${failed.answer?.status}: ${failed.answer?.body}`);
  return history;
}
