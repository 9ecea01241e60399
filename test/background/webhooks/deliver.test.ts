/** Deliveries are sent at least once and retried on schedule, and a failing endpoint does not delay the others. */
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DeliverServices } from '../../../src/background/webhooks/deliver.ts';
import { readWebhookBacklog } from '../../../src/background/webhooks/delivery-queries.ts';
import { disableEndpoint, enableEndpoint } from '../../../src/background/webhooks/endpoints.ts';
import { QUEUE_LIMITS } from '../../../src/background/webhooks/fair-queue.ts';
import { ATTEMPTS_BEFORE_GIVING_UP, DELAYS_MS } from '../../../src/background/webhooks/outcome.ts';
import { resendDelivery } from '../../../src/background/webhooks/repeat.ts';
import { deliveriesNeedSweep, sweepDeliveries } from '../../../src/background/webhooks/sweep.ts';
import { createVerifier } from '../../../src/claims/verify/verifier.ts';
import { restoreAccount, suspendAccount } from '../../../src/people/members/suspend.ts';
import { networkList } from '../../../src/platform/network/network.ts';
import { createOutgoing } from '../../../src/platform/network/outgoing-request.ts';
import { inTrace } from '../../../src/platform/process/trace.ts';
import { createSecretBox } from '../../../src/platform/secrets/secret-keys.ts';
import { ask } from '../../../src/platform/store/batch-queue.ts';
import { ENGINES } from '../../support/engines.ts';
import { createOwner, issueTokens } from '../../support/marketplace.ts';
import { localOutgoing, type Receiver, startReceiver } from '../../support/receiver.ts';
import { verificationOf } from '../../support/verify.ts';
import { claimIdsOf, shareBench } from './support.ts';

const DAY_MS = 86_400_000;

