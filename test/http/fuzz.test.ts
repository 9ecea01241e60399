/** Arbitrary bodies and keys cause no fault. */
import { connect } from 'node:net';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { VERIFY_PATH } from '../../src/claims/verify/decision/verification.ts';
import { parseVerificationBody } from '../../src/claims/verify/endpoint/body.ts';
import { KEY, shareServer, TOKEN } from './harness.ts';

/** `test/reliability/fuzz.test.ts` sends others, and headers, to a whole service. */
const BODIES = 5_000;
/** Each place of the key with each character, changed or cut off there. */
const KEYS = 5_500;
/** Requests that are sent in one piece. */
const PIECE = 500;
const STATUS_LINE = /HTTP\/1\.1 (\d{3}) /g;
const STATUS_LINE_LENGTH = 'HTTP/1.1 200 '.length;
/** The tests take some seconds on an idle machine. */
const TIMEOUT_MS = 240_000;

const server = shareServer();

/** Sends whole requests in pieces over one connection; resolves with the statuses in order. */
function statusesOf(requests: readonly Buffer[]): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const statuses: number[] = [];
    let sent = 0;
    let rest = '';
    const socket = connect(server.port, '127.0.0.1', () => sendPiece());
    const sendPiece = (): void => {
      socket.write(Buffer.concat(requests.slice(sent, sent + PIECE)));
      sent += PIECE;
    };
    socket.on('data', (chunk) => {
      rest += chunk.toString('latin1');
      let read = 0;
      for (const match of rest.matchAll(STATUS_LINE)) {
        statuses.push(Number(match[1]));
        read = match.index + match[0].length;
      }
      // A status line may be cut anywhere; what is kept of the last answer cannot be read twice.
      rest = rest.slice(Math.max(read, rest.length - STATUS_LINE_LENGTH));
      if (statuses.length >= requests.length) {
        socket.destroy();
        resolve(statuses);
      } else if (statuses.length >= sent) sendPiece();
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`closed after ${statuses.length} answers`)));
  });
}

const requestOf = (key: string, body: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from(
      `POST ${VERIFY_PATH} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
      'latin1',
    ),
    body,
  ]);

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(TOKEN, '__proto__', 'a\ud800'),
);
const json = fc.oneof(
  fc
    .record({ token: text, redeem: fc.boolean(), reference: text }, { requiredKeys: ['token'] })
    .map((value) => JSON.stringify(value)),
  fc.json(),
  fc.tuple(text, fc.jsonValue()).map(([name, value]) => `{${JSON.stringify(name)}:${JSON.stringify(value)}}`),
  text.map(
    (name) =>
      `{"token":"${name}","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}`,
  ),
  fc.nat(2_000).map((depth) => `${'['.repeat(depth)}${']'.repeat(depth)}`),
  fc.nat(600).map((depth) => `{"token":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`),
);
/** JSON, JSON with a byte changed, cut off or put twice, and noise. */
const body = fc.oneof(
  { weight: 4, arbitrary: json.map((value) => Buffer.from(value)) },
  {
    weight: 3,
    arbitrary: fc.tuple(json, fc.nat(), fc.nat(255)).map(([value, at, byte]) => {
      const bytes = Buffer.from(value);
      if (bytes.length > 0) bytes[at % bytes.length] = byte;
      return bytes;
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(json, fc.nat())
      .map(([value, at]) => Buffer.from(value).subarray(0, at % (value.length + 1))),
  },
  { weight: 2, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
);

it(`answers ${BODIES} bodies without a fault, keeps the prototype, and hashes no two tokens alike`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const bodies = fc.sample(body, { numRuns: BODIES }).filter(({ length }) => length <= 4_096);
  const statuses = await statusesOf(bodies.map((bytes) => requestOf(KEY, bytes)));
  expect(new Set(statuses)).toEqual(new Set([200, 400, 404]));
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(BODIES / 100);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  const tokens = new Map<string, string>();
  let lookups = 0;
  for (const [index, bytes] of bodies.entries()) {
    const { tokenHash } = server.submitted[index]!;
    if (tokenHash === null) continue;
    lookups += 1;
    const { token } = parseVerificationBody(bytes);
    const hash = Buffer.from(tokenHash).toString('hex');
    expect(tokens.get(hash) ?? token).toBe(token);
    tokens.set(hash, token);
  }
  expect(tokens.size).toBeGreaterThan(BODIES / 100);
  expect(lookups).toBe(statuses.filter((status) => status === 200).length);
});

it(`reads nothing for ${KEYS} malformed keys`, { timeout: TIMEOUT_MS }, async () => {
  server.submitted.length = 0;
  const characters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-';
  const broken = (i: number): string => {
    const at = i % KEY.length;
    const other = characters[Math.floor(i / KEY.length) % characters.length]!;
    const changed = KEY.slice(0, at) + (other === KEY[at] ? '.' : other) + KEY.slice(at + 1);
    return i % 7 === 0 ? changed.slice(0, at) || 'x' : changed;
  };
  const bytes = Buffer.from(JSON.stringify({ token: TOKEN, redeem: true }));
  const statuses = await statusesOf(Array.from({ length: KEYS }, (_, i) => requestOf(broken(i), bytes)));
  expect(statuses.every((status) => status === 401)).toBe(true);
  expect(server.submitted).toEqual([]);
});
