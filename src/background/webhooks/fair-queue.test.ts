/** Simulates slow and dead webhook receivers. They must not delay events for other receivers by a second or more. */
import { expect, test } from 'vitest';
import type { Delivery } from './delivery-queries.ts';
import type { Endpoint } from './endpoint-queries.ts';
import { createFairQueue, QUEUE_LIMITS } from './fair-queue.ts';

interface Receiver {
  readonly id: string;
  readonly account_id: string;
  readonly format: 'standard' | 'discord';
  readonly failing_since: string | null;
  readonly responseMs: number;
  readonly waiting: number;
}

const VICTIM: Receiver = {
  id: 'victim',
  account_id: 'victim',
  format: 'standard',
  failing_since: null,
  responseMs: 4,
  waiting: 0,
};
const receivers = (account: string, endpoints: number, responseMs: number): Receiver[] =>
  Array.from({ length: endpoints }, (_, at) => ({
    id: `${account}-${at}`,
    account_id: account,
    format: 'standard',
    failing_since: null,
    responseMs: responseMs,
    waiting: 400,
  }));
const hostile = (accounts: number, responseMs: number): Receiver[] =>
  Array.from({ length: accounts }, (_, at) =>
    receivers(`hostile${at}`, accounts > 10 ? 2 : 10, responseMs),
  ).flat();

const RUN_MS = 30_000;
/** At most one request starts per step. */
const STEP_MS = 2;
const LOOK_MS = 40;
const EVENT_MS = 500;
const EVENTS = RUN_MS / EVENT_MS - 1;

/**
 * Returns the number of deliveries to the victim, the time that the slowest of them took, and the maximum number of
 * concurrent requests per account and in total.
 */
function simulate(others: readonly Receiver[], limits = QUEUE_LIMITS) {
  const all = [...others, VICTIM];
  let nowMs = 0;
  const fairQueue = createFairQueue(limits);
  const look = () => fairQueue.refresh(all as unknown as readonly Endpoint[]);
  const add = (endpointId: string, name: number | string) =>
    fairQueue
      .all()
      .find(({ endpoint }) => endpoint.id === endpointId)!
      .deliveries.push({ id: `${endpointId} ${name}`, endpoint_id: endpointId } as Delivery);
  look();
  for (const { id, waiting } of others) for (let at = 0; at < waiting; at += 1) add(id, at);

  const tookMs: number[] = [];
  const most = new Map<string, number>();
  let mostOfAll = 0;
  let underWay: { readonly endsMs: number; end(): void }[] = [];
  for (; nowMs < RUN_MS; nowMs += STEP_MS) {
    for (const { endsMs, end } of underWay) if (endsMs <= nowMs) end();
    underWay = underWay.filter(({ endsMs }) => endsMs > nowMs);
    if (nowMs % LOOK_MS === 0) look();
    if (nowMs % EVENT_MS === 0 && nowMs > 0) add(VICTIM.id, nowMs);
    const next = fairQueue.next();
    if (next === null) continue;
    const { queue, delivery } = next;
    const { id, account_id: account, responseMs } = queue.endpoint as unknown as Receiver;
    const end = () => {
      fairQueue.end(queue);
      fairQueue.release([delivery]);
      if (id === VICTIM.id) tookMs.push(nowMs - Number(delivery.id.split(' ')[1]));
    };
    underWay.push({ endsMs: nowMs + responseMs, end });
    most.set(account, Math.max(most.get(account) ?? 0, queue.account.underWay));
    mostOfAll = Math.max(mostOfAll, underWay.length);
  }
  tookMs.sort((one, other) => one - other);
  return { delivered: tookMs.length, longest: tookMs.at(-1)!, most, mostOfAll };
}

