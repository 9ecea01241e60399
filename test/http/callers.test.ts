/** Server runtimes pass, browsers do not. */
import { execFile } from 'node:child_process';
import { BlockList } from 'node:net';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { hashToken } from '../../src/claims/token.ts';
import { VERIFY_PATH } from '../../src/claims/verify/decision/verification.ts';
import { hashKey } from '../../src/keys/key.ts';
import { FOUND_BODY, KEY, shareServer, TOKEN } from './harness.ts';

const run = promisify(execFile);
const BODY = JSON.stringify({ token: TOKEN, redeem: true });

const trustedProxies = new BlockList();
trustedProxies.addAddress('127.0.0.1', 'ipv4');
const server = shareServer({ trustedProxies });
let url: string;
beforeAll(() => {
  url = server.url + VERIFY_PATH;
});

const found = async (command: string): Promise<boolean> =>
  run(command, ['--version']).then(
    () => true,
    () => false,
  );
const HAS_CURL = await found('curl');
const HAS_PYTHON = await found('python3');

const USUAL = { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' };
const call = (headers: Record<string, string>, method = 'POST') =>
  run('curl', [
    '-sS',
    '-i',
    '-X',
    method,
    url,
    '-d',
    BODY,
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
  ]).then(({ stdout }) => ({ status: Number(stdout.slice(9, 12)), text: stdout }));

const PYTHON_HTTP_CLIENT = `
import http.client, json, sys
host, path, key, body = sys.argv[1:]
c = http.client.HTTPConnection(host)
for _ in range(3):
    c.request('POST', path, body, {'Authorization': 'Bearer ' + key, 'Content-Type': 'application/json'})
    r = c.getresponse(); text = r.read().decode()
    print(r.status, json.loads(text)['status'])
`;
const PYTHON_URLLIB = `
import urllib.request, json, sys
host, path, key, body = sys.argv[1:]
q = urllib.request.Request('http://' + host + path, body.encode(), {'Authorization': 'Bearer ' + key, 'Content-Type': 'application/json'})
with urllib.request.urlopen(q) as r: print(r.status, json.loads(r.read())['status'])
`;

describe('server runtimes', () => {
  it("Node's fetch passes, though it sends Sec-Fetch-Mode", async () => {
    const response = await fetch(url, { method: 'POST', headers: USUAL, body: BODY });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(FOUND_BODY);
  });

  it.runIf(HAS_CURL)('curl passes', async () => {
    const { status, text } = await call(USUAL);
    expect(status).toBe(200);
    expect(text.endsWith(FOUND_BODY)).toBe(true);
  });

  it.runIf(HAS_PYTHON).each([
    ['http.client', PYTHON_HTTP_CLIENT, '200 redeemed\n'.repeat(3)],
    ['urllib', PYTHON_URLLIB, '200 redeemed\n'],
  ])('python %s passes', async (_name, program, output) => {
    const { stdout } = await run('python3', [
      '-c',
      program,
      `127.0.0.1:${server.port}`,
      VERIFY_PATH,
      KEY,
      BODY,
    ]);
    expect(stdout).toBe(output);
  });

  it('records the address of the caller behind a trusted proxy', async () => {
    await fetch(url, {
      method: 'POST',
      headers: { ...USUAL, 'X-Forwarded-For': '6.6.6.6, 203.0.113.9' },
      body: BODY,
    });
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

  it('records a call of a key with another method, and none without a key', async () => {
    await fetch(url, { headers: USUAL });
    await fetch(url);
    await fetch(url, { headers: { Authorization: 'Bearer nonsense' } });
    expect(server.wrongMethods).toMatchObject([{ keyHash: hashKey(KEY), ip: expect.any(String) }]);
  });

  it('records the use of a key also where the request log drops the attempt', async () => {
    server.attemptsWanted = false;
    await fetch(url, { method: 'POST', headers: USUAL, body: BODY });
    server.attemptsWanted = true;
    expect(server.attempts).toEqual([]);
    expect(server.usedKeys).toEqual(['key-1']);
  });
});

describe('browsers', () => {
  const expectRefused = ({ status, text }: { status: number; text: string }): void => {
    expect(status).toBe(403);
    expect(text).toContain('"code":"browser_call"');
    expect(text.toLowerCase()).not.toContain('access-control');
    expect(server.submitted).toEqual([]);
  };

  it.each([
    ['Origin', { Origin: 'https://shop.example' }, 'https://shop.example'],
    ['Origin: null', { Origin: 'null' }, 'null'],
    ['Sec-Fetch-Site', { 'Sec-Fetch-Site': 'same-origin' }, null],
    ['Sec-Fetch-Site: none', { 'sec-fetch-site': 'none' }, null],
  ])('a call with %s is refused and its key named', async (_name, headers, origin) => {
    expectRefused(await call({ ...USUAL, ...headers }));
    expect(server.browserCalls).toMatchObject([
      { keyHash: hashKey(KEY), origin, ip: '127.0.0.1', requestLine: `POST ${VERIFY_PATH}` },
    ]);
  });

  it('a call without a well-formed key is refused too', async () => {
    expectRefused(await call({ Origin: 'https://shop.example' }));
    expectRefused(await call({ ...USUAL, Authorization: 'Bearer x', Origin: 'https://shop.example' }));
    expect(server.browserCalls.map(({ keyHash }) => keyHash)).toEqual([null, null]);
  });

  it('a preflight is refused and recorded by its Origin', async () => {
    expectRefused(
      await call(
        {
          Origin: 'https://shop.example',
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'authorization',
        },
        'OPTIONS',
      ),
    );
    expect(server.browserCalls).toMatchObject([
      { keyHash: null, origin: 'https://shop.example', requestLine: `OPTIONS ${VERIFY_PATH}` },
    ]);
  });

  it('Sec-Fetch-Mode alone is no browser', async () => {
    expect((await call({ ...USUAL, 'Sec-Fetch-Mode': 'cors' })).status).toBe(200);
  });
});
