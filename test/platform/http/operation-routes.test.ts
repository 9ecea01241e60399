/** Routes created from operation definitions, with the same request checks and errors as verify. */
import { z } from '@hono/zod-openapi';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type ApiCaller, VERIFY_PATH } from '../../../src/claims/verify/decision/verification.ts';
import { hashKey } from '../../../src/people/keys/key.ts';
import { ERRORS, type ErrorCode, Refusal } from '../../../src/platform/errors.ts';
import { createOpenApiDocument } from '../../../src/platform/http/operations/openapi.ts';
import type { Operation } from '../../../src/platform/http/operations/operation.ts';
import { operationRoute } from '../../../src/platform/http/operations/operation-routes.ts';
import { DatabaseUnavailable } from '../../../src/platform/store/database.ts';
import {
  differences,
  documentedResponses,
  type OpenApiDocument,
  observedResponses,
} from '../../api/documented-responses.ts';
import { answerTo, type Change, type GoodCall, provokeAll, requestBytes } from '../../api/provocations.ts';
import { BASE_URL, CALLER, KEY, shareServer, TOKEN } from './harness.ts';
import { exchange } from './raw-client.ts';

const note = z.strictObject({ id: z.string(), text: z.string(), lines: z.int() }).openapi('Note');
const NOTE = { id: 'a', text: 'Bread', lines: 3 };

const READ_NOTE = {
  id: 'readNote',
  method: 'get',
  path: '/api/v1/notes/{id}',
  tag: 'notes',
  summary: 'Read a note',
  description: 'One note.',
  caller: 'apiKey',
  input: {
    path: z.object({ id: z.string().max(8) }),
    query: z.object({
      lines: z
        .string()
        .regex(/^[1-9][0-9]?$/, 'must be a whole number from 1 to 99')
        .transform(Number),
      order: z.enum(['first', 'last']).optional(),
    }),
    headers: z.object({ 'If-Match': z.string().max(4).optional() }),
  },
  outputs: { 200: { description: 'The note.', schema: note, examples: { note: NOTE } } },
  errors: { unknown_path: { meaning: 'There is no such note.' } },
} as const satisfies Operation;

const WRITE_NOTE = {
  ...READ_NOTE,
  id: 'writeNote',
  method: 'put',
  summary: 'Write a note',
  input: {
    path: READ_NOTE.input.path,
    body: {
      schema: z.strictObject({
        text: z.string().min(1),
        tags: z.array(z.object({ name: z.string() })).max(2),
      }),
      maxBytes: 256,
    },
  },
  outputs: {
    201: {
      description: 'The note.',
      schema: note,
      examples: { note: NOTE },
    },
  },
  errors: {},
} as const satisfies Operation;

const FIXED = { ...READ_NOTE, id: 'readLatest', path: '/api/v1/notes/latest', input: {} } as const;

let fault: unknown;
const readNote = operationRoute<typeof READ_NOTE, ApiCaller, null>(
  READ_NOTE,
  async ({ path, query, headers, caller }) => {
    if (fault !== undefined) throw fault;
    if (path.id === 'none') throw new Refusal('unknown_path', 'There is no note with this id.');
    const text = [caller.accountId, query.order ?? 'any', headers['If-Match'] ?? '-'].join(' ');
    return { id: path.id, text, lines: query.lines };
  },
);
const writeNote = operationRoute<typeof WRITE_NOTE, ApiCaller, null>(WRITE_NOTE, async ({ path, body }) => ({
  id: path.id,
  text: body.text,
  lines: body.tags.length,
}));
const readLatest = operationRoute<typeof FIXED, ApiCaller, null>(
  FIXED,
  async () =>
    // Has a property that the schema does not allow.
    ({ ...NOTE, id: 'latest', secret_hash: 'x' }) as typeof NOTE,
);
const ROUTES = [readNote, writeNote, readLatest];

const READ: GoodCall = { method: 'GET', target: '/api/v1/notes/a?lines=3' };
const WRITE: GoodCall = {
  method: 'PUT',
  target: '/api/v1/notes/a',
  body: JSON.stringify({ text: 'Bread', tags: [] }),
};
const document = createOpenApiDocument({
  baseUrl: BASE_URL,
  name: 'Tests',
  version: '1.2.3',
  contact: null,
  operations: ROUTES.map(({ operation }) => operation),
  webhooks: [],
}) as OpenApiDocument;

const server = shareServer({ routes: ROUTES });
beforeEach(() => {
  fault = undefined;
});

const send = (call: GoodCall, change?: Change) => answerTo(server.port, requestBytes(call, change));

describe('OpenAPI document of an operation', () => {
  test.each([
    ['get', READ, [{ ...READ, target: '/api/v1/notes/none?lines=3' }]],
    ['put', WRITE, []],
  ] as const)('lists exactly the responses observed for %s', async (method, call, own) => {
    const printed = vi.spyOn(console, 'error');
    const seen = await provokeAll(call, { routes: ROUTES }, own);
    expect(printed).not.toHaveBeenCalled();
    const documented = documentedResponses(document, '/api/v1/notes/{id}', method);
    expect(differences(documented, observedResponses(seen))).toEqual([]);
  });
});

