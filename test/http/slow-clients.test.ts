/** Slow clients are cut off in time, with a word where one can be said, and never take others with them. */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERIFY_PATH } from '../../src/claims/verify/verification.ts';
import { SERVER_LIMITS } from '../../src/http/server.ts';
import { KEY, startServer, type TestServer, TOKEN } from './harness.ts';
import { exchange, parseResponses } from './raw-client.ts';

/** The same limits, ten times as fast, so that the test is. */
const LIMITS = { ...SERVER_LIMITS, headersTimeoutMs: 500, requestTimeoutMs: 1_000, checkIntervalMs: 50 };
/** Time-outs are enforced within this of their time. */
const SLACK_MS = 1_000;

const BODY = `{"token":"${TOKEN}"}`;
const HEAD = `POST ${VERIFY_PATH} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\n`;

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ limits: LIMITS });
});
afterAll(() => server.close());

/** Sends `first`, then a byte of `rest` at a time; resolves with what came and when the connection ended. */
function drip(first: string, rest: string, everyMs: number): Promise<{ text: string; ms: number }> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    let text = '';
    let sent = 0;
    const socket = connect(server.port, '127.0.0.1', () => socket.write(first));
    const timer = setInterval(() => socket.write(rest[sent++ % rest.length]!), everyMs);
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(timer);
      resolve({ text, ms: performance.now() - startedAt });
    });
  });
}

const answerOf = (text: string) => parseResponses(Buffer.from(text)).responses;

describe('slow clients', () => {
  it('has the limits the documents state', () => {
    expect(SERVER_LIMITS).toMatchObject({ headersTimeoutMs: 5_000, requestTimeoutMs: 10_000 });
    expect(SERVER_LIMITS.checkIntervalMs).toBeLessThanOrEqual(500);
  });

  it.each([
    ['says nothing', '', ''],
    ['drips headers', HEAD, 'x'],
    ['sends half a request line', 'POST /api', ''],
  ])('408 and closed when the client %s', async (_name, first, rest) => {
    const { text, ms } = await drip(first, rest || ' ', rest === '' ? 60_000 : 20);
    const [response] = answerOf(text);
    expect(response).toMatchObject({ status: 408 });
    expect(JSON.parse(response!.body)).toMatchObject({ code: 'request_timeout' });
    expect(ms).toBeGreaterThan(LIMITS.headersTimeoutMs - 100);
    expect(ms).toBeLessThan(LIMITS.headersTimeoutMs + SLACK_MS);
  });

  it.each([
    ['stops', 60_000],
    ['drips', 50],
  ])('408 and closed when the body %s, and nothing is looked up', async (_name, everyMs) => {
    server.submitted.length = 0;
    const { text, ms } = await drip(`${HEAD}Content-Length: 4000\r\n\r\n{"token"`, ' ', everyMs);
    const responses = answerOf(text);
    expect(responses.map(({ status }) => status)).toEqual([408]);
    expect(responses[0]!.headers.get('connection')).toBe('close');
    expect(ms).toBeLessThan(LIMITS.requestTimeoutMs + SLACK_MS);
    expect(server.submitted).toEqual([]);
  });

  it('closed without another word when the body of a refused request never comes', async () => {
    const refused = `POST ${VERIFY_PATH} HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{`;
    const { responses, closed, rest } = await exchange(server.port, [refused], { timeoutMs: 4_000 });
    expect(responses.map(({ status }) => status)).toEqual([401]);
    expect(rest).toBe('');
    expect(closed).toBe(true);
  });

  it('408 behind an answer that is still owed comes after it', async () => {
    server.answer = async () => {
      await new Promise((resolve) => setTimeout(resolve, LIMITS.requestTimeoutMs + 300));
      return { kind: 'not_found', caller: { accountId: 'a', keyId: 'k', mode: 'live' } };
    };
    const text = `${HEAD}Content-Length: ${BODY.length}\r\n\r\n${BODY}${HEAD}`;
    const { responses, closed } = await exchange(server.port, [text], { timeoutMs: 4_000 });
    expect(responses.map(({ status }) => status)).toEqual([404, 408]);
    expect(closed).toBe(true);
  });

  it('does not cut a client that waits for a slow answer', async () => {
    server.answer = async () => {
      await new Promise((resolve) => setTimeout(resolve, LIMITS.requestTimeoutMs * 1.5));
      return { kind: 'not_found', caller: { accountId: 'a', keyId: 'k', mode: 'live' } };
    };
    const response = await fetch(server.url + VERIFY_PATH, {
      method: 'POST',
      headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' },
      body: BODY,
    });
    expect(response.status).toBe(404);
  });

  it('survives clients that leave in the middle', async () => {
    for (const text of [
      'P',
      HEAD,
      `${HEAD}Content-Length: 400\r\n\r\n{`,
      `${HEAD}Content-Length: ${BODY.length}\r\n\r\n${BODY}`,
    ]) {
      await new Promise<void>((resolve) => {
        const socket = connect(server.port, '127.0.0.1', () => {
          socket.write(text, () => {
            socket.resetAndDestroy();
            resolve();
          });
        });
      });
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });
});
