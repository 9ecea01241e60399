/** Manual sends by an owner: resending one delivery, recovering failed deliveries, test events, and their limits. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Delivery, recordAttempts } from '../../../src/background/webhooks/delivery-queries.ts';
import { DELAYS_MS } from '../../../src/background/webhooks/outcome.ts';
import {
  MAX_ATTEMPTS,
  recoverDeliveries,
  resendDelivery,
  sendTestEvent,
} from '../../../src/background/webhooks/repeat.ts';
import { chargeGrowth, GROWTH_A_DAY } from '../../../src/people/growth/growth.ts';
import { uuidv7 } from '../../../src/platform/store/uuid.ts';
import { ENGINES } from '../../support/engines.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { shareBench } from './support.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe.each(ENGINES)('manual webhook sends on %s', (engine) => {
  const bench = shareBench(engine);
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.close());

  const fail = () => {
    receiver.answer = (_, response) => response.writeHead(500).end();
  };
  const succeed = () => {
    receiver.answer = (_, response) => response.end();
  };
  const recover = (endpointId: string, sinceMs: number) =>
    recoverDeliveries(bench.context, { ...bench.own(endpointId), since: new Date(sinceMs).toISOString() });
  /** Records `made` failed attempts of a delivery, and marks the delivery as permanently failed. */
  const attemptsOf = async (made: number, { id, next_at: was_due_at }: Delivery) => {
    const { db } = bench.context;
    const at = new Date(bench.context.now()).toISOString();
    const about = { account_id: bench.owner.accountId, delivery_id: id, url: receiver.url, at, took_ms: 1 };
    const answer = { status: 500, answer_type: null, answer: null, failure: null, redirects_to: null };
    const attempts = Array.from({ length: made }, () => ({ ...about, ...answer, id: uuidv7(bench.context) }));
    const failed = { attempts: 10, next_at: null, delivered_at: null, failed_at: at };
    const state = { id, account_id: about.account_id, was_due_at, ...failed };
    await db.transaction((tx) => recordAttempts(tx, db.engine, attempts, [state]));
  };

  test('a resend keeps the id and body, and a delivery stays delivered if its resend fails', async () => {
    const { id } = await bench.endpoint(receiver.url);
    await bench.claims(1);
    await bench.deliver();
    const [row] = await bench.deliveries(id);
    fail();
    await resendDelivery(bench.context, { ...bench.own(id), deliveryId: row!.id });
    await bench.deliver();
    expect(receiver.received.map(({ headers, body }) => [headers['webhook-id'], body])).toEqual(
      Array(2).fill([row!.message_id, row!.payload]),
    );
    expect((await bench.deliveries(id))[0]).toMatchObject({ next_at: null, failed_at: null });
    expect((await bench.deliveries(id))[0]!.delivered_at).not.toBeNull();
    // Recovery skips deliveries that have succeeded or have not been attempted yet.
    await bench.claims(1);
    await bench.spread();
    expect(await recover(id, 0)).toBe(0);
    const stranger = { accountId: '00000000-0000-7000-8000-000000000000', endpointId: id };
    const foreign = resendDelivery(bench.context, { ...stranger, deliveryId: row!.id });
    await expect(foreign).rejects.toMatchObject({ code: 'unknown_path' });
  });

  test('a test event is sent only to the chosen endpoint', async () => {
    const { id, secret } = await bench.endpoint(receiver.url);
    await bench.endpoint(`${receiver.url}/other`);
    await sendTestEvent(bench.context, bench.own(id));
    await bench.deliver();
    expect(receiver.received).toHaveLength(1);
    const { body, headers } = receiver.received[0]!;
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({
      type: 'endpoint.test',
      data: { endpoint_id: id },
    });
  });

  test('recovery resends failed deliveries created since a given time, including those that await a retry', async () => {
    const { id } = await bench.endpoint(receiver.url);
    fail();
    await bench.claims(2);
    await bench.deliver();
    for (let tries = 1; tries < DELAYS_MS.length; tries += 1) {
      bench.pass(DELAYS_MS[tries]! * 1.2 + 1_000);
      await bench.deliver();
    }
    const failedFor = await bench.deliveries(id);
    expect(failedFor.map(({ failed_at }) => failed_at)).not.toContain(null);
    const outageMs = bench.context.now();
    await bench.claims(3);
    await bench.deliver();
    bench.pass(10_000);
    await bench.deliver();
    // The next retry of these three deliveries is minutes away, so nothing is due now.
    succeed();
    await bench.deliver();
    const before = receiver.received.length;
    expect(await recover(id, outageMs)).toBe(3);
    await bench.deliver();
    expect(receiver.received.length).toBe(before + 3);
    expect(await recover(id, outageMs)).toBe(0);
    expect(await recover(id, 0)).toBe(2);
    await bench.deliver();
    const rows = await bench.deliveries(id);
    expect(rows.every(({ delivered_at, attempts }) => delivered_at !== null && attempts === 1)).toBe(true);
  });

  test.each([
    ['a failed delivery', fail],
    ['a successful delivery', succeed],
  ])('%s is resent even if the resend is requested during an attempt that fails', async (_, answer) => {
    const { id } = await bench.endpoint(receiver.url);
    await bench.claims(1);
    answer();
    await bench.deliver();
    const again = async () => {
      const [row] = await bench.deliveries(id);
      await resendDelivery(bench.context, { ...bench.own(id), deliveryId: row!.id });
    };
    await again();
    const late = Promise.withResolvers<void>();
    receiver.answer = async (_, response) => {
      succeed();
      await late.promise;
      response.writeHead(500).end();
    };
    const delivering = bench.deliver();
    while (receiver.received.length < 2) await sleep(5);
    bench.pass(1);
    await again();
    late.resolve();
    await delivering;
    expect(receiver.received).toHaveLength(3);
    const [row] = await bench.deliveries(id);
    expect(row).toMatchObject({ next_at: null, failed_at: null, delivered_at: expect.any(String) });
  });

  test('a delivery gets at most 50 attempts, including resends', async () => {
    const { id } = await bench.endpoint(receiver.url);
    await bench.claims(2);
    await bench.spread();
    const [full, almost] = await bench.deliveries(id);
    await attemptsOf(MAX_ATTEMPTS - DELAYS_MS.length + 1, full!);
    await attemptsOf(MAX_ATTEMPTS - DELAYS_MS.length, almost!);
    await expect(resendDelivery(bench.context, { ...bench.own(id), deliveryId: full!.id })).rejects.toThrow(
      'attempted more than 40 times',
    );
    expect(await recover(id, 0)).toBe(1);
    fail();
    for (const delay of DELAYS_MS) {
      bench.pass(delay * 1.2 + 1_000);
      await bench.deliver();
    }
    bench.pass(2 * DAY_MS);
    expect(await recover(id, 0)).toBe(0);
    expect(await bench.attempts()).toHaveLength(MAX_ATTEMPTS - DELAYS_MS.length + 1 + MAX_ATTEMPTS);
  });

  test('recovered deliveries count toward what the account may store in a day', async () => {
    const { id } = await bench.endpoint(receiver.url);
    fail();
    await bench.claims(3);
    await bench.deliver();
    const { accountId } = bench.owner;
    await chargeGrowth(bench.context, { accountId, bytes: GROWTH_A_DAY.attempts - 20_000 });
    expect(await recover(id, 0)).toBe(3);
    await bench.deliver();
    expect(await recover(id, 0)).toBe(3);
    await bench.deliver();
    await expect(recover(id, 0)).rejects.toThrow('Nothing was changed');
    await bench.deliver();
    expect(receiver.received).toHaveLength(9);
  });

  test('manual sends are limited to 120 per account and hour', async () => {
    const { id } = await bench.endpoint(receiver.url);
    for (let asked = 0; asked < 120; asked += 1) await recover(id, 0);
    await expect(recover(id, 0)).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(sendTestEvent(bench.context, bench.own(id))).rejects.toMatchObject({ code: 'rate_limited' });
    bench.pass(HOUR_MS + 1_000);
    await recover(id, 0);
  });
});
