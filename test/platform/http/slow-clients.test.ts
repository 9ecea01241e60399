/** Slow clients are disconnected in time, with a response if possible, and do not delay other clients. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { VERIFY_PATH } from '../../../src/claims/verify/decision/verification.ts';
import { createProblems } from '../../../src/platform/http/operations/problem.ts';
import {
  allowSlowBody,
  createHttpServer,
  type HttpServerOptions,
} from '../../../src/platform/http/server/server.ts';
import { SERVER_LIMITS } from '../../../src/platform/http/server/server-limits.ts';
import { networkList } from '../../../src/platform/network/network.ts';
import { openSite } from '../../support/site.ts';
import { callVerify } from '../../support/verify.ts';
import { CALLER, KEY, openServer, shareServer, TOKEN } from './harness.ts';
import { exchange, parseResponses } from './raw-client.ts';

/** Shorter than in production, to keep the tests fast. */
const LIMITS = {
  ...SERVER_LIMITS,
  responseStallMs: 300,
  headersTimeoutMs: 300,
  requestTimeoutMs: 600,
  checkIntervalMs: 50,
};
/** Longer than any test in this file. */
const NEVER_MS = 60_000;
/** How late a timeout may be enforced. */
const SLACK_MS = 1_000;

const BODY = `{"token":"${TOKEN}"}`;
const GET = 'GET / HTTP/1.1\r\nHost: a\r\n';
const HEAD = `POST ${VERIFY_PATH} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\n`;

const server = shareServer({ limits: LIMITS });

/** Opens a connection and sends the text. */
const dial = (port: number, text = ''): Socket => {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  // Before the connection is open, so that nothing the caller writes can overtake the text.
  socket.write(text);
  return socket;
};

/** Waits until the connection closes. Resolves to everything that was received. */
async function received(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString();
  });
  await new Promise((resolve) => socket.once('close', resolve));
  return text;
}

