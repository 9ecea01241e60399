/** Every fuzzed request gets a response, and no response is a server error. */
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { Service } from '../../src/app/service.ts';
import { VERIFY_PATH } from '../../src/claims/verify/decision/verification.ts';
import { type Connection, openConnection, outcomeOf, requestText } from '../support/load.ts';
import { type Stock, shareProcesses, sized, stock } from '../support/server-process.ts';
import { startSite } from '../support/site.ts';

const BODIES = sized(6_000, 20_000);
const HEADERS = sized(2_000, 5_000);
const CONNECTIONS = 16;
/** After every nth fuzzed request, a valid request on the same connection must get its own response. */
const CHECK_EVERY = 20;
const MAX_BODY_BYTES = 4_096;
const TOKENS = 200;

const { cleanups, newDbLocation } = shareProcesses();
let site: Service;
let port: number;
let goods: Stock;
let prototype: readonly string[];

beforeAll(async () => {
  prototype = Object.getOwnPropertyNames(Object.prototype);
  const dbLocation = await newDbLocation('sqlite');
  goods = await stock(dbLocation, TOKENS);
  site = await startSite(dbLocation);
  cleanups.push(() => site.stop());
  port = Number(new URL(site.baseUrl).port);
});

const headOf = (extra: string): string =>
  `POST ${VERIFY_PATH} HTTP/1.1\r\nHost: fuzz.example\r\nAuthorization: Bearer ${goods.owner.liveKey}\r\n${extra}`;

function requestWith(body: Uint8Array, extra = 'Content-Type: application/json\r\n'): Buffer {
  return Buffer.concat([
    Buffer.from(`${headOf(extra)}Content-Length: ${body.length}\r\n\r\n`, 'latin1'),
    body,
  ]);
}

interface Answered {
  readonly request: Buffer;
  readonly status: number;
}

/**
 * Sends all requests over keep-alive connections. Throws if a request gets no response, or if responses no longer match
 * their requests.
 */
async function sendAll(requests: readonly Buffer[]): Promise<Answered[]> {
  const [witness] = goods.tokens;
  const good = requestText({ apiKey: goods.owner.liveKey, token: witness!, redeem: false });
  const answered: Answered[] = [];
  let next = 0;
  const run = async () => {
    let connection: Connection | null = null;
    for (let index = next; index < requests.length; index = next) {
      next += 1;
      if (!connection?.usable()) connection = await openConnection(port);
      const request = requests[index]!;
      const answer = await connection.exchange(request).catch((error: Error) => {
        throw new Error(
          `${error.message} instead of a response to ${JSON.stringify(request.toString('latin1'))}`,
        );
      });
      answered.push({ request, status: answer.status });
      if (index % CHECK_EVERY === 0 && connection.usable()) {
        expect(outcomeOf(await connection.exchange(good))).toBe('valid');
      }
    }
    connection?.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, run));
  return answered;
}

const faultsOf = (answered: readonly Answered[], expected: readonly number[]): string[] =>
  answered
    .filter(({ status }) => !expected.includes(status))
    .map(({ request, status }) => `${status} to ${JSON.stringify(request.toString('latin1'))}`);

/** Any token except the first. The first token must stay unredeemed, because the valid requests use it. */
const someToken = fc.integer({ min: 1, max: TOKENS - 1 }).map((index) => goods.tokens[index]!);
const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 250 }),
  fc.string({ maxLength: 250 }),
  fc.constantFrom('', '\u0000', '\ud800', 'clm_', '{claim}', '__proto__', '%00', "' or 1=1 --"),
);
const oddName = fc.oneof(fc.constantFrom('token', '__proto__', 'constructor', 'toString', 'token '), oddText);
const bodyText = fc.oneof(
  fc.json({ maxDepth: 6 }),
  fc
    .record(
      {
        token: fc.oneof(someToken, oddText, fc.jsonValue()),
        redeem: fc.oneof(fc.boolean(), fc.jsonValue()),
        reference: fc.oneof(oddText, fc.jsonValue()),
      },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value)),
  fc
    .array(fc.tuple(oddName, fc.jsonValue()), { maxLength: 5 })
    .map(
      (members) =>
        `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`,
    ),
  fc.nat({ max: 400 }).map((depth) => `${'{"token":'.repeat(depth)}1${'}'.repeat(depth)}`),
  fc.double().map((number) => `{"token":${number},"redeem":1e400}`),
);
const goodBytes = fc
  .tuple(someToken, fc.boolean(), fc.option(fc.string({ minLength: 1, maxLength: 20 }), { nil: undefined }))
  .map(([token, redeem, reference]) => Buffer.from(JSON.stringify({ token, redeem, reference })));
