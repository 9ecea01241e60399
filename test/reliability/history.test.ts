import { expect, test } from 'vitest';
import { checkHistory, type Operation } from '../support/history.ts';

const BROKEN_HISTORIES = 500;
const CLIENTS = 6;
const TOKENS = 5;
const OPERATIONS = 120;

type Random = () => number;

/** mulberry32, a small pseudorandom number generator. The same seed gives the same numbers. */
function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Draft = { -readonly [Name in keyof Operation]: Operation[Name] };

const bodyOf = (status: string, token: string, redeemedAt: string | null): string =>
  JSON.stringify({ status, offer_id: token, redeemed_at: redeemedAt });

/** A linearizable history: each operation takes effect at one moment between its start and its end. */
function goodHistory(random: Random): Draft[] {
  const redeemed = new Map<string, { at: string; key: string | null }>();
  const freeAt = new Array<number>(CLIENTS).fill(0);
  const planned: { operation: Draft; effectMs: number; lost: boolean; before: boolean }[] = [];
  for (let i = 0; i < OPERATIONS; i += 1) {
    const client = Math.floor(random() * CLIENTS);
    const startedMs = freeAt[client]! + 1 + random() * 20;
    const endedMs = startedMs + 1 + random() * 15;
    freeAt[client] = endedMs;
    const token = `token ${Math.floor(random() * TOKENS)}`;
    const redeem = random() < 0.5;
    const key = random() < 0.6 ? `key ${Math.floor(random() * 3)} of ${token}` : null;
    planned.push({
      operation: { token, redeem, idempotencyKey: key, startedMs, endedMs, answer: null },
      effectMs: startedMs + random() * (endedMs - startedMs),
      lost: random() < 0.15,
      before: random() < 0.5,
    });
  }
  planned.sort((a, b) => a.effectMs - b.effectMs);
  for (const { operation, effectMs, lost, before } of planned) {
    const { token, redeem, idempotencyKey } = operation;
    if (lost) operation.endedMs = Number.POSITIVE_INFINITY;
    if (lost && before) continue;
    const known = redeemed.get(token);
    let status = 'valid';
    let replayed = false;
    let redeemedAt: string | null = null;
    if (known !== undefined) {
      replayed = redeem && idempotencyKey !== null && idempotencyKey === known.key;
      status = replayed ? 'redeemed' : 'already_redeemed';
      redeemedAt = known.at;
    } else if (redeem) {
      status = 'redeemed';
      redeemedAt = `at ${effectMs}`;
      redeemed.set(token, { at: redeemedAt, key: idempotencyKey });
    }
    if (!lost) operation.answer = { status: 200, replayed, body: bodyOf(status, token, redeemedAt) };
  }
  return planned.map(({ operation }) => operation);
}

const statusOf = ({ answer }: Operation): string | null =>
  answer === null ? null : (JSON.parse(answer.body) as { status: string }).status;
const redeemedAtOf = ({ answer }: Operation): string | null =>
  answer === null ? null : (JSON.parse(answer.body) as { redeemed_at: string | null }).redeemed_at;
const isFresh = (one: Operation): boolean => statusOf(one) === 'redeemed' && one.answer?.replayed === false;
const isReplay = (one: Operation): boolean => statusOf(one) === 'redeemed' && one.answer?.replayed === true;
const isAlready = (one: Operation): boolean => statusOf(one) === 'already_redeemed';
const isKnown = (one: Operation): boolean => one.answer !== null;

const say = (one: Draft, status: string, redeemedAt: string | null, replayed = false): void => {
  one.answer = { status: 200, replayed, body: bodyOf(status, one.token, redeemedAt) };
};

/** Adds one kind of fault to the history. Returns false if the history has no suitable operation. */
type Mutation = (history: Draft[], random: Random) => boolean;

/** Applies `work` to a random operation that `suits` accepts. */
const change =
  (
    suits: (one: Draft, history: Draft[]) => boolean,
    work: (one: Draft, history: Draft[]) => unknown,
  ): Mutation =>
  (history, random) => {
    const found = history.filter((one) => suits(one, history));
    const one = found[Math.floor(random() * found.length)];
    if (one !== undefined) work(one, history);
    return one !== undefined;
  };

const winnerOf = (history: Draft[], token: string): Draft | undefined =>
  history.find((one) => one.token === token && isFresh(one));
const isWonAlready = (one: Draft, history: Draft[]): boolean =>
  isAlready(one) && winnerOf(history, one.token) !== undefined;
