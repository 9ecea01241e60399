/**
 * Open-loop load: sends requests at a constant rate, regardless of responses. Latency is measured from the time a
 * request was due, so a stall affects every request that it delays. Environment: URL, API_KEY, TOKENS (a file with one
 * token per line), RATE (requests per second), WARMUP_SECONDS (duration of the warm-up, whose latency is not measured),
 * SECONDS (duration of the load after the warm-up). Prints one line of JSON with the
 * sorted latencies in milliseconds.
 */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';

const CONNECTIONS = 64;
/** Duration of the sleep between two checks of the clock and the sockets. Limits the precision of the latencies. */
const NAP_MS = 0.05;
/** How long to wait for responses after the last request was due. */
const DRAIN_MS = 5_000;

const env = (name: string): string => process.env[name] ?? '';
const url = new URL(env('URL'));
const rate = Number(env('RATE'));
const warmup = Math.round(rate * Number(env('WARMUP_SECONDS')));
const total = warmup + Math.round(rate * Number(env('SECONDS')));
const tokens = readFileSync(env('TOKENS'), 'utf8').trimEnd().split('\n');
if (tokens.length < total) throw new Error(`${total} tokens are needed, but the file has ${tokens.length}`);

const latencies = new Float64Array(total - warmup);
const waiting: number[] = [];
const idle: Connection[] = [];
let answered = 0;
let refused = 0;
let startedAt = 0;

const dueAt = (index: number): number => startedAt + (index * 1000) / rate;

const requestText = (token: string): string => {
  const body = `{"token":"${token}","redeem":true}`;
  return `POST /api/v1/marketplace/claims/verify HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${env('API_KEY')}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
};

const NONE = -1;

/** A keep-alive connection with at most one pending request. */
class Connection {
  readonly #socket: Socket;
  #received = '';
  #request = NONE;

  constructor(onConnect: (connection: Connection) => void) {
    this.#socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true }, () =>
      onConnect(this),
    );
    this.#socket.setEncoding('latin1');
    this.#socket.on('data', (chunk: string) => this.#onData(chunk));
    this.#socket.on('error', (error) => fail(error.message));
    this.#socket.on('close', () => {
      if (this.#request !== NONE) fail('the server closed a connection with a pending request');
      // At a low rate, a connection can be idle for so long that the server closes it. Replace this connection.
      const index = idle.indexOf(this);
      if (index >= 0) idle.splice(index, 1);
      if (answered < total) open();
    });
  }

  send(request: number): void {
    this.#request = request;
    this.#socket.write(requestText(tokens[request]!), 'latin1');
  }

  #onData(chunk: string): void {
    // Ignore the 408 that the server sends before it closes an idle connection.
    if (this.#request === NONE) return;
    this.#received += chunk;
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const length = Number(/content-length: *(\d+)/i.exec(this.#received)?.[1] ?? 0);
    if (this.#received.length < headEnd + 4 + length) return;
    if (this.#received.slice(9, 12) !== '200') refused++;
    this.#received = '';
    if (this.#request >= warmup) latencies[this.#request - warmup] = performance.now() - dueAt(this.#request);
    this.#request = NONE;
    answered++;
    const next = waiting.shift();
    if (next === undefined) idle.push(this);
    else this.send(next);
  }
}

function fail(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}

const nap = new Int32Array(new SharedArrayBuffer(4));
let sent = 0;

function tick(): void {
  const now = performance.now();
  while (sent < total && dueAt(sent) <= now) {
    // Round-robin keeps idle times short. The server could close a long-idle connection while a request is on its way.
    const connection = idle.shift();
    if (connection === undefined) waiting.push(sent);
    else connection.send(sent);
    sent++;
  }
  if (answered === total) {
    report();
    return;
  }
  if (now > dueAt(total) + DRAIN_MS) fail(`${total - answered} of ${total} requests were never answered`);
  Atomics.wait(nap, 0, 0, NAP_MS);
  setImmediate(tick);
}

function report(): void {
  latencies.sort();
  const line = { answered, refused, latencies: Array.from(latencies, (ms) => Number(ms.toFixed(3))) };
  process.stdout.write(`${JSON.stringify(line)}\n`, () => process.exit(0));
}

/** Resolves when the connection is open. */
const open = (): Promise<void> =>
  new Promise((resolve) => {
    new Connection((connection) => {
      idle.push(connection);
      resolve();
    });
  });

await Promise.all(Array.from({ length: CONNECTIONS }, open));
startedAt = performance.now();
tick();
