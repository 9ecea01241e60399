/** Server runtimes pass, browsers do not. */
import { describe, expect, it } from 'vitest';
import { hashToken } from '../../src/claims/token.ts';
import { VERIFY_PATH } from '../../src/claims/verify/decision/verification.ts';
import { hashKey } from '../../src/keys/key.ts';
import { networkList } from '../../src/network/network.ts';
import { callVerify } from '../support/verify.ts';
import { FOUND_BODY, KEY, shareServer, TOKEN } from './harness.ts';
import { answerTo, type Change, requestBytes } from './provocations.ts';
import type { RawResponse } from './raw-client.ts';

const BODY = JSON.stringify({ token: TOKEN, redeem: true });
const CALL = { method: 'POST', target: VERIFY_PATH, body: BODY };

const server = shareServer({ trustedProxies: networkList(['127.0.0.1']) });

/** A call as a browser sends it; Node's own client adds headers. */
const call = (change: Change) => answerTo(server.port, requestBytes(CALL, change));

// The snippets of the documentation call the service in other languages (`test/snippets/`).
describe('server runtimes', () => {
  it("pass, even Node's fetch, which sends Sec-Fetch-Mode, and are recorded with their address", async () => {
    const headers = { 'X-Forwarded-For': '6.6.6.6, 203.0.113.9' };
    const response = await callVerify(server.url, KEY, BODY, headers);
    expect([response.status, await response.text()]).toEqual([200, FOUND_BODY]);
    expect(server.attempts).toEqual([
      {
        accountId: 'account-1',
        keyId: 'key-1',
        mode: 'live',
        requestId: expect.stringMatching(/^req_/),
        cause: 'redeemed',
        detail: null,
        redeem: true,
        tokenLast4: TOKEN.slice(-4),
        tokenHash: hashToken(TOKEN),
        offerId: JSON.parse(FOUND_BODY).offer_id,
        via: 'spring',
        idempotencyKey: null,
        latencyUs: expect.any(Number),
        ip: '203.0.113.9',
        userAgent: 'node',
      },
    ]);
  });

  it('are recorded when they call with a key and a method other than POST, but not when they call without a key', async () => {
    const url = server.url + VERIFY_PATH;
    for (const key of [KEY, 'nonsense']) await fetch(url, { headers: { Authorization: `Bearer ${key}` } });
    await fetch(url);
    expect(server.wrongMethods).toMatchObject([{ keyHash: hashKey(KEY), ip: expect.any(String) }]);
  });

  it('have the use of their key recorded even if the request log drops the attempt', async () => {
    server.attemptsWanted = false;
    await callVerify(server.url, KEY, BODY);
    server.attemptsWanted = true;
    expect(server.attempts).toEqual([]);
    expect(server.usedKeys).toEqual(['key-1']);
  });
});

describe('browsers', () => {
  const ORIGIN = 'https://shop.example';
  const expectRefused = ({ status, headers, body }: RawResponse): void => {
    expect(status).toBe(403);
    expect(JSON.parse(body)).toMatchObject({ code: 'browser_call' });
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(server.submitted).toEqual([]);
  };

  it.each([
    ['Origin', { Origin: ORIGIN }, ORIGIN],
    ['Origin: null', { Origin: 'null' }, 'null'],
    ['Sec-Fetch-Site', { 'Sec-Fetch-Site': 'same-origin' }, null],
    ['Sec-Fetch-Site: none', { 'sec-fetch-site': 'none' }, null],
  ])('a call with %s is refused, and its key is reported', async (_name, headers, origin) => {
    expectRefused(await call({ headers }));
    expect(server.browserCalls).toMatchObject([
      { keyHash: hashKey(KEY), origin, ip: '127.0.0.1', requestLine: `POST ${VERIFY_PATH}` },
    ]);
  });

  it('a call without a well-formed key is refused too', async () => {
    for (const key of [null, 'Bearer x']) {
      expectRefused(await call({ headers: { Origin: ORIGIN, Authorization: key } }));
    }
    expect(server.browserCalls.map(({ keyHash }) => keyHash)).toEqual([null, null]);
  });

  it('a preflight is refused, and recorded with its Origin', async () => {
    const headers = {
      Authorization: null,
      Origin: ORIGIN,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization',
    };
    expectRefused(await call({ method: 'OPTIONS', headers }));
    expect(server.browserCalls).toMatchObject([
      { keyHash: null, origin: ORIGIN, requestLine: `OPTIONS ${VERIFY_PATH}` },
    ]);
  });
});