describe('input validation', () => {
  test('passes the values parsed by the schemas to the handler', async () => {
    const read = await send(READ, {
      target: '/api/v1/notes/%C3%A4?lines=12&order=last',
      headers: { 'If-Match': '"1"' },
    });
    expect(read.status).toBe(200);
    expect(JSON.parse(read.body)).toEqual({ id: 'ä', text: 'account-1 last "1"', lines: 12 });
    const written = await send(WRITE, { body: '{"text":"Milk","tags":[{"name":"a"}]}' });
    expect(written.status).toBe(201);
    expect(JSON.parse(written.body)).toEqual({ id: 'a', text: 'Milk', lines: 1 });
  });

  test.each([
    ['a', 'The query parameter `lines` is missing.'],
    ['a?lines=1e3', 'The query parameter `lines` must be a whole number from 1 to 99.'],
    ['a?lines=3&order=up', 'The query parameter `order` must be "first" or "last".'],
    ['a?lines=3&line=4', 'The query has an unknown parameter, `line`.'],
    [`a?lines=3&${KEY}=1`, `The query has an unknown parameter, whose name has ${KEY.length} characters.`],
    ['a?lines=3&lines=4', 'The query has the parameter `lines` more than once.'],
    ['abcdefghi?lines=3', 'The path parameter `id` must have at most 8 characters.'],
    ['a?lines=%00', 'The address contains the character U+0000.'],
  ])('rejects the path %s with the message: %s', async (address, detail) => {
    const answer = await send(READ, { target: `/api/v1/notes/${address}` });
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'invalid_request', detail });
  });

  test('rejects an invalid header and names it', async () => {
    const answer = await send(READ, { headers: { 'If-Match': '"123"' } });
    const detail = 'The header `If-Match` must have at most 4 characters.';
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'invalid_request', detail });
  });

  test.each([
    ['{', 'The body is not JSON.'],
    ['', 'The body is empty; it must be JSON.'],
    ['[]', 'The body must be an object; found an array.'],
    ['{"text":"a"}', 'The member `tags` is missing.'],
    ['{"text":1,"tags":[]}', 'The member `text` must be a string; found a number.'],
    ['{"text":"","tags":[]}', 'The member `text` must have at least 1 character.'],
    [
      `{"text":"a","tags":[${'{"name":"a"},'.repeat(2)}{"name":"c"}]}`,
      'The member `tags` must have at most 2 entries.',
    ],
    ['{"text":"a","tags":[{"name":null}]}', 'The member `tags.0.name` must be a string; found null.'],
    ['{"text":"a","tags":[],"tag":1}', 'The body has an unknown member, `tag`.'],
    ['{"text":"a","tags":[{"name":"a","n\\u0061me":"b"}]}', 'The body has the member `name` more than once.'],
    ['{"text":"\\ud800","tags":[]}', 'The body contains invalid Unicode (a lone surrogate).'],
    ['{"text":"\\u0000","tags":[]}', 'The body contains the character U+0000.'],
  ])('rejects the body %s with the message: %s', async (body, detail) => {
    const answer = await send(WRITE, { body });
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'invalid_request', detail });
  });

  test('accepts the same member name in different objects', async () => {
    const body = '{"text":"{\\"text\\":[","tags":[{"name":"a"},{"name":"a"}]}';
    expect((await send(WRITE, { body })).status).toBe(201);
  });

  test('rejects a chunked body that exceeds the maximum length', async () => {
    const answer = await send(WRITE, {
      headers: { 'Content-Length': null, 'Transfer-Encoding': 'chunked' },
      body: `200\r\n${'x'.repeat(512)}\r\n0\r\n\r\n`,
    });
    const detail = 'The body has more than 256 bytes.';
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'body_too_large', detail });
  });
});

