/** Every outcome and error of the verify endpoint over HTTP, compared with the OpenAPI document. */
import { describe, expect, test } from 'vitest';
import { openApiDocument } from '../../../src/api/operations.ts';
import { DEFAULT_BRAND } from '../../../src/base/brand/brand.ts';
import { VERIFY_PATH, type VerificationResponse } from '../../../src/claims/verify/decision/verification.ts';
import { ERRORS, type ErrorCode } from '../../../src/platform/errors.ts';
import { checksumBase62 } from '../../../src/platform/secrets/secrets.ts';
import { DatabaseUnavailable } from '../../../src/platform/store/database.ts';
import {
  documentedResponses,
  type OpenApiDocument,
  observedResponses,
  undocumented,
} from '../../api/documented-responses.ts';
import { answerTo, type Change, requestBytes } from '../../api/provocations.ts';
import {
  answerAll,
  BASE_URL,
  CALLER,
  FOUND_BODY,
  found,
  KEY,
  openServer,
  shareServer,
  TOKEN,
} from '../../platform/http/harness.ts';
import type { RawResponse } from '../../platform/http/raw-client.ts';
import { callVerify } from '../../support/verify.ts';

const DOCUMENTED = documentedResponses(
  openApiDocument(BASE_URL, DEFAULT_BRAND) as OpenApiDocument,
  VERIFY_PATH,
  'post',
);

const server = shareServer();

const CALL = { method: 'POST', target: VERIFY_PATH, body: JSON.stringify({ token: TOKEN, redeem: true }) };

const send = (change: Change) => answerTo(server.port, requestBytes(CALL, change), change.method === 'HEAD');

function expectCommon(response: RawResponse): void {
  expect(response.headers.get('x-request-id')).toMatch(/^req_[\w-]{8}_[0-9a-z]+$/);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  expect(undocumented(DOCUMENTED, observedResponses([response]))).toEqual([]);
}

function expectProblem(response: RawResponse, code: ErrorCode, detail?: RegExp): void {
  expect(response.status).toBe(ERRORS[code].status);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const problem = JSON.parse(response.body);
  expect(problem).toEqual({
    type: `${BASE_URL}/docs/errors/${code}`,
    title: ERRORS[code].title,
    status: ERRORS[code].status,
    detail: expect.stringMatching(detail ?? /^[A-Z].*\.$/),
    code,
    request_id: response.headers.get('x-request-id'),
  });
  expectCommon(response);
}

const header = (name: string, value: string | null): Change => ({ headers: { [name]: value } });
const type = (value: string | null) => header('Content-Type', value);
const TWICE = `Bearer ${KEY}\r\nAuthorization: Bearer ${KEY}`;
const WITHOUT_REDEEM = JSON.stringify({ token: TOKEN });
const TOO_LONG = WITHOUT_REDEEM.padEnd(4_097);

