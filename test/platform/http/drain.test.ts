/** Graceful shutdown: open requests are completed, and connections that stay open are closed after a time limit. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../../src/app/config/config.ts';
import { startService } from '../../../src/app/service.ts';
import type { VerificationResponse } from '../../../src/claims/verify/decision/verification.ts';
import { createDrain, DRAIN_TIMES } from '../../../src/platform/http/server/drain.ts';
import { createDbLocation } from '../../support/engines.ts';
import { openConnection, requestText } from '../../support/load.ts';
import { SHORT_DRAIN } from '../../support/site.ts';
import { answerAll, found, KEY, startServer, TOKEN } from './harness.ts';
import { exchange, type RawResponse } from './raw-client.ts';

const TIMES = { graceMs: 200, deadlineMs: 600, cutMs: 900 };
/** Long enough that even a busy machine answers the readiness probe within the grace period. */
const PATIENT_TIMES = { graceMs: 700, deadlineMs: 6_000, cutMs: 8_000 };
const TEN_SECONDS_MS = 10_000;
/** How early a timer may fire. */
const TIMER_SLACK_MS = 5;
const CLIENTS = 64;
const REQUEST = requestText({ apiKey: KEY, token: TOKEN, redeem: true });

// Concurrent, because these tests spend most of their time waiting.
describe.concurrent('connection draining', () => {
  test('answers every request on busy keep-alive connections and ends once they are closed', async () => {
    const server = await startServer({ drainTimes: PATIENT_TIMES });
    server.answer = async (verification) => {
      await sleep(20);
      return answerAll(verification) as Exclude<ReturnType<typeof answerAll>, Error | Promise<unknown>>;
    };
    const answers: RawResponse[] = [];
    const clients = await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        const connection = await openConnection(server.port);
        const ask = async () => void answers.push(await connection.exchange(REQUEST));
        await ask();
        return { connection, ask };
      }),
    );
    const busy = clients.map(async ({ connection, ask }) => {
      // After `Connection: close`, a real client would connect to another process.
      while (connection.usable()) await ask();
    });
    const done = server.drain.begin(server.server);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
    await done;
    await Promise.all(busy);
    // The drain ended before its deadline.
    expect(server.drain.expired).toBe(false);
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(answers.filter(({ headers }) => headers.get('connection') === 'close')).toHaveLength(CLIENTS);
  });

  test('answers a connection that arrives while the thread is busy at the end of the grace period', async () => {
    const server = await startServer({ drainTimes: { ...PATIENT_TIMES, graceMs: 1 } });
    const done = server.drain.begin(server.server);
    const late = exchange(server.port, [REQUEST], { timeoutMs: TEN_SECONDS_MS });
    // The system connects the client. The server accepts the connection only once this thread is free.
    await new Promise((resolve) => process.nextTick(resolve));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    expect(await late).toMatchObject({ responses: [{ status: 200 }], closed: true });
    await done;
  });

  test('closes idle connections after the grace period', async () => {
    const server = await startServer({ drainTimes: PATIENT_TIMES });
    const open = exchange(server.port, ['GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'], {
      timeoutMs: TEN_SECONDS_MS,
    });
    await sleep(50);
    await server.drain.begin(server.server);
    expect((await open).closed).toBe(true);
    expect(server.drain.expired).toBe(false);
  });

  test('closes a connection after completing a response that started before the drain', async () => {
    const begun = Promise.withResolvers<ServerResponse>();
    const server = createServer((_, response) => {
      response.writeHead(200, { 'Content-Length': 2 }).write('a');
      begun.resolve(response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const open = exchange(port, ['GET / HTTP/1.1\r\nHost: a\r\n\r\n'], { timeoutMs: TEN_SECONDS_MS });
    const response = await begun.promise;
    const drain = createDrain({ ...PATIENT_TIMES, graceMs: 0 });
    const done = drain.begin(server);
    while (server.listening) await sleep(1);
    response.end('b');
    await done;
    expect(await open).toMatchObject({ responses: [{ status: 200, body: 'ab' }], closed: true });
    expect(drain.expired).toBe(false);
  });

  test('answers pipelined requests that arrived before the drain, then closes the connection', async () => {
    const server = await startServer({ drainTimes: { ...PATIENT_TIMES, graceMs: 200 } });
    let calls = 0;
    server.answer = async () => {
      calls += 1;
      await sleep(calls === 1 ? 100 : 150);
      return { kind: 'not_found', caller: { accountId: 'a', keyId: 'k', mode: 'live', networks: null } };
    };
    const open = exchange(server.port, [REQUEST + REQUEST], { timeoutMs: TEN_SECONDS_MS });
    // Once the first request is being answered, the second has arrived too, because both were sent in one write. During
    // a drain, a response closes the connection unless another request is queued on that connection.
    while (calls === 0) await sleep(1);
    await server.drain.begin(server.server);
    const { responses, closed } = await open;
    expect(responses.map(({ status }) => status)).toEqual([404, 404]);
    expect(responses.map(({ headers }) => headers.get('connection'))).toEqual(['keep-alive', 'close']);
    expect(closed).toBe(true);
  });

  test('expires at the deadline and closes stuck connections within ten seconds', async () => {
    // This test uses shorter times, so the production limit is checked separately.
    expect(DRAIN_TIMES.cutMs).toBeLessThan(TEN_SECONDS_MS);
    const server = await startServer({ drainTimes: TIMES });
    const answer = Promise.withResolvers<VerificationResponse>();
    server.answer = () => answer.promise;
    const stuck = exchange(server.port, [REQUEST], { timeoutMs: 3_000 });
    void exchange(server.port, [REQUEST.slice(0, 40)], { timeoutMs: 3_000 });
    await sleep(50);
    const startedAt = performance.now();
    const done = server.drain.begin(server.server);
    while (!server.drain.expired) await sleep(10);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(TIMES.deadlineMs - TIMER_SLACK_MS);
    await done;
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(TIMES.cutMs - TIMER_SLACK_MS);
    // The server closed the connection before the client timed out.
    expect(await stuck).toMatchObject({ responses: [], closed: true });
    expect(server.drain.begin(server.server)).toBe(done);
    // Ends the verification. A pending verification would delay the pages of later tests in this process.
    answer.resolve(found());
  });
});

test('service.stop() resolves after its time limit if an open transaction blocks the database', async () => {
  const dbLocation = await createDbLocation('sqlite');
  const service = await startService(parseConfig({ PORT: '0', LOG_LEVEL: 'fatal', ...dbLocation.env }), {
    now: () => Date.now(),
    random: (bytes) => randomBytes(bytes),
    drainTimes: SHORT_DRAIN,
    stopWithinMs: 300,
  });
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  // An open transaction blocks all other writes and keeps the database from closing.
  const open = service.context.db.transaction(async () => {
    begun.resolve();
    await promise;
  });
  await begun.promise;
  await service.stop();
  release();
  await open;
  await dbLocation.remove();
});