describe.each(ENGINES)('webhook deliveries on %s', (engine) => {
  const bench = shareBench(engine);
  let receiver: Receiver;
  const receivers: Receiver[] = [];

  const another = async (): Promise<Receiver> => {
    const one = await startReceiver();
    receivers.push(one);
    return one;
  };
  beforeEach(async () => {
    receiver = await another();
  });
  afterEach(() => {
    for (const one of receivers.splice(0)) one.close();
  });

  const endpointRow = (id: string) =>
    bench.context.db.read
      .selectFrom('webhook_endpoints')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();

  /** Returns the reasons in the `endpoint.disabled` events whose actor is `service`. Each event causes an email. */
  const disabledFor = async (endpointId: string): Promise<readonly string[]> => {
    const events = await bench.context.db.read
      .selectFrom('events')
      .select('data')
      .where('type', '=', 'endpoint.disabled')
      .where('subject_id', '=', endpointId)
      .where('actor', '=', 'service')
      .execute();
    return events.map(({ data }) => (JSON.parse(data) as { reason: string }).reason);
  };

  test('are signed, and sent exactly once if the endpoint answers 200', async () => {
    const { id, secret } = await bench.endpoint(receiver.url);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await bench.claims(30);
    await bench.deliver();
    expect(receiver.received).toHaveLength(30);
    const ids = new Set<string>();
    for (const { headers, body } of receiver.received) {
      expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'claim.created' });
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'user-agent': 'Claimcheck-Webhooks/1',
      });
      ids.add(headers['webhook-id']!);
    }
    expect(ids.size).toBe(30);
    const rows = await bench.deliveries(id);
    expect(
      rows.every(({ attempts, next_at, delivered_at }) => attempts === 1 && !next_at && delivered_at),
    ).toBe(true);
    expect(await bench.attempts()).toEqual(Array(30).fill({ status: 200, failure: null }));
    await bench.deliver();
    expect(receiver.received).toHaveLength(30);
  });

  test('store responses that are compressed or in another charset as readable text', async () => {
    await bench.endpoint(receiver.url);
    receiver.answer = (_, response) =>
      response
        .writeHead(500, { 'content-type': 'text/plain; charset=iso-8859-1', 'content-encoding': 'gzip' })
        .end(gzipSync(Buffer.from('Größe ungültig', 'latin1')));
    await bench.claims(1);
    await bench.deliver();
    const attempts = await bench.context.db.read
      .selectFrom('delivery_attempts')
      .select(['status', 'answer'])
      .execute();
    expect(attempts).toEqual([{ status: 500, answer: 'Größe ungültig' }]);
  });

  test('carry the trace of the request that caused the event, with a parent ID for each attempt', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    await bench.endpoint(receiver.url, ['claim.created', 'claim.redeemed']);
    const { context, owner } = bench;
    const [token] = await inTrace(`${traceId}-00`, () => issueTokens(context, owner, 1));
    const verifier = createVerifier(context.db, context.now, { batch: () => {} });
    await ask(verifier, verificationOf({ key: owner.liveKey, token: token!, trace: `${traceId}-01` }));
    await bench.claims(1);
    receiver.answer = (_, response) => response.writeHead(500).end();
    await bench.deliver();
    bench.pass(DELAYS_MS[1]! * 1.2 + 1);
    await bench.deliver();
    const sent = receiver.received.map(({ headers, body }) => ({
      body,
      traceparent: headers['traceparent'],
    }));
    const headersOf = (type: string, flags: string) => {
      const expected = new RegExp(`^00-${traceId}-[0-9a-f]{16}-${flags}$`);
      return sent.filter((one) => one.body.includes(type) && expected.test(one.traceparent ?? ''));
    };
    expect(headersOf('claim.created', '00')).toHaveLength(2);
    expect(headersOf('claim.redeemed', '01')).toHaveLength(2);
    expect(sent.filter(({ traceparent }) => traceparent === undefined)).toHaveLength(2);
    expect(new Set(sent.map(({ traceparent }) => traceparent)).size).toBe(5);
    expect(sent.map(({ body }) => body).join()).not.toContain(traceId);
  });

  test('that the receiver holds again and again keep only their last refusal, and can be sent again', async () => {
    const { id } = await bench.endpoint(receiver.url);
    await bench.claims(1);
    receiver.answer = (_, response) => response.writeHead(500).end();
    await bench.deliver();
    bench.pass(DELAYS_MS[1]! * 1.2 + 1);
    receiver.answer = (_, response) =>
      response.writeHead(429, { 'retry-after': '10' }).end(`refusal ${receiver.received.length}`);
    while (receiver.received.length < 60) {
      await bench.deliver();
      bench.pass(60_000);
    }
    receiver.answer = (_, response) => response.end();
    await bench.deliver();
    expect((await bench.attempts()).map(({ status }) => status)).toEqual([500, 429, 200]);
    const [delivery] = await bench.deliveries(id);
    expect(delivery).toMatchObject({ attempts: 2, delivered_at: expect.any(String) });
    await resendDelivery(bench.context, { ...bench.own(id), deliveryId: delivery!.id });
    await bench.deliver();
    expect(receiver.received).toHaveLength(62);
  });

  test('that fail again and again keep the complete response of the last attempt only', async () => {
    const { id } = await bench.endpoint(`${receiver.url}?${'x'.repeat(1_000)}`);
    await bench.claims(1);
    receiver.answer = (_, response) =>
      response.writeHead(500).end(`${receiver.received.length} ${'€'.repeat(900)}`);
    for (const delay of DELAYS_MS) {
      bench.pass(delay * 1.2 + 1);
      await bench.deliver();
    }
    const attempts = await bench.context.db.read
      .selectFrom('delivery_attempts')
      .select(['url', 'answer'])
      .orderBy('id')
      .execute();
    const lengths = attempts.map(({ url, answer }) => [url.length, answer!.length]);
    const complete = [`${receiver.url}?`.length + 1_000, 903];
    expect(lengths).toEqual([...Array(DELAYS_MS.length - 1).fill([100, 100]), complete]);
    expect(attempts[1]?.answer).toMatch(/^2 €+$/);
    expect((await bench.deliveries(id))[0]?.failed_at).not.toBeNull();
  });

  test('are retried on schedule with the same id and body, then marked as failed', async () => {
    const { id } = await bench.endpoint(receiver.url);
    await bench.claims(1);
    receiver.answer = (_, response) => response.writeHead(500).end('broken\0\ud800');
    for (const delay of DELAYS_MS) {
      if (delay > 0) {
        bench.pass(delay - 2_000);
        await bench.deliver();
        const before = receiver.received.length;
        bench.pass(delay * 0.2 + 2_000);
        await bench.deliver();
        expect(receiver.received.length).toBe(before + 1);
      } else await bench.deliver();
    }
    bench.pass(DAY_MS * 2);
    await bench.deliver();
    expect(receiver.received).toHaveLength(DELAYS_MS.length);
    expect(new Set(receiver.received.map(({ headers, body }) => headers['webhook-id'] + body)).size).toBe(1);
    const [row] = await bench.deliveries(id);
    expect(row).toMatchObject({ attempts: 10, next_at: null, delivered_at: null });
    expect(row?.failed_at).not.toBeNull();
    expect((await bench.attempts())[0]).toEqual({ status: 500, failure: null });
    expect((await endpointRow(id)).disabled_at).toBeNull();
  });

  test('stop after a 410 response, which disables the endpoint and clears the backlog', async () => {
    const backlog = () => readWebhookBacklog(bench.context.db.read, bench.context.at());
    expect(await backlog()).toEqual({ due: 0, since: null, disabled: 0 });
    const { id } = await bench.endpoint(receiver.url);
    await bench.claims(40);
    await bench.spread();
    const [first] = await bench.deliveries(id);
    expect(await backlog()).toEqual({ due: 40, since: first!.next_at, disabled: 0 });
    receiver.answer = (_, response) => response.writeHead(410).end();
    await bench.deliver();
    expect(await backlog()).toEqual({ due: 0, since: null, disabled: 1 });
    // A few requests may already be under way when the first 410 arrives.
    expect(receiver.received.length).toBeLessThanOrEqual(QUEUE_LIMITS.perAccount);
    expect(await endpointRow(id)).toMatchObject({ disabled_reason: 'gone' });
    expect(await disabledFor(id)).toEqual(['gone']);
    const before = receiver.received.length;
    bench.pass(DAY_MS);
    await bench.deliver();
    expect(receiver.received.length).toBe(before);
  });

  test('stop after five days of failures, and a success restarts the five days', async () => {
    const { id } = await bench.endpoint(receiver.url);
    const failFor = async (days: number) => {
      receiver.answer = (_, response) => response.writeHead(503).end();
      for (let day = 0; day < days; day += 1) {
        await bench.claims(1);
        await bench.deliver();
        bench.pass(DAY_MS);
      }
    };
    await failFor(4);
    receiver.answer = (_, response) => response.end();
    await bench.deliver();
    expect((await endpointRow(id)).failing_since).toBeNull();
    await failFor(5);
    expect((await endpointRow(id)).disabled_at).toBeNull();
    expect(await disabledFor(id)).toEqual([]);
    await failFor(1);
    expect(await endpointRow(id)).toMatchObject({ disabled_reason: 'failing' });
    expect(await disabledFor(id)).toEqual(['failing']);
  });

  test('continue if the endpoint is enabled again during the attempt that would have disabled it', async () => {
    const { id } = await bench.endpoint(receiver.url);
    await bench.claims(1);
    receiver.answer = (_, response) => response.writeHead(503).end();
    for (let tries = 1; tries < ATTEMPTS_BEFORE_GIVING_UP; tries += 1) {
      await bench.deliver();
      bench.pass(3 * DAY_MS);
    }
    const late = Promise.withResolvers<void>();
    receiver.answer = async (_, response) => {
      await late.promise;
      response.writeHead(503).end();
    };
    const before = receiver.received.length;
    // A long round, so that the endpoint is disabled and enabled before the next round starts.
    const delivering = bench.deliver({ roundMs: 500 });
    while (receiver.received.length === before) await sleep(5);
    await disableEndpoint(bench.context, bench.own(id));
    await enableEndpoint(bench.context, { ...bench.own(id), sendsMissed: true });
    late.resolve();
    await delivering;
    expect(await endpointRow(id)).toMatchObject({ disabled_at: null, failing_since: expect.any(String) });
    expect(await disabledFor(id)).toEqual([]);
  });

  test('wait while the account is suspended, and are sent after the account is restored', async () => {
    const suspended = await createOwner(bench.context);
    const { accountId: account } = suspended;
    await bench.endpoint(receiver.url, undefined, suspended);
    await issueTokens(bench.context, suspended, 3);
    await suspendAccount(bench.context, { account, actor: 'operator' });
    await bench.deliver();
    expect(receiver.received).toEqual([]);
    expect(await bench.deliveries()).toHaveLength(3);
    await restoreAccount(bench.context, { account, actor: 'operator' });
    await bench.deliver();
    expect(receiver.received).toHaveLength(3);
  });

  test('stay delivered if a concurrent attempt by another process fails', async () => {
    const { id } = await bench.endpoint(receiver.url);
    await bench.claims(1);
    const fail = Promise.withResolvers<void>();
    receiver.answer = async (_, response) => {
      receiver.answer = (_request, next) => next.end();
      await fail.promise;
      response.writeHead(500).end();
    };
    const failing = bench.deliver();
    while (receiver.received.length === 0) await sleep(5);
    await bench.deliver();
    fail.resolve();
    await failing;
    expect((await bench.attempts()).map(({ status }) => status).sort()).toEqual([200, 500]);
    const [row] = await bench.deliveries(id);
    expect(row).toMatchObject({ next_at: null, failed_at: null });
    expect(row!.delivered_at).not.toBeNull();
  });

  test('are deleted after 30 days, or when the endpoint has too many, unless they await a retry', async () => {
    const { id } = await bench.endpoint(receiver.url);
    const fail = (status: number) => {
      receiver.answer = (_, response) => response.writeHead(status).end();
    };
    fail(500);
    await bench.claims(2);
    await bench.deliver();
    fail(200);
    await bench.claims(30);
    await bench.deliver();
    fail(500);
    await bench.claims(1);
    await bench.deliver();
    const isWaiting = ({ next_at }: { next_at: string | null }) => next_at !== null;
    const waiting = (await bench.deliveries(id)).filter(isWaiting);
    expect(waiting).toHaveLength(3);
    await sweepDeliveries(bench.context, { limit: 10 });
    expect(await deliveriesNeedSweep(bench.context, 10)).toBe(false);
    const left = await bench.deliveries(id);
    expect(left.filter(isWaiting)).toEqual(waiting);
    // The newest ten stay: nine delivered and one awaiting a retry. The two oldest await a retry, so they stay too.
    expect(left).toHaveLength(waiting.length + 9);
    expect(await bench.attempts()).toHaveLength(left.length);
    bench.pass(31 * DAY_MS);
    await sweepDeliveries(bench.context);
    expect(await bench.deliveries(id)).toEqual(waiting);
  });

  // The tests below use the same SQL as the tests above, so one engine is enough.
  if (engine === 'postgres') return;

  test('completed attempts are recorded even if an unexpected error ends the run', async () => {
    const endpoint = await bench.endpoint(receiver.url);
    await bench.claims(2);
    const outgoing = localOutgoing();
    const fault = new Error('a fault of this program');
    let asked = 0;
    const faulty: typeof outgoing = {
      ...outgoing,
      request: async (request) => {
        asked += 1;
        if (asked === 2) throw fault;
        return outgoing.request(request);
      },
    };
    await expect(bench.deliver({ outgoing: faulty })).rejects.toBe(fault);
    expect(receiver.received).toHaveLength(1);
    expect((await bench.deliveries(endpoint.id)).map(({ attempts }) => attempts).sort()).toEqual([0, 1]);
    await bench.deliver();
    expect(receiver.received).toHaveLength(2);
  });

  test('dead and slow endpoints do not delay deliveries to other endpoints', async () => {
    const [dead, slow] = [await another(), await another()];
    dead.answer = () => {};
    slow.answer = (_, response) => setTimeout(() => response.end(), 150);
    receiver.answer = (_, response) => setTimeout(() => response.end(), 5);
    const deadEndpoints = await Promise.all(Array.from({ length: 3 }, () => bench.endpoint(dead.url)));
    await bench.endpoint(slow.url);
    const healthy = await bench.endpoint(receiver.url);
    await bench.claims(60);
    const stop = new AbortController();
    const outgoing = localOutgoing({ responseMs: 1_000 });
    const running = bench.deliver({ outgoing }, stop.signal);
    const startedMs = Date.now();
    while (receiver.received.length < 60) await sleep(10);
    const tookMs = Date.now() - startedMs;
    while ((await endpointRow(deadEndpoints[0]!.id)).failing_since === null) await sleep(10);
    stop.abort();
    await running;
    expect(new Set(claimIdsOf(receiver)).size).toBe(60);
    expect(dead.most).toBeLessThan(QUEUE_LIMITS.perAccount);
    expect(receiver.most).toBeLessThanOrEqual(QUEUE_LIMITS.perEndpoint);
    // Sequential requests to a single dead endpoint would take 60 s.
    expect(tookMs).toBeLessThan(10_000);
    expect((await bench.deliveries(healthy.id)).every(({ delivered_at }) => delivered_at !== null)).toBe(
      true,
    );
  });

  test('requests aborted by a shutdown are not recorded as attempts, and are sent again in the next run', async () => {
    const { id } = await bench.endpoint(receiver.url);
    await bench.claims(QUEUE_LIMITS.perEndpoint);
    receiver.answer = () => {};
    const stop = new AbortController();
    const running = bench.deliver({}, stop.signal);
    while (receiver.received.length < QUEUE_LIMITS.perEndpoint) await sleep(5);
    stop.abort();
    const startedMs = Date.now();
    await running;
    expect(Date.now() - startedMs).toBeLessThan(5_000);
    expect(await bench.attempts()).toEqual([]);
    receiver.answer = (_, response) => response.end();
    await bench.deliver();
    expect(await bench.attempts()).toHaveLength(QUEUE_LIMITS.perEndpoint);
    expect((await bench.deliveries(id)).every(({ delivered_at }) => delivered_at !== null)).toBe(true);
  });

  test.each<[string, () => Partial<DeliverServices>, string]>([
    [
      'no secret key decrypts the signing secret',
      () => {
        const secretBox = createSecretBox(['another secret key, long enough as well'], bench.context.random);
        return { context: { ...bench.context, secretBox } };
      },
      'roll the signing secret',
    ],
    [
      'the endpoint’s host has moved to an internal network',
      () => ({ outgoing: createOutgoing({ allowed: networkList([]) }) }),
      'not on the public internet',
    ],
  ])('fail and are retried if %s', async (_, services, failure) => {
    const { id } = await bench.endpoint(receiver.url);
    await bench.claims(1);
    await bench.deliver(services());
    expect(receiver.received).toEqual([]);
    expect(await bench.attempts()).toEqual([{ status: null, failure: expect.stringContaining(failure) }]);
    expect((await bench.deliveries(id))[0]!.next_at).not.toBeNull();
  });
});