describe('slow clients', () => {
  test('the time limits are 5 seconds for the headers and 10 seconds for the request', () => {
    expect(SERVER_LIMITS).toMatchObject({ headersTimeoutMs: 5_000, requestTimeoutMs: 10_000 });
    expect(SERVER_LIMITS.checkIntervalMs).toBeLessThanOrEqual(500);
  });

  const cut = `${HEAD}Content-Length: 4000\r\n\r\n{"token"`;
  const { headersTimeoutMs, requestTimeoutMs } = LIMITS;
  // Concurrent, because the clients mostly wait.
  test.concurrent.each([
    ['sends nothing', '', NEVER_MS, headersTimeoutMs],
    ['sends the headers byte by byte', HEAD, 20, headersTimeoutMs],
    ['sends half a request line', 'POST /api', NEVER_MS, headersTimeoutMs],
    ['stops in the middle of the body', cut, NEVER_MS, requestTimeoutMs],
    ['sends the body byte by byte', cut, 50, requestTimeoutMs],
  ])(
    'the server sends 408 and closes the connection if the client %s',
    async (_name, first, everyMs, afterMs) => {
      const startedAt = performance.now();
      const socket = dial(server.port, first);
      const timer = setInterval(() => socket.write('x'), everyMs);
      const { responses } = parseResponses(Buffer.from(await received(socket)));
      const ms = performance.now() - startedAt;
      clearInterval(timer);
      expect(responses.map(({ status }) => status)).toEqual([408]);
      expect(JSON.parse(responses[0]!.body)).toMatchObject({ code: 'request_timeout' });
      expect(responses[0]!.headers.get('connection')).toBe('close');
      expect(ms).toBeGreaterThan(afterMs - 100);
      expect(ms).toBeLessThan(afterMs + SLACK_MS);
      expect(server.submitted).toEqual([]);
    },
  );

  test('a client that keeps sending bytes of the headers does not lose the 408 that it has not read yet', async () => {
    const socket = dial(server.port, HEAD).pause();
    const text = received(socket);
    const timer = setInterval(() => socket.write('x'), 20);
    // By now, the 408 has been sent, and bytes of the headers have arrived after it.
    await sleep(headersTimeoutMs + 4 * LIMITS.checkIntervalMs);
    socket.resume();
    const { responses } = parseResponses(Buffer.from(await text));
    clearInterval(timer);
    expect(responses.map(({ status }) => status)).toEqual([408]);
  });

  test('a rejected request whose body never arrives gets no second response', async () => {
    const refused = `POST ${VERIFY_PATH} HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{`;
    const { responses, closed, rest } = await exchange(server.port, [refused], { timeoutMs: 4_000 });
    expect(responses.map(({ status }) => status)).toEqual([401]);
    expect(rest).toBe('');
    expect(closed).toBe(true);
  });

  test('the time that the server takes to respond does not count towards the time limit', async () => {
    server.answer = () => sleep(requestTimeoutMs * 1.5, { kind: 'not_found', caller: CALLER } as const);
    const text = `${HEAD}Content-Length: ${BODY.length}\r\n\r\n${BODY}${HEAD}`;
    const [{ responses, closed }, alone] = await Promise.all([
      exchange(server.port, [text], { timeoutMs: 4_000 }),
      callVerify(server.url, KEY, BODY),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([404, 408]);
    expect([closed, alone.status]).toEqual([true, 404]);
  });

  test('a client that disconnects during a request does not affect the server', async () => {
    const half = `${HEAD}Content-Length: 400\r\n\r\n{`;
    for (const text of ['P', HEAD, half, `${HEAD}Content-Length: ${BODY.length}\r\n\r\n${BODY}`]) {
      const socket = dial(server.port);
      await new Promise<void>((resolve) => void socket.write(text, () => resolve()));
      socket.resetAndDestroy();
    }
    await sleep(50);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });
});

test('an idle connection is closed after KEEP_ALIVE_SECONDS', async () => {
  const seconds = 5;
  const site = await openSite('sqlite', { KEEP_ALIVE_SECONDS: String(seconds) });
  onTestFinished(() => site.close());
  const socket = dial(Number(new URL(site.baseUrl).port), 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(socket, 'data');
  const idleSince = performance.now();
  await once(socket.resume(), 'close', { signal: AbortSignal.timeout(4 * seconds * 1_000) });
  expect(performance.now() - idleSince).toBeGreaterThan(seconds * 1_000 - 100);
});

test('allowSlowBody() extends the time limit of a request, and a slower request still gets 408', async () => {
  const slowMs = 1_000;
  const { port } = await startBig('', LIMITS, (request, response) => {
    allowSlowBody(response, slowMs);
    request.resume().on('end', () => response.end('arrived'));
  });
  // Longer than `MAX_BODY_BYTES`, so that the handler starts before the body is complete.
  const most = 'x'.repeat(70_000);
  const head = 'POST /upload HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 70001\r\n\r\n';
  const send = async (restAfterMs: number): Promise<string> => {
    const socket = dial(port, head + most);
    const timer = setTimeout(() => socket.write('x'), restAfterMs);
    const answer = await received(socket);
    clearTimeout(timer);
    return answer;
  };
  const begun = performance.now();
  const [late, never] = await Promise.all([send(LIMITS.requestTimeoutMs + 400), send(NEVER_MS)]);
  expect(late).toMatch(/ 200 .*arrived/s);
  expect(never).toMatch(/^HTTP\/1.1 408 /);
  expect(performance.now() - begun).toBeLessThan(LIMITS.requestTimeoutMs + slowMs + SLACK_MS);
});

test('a pipelined request ends with its connection, also before its turn to be answered', async () => {
  const closed: string[] = [];
  const { port } = await startBig('', SERVER_LIMITS, (request, response) => {
    response.once('close', () => void closed.push(request.url!));
  });
  const urls = ['/1', '/2', '/3'];
  const socket = dial(port, urls.map((url) => `GET ${url} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
  await once(socket, 'connect');
  await sleep(50);
  socket.resetAndDestroy();
  await vi.waitFor(() => expect(closed.toSorted()).toEqual(urls));
});

test('a handler that reads the body fails if the client ends the connection in the middle', async () => {
  const read = Promise.withResolvers<void>();
  const { port } = await startBig('', SERVER_LIMITS, async (request) => {
    read.resolve(
      request
        .resume()
        .toArray()
        .then(() => {}),
    );
  });
  // Longer than `MAX_BODY_BYTES`, so that the handler starts before the body is complete.
  dial(port, 'POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 70001\r\n\r\nx').end();
  await expect(read.promise).rejects.toThrow();
});

/** Starts a server for the current test. By default, the server answers every request with `answer`. */
async function startBig(
  answer: string,
  limits = LIMITS,
  fallback: HttpServerOptions['fallback'] = (_request, response) => response.end(answer),
  isTrustedProxy = (_address: string) => false,
): Promise<{ big: Server; port: number }> {
  const big = createHttpServer({
    operationPath: VERIFY_PATH,
    operation: () => {},
    fallback,
    isTrustedProxy,
    watchProxies: () => {},
    problems: createProblems(server.url),
    requestIds: () => 'req_test_1',
    drain: server.drain,
    log: pino({ level: 'silent' }),
    limits,
  });
  big.listen(0, '127.0.0.1');
  await once(big, 'listening');
  onTestFinished(() => {
    big.close();
    big.closeAllConnections();
  });
  return { big, port: (big.address() as AddressInfo).port };
}

describe('unread responses', () => {
  test('closing idle connections does not interrupt a response that is being sent', async () => {
    const answer = 'x'.repeat(20 * 1024 * 1024);
    const { big, port } = await startBig(answer, SERVER_LIMITS);
    const slow = dial(port, `${GET}Connection: close\r\n\r\n`);
    let received = 0;
    for await (const chunk of slow) {
      // The server closes idle connections to make room for a new connection, and when it stops.
      if (received === 0) big.closeIdleConnections();
      received += (chunk as Buffer).length;
    }
    expect(received).toBeGreaterThan(answer.length);
  });

  test('a client that reads nothing is disconnected, and a slow reader gets the full response', async () => {
    const answer = 'x'.repeat(20 * 1024 * 1024);
    const { big, port } = await startBig(answer);
    const closed = new Promise((resolve) =>
      big.once('connection', (socket) => socket.once('close', () => resolve('closed'))),
    );
    const unread = dial(port, `${GET}\r\n`).pause();
    expect(await Promise.race([closed, sleep(10_000, 'open')])).toBe('closed');
    unread.destroy();

    const slow = dial(port, `${GET}Connection: close\r\n\r\n`);
    let received = 0;
    for await (const chunk of slow) {
      received += (chunk as Buffer).length;
      await sleep(1);
    }
    expect(received).toBeGreaterThan(answer.length);
  });
});

describe('limits on connections and requests', () => {
  test('idle connections are closed at the connection limit to make room for new ones', async () => {
    const few = await openServer({ limits: { ...LIMITS, maxConnections: 3, responseStallMs: 30_000 } });
    for (let i = 0; i < 3; i += 1) {
      await once(dial(few.port, 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'), 'data');
    }
    await once(dial(few.port), 'close');
    expect(few.log.filter((line) => line.includes('too many are open'))).toHaveLength(1);
    expect((await fetch(`${few.url}/healthz`)).status).toBe(200);
  });

  test('each worker at its connection limit closes an idle connection to make room', async () => {
    const workers = fork(new URL('full-workers.ts', import.meta.url));
    try {
      const [port] = (await once(workers, 'message')) as [number];
      for (let worker = 0; worker < 2; worker += 1) await once(dial(port, `${GET}\r\n`), 'data');
      // The cluster module distributes connections to the workers in turn.
      for (let worker = 0; worker < 2; worker += 1) await once(dial(port), 'close');
      expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
    } finally {
      workers.disconnect();
    }
  });

  test.each([
    ['/sign-in', 'Content-Length: 60000'],
    ['/sign-in', 'Transfer-Encoding: chunked'],
    ['/api/v1/nothing', 'Content-Length: 60000'],
  ])('incomplete requests for %s with %s do not delay other requests', async (path, length) => {
    const few = { slots: 2, heldMs: 60_000, maxWithoutSlot: 2, maxWaiting: 2, maxWaitMs: 60_000 };
    const limits = { ...SERVER_LIMITS, pages: few, calls: few };
    const { port } = await startBig('', limits, async (request, response, made) => {
      let bytes = 0;
      for await (const chunk of request) bytes += (chunk as Buffer).length;
      response.end(String(bytes));
      made();
    });
    for (let i = 0; i < 20; i += 1) {
      dial(port, `POST ${path} HTTP/1.1\r\nHost: a\r\n${length}\r\n\r\n5\r\na=bcd`);
    }
    await sleep(50);
    for (const body of ['', 'a=b', 'x'.repeat(60_000)]) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body });
      expect([answer.status, await answer.text()]).toEqual([200, String(body.length)]);
    }
  });

  test('if a network has too many incomplete requests, the oldest get 408; trusted proxies are exempt', async () => {
    const most = { ...LIMITS, maxUnfinishedOfNetwork: 3, requestTimeoutMs: 60_000, headersTimeoutMs: 60_000 };
    const trusted = networkList(['127.0.0.0/8']);
    for (const [trustedProxies, left] of [
      [undefined, 3],
      [trusted, 6],
    ] as const) {
      const small = await openServer({ limits: most, ...(trustedProxies && { trustedProxies }) });
      const open = new Set<Socket>();
      let answers = '';
      const half = async (text: string) => {
        const socket = dial(small.port, text).on('close', () => open.delete(socket));
        socket.on('data', (chunk) => {
          answers += chunk;
        });
        open.add(socket);
        await once(socket, 'connect');
      };
      // An idle connection does not count as an incomplete request.
      for (let i = 0; i < 10; i++) await half('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
      await vi.waitFor(() => expect(answers.match(/200 OK/g)).toHaveLength(10));
      for (const text of ['GET / HT', `${HEAD}Content-Length: 400\r\n\r\n{`]) {
        for (let i = 0; i < 3; i++) await half(text);
      }
      await vi.waitFor(() => expect(open.size - 10).toBe(left));
      expect(answers.match(/408 /g)?.length ?? 0).toBe(6 - left);
      expect((await fetch(`${small.url}/openapi.json`)).status).toBe(200);
    }
  });

  test('if too many bytes are unread in total, the connection with the most unread bytes is closed', async () => {
    const { big, port } = await startBig('x'.repeat(8 * 1024 * 1024), {
      ...SERVER_LIMITS,
      maxUnsentBytes: 20 * 1024 * 1024,
    });
    let closed = 0;
    big.on('connection', (socket) => socket.once('close', () => (closed += 1)));
    const unread = Array.from({ length: 4 }, () => dial(port, `${GET}\r\n`).pause());
    await vi.waitFor(() => expect(closed).toBeGreaterThan(0), { timeout: 5_000 });
    await sleep(100);
    expect(closed).toBeLessThan(4);
    for (const socket of unread) socket.destroy();
  });

  test('IPv6 addresses in the same /48 share one queue, and queues take turns', async () => {
    const begun: string[] = [];
    let release = () => {};
    let arrived = 0;
    const { big, port } = await startBig(
      '',
      { ...SERVER_LIMITS, pages: { ...LIMITS.pages, slots: 1, heldMs: 60_000 } },
      (request, response, made) => {
        begun.push(request.url!);
        const answer = () => {
          response.end();
          made();
        };
        if (request.url === '/held') release = answer;
        else answer();
      },
      (address) => address === '127.0.0.1',
    );
    big.on('request', () => (arrived += 1));
    const answers: Promise<Response>[] = [];
    const ask = async (path: string, client: string) => {
      answers.push(fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'X-Forwarded-For': client } }));
      await vi.waitFor(() => expect(arrived).toBe(answers.length));
    };
    await ask('/held', '2001:db8:1::1');
    // Each request comes from a different /64 of the same /48.
    for (const at of [1, 2, 3]) await ask(`/flood-${at}`, `2001:db8:1:${at}::1`);
    await ask('/person', '2001:db8:2::1');
    await vi.waitFor(() => expect(begun).toEqual(['/held']));
    release();
    await Promise.all(answers);
    expect(begun).toEqual(['/held', '/flood-1', '/person', '/flood-2', '/flood-3']);
  });

  test('excess page requests get 503 with Retry-After, and do not block API calls or probes', async () => {
    const held: ServerResponse[] = [];
    const few = { ...LIMITS.pages, slots: 2, maxWaiting: 1 };
    const { port } = await startBig('', { ...SERVER_LIMITS, pages: few }, (request, response, made) => {
      if (request.url === '/slow') held.push(response);
      else {
        response.end();
        made();
      }
    });
    const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    const waiting = [ask('/slow'), ask('/slow'), ask('/slow')];
    await vi.waitFor(() => expect(held.length).toBe(2));
    await sleep(50);
    const refused = await ask('/');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await refused.json()).toMatchObject({ code: 'unavailable' });
    for (const path of ['/healthz', '/readyz', '/metrics', '/api/v1/nothing']) {
      expect((await ask(path)).status).toBe(200);
    }
    for (const response of held) response.end();
    await vi.waitFor(() => expect(held.length).toBe(3));
    held[2]!.end();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await ask('/')).status).toBe(200);
  });
});
