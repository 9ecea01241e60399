/** Fixed test tokens and the sandbox key over HTTP. */
import { beforeEach, describe, expect, test } from 'vitest';
import { openApiDocument } from '../../../src/api/operations.ts';
import { DEFAULT_BRAND } from '../../../src/base/brand/brand.ts';
import { VERIFY_PATH } from '../../../src/claims/verify/decision/verification.ts';
import { SANDBOX_CALLS_PER_SECOND } from '../../../src/claims/verify/endpoint/endpoint.ts';
import {
  FIRST_REDEMPTION_KEPT_MS,
  FIXED_TOKENS,
  LATE_RESPONSE_MS,
} from '../../../src/claims/verify/endpoint/fixed-tokens.ts';
import { VERIFY_CLAIM } from '../../../src/claims/verify/endpoint/operation.ts';
import { SANDBOX_KEY } from '../../../src/people/keys/key.ts';
import type { ErrorCode } from '../../../src/platform/errors.ts';
import { errorsOf } from '../../../src/platform/http/operations/operation.ts';
import { networkList } from '../../../src/platform/network/network.ts';
import {
  differences,
  documentedResponses,
  type OpenApiDocument,
  observedResponses,
} from '../../api/documented-responses.ts';
import { answerTo, requestBytes } from '../../api/provocations.ts';
import {
  BASE_URL,
  CALLER,
  KEY,
  openServer,
  TEST_KEY,
  type TestServer,
  type TestServerOptions,
  TOKEN,
} from '../../platform/http/harness.ts';
import { exchange, type RawResponse } from '../../platform/http/raw-client.ts';

const TRUSTED = networkList(['127.0.0.1']);
const CODES = Object.keys(errorsOf(VERIFY_CLAIM)) as ErrorCode[];

let server: TestServer;

async function start(options: TestServerOptions = {}): Promise<void> {
  server = await openServer(options);
  server.answer = ({ tokenHash }) =>
    tokenHash === null ? { kind: 'authorized', caller: CALLER } : { kind: 'not_found', caller: CALLER };
}

beforeEach(() => start());

interface Sent {
  readonly key?: string;
  readonly redeem?: boolean;
  readonly idempotencyKey?: string;
  /** The client's IP address, sent in X-Forwarded-For. */
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string | null>>;
}

const tokenNamed = (name: string): string =>
  [...FIXED_TOKENS.values()].find((fixed) => fixed.name === name)!.token;

function bytesOf(token: string, { key = SANDBOX_KEY, redeem, idempotencyKey, from, headers }: Sent): Buffer {
  return requestBytes(
    { method: 'POST', target: VERIFY_PATH, body: JSON.stringify({ token, redeem }) },
    {
      headers: {
        Authorization: `Bearer ${key}`,
        'Idempotency-Key': idempotencyKey ?? null,
        'X-Forwarded-For': from ?? null,
        ...headers,
      },
    },
  );
}

const send = (token: string, sent: Sent = {}): Promise<RawResponse> =>
  answerTo(server.port, bytesOf(token, sent));

/**
 * Returns the `code` or `status` in the response body, followed by `, replayed` for a replay. If there is no response,
 * returns `cut` if the connection was closed, otherwise `silent`.
 */
async function outcome(name: string, sent: Sent = {}): Promise<string> {
  const { responses, closed } = await exchange(server.port, [bytesOf(tokenNamed(name), sent)], {
    answers: 1,
    settleMs: 5,
  });
  if (responses.length === 0) return closed ? 'cut' : 'silent';
  const [{ body, headers }] = responses as [RawResponse];
  const { code, status } = JSON.parse(body) as { code?: string; status: string };
  return `${code ?? status}${headers.get('idempotency-replayed') === 'true' ? ', replayed' : ''}`;
}