describe('verification outcomes', () => {
  test.each(['redeemed', 'valid', 'already_redeemed'] as const)(
    '%s: returns 200 with the body from the verifier',
    async (status) => {
      server.answer = () => ({ ...(found() as VerificationResponse & { kind: 'found' }), status });
      const response = await send({});
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(response.body).toBe(FOUND_BODY);
      expect(response.headers.has('idempotency-replayed')).toBe(false);
      expectCommon(response);
      expect(server.attempts).toMatchObject([{ cause: status, via: 'spring' }]);
    },
  );

  test('not_found: returns 404 with a fixed body', async () => {
    server.answer = () => ({ kind: 'not_found', caller: CALLER });
    const response = await send({});
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.body).toBe('{"status":"not_found"}');
    expectCommon(response);
  });

  test('not_found: treats a malformed token like an unknown one, without a token lookup', async () => {
    server.answer = () => ({ kind: 'not_found', caller: CALLER });
    const unknown = await send({});
    server.answer = answerAll;
    server.submitted.length = 0;
    const impossible = await send({
      body: JSON.stringify({ token: `${TOKEN.slice(0, -1)}!`, redeem: true }),
    });
    expect(impossible.status).toBe(404);
    expect(impossible.body).toBe(unknown.body);
    expect([...impossible.headers.keys()]).toEqual([...unknown.headers.keys()]);
    expect(server.submitted).toMatchObject([{ tokenHash: null }]);
  });

  test('sets Idempotency-Replayed on a replayed response', async () => {
    server.answer = () => found(true);
    const response = await send({ headers: { 'Idempotency-Key': '"order-1"' } });
    expect(response.headers.get('idempotency-replayed')).toBe('true');
    expect(response.body).toBe(FOUND_BODY);
  });

  test('treats quoted and unquoted forms of an Idempotency-Key as the same key', async () => {
    for (const key of ['"order-1"', 'order-1', 'order-2'])
      await send({ headers: { 'Idempotency-Key': key } });
    const [quoted, bare, other] = server.submitted.map((one) =>
      Buffer.from(one.idempotencyHash!).toString('hex'),
    );
    expect(quoted).toBe(bare);
    expect(other).not.toBe(bare);
  });

  test('ignores the Idempotency-Key if the call does not redeem', async () => {
    await send({ headers: { 'Idempotency-Key': 'a' }, body: WITHOUT_REDEEM });
    expect(server.submitted).toMatchObject([{ redeem: false, idempotencyHash: null }]);
  });

  test.each<[string, Change]>([
    ['a media type with a charset', type('application/json; charset=utf-8')],
    ['a media type with a quoted charset', type('application/json;charset="UTF-8"')],
    ['a media type in mixed case', type('Application/JSON')],
    ['a media type with an unknown parameter', type('application/json; v=1')],
    ['a media type with an empty parameter', type('application/json;')],
    [
      'an authentication scheme in mixed case, followed by several spaces',
      header('Authorization', `bEARER   ${KEY}`),
    ],
    ['a body of exactly 4 KiB', { body: WITHOUT_REDEEM.padEnd(4_096) }],
  ])('accepts %s', async (_name, change) => {
    expect((await send(change)).status).toBe(200);
  });
});

type Cell = readonly [code: ErrorCode, name: string, change: Change, detail?: RegExp];
const BEFORE_KEY_CHECK: readonly Cell[] = [
  ['invalid_request', 'no Host header', header('Host', null), /no Host/],
  ['invalid_request', 'two Host headers', header('Host', 'a.example\r\nHost: b.example'), /two Host/],
  ['invalid_request', 'two Authorization headers', header('Authorization', TWICE), /two Authorization/],
  [
    'missing_credentials',
    'no Authorization header',
    header('Authorization', null),
    /no Authorization header/,
  ],
  [
    'missing_credentials',
    'another authentication scheme',
    header('Authorization', 'Basic eDp5'),
    /a password \(Basic\)/,
  ],
  [
    'missing_credentials',
    'a scheme without a key',
    header('Authorization', 'Bearer'),
    /no API key after `Bearer`/,
  ],
  [
    'missing_credentials',
    'a scheme with an empty variable',
    header('Authorization', 'Bearer '),
    /no API key after `Bearer`/,
  ],
  [
    'missing_credentials',
    'a key without a scheme',
    header('Authorization', KEY),
    /does not begin with `Bearer`/,
  ],
  ...['GET', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'].map((method): Cell => {
    const change = { method, ...header('Authorization', null) };
    return ['method_not_allowed', method, change, new RegExp(method)];
  }),
];
const MALFORMED_KEY = /Idempotency-Key/;
const AFTER_KEY_CHECK: readonly Cell[] = [
  ['invalid_request', 'a body that is not JSON', { body: '{"token":' }, /not JSON/],
  ['invalid_request', 'a body that is not UTF-8', { body: Buffer.from([0x7b, 0xff, 0x7d]) }, /UTF-8/],
  ['invalid_request', 'an unknown member', { body: `{"token":"${TOKEN}","redeam":true}` }, /redeam/],
  ['invalid_request', 'a space in the Idempotency-Key', header('Idempotency-Key', 'a b'), MALFORMED_KEY],
  [
    'invalid_request',
    'a non-ASCII byte in the Idempotency-Key',
    header('Idempotency-Key', 'a\xff'),
    MALFORMED_KEY,
  ],
  [
    'invalid_request',
    'a malformed Idempotency-Key on a call that does not redeem',
    { ...header('Idempotency-Key', 'a b'), body: WITHOUT_REDEEM },
    MALFORMED_KEY,
  ],
  ['unsupported_media_type', 'no Content-Type', type(null)],
  ['unsupported_media_type', 'application/x-www-form-urlencoded', type('application/x-www-form-urlencoded')],
  ['unsupported_media_type', 'text/json', type('text/json')],
  ['unsupported_media_type', 'application/problem+json', type('application/problem+json')],
  ['unsupported_media_type', 'application/jsonp', type('application/jsonp')],
  ['unsupported_media_type', 'a charset other than UTF-8', type('application/json; charset=latin1')],
  ['unsupported_media_type', 'a quoted charset other than UTF-8', type('application/json; charset="utf-16"')],
  ['unsupported_media_type', 'two charsets', type('application/json; charset=utf-8; charset=latin1')],
  ['unsupported_media_type', 'a list of media types', type('application/json, text/plain')],
  ['unsupported_media_type', 'a media type parameter without a value', type('application/json; x')],
  ['unsupported_media_type', 'Content-Encoding: gzip', header('Content-Encoding', 'gzip')],
  ['unsupported_media_type', 'Content-Encoding: identity', header('Content-Encoding', 'identity')],
  ['body_too_large', 'a Content-Length of 4,097', { body: TOO_LONG }, /4097.*4096/],
  [
    'body_too_large',
    'a chunked body of 4,097 bytes',
    {
      headers: { 'Content-Length': null, 'Transfer-Encoding': 'chunked' },
      body: `1001\r\n${TOO_LONG}\r\n0\r\n\r\n`,
    },
    /4096/,
  ],
];
const HEADERS: Partial<Record<ErrorCode, readonly [name: string, value: string]>> = {
  missing_credentials: ['www-authenticate', 'Bearer realm="claims"'],
  method_not_allowed: ['allow', 'POST'],
  unsupported_media_type: ['accept', 'application/json'],
  body_too_large: ['connection', 'close'],
};

