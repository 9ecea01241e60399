/** Real proxies, configured as in the deployment guide: health checks, keep-alive and client addresses. */
import { request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { VERIFY_PATH } from '../../../src/claims/verify/decision/verification.ts';
import { SERVER_LIMITS } from '../../../src/platform/http/server/server-limits.ts';
import { networkList } from '../../../src/platform/network/network.ts';
import { PROXY_IDLE_MS, REAL_PROXIES, type RunningProxy, startProxy } from '../../support/real-proxies.ts';
import { KEY, shareServer, TOKEN } from './harness.ts';

const NAMES = Object.keys(REAL_PROXIES) as (keyof typeof REAL_PROXIES)[];
const INSTALLED = NAMES.filter((name) => REAL_PROXIES[name].version !== null);
const MISSING = NAMES.filter((name) => !INSTALLED.includes(name));

/** The client's source address. It must differ from 127.0.0.1, from which the proxies connect. */
const CLIENT = '127.0.0.2';
/** Number of requests that each proxy gets shortly before or after its idle timeout expires. */
const REQUESTS = 24;
/** Time between consecutive requests. */
const STEP_MS = 8;

const running = new Map<string, RunningProxy>();
const server = shareServer({ trustedProxies: networkList(['127.0.0.1']), metricsToken: 'open-sesame' });
beforeAll(async () => {
  await Promise.all(INSTALLED.map(async (name) => running.set(name, await startProxy(name, server.port))));
});
afterAll(async () => {
  await Promise.all([...running.values()].map((proxy) => proxy.stop()));
});

/** Sends one request from the client's address on a new connection, and returns the status. */
const send = (url: string, method: 'GET' | 'POST' = 'GET'): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' };
    request(
      url,
      {
        method,
        localAddress: CLIENT,
        agent: false,
        rejectUnauthorized: false,
        headers: method === 'POST' ? headers : {},
      },
      (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode!));
      },
    )
      .once('error', reject)
      .end(method === 'POST' ? JSON.stringify({ token: TOKEN }) : undefined);
  });

/**
 * How long a proxy may take to mark the service as healthy. The time is long, because several checks must succeed after
 * a failed check.
 */
const HEALTHY_WITHIN_MS = 20_000;

test.each(INSTALLED)('%s marks the service as healthy', async (name) => {
  const { url, adminUrl } = running.get(name)!;
  await vi.waitFor(async () => {
    expect(await send(`${url}/readyz`)).toBe(200);
    if (name !== 'HAProxy') return;
    const rows = (await (await fetch(`${adminUrl}/;csv`)).text()).split('\n');
    expect(rows.filter((row) => /,claimcheck1,.*,UP,.*,L7OK,/.test(row))).toHaveLength(1);
  }, HEALTHY_WITHIN_MS);
});

test.each(INSTALLED)('%s forwards the client IP address', async (name) => {
  const linesBefore = server.log.length;
  await send(`${running.get(name)!.url}/metrics`);
  const line = server.log.slice(linesBefore).find((text) => text.includes('metrics_refused'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({ network: CLIENT });
});

test("requests succeed just before and just after a proxy's idle timeout", async () => {
  const around = PROXY_IDLE_MS - (REQUESTS / 2) * STEP_MS;
  const statuses = await Promise.all(
    [...running.values()].flatMap(({ url }) =>
      Array.from({ length: REQUESTS }, async (_, index) => {
        const first = await send(url + VERIFY_PATH, 'POST');
        await sleep(around + index * STEP_MS);
        return [first, await send(url + VERIFY_PATH, 'POST')];
      }),
    ),
  );
  expect(statuses.flat()).toEqual(Array(2 * REQUESTS * running.size).fill(200));
});

test('the server keeps idle connections longer than Google Cloud load balancers do (10 minutes)', () => {
  expect(SERVER_LIMITS.keepAliveTimeoutMs).toBeGreaterThan(600_000);
});

test.skipIf(MISSING.length === 0)(`(not installed: ${MISSING.join(', ')})`, () => {});