const isWonReplay = (one: Draft, history: Draft[]): boolean =>
  isReplay(one) && winnerOf(history, one.token) !== undefined;

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'redeemed twice': change(
    (one, history) => one.redeem && isWonAlready(one, history),
    (one) => say(one, 'redeemed', redeemedAtOf(one)),
  ),
  'a replay that is not marked as replayed': change(isWonReplay, (one) => {
    one.answer = { ...one.answer!, replayed: false };
  }),
  'not_found for an existing token': change(isKnown, (one) => {
    one.answer = { status: 404, replayed: false, body: '{"status":"not_found"}' };
  }),
  'a server error': change(isKnown, (one) => {
    one.answer = { status: 500, replayed: false, body: '{}' };
  }),
  'a replay for another Idempotency-Key': change(isReplay, (one) => {
    one.idempotencyKey = 'a key that no other call used';
  }),
  'a replay without an Idempotency-Key': change(isReplay, (one) => {
    one.idempotencyKey = null;
  }),
  'a replay with a different body': change(isWonReplay, (one) => {
    one.answer = { ...one.answer!, body: `${one.answer!.body} ` };
  }),
  'a different redeemed_at': change(isWonAlready, (one) => say(one, 'already_redeemed', 'at another time')),
  'valid after the token was redeemed': change(
    (one) => isKnown(one) && redeemedAtOf(one) !== null,
    (proof, history) => {
      const late = { ...proof, redeem: false, startedMs: proof.endedMs + 1, endedMs: proof.endedMs + 2 };
      say(late, 'valid', null);
      history.push(late);
    },
  ),
  'valid in response to a redemption': change(
    (one) => statusOf(one) === 'valid',
    (one) => {
      one.redeem = true;
    },
  ),
  'redeemed in response to a verification': change(isFresh, (one) => {
    one.redeem = false;
  }),
  'already_redeemed without a redemption': change(isAlready, (one, history) => {
    const kept = history.filter((it) => it.token !== one.token || it === one);
    history.splice(0, history.length, ...kept);
  }),
  'already_redeemed before the redemption started': change(isWonAlready, (one, history) => {
    one.endedMs = winnerOf(history, one.token)!.startedMs - 1;
    one.startedMs = one.endedMs - 1;
  }),
  'already_redeemed instead of a replay': change(isWonReplay, (one) =>
    say(one, 'already_redeemed', redeemedAtOf(one)),
  ),
  'a redemption that started after already_redeemed': change(isWonAlready, (proof, history) => {
    const winner = winnerOf(history, proof.token)!;
    winner.startedMs = proof.endedMs + 1;
    winner.endedMs = proof.endedMs + 2;
  }),
  'redeemed without redeemed_at': change(isFresh, (one) => say(one, 'redeemed', null)),
};

test('checkHistory accepts linearizable histories', () => {
  for (let seed = 0; seed < BROKEN_HISTORIES; seed += 1) {
    expect(checkHistory(goodHistory(createRandom(seed))), `seed ${seed}`).toEqual([]);
  }
});

test(`checkHistory rejects ${BROKEN_HISTORIES} histories with ${Object.keys(MUTATIONS).length} kinds of faults`, () => {
  const names = Object.keys(MUTATIONS);
  const perWay = new Map<string, number>();
  let broken = 0;
  for (let seed = 0; broken < BROKEN_HISTORIES; seed += 1) {
    const random = createRandom(seed);
    const history = goodHistory(random);
    const name = names[seed % names.length]!;
    if (!MUTATIONS[name]!(history, random)) continue;
    expect(checkHistory(history), `${name}, seed ${seed}`).not.toEqual([]);
    broken += 1;
    perWay.set(name, (perWay.get(name) ?? 0) + 1);
  }
  expect(perWay.size).toBe(names.length);
});

test('checkHistory accepts already_redeemed, or a replay for the same key, after a lost response', () => {
  const lost: Operation = {
    token: 'token',
    redeem: true,
    idempotencyKey: 'order 1',
    startedMs: 1,
    endedMs: Number.POSITIVE_INFINITY,
    answer: null,
  };
  const later = { ...lost, startedMs: 5, endedMs: 6 };
  const already = { status: 200, replayed: false, body: bodyOf('already_redeemed', 'token', 'then') };
  const replay = { status: 200, replayed: true, body: bodyOf('redeemed', 'token', 'then') };
  expect(checkHistory([lost, { ...later, idempotencyKey: null, answer: already }])).toEqual([]);
  expect(checkHistory([lost, { ...later, answer: replay }])).toEqual([]);
  expect(checkHistory([{ ...later, answer: replay }])).not.toEqual([]);
  expect(checkHistory([lost, { ...later, answer: already }])).not.toEqual([]);
});