describe('rejected requests', () => {
  test.each([
    ...BEFORE_KEY_CHECK.map((cell) => ({ cell, code: cell[0], name: cell[1], submitted: [] })),
    ...AFTER_KEY_CHECK.map((cell) => ({
      cell,
      code: cell[0],
      name: cell[1],
      submitted: [{ tokenHash: null }],
    })),
  ])('$code: $name', async ({ cell: [code, , change, detail], submitted }) => {
    const response = await send(change);
    expectProblem(response, code, detail);
    const [name, value] = HEADERS[code] ?? ['content-type', 'application/problem+json'];
    expect(response.headers.get(name)).toBe(value);
    expect(server.submitted).toMatchObject(submitted);
  });

  test('method_not_allowed: responds to HEAD without a body', async () => {
    const response = await send({ method: 'HEAD', body: '' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
  });

  test('invalid_api_key: treats a malformed key like an unknown one, without a database lookup', async () => {
    const malformed = await send({ headers: { Authorization: `Bearer ${KEY.slice(0, -1)}_` } });
    expectProblem(malformed, 'invalid_api_key');
    expect(server.submitted).toEqual([]);
    server.answer = () => ({ kind: 'refused', code: 'invalid_api_key', caller: null });
    const unknown = await send({});
    expectProblem(unknown, 'invalid_api_key');
    for (const response of [malformed, unknown]) {
      expect(response.headers.get('www-authenticate')).toBe('Bearer realm="claims", error="invalid_token"');
    }
    expect(JSON.parse(malformed.body).detail).toBe(JSON.parse(unknown.body).detail);
    expect([...malformed.headers.keys()]).toEqual([...unknown.headers.keys()]);
  });

  test.each(['plan_without_api_keys', 'account_suspended', 'idempotency_key_reused'] as const)(
    '%s: returns and records a refusal by the verifier',
    async (code) => {
      server.answer = () => ({ kind: 'refused', code, caller: CALLER });
      expectProblem(await send({}), code);
      expect(server.attempts).toMatchObject([{ cause: code, accountId: 'account-1' }]);
    },
  );

  test('unavailable: returns 503 with Retry-After if the database is unavailable', async () => {
    server.answer = () => new DatabaseUnavailable('connection refused by 10.0.0.5');
    const response = await send({});
    expectProblem(response, 'unavailable');
    expect(response.headers.get('retry-after')).toBe('1');
    expect(response.body).not.toContain('10.0.0.5');
  });

  test('unavailable: throttles log lines and logs how many were skipped', async () => {
    let now = 1_000;
    const away = await openServer({ clock: () => now });
    away.answer = () => new DatabaseUnavailable('away');
    for (let call = 0; call < 30; call += 1) await callVerify(away.url, KEY, { token: TOKEN });
    now += 100;
    await callVerify(away.url, KEY, { token: TOKEN });
    const lines = away.log.filter((line) => line.includes('verification failed'));
    expect(lines.map((line) => JSON.parse(line).unlogged)).toEqual([0, 29]);
  });

  test('internal_error: returns a generic message and logs the cause with the request ID', async () => {
    server.answer = () => new Error('column "secret" is missing');
    const response = await send({});
    expectProblem(response, 'internal_error', /^Something went wrong in the service\./);
    expect(response.body).not.toContain('column');
    const line = server.log.find((text) => text.includes('column'))!;
    expect(JSON.parse(line)).toMatchObject({ level: 50, requestId: response.headers.get('x-request-id') });
  });

  test('no API key or token of a rejected request appears in the log', async () => {
    server.answer = () => new Error('no');
    await send({});
    await send({ body: `{"token":"${TOKEN}"` });
    await send({ headers: { Authorization: `Bearer ${KEY}x` } });
    expect(server.log.length).toBeGreaterThan(2);
    for (const secret of [KEY, TOKEN]) expect(server.log.join('')).not.toContain(secret);
  });
});

describe('verification rate limit', () => {
  test('allows bursts of twice the rate per key, then returns 429 with RateLimit headers', async () => {
    const limited = await openServer({ rateLimit: 2, clock: () => 1_000 });
    const other = `cck_test_${'z'.repeat(32)}`;
    const call = (key: string) => callVerify(limited.url, key, { token: TOKEN });
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) statuses.push((await call(KEY)).status);
    expect(statuses).toEqual([200, 200, 200, 200]);
    const refused = await call(KEY);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: 'rate_limited' });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('ratelimit-policy')).toBe('"verify";q=4;w=2');
    expect(refused.headers.get('ratelimit')).toBe('"verify";r=0;t=1');
    expect((await call(other + checksumBase62(other))).status).toBe(200);
  });
});

