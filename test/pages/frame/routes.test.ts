/** Health checks, metrics, response headers and pages. */
import { once } from 'node:events';
import http from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { VERIFY_PATH } from '../../../src/claims/verify/decision/verification.ts';
import { READY_TIMEOUT_MS } from '../../../src/pages/frame/routes.tsx';
import { policyHeaders } from '../../../src/platform/http/server/response-headers.ts';
import { DatabaseUnavailable } from '../../../src/platform/store/database.ts';
import { KEY, openServer, shareServer, TOKEN } from '../../platform/http/harness.ts';
import { exchange } from '../../platform/http/raw-client.ts';
import { NO_PAGES } from '../../support/no-pages.ts';
import { callVerify } from '../../support/verify.ts';

let writable: () => Promise<boolean> = async () => true;
const server = shareServer({
  checkWritable: () => writable(),
  metricsToken: 'open-sesame',
  securityTxt: () => 'Contact: mailto:security@example.com\n',
});

const get = (path: string, headers: Record<string, string> = {}) => fetch(server.url + path, { headers });

describe('GET /readyz', () => {
  test('returns 200 if only part of the database is unavailable', async () => {
    writable = async () => false;
    const response = await get('/readyz');
    expect([response.status, await response.json()]).toEqual([200, { status: 'ready in part' }]);
  });

  test('returns 200 if the database is writable, and 503 if it is unavailable or does not respond', async () => {
    writable = async () => true;
    expect((await get('/readyz')).status).toBe(200);
    writable = () => Promise.reject(new DatabaseUnavailable('postgres://u:pw@db is away'));
    const response = await get('/readyz');
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain('pw');
    // `http.get` does not use the global timers, so only the timers of the service are fake.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const asked = Promise.withResolvers<void>();
    writable = () => {
      asked.resolve();
      return new Promise(() => {});
    };
    const answered = once(http.get(`${server.url}/readyz`), 'response');
    await asked.promise;
    vi.advanceTimersByTime(READY_TIMEOUT_MS);
    const [silent] = (await answered) as [http.IncomingMessage];
    expect(silent.resume().statusCode).toBe(503);
  });

  test('shares a database check between concurrent requests', async () => {
    let running = 0;
    let concurrent = 0;
    writable = async () => {
      running += 1;
      concurrent = Math.max(concurrent, running);
      await setTimeout(100);
      running -= 1;
      return true;
    };
    const answers = await Promise.all(Array.from({ length: 20 }, () => get('/readyz')));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(concurrent).toBe(1);
  });
});

describe('load balancer health checks', () => {
  const ask = async (requestLine: string, ...headers: string[]) => {
    const text = [requestLine, ...headers, '', ''].join('\r\n');
    const { responses } = await exchange(server.port, [text], {
      answers: 1,
      ...(requestLine.startsWith('HEAD') && { bodyless: [0] }),
    });
    return responses.map(({ status }) => status);
  };
  const PROBES: readonly [string, ...string[]][] = [
    ['GET /readyz HTTP/1.0'],
    ['GET /healthz HTTP/1.0'],
    ['HEAD /readyz HTTP/1.0'],
    ['GET /readyz HTTP/1.0', 'Host:'],
    ['GET /readyz HTTP/1.0', 'User-Agent: GoogleHC/1.0', 'Connection: Keep-alive'],
    ['GET /readyz HTTP/1.1', 'Host: 10.0.3.17:3000', 'User-Agent: ELB-HealthChecker/2.0'],
    ['GET /readyz HTTP/1.1', 'Host: [fd00::7]:3000'],
    ['OPTIONS / HTTP/1.0'],
    ['OPTIONS * HTTP/1.0'],
    ['OPTIONS * HTTP/1.1', 'Host: 10.0.3.17'],
    ['OPTIONS /readyz HTTP/1.0'],
    ['OPTIONS /healthz HTTP/1.0'],
  ];

  test.each(PROBES)('%s returns the health status (case %#)', async (...probe: [string, ...string[]]) => {
    writable = async () => true;
    expect(await ask(...probe)).toEqual([200]);
    writable = () => Promise.reject(new DatabaseUnavailable('away'));
    expect(await ask(...probe)).toEqual([probe[0].includes('/healthz') ? 200 : 503]);
  });

  test('a Host is optional in HTTP/1.0 and required in HTTP/1.1', async () => {
    expect(await ask('GET /openapi.json HTTP/1.0')).toEqual([200]);
    expect(await ask('GET /openapi.json HTTP/1.1')).toEqual([400]);
    expect(await ask('GET /metrics HTTP/1.0', 'Authorization: Bearer open-sesame')).toEqual([200]);
    expect(await ask('GET * HTTP/1.1', 'Host: a.example')).toEqual([400]);
  });
});

