/** The table of outcomes and errors, cell by cell, on the wire and against the API description. */
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../src/app/api.ts';
import { VERIFY_PATH, type VerificationAnswer } from '../../src/claims/verify/decision/verification.ts';
import { ERRORS, type ErrorCode } from '../../src/errors.ts';
import { checksumBase62 } from '../../src/secrets/secrets.ts';
import { DatabaseUnavailable } from '../../src/store/database.ts';
import { UNBRANDED } from '../support/brand.ts';
import { callVerify } from '../support/verify.ts';
import {
  documentedAnswers,
  type OpenApiDocument,
  observedAnswers,
  undocumented,
} from './documented-answers.ts';
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
} from './harness.ts';
import { answerTo, type Change, requestBytes } from './provocations.ts';
import type { RawResponse } from './raw-client.ts';

const DOCUMENTED = documentedAnswers(
  openApiDocument(BASE_URL, UNBRANDED) as OpenApiDocument,
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
  expect(undocumented(DOCUMENTED, observedAnswers([response]))).toEqual([]);
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

describe('outcomes', () => {
  it.each(['redeemed', 'valid', 'already_redeemed'] as const)(
    '%s: 200 with the body of the verifier',
    async (status) => {
      server.answer = () => ({ ...(found() as VerificationAnswer & { kind: 'found' }), status });
      const response = await send({});
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(response.body).toBe(FOUND_BODY);
      expect(response.headers.has('idempotency-replayed')).toBe(false);
      expectCommon(response);
      expect(server.attempts).toMatchObject([{ cause: status, via: 'spring' }]);
    },
  );

  it('not_found: 404 with exactly these bytes', async () => {
    server.answer = () => ({ kind: 'not_found', caller: CALLER });
    const response = await send({});
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.body).toBe('{"status":"not_found"}');
    expectCommon(response);
  });

  it('answers an impossible token as an unknown one, without looking it up', async () => {
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

  it('says that an answer is a replay', async () => {
    server.answer = () => found(true);
    const response = await send({ headers: { 'Idempotency-Key': '"order-1"' } });
    expect(response.headers.get('idempotency-replayed')).toBe('true');
    expect(response.body).toBe(FOUND_BODY);
  });

  it('takes quoted and bare forms of an Idempotency-Key as one', async () => {
    await send({ headers: { 'Idempotency-Key': '"order-1"' } });
    await send({ headers: { 'Idempotency-Key': 'order-1' } });
    await send({ headers: { 'Idempotency-Key': 'order-2' } });
    const [quoted, bare, other] = server.submitted.map((one) =>
      Buffer.from(one.idempotencyHash!).toString('hex'),
    );
    expect(quoted).toBe(bare);
    expect(other).not.toBe(bare);
  });

  it('ignores the Idempotency-Key of a call without `redeem`', async () => {
    await send({ headers: { 'Idempotency-Key': 'a' }, body: JSON.stringify({ token: TOKEN }) });
    expect(server.submitted).toMatchObject([{ redeem: false, idempotencyHash: null }]);
  });

  it.each([
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'Application/JSON',
    'application/json; v=1',
    'application/json;',
  ])('takes the media type %s', async (type) => {
    expect((await send({ headers: { 'Content-Type': type } })).status).toBe(200);
  });

  it('takes the scheme in any case and blanks behind it', async () => {
    expect((await send({ headers: { Authorization: `bEARER   ${KEY}` } })).status).toBe(200);
  });
});

describe('400 invalid_request', () => {
  const bodies: [string, string | Buffer, RegExp][] = [
    ['not JSON', '{"token":', /not JSON/],
    ['not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), /UTF-8/],
    ['an unknown member', `{"token":"${TOKEN}","redeam":true}`, /redeam/],
  ];
  it.each(bodies)('%s', async (_name, body, detail) => {
    expectProblem(await send({ body }), 'invalid_request', detail);
    expect(server.submitted).toMatchObject([{ tokenHash: null }]);
  });

  it.each([
    ['a space inside', 'a b'],
    ['a raw byte', 'a\xff'],
  ])('Idempotency-Key with %s', async (_name, key) => {
    expectProblem(await send({ headers: { 'Idempotency-Key': key } }), 'invalid_request', /Idempotency-Key/);
  });

  it('refuses a malformed Idempotency-Key also without `redeem`', async () => {
    const response = await send({
      headers: { 'Idempotency-Key': 'a b' },
      body: JSON.stringify({ token: TOKEN }),
    });
    expectProblem(response, 'invalid_request', /Idempotency-Key/);
  });

  it.each([
    [
      'two Authorizations',
      { Authorization: `Bearer ${KEY}\r\nAuthorization: Bearer ${KEY}` },
      /two Authorization/,
    ],
    ['no Host', { Host: null }, /no Host/],
    ['two Hosts', { Host: 'a.example\r\nHost: b.example' }, /two Host/],
  ])('%s', async (_name, headers, detail) => {
    expectProblem(await send({ headers }), 'invalid_request', detail);
    expect(server.submitted).toEqual([]);
  });
});

describe('401', () => {
  it.each([
    ['no Authorization', null],
    ['another scheme', 'Basic eDp5'],
    ['only a scheme', 'Bearer'],
    ['a key without its scheme', KEY],
  ])('missing_credentials: %s', async (_name, authorization) => {
    const response = await send({ headers: { Authorization: authorization } });
    expectProblem(response, 'missing_credentials');
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="claims"');
    expect(server.submitted).toEqual([]);
  });

  it('invalid_api_key: a malformed key costs no database read and is answered as an unknown one', async () => {
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
});

describe('what the verifier refuses', () => {
  it.each(['plan_without_api_keys', 'account_suspended', 'idempotency_key_reused'] as const)(
    '%s',
    async (code) => {
      server.answer = () => ({ kind: 'refused', code, caller: CALLER });
      expectProblem(await send({}), code);
      expect(server.attempts).toMatchObject([{ cause: code, accountId: 'account-1' }]);
    },
  );
});

describe('405 method_not_allowed', () => {
  it.each(['GET', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('%s', async (method) => {
    const response = await send({ method, headers: { Authorization: null } });
    expectProblem(response, 'method_not_allowed', new RegExp(method));
    expect(response.headers.get('allow')).toBe('POST');
  });

  it('HEAD, without a body', async () => {
    const response = await send({ method: 'HEAD', body: '' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
  });
});

describe('415 unsupported_media_type', () => {
  it.each([
    ['no type', { 'Content-Type': null }],
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['text', { 'Content-Type': 'text/json' }],
    ['a problem', { 'Content-Type': 'application/problem+json' }],
    ['a type that only starts alike', { 'Content-Type': 'application/jsonp' }],
    ['another charset', { 'Content-Type': 'application/json; charset=latin1' }],
    ['another charset in quotes', { 'Content-Type': 'application/json; charset="utf-16"' }],
    ['two charsets', { 'Content-Type': 'application/json; charset=utf-8; charset=latin1' }],
    ['a list', { 'Content-Type': 'application/json, text/plain' }],
    ['a parameter that is none', { 'Content-Type': 'application/json; x' }],
    ['gzip', { 'Content-Encoding': 'gzip' }],
    ['identity', { 'Content-Encoding': 'identity' }],
  ])('%s', async (_name, headers) => {
    const response = await send({ headers });
    expectProblem(response, 'unsupported_media_type');
    expect(response.headers.get('accept')).toBe('application/json');
    expect(server.submitted).toMatchObject([{ tokenHash: null }]);
  });
});

describe('413 body_too_large', () => {
  const tooLong = JSON.stringify({ token: TOKEN }).padEnd(4_097);
  it('takes 4 KiB to the byte', async () => {
    expect((await send({ body: JSON.stringify({ token: TOKEN }).padEnd(4_096) })).status).toBe(200);
  });

  it('declared', async () => {
    const response = await send({ body: tooLong });
    expectProblem(response, 'body_too_large', /4097.*4096/);
    expect(response.headers.get('connection')).toBe('close');
  });

  it('sent', async () => {
    const chunks = `1001\r\n${tooLong}\r\n0\r\n\r\n`;
    const response = await send({
      headers: { 'Content-Length': null, 'Transfer-Encoding': 'chunked' },
      body: chunks,
    });
    expectProblem(response, 'body_too_large', /4096/);
    expect(server.submitted).toMatchObject([{ tokenHash: null }]);
  });
});

describe('the rest of the table', () => {
  it('503 with Retry-After when the database is away', async () => {
    server.answer = () => new DatabaseUnavailable('connection refused by 10.0.0.5');
    const response = await send({});
    expectProblem(response, 'unavailable');
    expect(response.headers.get('retry-after')).toBe('1');
    expect(response.body).not.toContain('10.0.0.5');
  });

  it('some 503s are logged, with the number of those between them', async () => {
    server.answer = () => new DatabaseUnavailable('away');
    await new Promise((resolve) => setTimeout(resolve, 110));
    await Promise.all(Array.from({ length: 30 }, () => send({})));
    await new Promise((resolve) => setTimeout(resolve, 110));
    await send({});
    const lines = server.log
      .filter((line) => line.includes('verification failed'))
      .map((line) => JSON.parse(line));
    expect(lines.length).toBeLessThan(10);
    expect(lines.reduce((sum, { unlogged }) => sum + unlogged + 1, 0)).toBeGreaterThanOrEqual(31);
  });

  it('500 with a fixed text; the cause is in the log under the request id', async () => {
    server.answer = () => new Error('column "secret" is missing');
    const response = await send({});
    expectProblem(response, 'internal_error', /^Something went wrong in the service\./);
    expect(response.body).not.toContain('column');
    const line = server.log.find((text) => text.includes('column'))!;
    expect(JSON.parse(line)).toMatchObject({ level: 50, requestId: response.headers.get('x-request-id') });
  });

  it('never writes a key, a token or a body into the log', async () => {
    server.answer = () => new Error('no');
    await send({});
    await send({ body: `{"token":"${TOKEN}"` });
    await send({ headers: { Authorization: `Bearer ${KEY}x` } });
    expect(server.log.length).toBeGreaterThan(2);
    for (const secret of [KEY, TOKEN]) expect(server.log.join('')).not.toContain(secret);
  });
});

describe('429 rate_limited', () => {
  it('bursts of twice the rate, then refuses with the limit in the headers; each key has its own', async () => {
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

describe('the order of the checks', () => {
  /** Each breaks one check; of two, the earlier one in the list decides the answer. */
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
  it.each(pairs.map(([first, second]) => [first[0], second[0], first, second] as const))(
    '%s before %s',
    async (_a, _b, [code, first], [other, second]) => {
      if ([code, other].includes('account_suspended')) {
        server.answer = () => ({ kind: 'refused', code: 'account_suspended', caller: CALLER });
      }
      const merged = { ...first, ...second, headers: { ...second.headers, ...first.headers } };
      expectProblem(await send({ ...merged, ...(first.method ? { method: first.method } : {}) }), code);
    },
  );

  it('length before rate before body, and all of them behind the account', async () => {
    const limited = await openServer({ rateLimit: 1, clock: () => 0 });
    const call = async (body: string) => (await callVerify(limited.url, KEY, body)).status;
    expect([await call('x'), await call('x')]).toEqual([400, 400]);
    expect(await call('x'.repeat(5_000))).toBe(413);
    expect(await call('x')).toBe(429);
    limited.answer = () => ({ kind: 'refused', code: 'plan_without_api_keys', caller: CALLER });
    expect(await call('x')).toBe(403);
  });
});
