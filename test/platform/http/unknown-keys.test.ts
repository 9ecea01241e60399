/** Calls with unknown API keys are rate limited by network, and calls with valid keys are not affected. */
import { hash } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { z } from '@hono/zod-openapi';
import { expect, test } from 'vitest';
import { type ApiCaller, VERIFY_PATH } from '../../../src/claims/verify/decision/verification.ts';
import type { Operation } from '../../../src/platform/http/operations/operation.ts';
import { operationRoute } from '../../../src/platform/http/operations/operation-routes.ts';
import { UNKNOWN_KEYS_PER_SECOND } from '../../../src/platform/http/server/cached-keys.ts';
import { checksumBase62 } from '../../../src/platform/secrets/secrets.ts';
import { DatabaseUnavailable } from '../../../src/platform/store/database.ts';
import { callVerify } from '../../support/verify.ts';
import {
  answerAll,
  found,
  KEY,
  openServer,
  type TestServer,
  type TestServerOptions,
  TOKEN,
} from './harness.ts';

/** An operation other than verify. */
const PING = {
  id: 'ping',
  method: 'get',
  path: '/api/v1/ping',
  tag: 'claims',
  summary: 'Ping',
  description: 'Answers.',
  caller: 'apiKey',
  input: {},
  outputs: { 200: { description: 'It works.', schema: z.strictObject({}), examples: {} } },
  errors: {},
} as const satisfies Operation;
const ROUTES = [operationRoute<typeof PING, ApiCaller, null>(PING, async () => ({}))];

const BURST = 2 * UNKNOWN_KEYS_PER_SECOND;
const sha256 = (text: string) => hash('sha256', text, 'buffer');
const made = (number: number) => {
  const text = `cck_live_${String(number).padStart(32, 'x')}`;
  return text + checksumBase62(text);
};

let server: TestServer;
let now: number;

async function start(options: TestServerOptions = {}): Promise<void> {
  now = 0;
  server = await openServer({ rateLimit: 1_000, clock: () => now, ...options });
  const good = sha256(KEY);
  server.answer = (verification) =>
    good.equals(verification.keyHash)
      ? answerAll(verification)
      : { kind: 'refused', code: 'invalid_api_key', caller: null };
}

const send = (key: string) => callVerify(server.url, key, { token: TOKEN });
const ping = async (key: string) =>
  (await fetch(`${server.url}${PING.path}`, { headers: { Authorization: `Bearer ${key}` } })).status;

async function guess(count: number, from = 0): Promise<number[]> {
  const statuses: number[] = [];
  for (let number = from; number < from + count; number += 1) {
    statuses.push((await send(made(number))).status);
  }
  return statuses;
}

test('lookups of unknown keys are rate limited, and 429 has a Retry-After header', async () => {
  await start();
  const statuses = await guess(BURST + 5);
  expect(statuses).toEqual([...Array(BURST).fill(401), ...Array(5).fill(429)]);
  expect(server.submitted).toHaveLength(BURST);
  const refused = await send(made(999));
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(await refused.json()).toMatchObject({ code: 'rate_limited' });
  expect(server.unknownKeys).toEqual(Array(6).fill('127.0.0.1'));
  now += 1_000;
  expect(await guess(UNKNOWN_KEYS_PER_SECOND + 1, 5_000)).toEqual([
    ...Array(UNKNOWN_KEYS_PER_SECOND).fill(401),
    429,
  ]);
});

test('a valid key still works from a rate-limited network, even right after a restart', async () => {
  for (const goodKeys of [[], [sha256(KEY)]]) {
    await start({ goodKeys });
    if (goodKeys.length === 0) expect((await send(KEY)).status).toBe(200);
    await guess(BURST + 5);
    for (let call = 0; call < 20; call += 1) expect((await send(KEY)).status).toBe(200);
  }
});

test('concurrent first calls with a valid key do not count towards the limit', async () => {
  await start();
  const { answer } = server;
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  server.answer = () => begun.then(() => found());
  const calls = Array.from({ length: 3 * BURST }, () => send(KEY));
  // All calls begin before the first response, so the server does not know yet that the key is valid.
  await expect.poll(() => server.submitted.length, { timeout: 20_000 }).toBe(3 * BURST);
  begin();
  for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
  server.answer = answer;
  expect(await guess(BURST)).toEqual(Array(BURST).fill(401));
});

/** Sends the headers of a call, and disconnects once the server is waiting for the body. */
async function sendHeadAndGo(key: string): Promise<void> {
  const request = http.request(server.url + VERIFY_PATH, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'Content-Length': 10,
      Expect: '100-continue',
    },
  });
  request.on('error', () => {});
  request.flushHeaders();
  const [[, response]] = await Promise.all([once(server.server, 'checkContinue'), once(request, 'continue')]);
  request.destroy();
  await once(response, 'close');
}

test('a call that disconnects before its body arrives does not count towards the limit', async () => {
  await start();
  for (let call = 0; call < BURST; call += 1) await sendHeadAndGo(made(call));
  expect(server.submitted).toEqual([]);
  expect(await guess(BURST + 1, 5_000)).toEqual([...Array(BURST).fill(401), 429]);
});

test('a revoked key counts as unknown after its first rejection', async () => {
  await start();
  await send(KEY);
  server.answer = () => ({ kind: 'refused', code: 'invalid_api_key', caller: null });
  expect((await send(KEY)).status).toBe(401);
  await guess(BURST);
  expect((await send(KEY)).status).toBe(429);
});

test('verify and other operations share the limit and the cache of valid keys', async () => {
  await start({ routes: ROUTES });
  for (let number = 0; number < BURST; number += 1) {
    expect(number % 2 === 0 ? await ping(made(number)) : (await send(made(number))).status).toBe(401);
  }
  expect([await ping(made(700)), (await send(made(701))).status]).toEqual([429, 429]);
  expect(server.unknownKeys).toEqual(['127.0.0.1', '127.0.0.1']);
  expect(server.submitted).toHaveLength(BURST);
  expect(await ping(KEY)).toBe(429);
  now += 1_000;
  expect((await send(KEY)).status).toBe(200);
  await guess(UNKNOWN_KEYS_PER_SECOND, 800);
  expect(await ping(made(702))).toBe(429);
  expect(await ping(KEY)).toBe(200);
});

test('a lookup that fails with a database error does not count towards the limit', async () => {
  await start({ routes: ROUTES });
  server.answer = () => new DatabaseUnavailable('away');
  for (let number = 0; number < 2 * BURST; number += 1) expect(await ping(made(number))).toBe(503);
});
