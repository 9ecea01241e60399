/** `claimcheck verify`: exit codes, idempotent retries, and 404 responses that do not mean `not_found`. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createProgram } from '../../src/app/cli/program.ts';
import { registerVerify } from '../../src/app/cli/verify.ts';
import { makeIo } from '../app/cli/support.ts';

interface Scripted {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Responses of the service, in order; `lost` closes the connection without a response. */
let script: (Scripted | 'lost')[] = [];
let calls: { headers: IncomingHttpHeaders; body: string; path: string | undefined }[] = [];
let server: Server;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    calls.push({ headers: request.headers, body, path: request.url });
    const next = script.shift();
    if (next === undefined || next === 'lost') {
      request.socket.destroy();
      return;
    }
    response.writeHead(next.status, { 'content-type': 'application/json', ...next.headers });
    response.end(typeof next.body === 'string' ? next.body : JSON.stringify(next.body ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
beforeEach(() => {
  calls = [];
});
afterAll(() => {
  server.close();
});

async function run(steps: (Scripted | 'lost')[], args: string[] = [], env = {}) {
  script = steps;
  let exitCode = 0;
  const io = makeIo({ CLAIMCHECK_API_KEY: 'cck_live_something', ...env }, (code) => {
    exitCode = code;
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    await createProgram(io, [registerVerify]).parseAsync(
      ['verify', 'some-token', '--url', url, '--json', ...args],
      { from: 'user' },
    );
    return { exitCode, stdout: String(io.stdout.read() ?? ''), failure: null };
  } catch (error) {
    return { exitCode: 1, stdout: String(io.stdout.read() ?? ''), failure: (error as Error).message };
  }
}

test.each([
  [200, 'redeemed', 0],
  [200, 'valid', 0],
  [200, 'already_redeemed', 3],
  [404, 'not_found', 4],
])('for %i %s, verify exits with code %i and prints the response', async (status, outcome, exitCode) => {
  const result = await run([{ status, body: { status: outcome, via: null } }]);
  expect(result).toEqual({ exitCode, stdout: `{"status":"${outcome}","via":null}\n`, failure: null });
  const [{ path, headers, body }, ...more] = calls as [(typeof calls)[0]];
  expect([path, more]).toEqual(['/api/v1/marketplace/claims/verify', []]);
  expect(headers).toMatchObject({ authorization: 'Bearer cck_live_something' });
  expect([headers.origin, headers['sec-fetch-site']]).toEqual([undefined, undefined]);
  expect(JSON.parse(body)).toEqual({ token: 'some-token', redeem: false });
});

test('verify retries with the same Idempotency-Key after a lost response or 503; each run has a new key', async () => {
  const redeemed = { status: 200, body: { status: 'redeemed' } };
  const unavailable = { status: 503, headers: { 'retry-after': '0' } };
  expect((await run(['lost', unavailable, redeemed], ['--redeem'])).exitCode).toBe(0);
  const keys = calls.map((call) => call.headers['idempotency-key']);
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^cli-\w+$/);
  expect(JSON.parse(calls[0]!.body)).toEqual({ token: 'some-token', redeem: true });
  await run([redeemed], ['--redeem', '--reference', 'order-4711']);
  expect(JSON.parse(calls.at(-1)!.body)).toEqual({
    token: 'some-token',
    redeem: true,
    reference: 'order-4711',
  });
  expect(calls.at(-1)!.headers['idempotency-key']).not.toBe(keys[0]);
});

test('verify fails with the title and detail of a problem response', async () => {
  const problem = { title: 'Missing credentials', detail: 'The call has no API key.', status: 401 };
  const result = await run([{ status: 401, body: problem }]);
  expect(result.failure).toBe('Missing credentials: The call has no API key.');
  expect(calls).toHaveLength(1);
});

test('verify fails on redirects, HTML pages and outcomes with the wrong status code', async () => {
  const failureOf = async (status: number, body: unknown) => (await run([{ status, body }])).failure;
  expect(await failureOf(404, { title: 'Unknown path', status: 404 })).toBe('Unknown path');
  for (const status of ['toString', 'unknown', 404, 'redeemed']) {
    expect(await failureOf(404, { status })).toMatch(/responded with 404/);
  }
  expect(await failureOf(404, '<h1>not found</h1>')).toMatch(/responded with 404/);
  expect(await failureOf(500, { status: 'not_found' })).toMatch(/responded with 500/);
  const redirect = { status: 301, headers: { location: 'https://elsewhere.example/' } };
  expect((await run([redirect])).failure).toMatch(/responded with 301 and redirects to https:\/\/elsewhere/);
});

test('verify --redeem reports that the outcome is unknown if every response is lost', async () => {
  const result = await run(['lost', 'lost', 'lost', 'lost'], ['--redeem']);
  expect(result.failure).toMatch(/failed: .*It is unknown whether the claim was redeemed/);
  expect(calls).toHaveLength(4);
});

test('verify sends nothing if the API key is missing or malformed', async () => {
  expect((await run([], [], { CLAIMCHECK_API_KEY: '' })).failure).toMatch(/CLAIMCHECK_API_KEY is not set/);
  expect((await run([], [], { CLAIMCHECK_API_KEY: 'a b' })).failure).toMatch(
    /characters that no API key has/,
  );
  expect(calls).toEqual([]);
});
