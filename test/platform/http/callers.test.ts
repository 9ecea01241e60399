/** The API accepts calls from servers and rejects calls from browsers. */
import { describe, expect, test } from 'vitest';
import { hashToken } from '../../../src/claims/token.ts';
import { VERIFY_PATH } from '../../../src/claims/verify/decision/verification.ts';
import { hashKey } from '../../../src/people/keys/key.ts';
import { networkList } from '../../../src/platform/network/network.ts';
import { answerTo, type Change, requestBytes } from '../../api/provocations.ts';
import { callVerify } from '../../support/verify.ts';
import { FOUND_BODY, KEY, shareServer, TOKEN } from './harness.ts';
import type { RawResponse } from './raw-client.ts';

const BODY = JSON.stringify({ token: TOKEN, redeem: true });
const CALL = { method: 'POST', target: VERIFY_PATH, body: BODY };

const server = shareServer({ trustedProxies: networkList(['127.0.0.1']) });

/** Sends a raw request, because Node's fetch adds headers. */
const call = (change: Change) => answerTo(server.port, requestBytes(CALL, change));

// `test/snippets/` covers calls from other languages.
describe('calls from server runtimes', () => {
  test("are accepted even with Node's Sec-Fetch-Mode header, and recorded with the client's address", async () => {
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

  test('with the wrong method are recorded only if their key is well-formed', async () => {
    const url = server.url + VERIFY_PATH;
    for (const key of [KEY, 'nonsense']) await fetch(url, { headers: { Authorization: `Bearer ${key}` } });
    await fetch(url);
    expect(server.wrongMethods).toMatchObject([{ keyHash: hashKey(KEY), ip: expect.any(String) }]);
  });

  test('mark their key as used even if the request log drops the calls', async () => {
    server.attemptsWanted = false;
    await callVerify(server.url, KEY, BODY);
    server.attemptsWanted = true;
    expect(server.attempts).toEqual([]);
    expect(server.usedKeys).toEqual(['key-1']);
  });
});

describe('calls from browsers', () => {
  const ORIGIN = 'https://shop.example';
  const expectRefused = ({ status, headers, body }: RawResponse): void => {
    expect(status).toBe(403);
    expect(JSON.parse(body)).toMatchObject({ code: 'browser_call' });
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(server.submitted).toEqual([]);
  };

  test.each([
    ['Origin', { Origin: ORIGIN }, ORIGIN],
    ['Origin: null', { Origin: 'null' }, 'null'],
    ['Sec-Fetch-Site', { 'Sec-Fetch-Site': 'same-origin' }, null],
    ['Sec-Fetch-Site: none', { 'sec-fetch-site': 'none' }, null],
  ])('with %s are rejected, and the key is reported', async (_name, headers, origin) => {
    expectRefused(await call({ headers }));
    expect(server.browserCalls).toMatchObject([
      { keyHash: hashKey(KEY), origin, ip: '127.0.0.1', requestLine: `POST ${VERIFY_PATH}` },
    ]);
  });

  test('without a well-formed key are rejected', async () => {
    for (const key of [null, 'Bearer x']) {
      expectRefused(await call({ headers: { Origin: ORIGIN, Authorization: key } }));
    }
    expect(server.browserCalls.map(({ keyHash }) => keyHash)).toEqual([null, null]);
  });

  test('are rejected and recorded with their origin even if they are preflight requests', async () => {
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