describe('fixed tokens', () => {
  test('cover exactly the responses in the OpenAPI document', async () => {
    const answers: RawResponse[] = [];
    for (const { name, token } of FIXED_TOKENS.values()) {
      if (name === 'LateAnswer') continue;
      for (const redeem of [false, true]) {
        const sent = { redeem, idempotencyKey: 'order-1' };
        if (name === 'LostAnswer' && redeem) expect(await outcome(name, sent)).toBe('cut');
        answers.push(await send(token, sent));
      }
    }
    const document = openApiDocument(BASE_URL, DEFAULT_BRAND) as OpenApiDocument;
    expect(
      differences(documentedResponses(document, VERIFY_PATH, 'post'), observedResponses(answers)),
    ).toEqual([]);
  });

  test.each([SANDBOX_KEY, TEST_KEY])('return the responses they are named after, with %s', async (key) => {
    const outcomes = async (name: string) => [
      await outcome(name, { key }),
      await outcome(name, { key, redeem: true }),
    ];
    expect(await outcomes('Redeemed')).toEqual(['valid', 'redeemed']);
    expect(await outcomes('WithLabel')).toEqual(['valid', 'redeemed']);
    expect(await outcomes('AlreadyRedeemed')).toEqual(['already_redeemed', 'already_redeemed']);
    expect(await outcomes('NotFound')).toEqual(['not_found', 'not_found']);
    expect(CODES.length).toBeGreaterThan(15);
    for (const code of CODES) {
      const name = code.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
      const toVerify = code === 'idempotency_key_reused' ? 'valid' : code;
      expect(await outcomes(name), name).toEqual([toVerify, code]);
    }
    const { body } = await send(tokenNamed('WithLabel'), { key, redeem: true });
    expect(JSON.parse(body)).toEqual(VERIFY_CLAIM.outputs[200].examples.redeemed);
  });

  test('are looked up in the database only with a live key', async () => {
    await send(tokenNamed('Redeemed'), { key: TEST_KEY, redeem: true, idempotencyKey: 'order-1' });
    await send(tokenNamed('Redeemed'), { redeem: true });
    expect(server.submitted).toMatchObject([{ tokenHash: null }]);
    const live = await send(tokenNamed('Redeemed'), { key: KEY, redeem: true });
    expect([live.status, live.body]).toEqual([404, '{"status":"not_found"}']);
    expect(server.submitted.at(-1)!.tokenHash).not.toBeNull();
  });

  test('return their response only if the key and the request pass all checks', async () => {
    const token = tokenNamed('Redeemed');
    expect((await send(token, { key: TEST_KEY, idempotencyKey: '"' })).status).toBe(400);
    server.answer = () => ({ kind: 'refused', code: 'plan_without_api_keys', caller: CALLER });
    expect((await send(token, { key: TEST_KEY })).status).toBe(403);
    expect((await send(token, { headers: { 'Content-Type': 'text/plain' } })).status).toBe(415);
    expect((await send(token, { headers: { Origin: 'https://shop.example' } })).status).toBe(403);
  });

  test('are counted as `fixed_token` in the metrics, and recorded as attempts only with a test key', async () => {
    await send(tokenNamed('Redeemed'), { key: TEST_KEY, redeem: true });
    await send(tokenNamed('InternalError'), { key: TEST_KEY });
    await send(tokenNamed('Redeemed'), { redeem: true });
    expect(server.attempts).toMatchObject([
      { cause: 'fixed_redeemed', offerId: null, tokenLast4: tokenNamed('Redeemed').slice(-4) },
      { cause: 'fixed_internal_error' },
    ]);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toContain('claimcheck_verifications_total{outcome="fixed_token"} 3');
    expect(metrics).toContain('outcome="redeemed"} 0\n');
    expect(metrics).toContain('outcome="internal_error"} 0\n');
  });
});

