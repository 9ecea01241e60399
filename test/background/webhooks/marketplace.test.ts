/** The marketplace's own endpoints: operators share them, and they get the events of every account. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findEndpoint, listEndpoints } from '../../../src/background/webhooks/endpoint-queries.ts';
import {
  createEndpoint,
  deleteEndpoint,
  disableEndpoint,
  editEndpoint,
  enableEndpoint,
  rollSecret,
} from '../../../src/background/webhooks/endpoints.ts';
import { sendTestEvent } from '../../../src/background/webhooks/repeat.ts';
import { EVENT_TYPES, type EventType, WEBHOOK_EVENT_TYPES } from '../../../src/base/events/catalogue.ts';
import { createAccount } from '../../../src/people/accounts/create.ts';
import { lockAccount, setSince } from '../../../src/people/accounts/queries.ts';
import { createKey } from '../../../src/people/keys/create.ts';
import { restoreAccount, suspendAccount } from '../../../src/people/members/suspend.ts';
import { setOperator } from '../../../src/people/sign-in/access.ts';
import { MARKETPLACE_ID } from '../../../src/platform/store/tables/webhooks.ts';
import { ENGINES } from '../../support/engines.ts';
import { eventsOf } from '../../support/events.ts';
import { createOwner, issueTokens } from '../../support/marketplace.ts';
import { localOutgoing, type Receiver, startReceiver } from '../../support/receiver.ts';
import { BASE_URL, shareBench } from './support.ts';

const URL_ = 'http://127.0.0.1:4001/hook';

describe.each(ENGINES)('endpoints of the marketplace on %s', (engine) => {
  const bench = shareBench(engine);
  const outgoing = localOutgoing();
  let operators: readonly [string, string];
  let receiver: Receiver;
  beforeAll(async () => {
    const ids: string[] = [];
    for (const name of ['Olga', 'Otto']) {
      const email = `${name}@claims.example`;
      ids.push((await createAccount(bench.context, { email, name, operator: true, actor: 'operator' })).id);
    }
    operators = [ids[0]!, ids[1]!];
  });
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.close());

  const by = (accountId: string) => ({ accountId: MARKETPLACE_ID, actor: `account:${accountId}` as const });
  const create = (eventTypes: readonly EventType[], accountId = operators[0], url = URL_) =>
    createEndpoint(bench.context, outgoing, { ...by(accountId), url, eventTypes });
  const find = (id: string) => findEndpoint(bench.context.db.read, MARKETPLACE_ID, id);
  const messages = async (id: string) =>
    (await bench.deliveries(id)).map(({ payload }) => JSON.parse(payload));

  test('get the events of every account with a link to the desk, and owners’ endpoints only their own', async () => {
    const { id } = await create(['claim.created', 'account.created', 'key.created', 'listing.created']);
    const own = await bench.endpoint(URL_, WEBHOOK_EVENT_TYPES);
    const other = await createOwner(bench.context);
    await bench.claims(1);
    await issueTokens(bench.context, other, 1);
    await createKey(bench.context, { account: other.accountId, name: 'Ada’s laptop', actor: 'operator' });
    await bench.spread();
    const sent = await messages(id);
    const ofOther = sent.filter(({ data }) => data.account_id === other.accountId);
    expect(ofOther.map(({ type }) => type).toSorted()).toEqual([
      'account.created',
      'claim.created',
      'key.created',
      'key.created',
      'key.created',
      'listing.created',
    ]);
    expect(sent.filter(({ data }) => data.account_id === bench.owner.accountId)).toHaveLength(1);
    const created = ofOther.find(({ type }) => type === 'listing.created');
    expect(created.data).toMatchObject({
      subject_id: other.listingId,
      listing: other.slug,
      listing_name: other.slug,
      url: `${BASE_URL}/desk/listings/${other.listingId}`,
    });
    // Neither the address and the name of the person, nor the name of the key, nor the owner’s number for an order.
    expect(JSON.stringify(sent)).not.toMatch(/example\.com|laptop|"name"|reference/);
    expect((await bench.deliveries(own.id)).map(({ type }) => type)).toEqual(['claim.created']);
  });

  test('get each event once, also if an owner’s endpoint gets it too', async () => {
    const { id } = await create(['claim.created']);
    const own = await bench.endpoint(URL_);
    await bench.claims(3);
    await Promise.all([bench.spread(), bench.spread()]);
    await bench.spread();
    const seqs = async (endpointId: string) =>
      (await bench.deliveries(endpointId)).map(({ event_seq }) => event_seq);
    expect(await seqs(id)).toHaveLength(3);
    expect((await seqs(id)).toSorted()).toEqual((await seqs(own.id)).toSorted());
  });

  test('get new types of events if they subscribe to all', async () => {
    const { id } = await create(EVENT_TYPES);
    const row = await bench.context.db.read
      .selectFrom('webhook_endpoints')
      .select('event_types')
      .where('id', '=', id)
      .executeTakeFirst();
    expect(row?.event_types).toBe('["*"]');
    expect((await find(id)).event_types).toEqual(EVENT_TYPES);
  });

  test('belong to all operators and to nobody else', async () => {
    const { id } = await create(['claim.created'], operators[0]);
    const { context, owner } = bench;
    const { secret_made_at: madeAt } = await find(id);
    const stranger = { ...by(owner.accountId), endpointId: id };
    const change = { url: URL_, eventTypes: ['claim.created'] as const };
    for (const attempt of [
      () => create(['claim.created'], owner.accountId),
      () => editEndpoint(context, outgoing, { ...stranger, ...change }),
      () => disableEndpoint(context, stranger),
      () => deleteEndpoint(context, stranger),
      () => rollSecret(context, { ...stranger, madeAt }),
      () => sendTestEvent(context, { ...stranger, accountId: owner.accountId }),
      // Nor may an operator by way of their own account.
      () => disableEndpoint(context, { ...by(operators[0]), accountId: operators[0], endpointId: id }),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'unknown_path' });
    }
    expect(await listEndpoints(context.db.read, operators[0])).toEqual([]);
    await disableEndpoint(context, { ...by(operators[1]), endpointId: id });
    expect((await find(id)).disabled_reason).toBe('manual');
    expect((await eventsOf(context.db, id)).map(({ account_id, data }) => [account_id, data])).toEqual([
      [operators[0], expect.objectContaining({ marketplace: true, origin: 'http://127.0.0.1:4001' })],
      [operators[1], { marketplace: true, origin: 'http://127.0.0.1:4001', reason: 'manual' }],
    ]);
  });

  test.each([
    [
      'is no longer an operator',
      (account: string, isOver: boolean) =>
        setOperator(bench.context, { account, actor: 'operator', operator: !isOver, hasMail: false }),
    ],
    [
      'is suspended',
      (account: string, isOver: boolean) =>
        isOver
          ? suspendAccount(bench.context, { account, actor: 'operator' })
          : restoreAccount(bench.context, { account, actor: 'operator' }),
    ],
  ])('are paused if the person who set their secret %s', async (_, change) => {
    const [known, others] = [await create(['claim.created'], operators[1]), await create(['claim.created'])];
    await change(operators[1], true);
    try {
      expect((await find(known.id)).disabled_reason).toBe('member_gone');
      expect((await find(others.id)).disabled_at).toBeNull();
      expect((await eventsOf(bench.context.db, known.id)).at(-1)).toMatchObject({
        type: 'endpoint.disabled',
        account_id: operators[1],
        data: { marketplace: true, reason: 'member_gone' },
      });
      const gone = { ...by(operators[1]), endpointId: known.id };
      await expect(enableEndpoint(bench.context, { ...gone, sendsMissed: true })).rejects.toMatchObject({
        code: 'unknown_path',
      });
    } finally {
      await change(operators[1], false);
    }
  });

  test('cannot be created by an operator who is losing the role', async () => {
    const { db } = bench.context;
    const removal = db.transaction(async (tx) => {
      await lockAccount(tx, db.engine, MARKETPLACE_ID);
      await setSince(tx, operators[1], 'operator_since', null);
      await sleep(60);
    });
    await expect(create(['claim.created'], operators[1])).rejects.toMatchObject({ code: 'unknown_path' });
    await removal;
    await setOperator(bench.context, {
      account: operators[1],
      actor: 'operator',
      operator: true,
      hasMail: false,
    });
  });

  test('are disabled like owners’ endpoints, with an event in the log of the first operator', async () => {
    const { id } = await create(['claim.created'], operators[1], receiver.url);
    receiver.answer = (_, response) => response.writeHead(410).end();
    await bench.claims(1);
    await bench.deliver();
    expect((await find(id)).disabled_reason).toBe('gone');
    expect((await eventsOf(bench.context.db, id)).at(-1)).toMatchObject({
      type: 'endpoint.disabled',
      actor: 'service',
      account_id: operators[0],
      data: { marketplace: true, reason: 'gone' },
    });
  });

  test('send signed requests', async () => {
    await create(['claim.created'], operators[0], receiver.url);
    await bench.claims(1);
    await bench.deliver();
    const [{ headers, body } = { headers: {}, body: '{}' }] = receiver.received;
    expect(Object.keys(headers)).toContain('webhook-signature');
    expect(JSON.parse(body)).toMatchObject({
      type: 'claim.created',
      data: { account_id: bench.owner.accountId, listing_name: bench.owner.slug },
    });
  });
});