test.each([
  ['answer after 1.9 s', 8, 1_900],
  ['answer after 1.9 s', 100, 1_900],
  ['never answer', 8, 15_000],
  ['never answer', 100, 15_000],
  ['answer immediately', 8, 10],
])(
  'events arrive within a second even if other receivers %s (%i other accounts)',
  (_, accounts, responseMs) => {
    const { delivered, longest, most, mostOfAll } = simulate(hostile(accounts, responseMs));
    expect(delivered).toBe(EVENTS);
    expect(longest).toBeLessThan(1_000);
    expect(Math.max(...most.values())).toBeLessThanOrEqual(QUEUE_LIMITS.perAccount);
    expect(mostOfAll).toBeLessThanOrEqual(QUEUE_LIMITS.total);
  },
);

test('events arrive within a second even if the receivers of 200 other accounts have failed before', () => {
  const failing = hostile(200, 15_000).map((one) => ({ ...one, failing_since: '2026-01-01T00:00:00.000Z' }));
  const { delivered, longest, mostOfAll } = simulate(failing);
  expect(delivered).toBe(EVENTS);
  expect(longest).toBeLessThan(1_000);
  expect(mostOfAll).toBe(QUEUE_LIMITS.failing + 1);
});

test('concurrent requests are limited per account and per endpoint', () => {
  const { most } = simulate([...receivers('several', 10, 15_000), ...receivers('one', 1, 15_000)]);
  expect(most.get('several')).toBe(QUEUE_LIMITS.perAccount);
  expect(most.get('one')).toBe(QUEUE_LIMITS.perEndpoint);
});

test('three dead endpoints do not block another endpoint of the same account', () => {
  const { delivered, longest } = simulate(receivers(VICTIM.account_id, 3, 15_000));
  expect(delivered).toBe(EVENTS);
  expect(longest).toBeLessThan(1_000);
});

test('control: without a limit per endpoint, three dead endpoints block their account', () => {
  const limits = { ...QUEUE_LIMITS, perEndpoint: QUEUE_LIMITS.perAccount };
  expect(simulate(receivers(VICTIM.account_id, 3, 15_000), limits).longest).toBeGreaterThan(10_000);
});

test('control: without a limit per account, a few accounts block the others', () => {
  const limits = { ...QUEUE_LIMITS, perAccount: QUEUE_LIMITS.total ** 2 };
  expect(simulate(hostile(8, 15_000), limits).longest).toBeGreaterThan(10_000);
});

test('accounts take turns regardless of their number of endpoints', () => {
  const fairQueue = createFairQueue();
  const all = [...receivers('many', 9, 0), ...receivers('one', 1, 0)];
  fairQueue.refresh(all as unknown as readonly Endpoint[]);
  for (const queue of fairQueue.all()) {
    const { id } = queue.endpoint;
    queue.deliveries.push(...Array.from({ length: 9 }, (_, at) => ({ id: `${id} ${at}` }) as Delivery));
  }
  const turns = Array.from({ length: 8 }, () => {
    const { queue } = fairQueue.next()!;
    fairQueue.end(queue);
    return queue.endpoint.account_id;
  });
  expect(turns).toEqual(Array.from({ length: 4 }, () => ['many', 'one']).flat());
});

test('a chat gets one request at a time, in order, and a held receiver gets none', () => {
  let nowMs = 0;
  const fairQueue = createFairQueue(QUEUE_LIMITS, () => nowMs);
  const endpoint = { id: 'chat', account_id: 'a', format: 'discord', failing_since: null } as Endpoint;
  fairQueue.refresh([endpoint]);
  const [queue] = fairQueue.all();
  for (const id of ['1', '2']) queue!.deliveries.push({ id, endpoint_id: 'chat' } as Delivery);
  const first = fairQueue.next()!;
  expect([first.delivery.id, fairQueue.next()]).toEqual(['1', null]);
  queue!.heldUntilMs = 10_000;
  queue!.deliveries.unshift(first.delivery);
  fairQueue.end(first.queue);
  expect([fairQueue.next(), fairQueue.isIdle()]).toEqual([null, false]);
  fairQueue.release([first.delivery]);
  expect([fairQueue.next(), fairQueue.isIdle()]).toEqual([null, true]);
  nowMs = 10_000;
  expect(fairQueue.next()?.delivery.id).toBe('1');
});
