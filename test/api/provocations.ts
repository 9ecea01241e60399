/** Provokes every response that a running server can return for an operation. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { VerificationRefusal } from '../../src/claims/verify/decision/verification.ts';
import { SERVER_LIMITS } from '../../src/platform/http/server/server-limits.ts';
import { DatabaseUnavailable } from '../../src/platform/store/database.ts';
import {
  CALLER,
  KEY,
  startServer,
  type TestServer,
  type TestServerOptions,
} from '../platform/http/harness.ts';
import { exchange, parseResponses, type RawResponse } from '../platform/http/raw-client.ts';

/** A call that succeeds. */
export interface GoodCall {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** JSON; unset if the operation takes no body. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Change {
  readonly method?: string;
  readonly target?: string;
  /** `null` omits a default header. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: string | Buffer;
}

/** Serializes the call with the change applied. */
export function requestBytes(call: GoodCall, change: Change = {}): Buffer {
  const body = change.body ?? call.body;
  const headers: Record<string, string | null> = {
    Host: 'a.example',
    Authorization: `Bearer ${KEY}`,
    ...(body === undefined
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) }),
    ...call.headers,
    ...change.headers,
  };
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${value}`],
  );
  const line = `${change.method ?? call.method} ${change.target ?? call.target} HTTP/1.1`;
  const head = Buffer.from(`${[line, ...lines].join('\r\n')}\r\n\r\n`, 'latin1');
  return Buffer.concat([head, Buffer.from(body ?? '')]);
}

/** Sends the bytes on a new connection and returns the first final response. `isBodyless`: for a HEAD request. */
export async function answerTo(
  port: number,
  bytes: string | Buffer,
  isBodyless = false,
): Promise<RawResponse> {
  const bodyless = isBodyless ? [0] : [];
  const { responses } = await exchange(port, [bytes], { answers: 1, settleMs: 5, bodyless });
  const [answer] = responses.filter(({ status }) => status >= 200);
  if (answer === undefined) throw new Error('no response');
  return answer;
}

const KEY_REFUSALS: readonly VerificationRefusal[] = [
  'invalid_api_key',
  'plan_without_api_keys',
  'account_suspended',
];

/** Timeouts are checked more often than in production, to keep tests fast. */
const LIMITS = { ...SERVER_LIMITS, checkIntervalMs: 20 };
/**
 * The headers timeout for the request with incomplete headers. Other requests have the normal timeout, because they may
 * take longer on a busy machine.
 */
const SHORT_HEADERS_TIMEOUT_MS = 50;
/** Number of bytes sent before the drain begins. The head of every call is longer. */
const HALF_A_HEAD = 40;
const DRAIN_TIMES = { graceMs: 10, deadlineMs: 20, cutMs: 5_000 };
/** Exceeds Node's limit of 16 KiB for headers and for chunk extensions. */
const TOO_LONG = 'a'.repeat(20_000);

/**
 * Starts a temporary server. Returns the response to `call`, the errors that all operations have in common, and the
 * responses to `others`.
 */
export async function provokeAll(
  call: GoodCall,
  options: TestServerOptions & { readonly refusals?: readonly VerificationRefusal[] } = {},
  others: readonly GoodCall[] = [],
): Promise<RawResponse[]> {
  let now = 0;
  let betweenCallsMs = 10_000;
  const clock = () => (now += betweenCallsMs);
  const server = await startServer({
    ...options,
    limits: LIMITS,
    drainTimes: DRAIN_TIMES,
    rateLimit: 1,
    clock,
  });
  const { answer } = server;
  const send = (change?: Change) => answerTo(server.port, requestBytes(call, change));
  const start = `${call.method} ${call.target}`;
  const answers = [
    await send(),
    ...(await Promise.all([
      send({ target: `${call.target}${call.target.includes('?') ? '&' : '?'}x=1` }),
      send({ headers: { Host: 'a\r\nHost: b' } }),
      send({ headers: { Authorization: null } }),
      send({ headers: { Authorization: `Bearer ${KEY}x` } }),
      send({ headers: { Origin: 'https://shop.example' } }),
      send({ method: 'TRACE' }),
      send({ headers: { 'Content-Type': 'text/plain' } }),
      send({ headers: { 'Content-Length': null, 'Transfer-Encoding': 'chunked' }, body: `1;${TOO_LONG}` }),
      send({ headers: { Expect: 'x' } }),
      send({ headers: { X: TOO_LONG } }),
      answerTo(server.port, `${start} HTTP/2.0\r\nHost: a\r\n\r\n`),
    ])),
  ];
  for (const other of others) answers.push(await answerTo(server.port, requestBytes(other)));
  server.server.headersTimeout = SHORT_HEADERS_TIMEOUT_MS;
  answers.push(await answerTo(server.port, `${start} HTTP/1.1\r\nHost: a\r\n`));
  server.server.headersTimeout = LIMITS.headersTimeoutMs;
  const away = new DatabaseUnavailable('connection refused by 10.0.0.5');
  for (const fault of [away, new Error('column "secret" is missing')]) {
    server.answer = () => fault;
    answers.push(await send());
  }
  for (const code of options.refusals ?? KEY_REFUSALS) {
    server.answer = () => ({ kind: 'refused', code, caller: CALLER });
    answers.push(await send());
  }
  server.answer = answer;
  // With the clock stopped, a burst of two calls is allowed and the third call is rejected.
  betweenCallsMs = 0;
  for (let calls = 0; calls < 2; calls += 1) await send();
  answers.push(await send());
  betweenCallsMs = 10_000;
  answers.push(await answerPastDrain(server, requestBytes(call)));
  await server.close();
  return answers;
}

/** The response to a request that starts before the drain and is completed after the deadline. */
async function answerPastDrain({ server, port, drain }: TestServer, bytes: Buffer): Promise<RawResponse> {
  const socket = connect(port, '127.0.0.1');
  const connected = once(server, 'connection') as Promise<[Socket]>;
  socket.write(bytes.subarray(0, HALF_A_HEAD));
  const [taken] = await connected;
  // Until bytes arrive, the connection counts as idle and the drain would close it.
  while (taken.bytesRead < HALF_A_HEAD) await sleep(1);
  const done = drain.begin(server);
  while (!drain.expired) await sleep(1);
  socket.end(bytes.subarray(HALF_A_HEAD));
  const answer = Buffer.concat(await socket.toArray());
  await done;
  return parseResponses(answer).responses[0]!;
}