describe('LostAnswer', () => {
  const redeem = true;

  test('replays the lost response only if the retry has the same Idempotency-Key', async () => {
    for (const key of [SANDBOX_KEY, TEST_KEY]) {
      expect(await outcome('LostAnswer', { key, redeem: false })).toBe('valid');
      expect(await outcome('LostAnswer', { key, redeem, idempotencyKey: 'order-1' })).toBe('cut');
      expect(await outcome('LostAnswer', { key, redeem, idempotencyKey: '"order-1"' })).toBe(
        'redeemed, replayed',
      );
      expect(await outcome('LostAnswer', { key, redeem, idempotencyKey: 'order-2' })).toBe('cut');
    }
    const causes = server.attempts.map(({ cause }) => cause);
    expect(causes).toEqual(['fixed_valid', 'fixed_lost', 'fixed_repeated', 'fixed_lost']);
    expect(await outcome('LostAnswer', { redeem })).toBe('cut');
    expect(await outcome('LostAnswer', { redeem })).toBe('already_redeemed');
  });

  test('drops the response again for another network or account, or after ten minutes', async () => {
    let now = 0;
    await start({ trustedProxies: TRUSTED, clock: () => now });
    const idempotencyKey = 'order-1';
    const sent = (from: string) => ({ redeem, idempotencyKey, from });
    expect(await outcome('LostAnswer', sent('192.0.2.1'))).toBe('cut');
    expect(await outcome('LostAnswer', sent('192.0.2.2'))).toBe('cut');
    expect(await outcome('LostAnswer', sent('192.0.2.1'))).toBe('redeemed, replayed');
    const key = TEST_KEY;
    expect(await outcome('LostAnswer', { key, redeem, idempotencyKey })).toBe('cut');
    server.answer = () => ({ kind: 'authorized', caller: { ...CALLER, accountId: 'account-2' } });
    expect(await outcome('LostAnswer', { key, redeem, idempotencyKey })).toBe('cut');
    now += FIRST_REDEMPTION_KEPT_MS;
    expect(await outcome('LostAnswer', sent('192.0.2.1'))).toBe('cut');
  });
});

describe('LateAnswer', () => {
  test('delays the response, but answers a retry with the same Idempotency-Key immediately', async () => {
    let now = 0;
    await start({ clock: () => now });
    const sent = { redeem: true, idempotencyKey: 'order-1' };
    const order: string[] = [];
    const first = outcome('LateAnswer', sent).then((text) => order.push(`late: ${text}`));
    order.push(await outcome('LateAnswer', { redeem: false }), await outcome('LateAnswer', sent));
    now += LATE_RESPONSE_MS;
    await first;
    expect(order).toEqual(['valid', 'redeemed, replayed', 'late: redeemed']);
  });

  test('sends the delayed response immediately when the process shuts down', async () => {
    await start({ clock: () => 0, drainTimes: { graceMs: 0, deadlineMs: 5_000, cutMs: 6_000 } });
    const late = outcome('LateAnswer', { redeem: true });
    await outcome('Redeemed');
    const stopped = server.drain.begin(server.server);
    expect(await late).toBe('redeemed');
    await stopped;
  });
});

describe('sandbox key', () => {
  test('gets not_found for every token except fixed tokens, without a database lookup', async () => {
    for (const token of [TOKEN, 'imported-token', 'clm_nonsense']) {
      const { status, body } = await send(token, { redeem: true });
      expect([status, body]).toEqual([404, '{"status":"not_found"}']);
    }
    expect(server.submitted).toEqual([]);
    expect([server.attempts, server.usedKeys]).toEqual([[], []]);
  });

  test('is rate limited per network', async () => {
    await start({ rateLimit: 200, clock: () => 1_000, trustedProxies: TRUSTED });
    const from = '192.0.2.1';
    for (let call = 0; call < 2 * SANDBOX_CALLS_PER_SECOND; call += 1) {
      expect(await outcome('Redeemed', { from })).toBe('valid');
    }
    const refused = await send(tokenNamed('Redeemed'), { from });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('ratelimit-policy')).toBe('"sandbox";q=20;w=2');
    expect(JSON.parse(refused.body)).toMatchObject({
      code: 'rate_limited',
      detail: expect.stringContaining('network'),
    });
    expect(await outcome('Redeemed', { from: '192.0.2.2' })).toBe('valid');
    expect(await outcome('Redeemed', { from, key: TEST_KEY })).toBe('valid');
  });
});