describe('security.txt', () => {
  test('is plain text if the operator configured a contact; otherwise, its path returns 404', async () => {
    const answer = await get('/.well-known/security.txt');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain;charset=UTF-8']);
    expect(await answer.text()).toBe('Contact: mailto:security@example.com\n');
    const without = await openServer();
    expect((await fetch(`${without.url}/.well-known/security.txt`)).status).toBe(404);
  });
});

describe('GET /metrics', () => {
  const open = shareServer();

  test.each([
    ['the correct token', { Authorization: 'Bearer open-sesame', 'X-Forwarded-For': '203.0.113.9' }, 200],
    ['no token from a local caller', {}, 401],
    ['a wrong token', { Authorization: 'Bearer open' }, 401],
    ['the token without the Bearer scheme', { Authorization: 'open-sesame' }, 401],
  ])('if METRICS_TOKEN is set, only that bearer token is accepted: %s', async (_name, headers, status) => {
    expect((await get('/metrics', headers as Record<string, string>)).status).toBe(status);
  });

  // A local connection may carry a remote request: through DNS rebinding, or through a local proxy.
  test.each([
    ['Host: localhost:3000', 200],
    ['Host: [::1]:3000', 200],
    ['Host: 127.0.0.1', 200],
    ['Host: rebound.example', 401],
    ['Host: 127.0.0.1.rebound.example:3000', 401],
    ['Host: localhost.rebound.example', 401],
    ['Host: localhost\r\nForwarded: for=203.0.113.9', 401],
    ['Host: localhost\r\nX-Forwarded-For: 127.0.0.1', 401],
    ['Host: localhost\r\nX-Forwarded-By: a', 401],
    ['Host: localhost\r\nX-Forwarded-Ip: 127.0.0.1', 401],
    ['Host: localhost\r\nVia: 1.1 proxy', 401],
    ['Host: localhost\r\nX-Real-IP: 127.0.0.1', 401],
    ['Host: localhost\r\nCF-Connecting-IP: 203.0.113.9', 401],
  ])('without METRICS_TOKEN, a local request with %j gets %i', async (lines, status) => {
    const request = `GET /metrics HTTP/1.1\r\n${lines}\r\n\r\n`;
    const { responses } = await exchange(open.port, [request], { answers: 1 });
    expect(responses[0]!.status).toBe(status);
  });

  test('without METRICS_TOKEN, an HTTP/1.0 request without a Host gets 401', async () => {
    for (const host of ['', 'Host:\r\n']) {
      const request = `GET /metrics HTTP/1.0\r\n${host}\r\n`;
      const { responses } = await exchange(open.port, [request], { answers: 1 });
      expect(responses[0]).toMatchObject({
        status: 401,
        body: expect.stringContaining('Set METRICS_TOKEN'),
      });
    }
    expect(open.log.join('')).not.toContain('request failed');
  });

  test('logs the network of a rejected caller, but not the token that was sent', async () => {
    await get('/metrics', { Authorization: 'Bearer guess-4711' });
    const line = JSON.parse(server.log.findLast((text) => text.includes('metrics_refused'))!);
    expect(line).toMatchObject({ level: 40, security: 'metrics_refused', network: '127.0.0.1' });
    expect(server.log.join('')).not.toContain('guess-4711');
  });
});

