import { expect, test } from 'vitest';
import { checkHistory, type Operation } from '../support/history.ts';

const BROKEN_HISTORIES = 500;
const CLIENTS = 6;
const TOKENS = 5;
const OPERATIONS = 120;

type Random = () => number;

/** mulberry32: small, seeded, good enough to shuffle with. */
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

/** A history of a service that is right: each operation takes effect at one moment between its start and its end. */
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

/** Breaks the history in its one way; false where the history offers no place for it. */
type Mutation = (history: Draft[], random: Random) => boolean;

function pick(history: Draft[], random: Random, suits: (one: Draft) => boolean): Draft | null {
  const found = history.filter(suits);
  return found[Math.floor(random() * found.length)] ?? null;
}

const winnerOf = (history: Draft[], token: string): Draft | undefined =>
  history.find((one) => one.token === token && isFresh(one));

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'a second fresh redeemed': (history, random) => {
    const one = pick(history, random, (it) => isAlready(it) && it.redeem && !!winnerOf(history, it.token));
    if (one === null) return false;
    say(one, 'redeemed', redeemedAtOf(one));
    return true;
  },
  'a replay that is not marked': (history, random) => {
    const one = pick(history, random, (it) => isReplay(it) && !!winnerOf(history, it.token));
    if (one === null) return false;
    one.answer = { ...one.answer!, replayed: false };
    return true;
  },
  'not_found for a token that exists': (history, random) => {
    const one = pick(history, random, isKnown);
    if (one === null) return false;
    one.answer = { status: 404, replayed: false, body: '{"status":"not_found"}' };
    return true;
  },
  'a fault of the server': (history, random) => {
    const one = pick(history, random, isKnown);
    if (one === null) return false;
    one.answer = { status: 500, replayed: false, body: '{}' };
    return true;
  },
  "a replay to a stranger's key": (history, random) => {
    const one = pick(history, random, isReplay);
    if (one === null) return false;
    one.idempotencyKey = 'a key that no other call had';
    return true;
  },
  'a replay without a key': (history, random) => {
    const one = pick(history, random, isReplay);
    if (one === null) return false;
    one.idempotencyKey = null;
    return true;
  },
  'a replay with other bytes': (history, random) => {
    const one = pick(history, random, (it) => isReplay(it) && !!winnerOf(history, it.token));
    if (one === null) return false;
    one.answer = { ...one.answer!, body: `${one.answer!.body} ` };
    return true;
  },
  'another redeemed_at': (history, random) => {
    const one = pick(history, random, (it) => isAlready(it) && !!winnerOf(history, it.token));
    if (one === null) return false;
    say(one, 'already_redeemed', 'at another time');
    return true;
  },
  'valid after a proof of redemption': (history, random) => {
    const proof = pick(history, random, (it) => isKnown(it) && redeemedAtOf(it) !== null);
    if (proof === null) return false;
    const late: Draft = { ...proof, redeem: false, startedMs: proof.endedMs + 1, endedMs: proof.endedMs + 2 };
    say(late, 'valid', null);
    history.push(late);
    return true;
  },
  'valid answered to a redemption': (history, random) => {
    const one = pick(history, random, (it) => statusOf(it) === 'valid');
    if (one === null) return false;
    one.redeem = true;
    return true;
  },
  'redeemed answered to a verification': (history, random) => {
    const one = pick(history, random, isFresh);
    if (one === null) return false;
    one.redeem = false;
    return true;
  },
  'already_redeemed without any redemption': (history, random) => {
    const one = pick(history, random, isAlready);
    if (one === null) return false;
    const kept = history.filter((it) => it.token !== one.token || it === one);
    history.splice(0, history.length, ...kept);
    return true;
  },
  'already_redeemed before anybody asked': (history, random) => {
    const one = pick(history, random, (it) => isAlready(it) && !!winnerOf(history, it.token));
    if (one === null) return false;
    one.endedMs = winnerOf(history, one.token)!.startedMs - 1;
    one.startedMs = one.endedMs - 1;
    return true;
  },
  "already_redeemed to the winner's key": (history, random) => {
    const one = pick(history, random, (it) => isReplay(it) && !!winnerOf(history, it.token));
    if (one === null) return false;
    say(one, 'already_redeemed', redeemedAtOf(one));
    return true;
  },
  'a fresh redeemed after a proof': (history, random) => {
    const proof = pick(history, random, (it) => isAlready(it) && !!winnerOf(history, it.token));
    if (proof === null) return false;
    const winner = winnerOf(history, proof.token)!;
    winner.startedMs = proof.endedMs + 1;
    winner.endedMs = proof.endedMs + 2;
    return true;
  },
  'redeemed without a time': (history, random) => {
    const one = pick(history, random, isFresh);
    if (one === null) return false;
    say(one, 'redeemed', null);
    return true;
  },
};

test('the checker accepts the histories of a service that is right', () => {
  for (let seed = 0; seed < BROKEN_HISTORIES; seed += 1) {
    expect(checkHistory(goodHistory(createRandom(seed))), `seed ${seed}`).toEqual([]);
  }
});

test(`the checker rejects ${BROKEN_HISTORIES} broken histories, broken in ${Object.keys(MUTATIONS).length} ways`, () => {
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

test('an unknown redemption explains an already_redeemed, and its key a replay', () => {
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