describe('order of checks', () => {
  /** Each change fails one check. If a request fails two checks, the server returns the error listed earlier. */
  const faults: [ErrorCode, Change][] = [
    ['invalid_request', { headers: { Host: 'a\r\nHost: b' } }],
    ['method_not_allowed', { method: 'PUT' }],
    ['browser_call', { headers: { Origin: 'https://shop.example' } }],
    ['missing_credentials', { headers: { Authorization: null } }],
    ['account_suspended', {}],
    ['unsupported_media_type', { headers: { 'Content-Type': 'text/plain' } }],
    ['body_too_large', { body: 'x'.repeat(5_000) }],
  ];
  const pairs = faults.flatMap((first, i) => faults.slice(i + 1).map((second) => [first, second] as const));
  test.each(pairs.map(([first, second]) => [first[0], second[0], first, second] as const))(
    '%s takes precedence over %s',
    async (_a, _b, [code, first], [other, second]) => {
      if ([code, other].includes('account_suspended')) {
        server.answer = () => ({ kind: 'refused', code: 'account_suspended', caller: CALLER });
      }
      const merged = { ...first, ...second, headers: { ...second.headers, ...first.headers } };
      expectProblem(await send({ ...merged, ...(first.method ? { method: first.method } : {}) }), code);
    },
  );

  test('checks the account first, then the length, then the rate, then the body', async () => {
    const limited = await openServer({ rateLimit: 1, clock: () => 0 });
    const call = async (body: string) => (await callVerify(limited.url, KEY, body)).status;
    expect([await call('x'), await call('x')]).toEqual([400, 400]);
    expect(await call('x'.repeat(5_000))).toBe(413);
    expect(await call('x')).toBe(429);
    limited.answer = () => ({ kind: 'refused', code: 'plan_without_api_keys', caller: CALLER });
    expect(await call('x')).toBe(403);
  });
});