describe('response headers', () => {
  test.each([
    '/',
    '/healthz',
    '/readyz',
    '/metrics',
    '/openapi.json',
    '/nothing',
    '/api/nothing',
    VERIFY_PATH,
    '/%zz',
  ])('GET %s returns a request ID, security headers and a cache policy', async (path) => {
    const { headers } = await get(path);
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
    expect(headers.get('x-request-id')).toMatch(/^req_[\w-]{8}_[0-9a-z]+$/);
    expect(headers.get('cache-control')).toBe(path === '/openapi.json' ? 'private, no-cache' : 'no-store');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  test('a verification also returns the security headers', async () => {
    const { status, headers } = await callVerify(server.url, KEY, { token: TOKEN });
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
  });

  test('Strict-Transport-Security is omitted if the base URL is http', () => {
    expect(policyHeaders('http://127.0.0.1:3000')).toEqual([
      'Content-Security-Policy',
      "default-src 'none'; frame-ancestors 'none'",
    ]);
  });
});

describe('pages', () => {
  test('an unknown path returns a 404 page, or a problem document under /api', async () => {
    for (const path of ['/nothing', '/%2e%2e/etc']) {
      const response = await get(path);
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    }
    for (const path of ['/api', '/api/', '/api/v1', '/api/v2/marketplace/claims/verify', '/api/%zz']) {
      const response = await get(path);
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      expect(await response.json()).toMatchObject({ code: 'unknown_path', status: 404 });
    }
  });

  test.each(['/', '/verify'])('POST %s with an API key returns a 404 problem document', async (path) => {
    const headers = { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' };
    const response = await fetch(server.url + path, { method: 'POST', headers, body: '{"token":"x"}' });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      code: 'unknown_path',
      detail: `There is nothing at ${path}. A claim is verified by POST /api/v1/marketplace/claims/verify; all paths are in /openapi.json.`,
    });
  });

  test('the documentation links to the OpenAPI document', async () => {
    const response = await get('/openapi.json');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toMatchObject({ openapi: '3.1.0', paths: { [VERIFY_PATH]: {} } });
    expect(await (await get('/docs')).text()).toContain('href="/openapi.json"');
  });

  test('the OpenAPI document can be limited to what an audience calls', async () => {
    const pathsFor = async (audience: string) => {
      const document = await (await get(`/openapi.json?audience=${audience}`)).json();
      return Object.keys((document as { readonly paths?: object }).paths ?? {});
    };
    expect(await pathsFor('owner')).toContain(VERIFY_PATH);
    expect(await pathsFor('public')).not.toContain(VERIFY_PATH);
    const refused = await get('/openapi.json?audience=toString');
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      code: 'invalid_request',
      detail: 'The query parameter `audience` must be one of: owner, operator, public.',
    });
  });
});

test('the one-time code in a mangled link is never logged', async () => {
  const code = 'Ab3'.repeat(10);
  const hashes = ['%23', '?next=%23', '%2523', '=23', '%EF%BC%83', ';', '&'];
  const encoded = [`/sign-in%2Flink%23${code}`, `/%73etup/${code}`, `/%6Cost%2F${code}`];
  for (const path of [...hashes.map((hash) => `/lost${hash}${code}`), ...encoded, `/api/%23${code}`]) {
    await get(path);
  }
  await vi.waitFor(() =>
    expect(server.log.filter((line) => line.includes('"/lost"')).length).toBeGreaterThan(2),
  );
  expect(server.log.join('\n')).not.toContain(code);
});

test('a request that was rejected while it waited for the settings has no second response', async () => {
  const refreshed = Promise.withResolvers<void>();
  vi.spyOn(NO_PAGES.marketplace, 'refresh').mockReturnValueOnce(refreshed.promise);
  const lines = ['POST /sign-in HTTP/1.1', 'Host: a.example', 'Transfer-Encoding: chunked', '', '11170'];
  const { responses } = await exchange(server.port, [`${lines.join('\r\n')}\r\n${'x'.repeat(70_000)}`, 'z']);
  expect(responses.map(({ status }) => status)).toEqual([400]);
  // Vitest reports an exception that nobody handles.
  refreshed.resolve();
  expect((await get('/healthz')).status).toBe(200);
});
