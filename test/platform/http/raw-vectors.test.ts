/** Raw and malformed requests get the expected statuses, and each response belongs to its request. */
import { beforeAll, describe, expect, test } from 'vitest';
import { type Answerer, found, startServer, type TestServer } from './harness.ts';
import { exchange, type RawResponse } from './raw-client.ts';
import { RAW_VECTORS, type RawVector } from './raw-vectors.ts';

/** A request with a distinct response, to check that responses on the connection still match their requests. */
const CANARY = 'GET /healthz HTTP/1.1\r\nHost: a.example\r\n\r\n';
const CANARY_BODY = '{"status":"ok"}';

const expectProblem = (response: RawResponse): void => {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  const problem = JSON.parse(response.body);
  expect(Object.keys(problem)).toEqual(['type', 'title', 'status', 'detail', 'code', 'request_id']);
  expect(problem.status).toBe(response.status);
  expect(problem.request_id).toBe(response.headers.get('x-request-id'));
};

async function check(server: TestServer, { parts, statuses, closes, lookups }: RawVector): Promise<void> {
  const finals = statuses.filter((status) => status >= 200).length;
  const all = closes ? [...parts, CANARY] : [...parts.slice(0, -1), parts.at(-1)! + CANARY];
  const result = await exchange(server.port, all, closes ? {} : { answers: finals + 1 });
  const expected = closes ? statuses : [...statuses, 200];
  expect(result.responses.map((response) => response.status)).toEqual(expected);
  expect(result.rest).toBe('');
  expect(result.closed).toBe(closes);
  const { body } = closes
    ? (await exchange(server.port, [CANARY], { answers: 1 })).responses[0]!
    : result.responses.at(-1)!;
  expect(body).toBe(CANARY_BODY);
  for (const response of result.responses) if (response.status >= 400) expectProblem(response);
  if (closes && finals > 0) expect(result.responses.at(-1)!.headers.get('connection')).toBe('close');
  expect(server.submitted.filter(({ tokenHash }) => tokenHash !== null)).toHaveLength(lookups);
}

/** The server for all vectors that cause no lookup. */
let shared: TestServer;
beforeAll(async () => {
  shared = await startServer();
  return () => shared.close();
});

/** Uses a separate server, so that all recorded lookups belong to this vector. */
async function checkAlone(vector: RawVector, answer?: Answerer): Promise<void> {
  const server = await startServer();
  if (answer !== undefined) server.answer = answer;
  try {
    await check(server, vector);
  } finally {
    await server.close();
  }
}

describe('raw requests', () => {
  test('include at least 150 vectors with unique names', () => {
    expect(RAW_VECTORS.length).toBeGreaterThanOrEqual(150);
    expect(new Set(RAW_VECTORS.map(({ name }) => name)).size).toBe(RAW_VECTORS.length);
  });

  // Concurrent, because the server waits up to a second for some clients to close the connection.
  test.concurrent.each(RAW_VECTORS.map((vector) => [vector.name, vector] as const))('%s', (_name, vector) =>
    vector.lookups === 0 ? check(shared, vector) : checkAlone(vector),
  );

  // Garbage that arrives during a verification must not replace its response.
  test.concurrent.each(
    RAW_VECTORS.filter(({ lookups, closes }) => lookups > 0 && closes).map(
      (vector) => [vector.name, vector] as const,
    ),
  )('%s, followed by garbage before the response is ready', (_name, vector) =>
    checkAlone({ ...vector, parts: [...vector.parts, '\xde\xad\r\n\r\n', '\xde\xad'] }, () => madeLate()),
  );
});

/** How long a delayed verification takes. Must exceed the time to send all parts. */
const LATE_MS = 60;

const madeLate = async () => {
  await new Promise((resolve) => setTimeout(resolve, LATE_MS));
  return found();
};