describe('request checks', () => {
  let now = 0;
  const limited = shareServer({ routes: ROUTES, rateLimit: 1, clock: () => now });
  const faults: [ErrorCode, Change][] = [
    ['invalid_request', { headers: { Host: 'a\r\nHost: b' } }],
    ['method_not_allowed', { method: 'DELETE' }],
    ['browser_call', { headers: { Origin: 'https://shop.example' } }],
    ['missing_credentials', { headers: { Authorization: null } }],
    ['account_suspended', {}],
    ['unsupported_media_type', { headers: { 'Content-Type': 'text/plain' } }],
    ['body_too_large', { body: 'x'.repeat(300) }],
    ['rate_limited', {}],
    ['invalid_request', { body: 'x' }],
  ];
  const pairs = faults.flatMap((first, i) => faults.slice(i + 1).map((second) => [first, second] as const));
  test.each(pairs.map(([first, second]) => [first[0], second[0], first[1], second[1]] as const))(
    '%s takes precedence over %s',
    async (code, other, first, second) => {
      now += 10_000;
      const ask = (change?: Change) => answerTo(limited.port, requestBytes(WRITE, change));
      if ([code, other].includes('rate_limited')) await Promise.all([ask(), ask()]);
      if ([code, other].includes('account_suspended')) {
        limited.answer = () => ({ kind: 'refused', code: 'account_suspended', caller: CALLER });
      }
      const change = { ...second, ...first, headers: { ...second.headers, ...first.headers } };
      expect(JSON.parse((await ask(change)).body)).toMatchObject({ code });
    },
  );

  test('a call looks up its API key once and records that the key was used', async () => {
    await send(READ);
    const asked = {
      keyHash: hashKey(KEY),
      tokenHash: null,
      redeem: false,
      idempotencyHash: null,
      reference: null,
      networks: null,
      trace: null,
    };
    expect(server.submitted).toEqual([asked]);
    expect(server.usedKeys).toEqual(['key-1']);
  });

  test('a malformed key gets the same response as an unknown one, without a database lookup', async () => {
    const malformed = await send(READ, { headers: { Authorization: `Bearer ${KEY}x` } });
    expect(server.submitted).toEqual([]);
    server.answer = () => ({ kind: 'refused', code: 'invalid_api_key', caller: null });
    const unknown = await send(READ);
    expect(server.usedKeys).toEqual([]);
    const facts = ({ body, headers }: typeof unknown) => [JSON.parse(body).detail, [...headers.keys()]];
    expect(facts(malformed)).toEqual(facts(unknown));
    expect(malformed.headers.get('www-authenticate')).toBe('Bearer realm="claims", error="invalid_token"');
  });

  test('browser calls and preflight requests are reported, with the key hash if a key was sent', async () => {
    await send(READ, { headers: { Origin: 'https://shop.example' } });
    const preflight = await send(READ, {
      method: 'OPTIONS',
      headers: { Origin: 'https://shop.example', Authorization: null },
    });
    expect(preflight.status).toBe(403);
    expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(server.browserCalls).toMatchObject([
      { keyHash: hashKey(KEY), origin: 'https://shop.example', requestLine: 'GET /api/v1/notes/a' },
      { keyHash: null, requestLine: 'OPTIONS /api/v1/notes/a' },
    ]);
  });

  test('verifications have a separate rate limit', async () => {
    now += 10_000;
    const statuses: number[] = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await answerTo(limited.port, requestBytes(READ))).status);
    const verify: GoodCall = { method: 'POST', target: VERIFY_PATH, body: JSON.stringify({ token: TOKEN }) };
    statuses.push((await answerTo(limited.port, requestBytes(verify))).status);
    expect(statuses).toEqual([200, 200, 429, 200]);
  });
});

describe('routing', () => {
  test('returns 405 with the methods of all operations on the path', async () => {
    const answer = await send(READ, { method: 'DELETE' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, PUT');
    expect(JSON.parse(answer.body).detail).toBe(
      'The path /api/v1/notes/{id} takes GET or HEAD or PUT; found DELETE.',
    );
  });

  test('answers HEAD like GET, but without a body', async () => {
    const response = await fetch(server.url + READ.target, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${KEY}` },
    });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
  });

  test('discards the unread body of a rejected request and serves the next request', async () => {
    const refused = requestBytes(WRITE, { headers: { 'Content-Type': 'text/plain' } });
    const { responses } = await exchange(server.port, [Buffer.concat([refused, requestBytes(READ)])], {
      answers: 2,
    });
    expect(responses.map(({ status }) => status)).toEqual([415, 200]);
  });
});

describe('error handling', () => {
  test('returns 500 if the response body does not match its schema', async () => {
    // The fixed path takes precedence over `/api/v1/notes/{id}`.
    const answer = await send(READ, { target: '/api/v1/notes/latest' });
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'internal_error', status: 500 });
    expect(answer.body).not.toContain('secret_hash');
    expect(server.log.join('')).toContain('readLatest');
  });

  test('returns 500 if the handler throws an error that the definition does not list', async () => {
    fault = new Refusal('idempotency_key_reused', 'The definition does not list this error.');
    const answer = await send(READ);
    const detail = ERRORS.internal_error.meaning;
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'internal_error', detail });
  });

  test('logs an unexpected error with the request ID and returns a generic 500 response', async () => {
    fault = new Error('column "secret" is missing');
    const answer = await send(READ);
    expect(answer.status).toBe(500);
    expect(answer.body).not.toContain('column');
    const line = JSON.parse(server.log.find((text) => text.includes('column'))!);
    const requestId = answer.headers.get('x-request-id');
    expect(line).toMatchObject({ level: 50, requestId, operation: 'readNote' });
  });

  test('returns 503 with Retry-After if the database is unavailable', async () => {
    fault = new DatabaseUnavailable('connection refused by 10.0.0.5');
    const answer = await send(READ);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(answer.body).not.toContain('10.0.0.5');
  });
});
