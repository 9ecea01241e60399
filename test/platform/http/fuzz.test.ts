/** Fuzzes the tokens and API keys of requests. `test/reliability/fuzz.test.ts` fuzzes entire requests. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openConnection, requestText } from '../../support/load.ts';
import { KEY, shareServer, TOKEN } from './harness.ts';

const TOKENS = 300;
const CHARACTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-';
/** The number of requests pipelined in one write. */
const BATCH_SIZE = 500;

const server = shareServer();

/** Pipelines the calls on one connection and returns their statuses in order. */
async function statusesOf(calls: readonly { apiKey?: string; token?: string }[]): Promise<number[]> {
  const connection = await openConnection(server.port);
  const texts = calls.map((call) => requestText({ apiKey: KEY, token: TOKEN, redeem: true, ...call }));
  const statuses: number[] = [];
  for (let at = 0; at < texts.length; at += BATCH_SIZE) {
    // The first exchange sends the entire batch; each exchange waits for one response.
    const [first = '', ...others] = texts.slice(at, at + BATCH_SIZE);
    const waiting = [first + others.join(''), ...others.map(() => '')];
    const answers = await Promise.all(waiting.map((text) => connection.exchange(text)));
    statuses.push(...answers.map(({ status }) => status));
  }
  connection.close();
  return statuses;
}

/** Strings that a careless comparison would treat as equal. */
const TWINS = [
  ...['é', 'e\u0301', 'a', 'A', 'a ', ' a', 'a\0', '\0', '\ufffd', '\ud800', 'a\ud800', '\ufeffa'],
  ...[TOKEN, TOKEN.toLowerCase(), `${TOKEN} `, '__proto__', 'constructor', 'null', '0', '00'],
];

test('different tokens are never looked up by the same hash', async () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }));
  const tokens = [...TWINS, ...fc.sample(text, TOKENS)];
  const statuses = await statusesOf(tokens.map((token) => ({ token })));
  expect(new Set(statuses)).toEqual(new Set([200, 400, 404]));
  const seen = new Map<string, string>();
  for (const [index, token] of tokens.entries()) {
    const { tokenHash } = server.submitted[index]!;
    if (tokenHash === null) continue;
    const hash = Buffer.from(tokenHash).toString('hex');
    expect(seen.get(hash) ?? token).toBe(token);
    seen.set(hash, token);
  }
  expect(seen.size).toBeGreaterThan(TOKENS / 2);
});

test('keys that are truncated or have a wrong character are rejected without a lookup', async () => {
  const keys = [...KEY].flatMap((right, at) => [
    KEY.slice(0, at) || 'x',
    ...[...CHARACTERS].map((other) => KEY.slice(0, at) + (other === right ? '.' : other) + KEY.slice(at + 1)),
  ]);
  const statuses = await statusesOf(keys.map((apiKey) => ({ apiKey })));
  expect(statuses.filter((status) => status !== 401)).toEqual([]);
  expect(statuses.length).toBeGreaterThan(3_000);
  expect(server.submitted).toEqual([]);
});
