/** Provokes every answer that a running server has for an operation. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { VerificationRefusal } from '../../src/claims/verify/decision/verification.ts';
import { SERVER_LIMITS } from '../../src/http/server/server-limits.ts';
import { DatabaseUnavailable } from '../../src/store/database.ts';
import { CALLER, KEY, startServer, type TestServer, type TestServerOptions } from './harness.ts';
import { exchange, parseResponses, type RawResponse } from './raw-client.ts';

/** One call that succeeds. */
export interface GoodCall {
  readonly method: string;
  /** With its query. */
  readonly target: string;
  /** JSON; absent if the operation has no body. */
  readonly body?: string;
}

export interface Change {
  readonly method?: string;
  readonly target?: string;
  /** `null` leaves a usual header out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: string | Buffer;
}

/** The bytes of a good call with something changed. */
export function requestBytes(call: GoodCall, change: Change = {}): Buffer {
  const body = change.body ?? call.body;
  const headers: Record<string, string | null> = {
    Host: 'a.example',
    Authorization: `Bearer ${KEY}`,
    ...(body === undefined
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) }),
    ...change.headers,
  };
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${value}`],
  );
  const line = `${change.method ?? call.method} ${change.target ?? call.target} HTTP/1.1`;
  const head = Buffer.from(`${[line, ...lines].join('\r\n')}\r\n\r\n`, 'latin1');
  return Buffer.concat([head, Buffer.from(body ?? '')]);
}

/** The first answer to these bytes, on a new connection. `isBodyless`: it has no body, as for a HEAD request. */
export async function answerTo(
  port: number,
  bytes: string | Buffer,
  isBodyless = false,
): Promise<RawResponse> {
  const bodyless = isBodyless ? [0] : [];
  const { responses } = await exchange(port, [bytes], { answers: 1, settleMs: 5, bodyless });
  const [answer] = responses.filter(({ status }) => status >= 200);
  if (answer === undefined) throw new Error('no answer');
  return answer;
}

const KEY_REFUSALS: readonly VerificationRefusal[] = [
  'invalid_api_key',
  'plan_without_api_keys',
  'account_suspended',
];

/** Fast enough for a test. */
const LIMITS = { ...SERVER_LIMITS, checkIntervalMs: 20 };
/** Set only while a request is sent whose headers never end: on a busy machine, other requests could take longer. */
const SHORT_HEADERS_TIMEOUT_MS = 50;
/** A number of bytes that ends within the head of every call. */
const HALF_A_HEAD = 40;
const DRAIN_TIMES = { graceMs: 10, deadlineMs: 20, cutMs: 5_000 };
/** Longer than the 16 KiB of headers, or of chunk extensions, that Node reads. */
const TOO_LONG = 'a'.repeat(20_000);

/** Every answer that all operations have, and the answers to `others`. Starts a server and stops it. */
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
  // Bursts of two are allowed in one moment.
  betweenCallsMs = 0;
  for (let calls = 0; calls < 2; calls += 1) await send();
  answers.push(await send());
  betweenCallsMs = 10_000;
  answers.push(await answerPastDrain(server, requestBytes(call)));
  await server.close();
  return answers;
}

/** The answer to a request that began before the drain and arrives after its deadline. */
async function answerPastDrain({ server, port, drain }: TestServer, bytes: Buffer): Promise<RawResponse> {
  const socket = connect(port, '127.0.0.1');
  const connected = once(server, 'connection') as Promise<[Socket]>;
  socket.write(bytes.subarray(0, HALF_A_HEAD));
  const [taken] = await connected;
  // The drain would close a connection without any bytes as an idle one.
  while (taken.bytesRead < HALF_A_HEAD) await sleep(1);
  const done = drain.begin(server);
  while (!drain.expired) await sleep(1);
  socket.end(bytes.subarray(HALF_A_HEAD));
  const answer = Buffer.concat(await socket.toArray());
  await done;
  return parseResponses(answer).responses[0]!;
}
