/** The trace of a request is in the lines of the log about the request, and only there. */
import { type IncomingMessage, request } from 'node:http';
import { z } from '@hono/zod-openapi';
import { expect, test, vi } from 'vitest';
import { type ApiCaller, VERIFY_PATH } from '../../../src/claims/verify/decision/verification.ts';
import type { Operation } from '../../../src/platform/http/operations/operation.ts';
import { operationRoute } from '../../../src/platform/http/operations/operation-routes.ts';
import { KEY, shareServer, TOKEN } from './harness.ts';

const ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${ID}-00f067aa0ba902b7-01`;
const FAILS = '/api/v1/fails';

const FAIL = {
  id: 'fail',
  method: 'get',
  path: FAILS,
  tag: 'tests',
  summary: 'Fail',
  description: 'Fails.',
  caller: 'apiKey',
  input: {},
  outputs: { 200: { description: 'Never sent.', schema: z.object({}), examples: {} } },
  errors: {},
} as const satisfies Operation;
const fail = operationRoute<typeof FAIL, ApiCaller, null>(FAIL, () => Promise.reject(new Error('a bug')));
const server = shareServer({ routes: [fail] });

const linesOf = async (message: string) => {
  const lines = () => server.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === message);
  return vi.waitUntil(() => (lines().length > 0 ? lines() : false), { timeout: 5_000 });
};
const send = (path: string, headers: readonly [string, string][], body?: string) =>
  fetch(server.url + path, {
    ...(body !== undefined && { method: 'POST', body }),
    headers: [
      ...Object.entries({ authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }),
      ...headers,
    ],
  });
const verify = (...headers: readonly [string, string][]) =>
  send(VERIFY_PATH, headers, JSON.stringify({ token: TOKEN, redeem: true }));

test('a verification has the trace of its request, and its response does not', async () => {
  const response = await verify(['traceparent', TRACEPARENT]);
  expect(JSON.stringify([...response.headers]) + (await response.text())).not.toContain(ID);
  expect(await linesOf('verification')).toMatchObject([{ trace_id: ID, requestId: expect.any(String) }]);
  expect(server.submitted).toMatchObject([{ trace: `${ID}-01` }]);
});

test.each([
  ['no header', undefined],
  ['an invalid header', `${TRACEPARENT}-00`],
  ['two headers', [TRACEPARENT, TRACEPARENT]],
])('%s means no trace', async (_, traceparent) => {
  // Unlike Node's fetch, `request` sends two headers instead of one with both values.
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const options = { method: 'POST', headers: { ...headers, ...(traceparent && { traceparent }) } };
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
  request(server.url + VERIFY_PATH, options, resolve).end(JSON.stringify({ token: TOKEN, redeem: true }));
  (await promise).resume();
  expect((await linesOf('verification'))[0]).not.toHaveProperty('trace_id');
  expect(server.submitted).toMatchObject([{ trace: null }]);
});

test.each([
  ['a refused verification', 'verification refused', VERIFY_PATH, 405],
  ['a page', 'request', '/no-such-page', 404],
  ['an operation that fails', 'operation failed', FAILS, 500],
])('%s logs the trace', async (_, message, path, status) => {
  expect((await send(path, [['traceparent', TRACEPARENT]])).status).toBe(status);
  expect(await linesOf(message)).toMatchObject([{ trace_id: ID }]);
});
