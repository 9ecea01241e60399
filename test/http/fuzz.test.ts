/**
 * No malformed key is looked up, and different tokens are never looked up as the same one.
 * `test/reliability/fuzz.test.ts` fuzzes whole requests.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openConnection, requestText } from '../support/load.ts';
import { KEY, shareServer, TOKEN } from './harness.ts';

const TOKENS = 300;
const CHARACTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-';
/** How many requests are sent in one piece. */
const PIECE = 500;

const server = shareServer();

/** Sends calls over one connection; resolves with their statuses in order. */
async function statusesOf(calls: readonly { apiKey?: string; token?: string }[]): Promise<number[]> {
  const connection = await openConnection(server.port);
  const texts = calls.map((call) => requestText({ apiKey: KEY, token: TOKEN, redeem: true, ...call }));
  const statuses: number[] = [];
  for (let at = 0; at < texts.length; at += PIECE) {
    // The first exchange sends the whole piece; each exchange waits for one answer.
    const [first = '', ...others] = texts.slice(at, at + PIECE);
    const waiting = [first + others.join(''), ...others.map(() => '')];
    const answers = await Promise.all(waiting.map((text) => connection.exchange(text)));
    statuses.push(...answers.map(({ status }) => status));
  }
  connection.close();
  return statuses;
}

/** Texts that a careless comparison takes for one another. */
const TWINS = [
  ...['é', 'e\u0301', 'a', 'A', 'a ', ' a', 'a\0', '\0', '\ufffd', '\ud800', 'a\ud800', '\ufeffa'],
  ...[TOKEN, TOKEN.toLowerCase(), `${TOKEN} `, '__proto__', 'constructor', 'null', '0', '00'],
];

it('never looks up different tokens as the same one', async () => {
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

it('looks up no key with a wrong character in any place, or without its end', async () => {
  const keys = [...KEY].flatMap((right, at) => [
    KEY.slice(0, at) || 'x',
    ...[...CHARACTERS].map((other) => KEY.slice(0, at) + (other === right ? '.' : other) + KEY.slice(at + 1)),
  ]);
  const statuses = await statusesOf(keys.map((apiKey) => ({ apiKey })));
  expect(statuses.filter((status) => status !== 401)).toEqual([]);
  expect(statuses.length).toBeGreaterThan(3_000);
  expect(server.submitted).toEqual([]);
});