const body: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 6, arbitrary: bodyText.map((text) => Buffer.from(text)) },
  { weight: 2, arbitrary: fc.uint8Array({ maxLength: 300 }) },
  // Valid bodies in which a few bytes are replaced.
  {
    weight: 4,
    arbitrary: fc
      .tuple(goodBytes, fc.nat({ max: 80 }), fc.nat({ max: 4 }), fc.uint8Array({ maxLength: 4 }))
      .map(([bytes, at, gone, added]) =>
        Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + gone)]),
      ),
  },
  { weight: 1, arbitrary: fc.uint8Array({ minLength: MAX_BODY_BYTES - 2, maxLength: MAX_BODY_BYTES + 40 }) },
);

const headerName = fc.oneof(
  fc.constantFrom('Idempotency-Key', 'Idempotency-Key', 'Content-Type', 'Content-Encoding'),
  fc.constantFrom('X-Forwarded-For', 'Forwarded', 'X-Request-Id', 'Accept', 'Cookie', 'TE', 'Range', 'Via'),
  fc.constantFrom('Authorization', 'Host', 'Expect', 'Upgrade', 'Origin', 'Sec-Fetch-Site', '__proto__'),
);
/** Includes bytes that are invalid in a header. Excludes line breaks, because they could start another request. */
const headerValue = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) =>
    Buffer.from(bytes)
      .toString('latin1')
      .replace(/[\r\n]/g, ''),
  ),
  fc.string({ maxLength: 300 }).map((text) => text.replace(/[^\x20-\x7e]/g, '')),
  fc.string({ maxLength: 280 }).map((text) => JSON.stringify(text.replace(/[^\x20-\x7e]/g, ''))),
);

const seed = Date.now() % 2 ** 31;

test(`${BODIES} fuzzed bodies get only the statuses 200, 400, 404 and 413`, async () => {
  const bodies = fc.sample(body, { numRuns: BODIES, seed });
  const answered = await sendAll(bodies.map((bytes) => requestWith(bytes)));
  expect(answered).toHaveLength(BODIES);
  expect(faultsOf(answered, [200, 400, 404, 413]), `seed ${seed}`).toEqual([]);
  const statuses = new Set(answered.map(({ status }) => status));
  expect([...statuses].sort(), 'every status occurs').toEqual([200, 400, 404, 413]);
});

test(`${HEADERS} fuzzed headers, including Idempotency-Key, cause no server error`, async () => {
  const drawn = fc.sample(fc.tuple(headerName, headerValue, goodBytes), { numRuns: HEADERS, seed });
  const requests = drawn.map(([name, value, bytes]) => {
    const type = name === 'Content-Type' ? '' : 'Content-Type: application/json\r\n';
    return requestWith(bytes, `${type}${name}: ${value}\r\n`);
  });
  const answered = await sendAll(requests);
  expect(answered).toHaveLength(HEADERS);
  const expected = [200, 400, 401, 403, 404, 415, 417, 422];
  expect(faultsOf(answered, expected), `seed ${seed}`).toEqual([]);
  expect(answered.filter(({ status }) => status === 200).length).toBeGreaterThan(HEADERS / 10);
});

test('the server still redeems claims after fuzzing, and Object.prototype is unchanged', async () => {
  const connection = await openConnection(port);
  const call = { apiKey: goods.owner.liveKey, token: goods.tokens[0]!, redeem: true };
  expect(outcomeOf(await connection.exchange(requestText(call)))).toBe('redeemed');
  connection.close();
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(prototype);
});
