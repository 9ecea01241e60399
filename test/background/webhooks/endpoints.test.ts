/** Webhook endpoints: validation, stored secrets, limits and access. */
import { describe, expect, test } from 'vitest';
import { needsReencryption, reencrypt } from '../../../src/background/system/secret-keys.ts';
import {
  MAX_ENDPOINTS,
  parseEndpointDescription,
  parseEventTypes,
} from '../../../src/background/webhooks/endpoint.ts';
import { findEndpoint, listEndpoints } from '../../../src/background/webhooks/endpoint-queries.ts';
import {
  createEndpoint,
  deleteEndpoint,
  disableEndpoint,
  editEndpoint,
  enableEndpoint,
  rollSecret,
} from '../../../src/background/webhooks/endpoints.ts';
import { recoverDeliveries, sendTestEvent } from '../../../src/background/webhooks/repeat.ts';
import { signingSecrets } from '../../../src/background/webhooks/signing.ts';
import { sweepDeliveries } from '../../../src/background/webhooks/sweep.ts';
import { WEBHOOK_EVENT_TYPES } from '../../../src/base/events/catalogue.ts';
import { createKey } from '../../../src/people/keys/create.ts';
import { createSecretBox } from '../../../src/platform/secrets/secret-keys.ts';
import { ENGINES, TEST_SECRET_KEY } from '../../support/engines.ts';
import { createOwner } from '../../support/marketplace.ts';
import { localOutgoing } from '../../support/receiver.ts';
import { shareBench } from './support.ts';

const URL_ = 'https://1.1.1.1/hook?key=path-secret';

test.each([
  [() => parseEventTypes([], WEBHOOK_EVENT_TYPES), 'Choose at least one event.'],
  [
    () => parseEventTypes(['claim.redeemed', 'session.signed_in'], WEBHOOK_EVENT_TYPES),
    'Unknown event "session.signed_in".',
  ],
  [() => parseEventTypes(['__proto__'], WEBHOOK_EVENT_TYPES), 'Unknown event "__proto__"'],
  [() => parseEndpointDescription('x'.repeat(101)), 'The description has 101 characters'],
])('invalid input is rejected: %s', (parse, sentence) => {
  expect(parse).toThrow(sentence);
});

describe.each(ENGINES)('webhook endpoints on %s', (engine) => {
  const bench = shareBench(engine);
  const outgoing = localOutgoing();

  const create = (more: object) =>
    createEndpoint(bench.context, outgoing, {
      ...bench.by(),
      url: URL_,
      eventTypes: ['claim.redeemed'],
      ...more,
    });
  const find = (id: string) => findEndpoint(bench.context.db.read, bench.owner.accountId, id);
  const roll = async (id: string) =>
    rollSecret(bench.context, { ...bench.own(id), madeAt: (await find(id)).secret_made_at });
  const count = async () => (await listEndpoints(bench.context.db.read, bench.owner.accountId)).length;

  test.each([
    [{ url: 'http://example.com/' }, 'The URL must start with https://'],
    [
      { url: 'https://10.0.0.1/' },
      'The URL cannot be called: its host is unknown or not on the public internet.',
    ],
    [{ url: 'https://[fd00:ec2::254]/' }, 'The URL cannot be called'],
  ])('cannot be created with %j', async (more, sentence) => {
    await expect(create(more)).rejects.toThrow(sentence);
    expect(await count()).toBe(0);
  });

  test('signing secrets are stored encrypted, and events contain neither secrets nor the full URL', async () => {
    const { id, secret } = await create({ description: 'The shop' });
    const { secret: rolled } = await roll(id);
    const { db } = bench.context;
    const rows = await db.read.selectFrom('webhook_endpoints').select(['secret', 'old_secret']).execute();
    const events = await db.read
      .selectFrom('events')
      .selectAll()
      .where('type', 'like', 'endpoint.%')
      .execute();
    const kept = JSON.stringify([rows, events]);
    for (const text of [secret, secret.slice(6), rolled, rolled.slice(6), 'path-secret']) {
      expect(kept).not.toContain(text);
    }
    expect(events).toHaveLength(2);
    expect(events[0]).toMatchObject({ type: 'endpoint.created', subject_id: id });
  });

  test('are limited to ten per account, even if created concurrently', async () => {
    for (let made = 1; made < MAX_ENDPOINTS; made += 1) await create({});
    const many = <T>(work: () => Promise<T>) => Promise.allSettled(Array.from({ length: 8 }, work));
    // Open all pooled connections first, so that the calls below really run concurrently.
    await many(() => bench.context.db.transaction((tx) => tx.selectFrom('jobs').select('name').execute()));
    const made = await many(() => create({}));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(create({})).rejects.toThrow('at most 10 endpoints');
    const [first] = await listEndpoints(bench.context.db.read, bench.owner.accountId);
    await deleteEndpoint(bench.context, bench.own(first!.id));
    await create({});
    expect(await count()).toBe(MAX_ENDPOINTS);
  });

  test('cannot be changed or used by another account', async () => {
    const { id } = await create({});
    const stranger = { ...bench.by(await createOwner(bench.context)), endpointId: id };
    const { context } = bench;
    const before = await context.db.read.selectFrom('webhook_endpoints').selectAll().execute();
    for (const attempt of [
      () => editEndpoint(context, outgoing, { ...stranger, url: URL_, eventTypes: ['key.created'] }),
      () => disableEndpoint(context, stranger),
      () => enableEndpoint(context, { ...stranger, sendsMissed: true }),
      () => deleteEndpoint(context, stranger),
      () => rollSecret(context, { ...stranger, madeAt: before[0]!.secret_made_at }),
      () => sendTestEvent(context, stranger),
      () => recoverDeliveries(context, { ...stranger, since: new Date(0).toISOString() }),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'unknown_path' });
    }
    expect(await context.db.read.selectFrom('webhook_endpoints').selectAll().execute()).toEqual(before);
  });

  test('store a subscription to all event types as a wildcard, which also covers types added in later versions', async () => {
    const { id } = await create({ eventTypes: WEBHOOK_EVENT_TYPES });
    const rows = () => bench.context.db.read.selectFrom('webhook_endpoints').select('event_types').execute();
    expect(await rows()).toEqual([{ event_types: '["*"]' }]);
    expect((await find(id)).event_types).toEqual(WEBHOOK_EVENT_TYPES);
    const edit = { ...bench.own(id), url: null };
    await editEndpoint(bench.context, outgoing, { ...edit, eventTypes: ['key.created'] });
    expect(await rows()).toEqual([{ event_types: '["key.created"]' }]);
    await editEndpoint(bench.context, outgoing, { ...edit, eventTypes: WEBHOOK_EVENT_TYPES });
    await createKey(bench.context, { account: bench.owner.accountId, name: 'shop', actor: 'operator' });
    await bench.spread();
    expect(await bench.deliveries(id)).toEqual([expect.objectContaining({ type: 'key.created' })]);
  });

  test('editing, disabling and enabling log one event each, even if repeated', async () => {
    const { id } = await create({});
    const { context } = bench;
    const eventTypes = parseEventTypes(['key.revoked', 'claim.created', 'key.revoked'], WEBHOOK_EVENT_TYPES);
    const edit = { ...bench.own(id), url: 'https://1.1.1.1/other', eventTypes };
    for (const _ of [1, 2]) await editEndpoint(context, outgoing, edit);
    await expect(editEndpoint(context, outgoing, { ...edit, url: 'https://127.0.0.2.' })).rejects.toThrow();
    for (const _ of [1, 2]) await disableEndpoint(context, bench.own(id));
    await expect(sendTestEvent(context, bench.own(id))).rejects.toThrow('The endpoint is disabled');
    for (const _ of [1, 2]) await enableEndpoint(context, { ...bench.own(id), sendsMissed: true });
    expect(await listEndpoints(context.db.read, bench.owner.accountId)).toEqual([
      expect.objectContaining({
        url: 'https://1.1.1.1/other',
        event_types: ['claim.created', 'key.revoked'],
        disabled_at: null,
        disabled_reason: null,
      }),
    ]);
    const events = await context.db.read
      .selectFrom('events')
      .select('type')
      .where('subject_id', '=', id)
      .orderBy('seq')
      .execute();
    expect(events.map(({ type }) => type)).toEqual([
      'endpoint.created',
      'endpoint.changed',
      'endpoint.disabled',
      'endpoint.enabled',
    ]);
  });

  test('sign with the current secret and, for a day after a roll, also with the previous secret', async () => {
    const { id, secret: first } = await create({});
    const signing = async () => {
      const at = new Date(bench.context.now()).toISOString();
      return signingSecrets(bench.context, await find(id), at).map(({ secret }) => secret);
    };
    expect(await signing()).toEqual([first]);
    const { secret_made_at: madeAt } = await find(id);
    const { secret: second } = await roll(id);
    await expect(rollSecret(bench.context, { ...bench.own(id), madeAt })).rejects.toThrow('already rolled');
    expect(await signing()).toEqual([second, first]);
    bench.pass(1);
    const { secret: third } = await roll(id);
    expect(await signing()).toEqual([third, second]);
    bench.pass(86_400_000);
    expect(await signing()).toEqual([third]);
  });

  test('deletion erases the secrets immediately, and a later sweep deletes all rows', async () => {
    const { id } = await create({ eventTypes: ['claim.created'] });
    await roll(id);
    await bench.claims(3);
    await bench.spread();
    await deleteEndpoint(bench.context, bench.own(id));
    const { db } = bench.context;
    const [row] = await db.read.selectFrom('webhook_endpoints').selectAll().execute();
    expect(row).toMatchObject({ secret: '', old_secret: null });
    expect(await count()).toBe(0);
    bench.pass(10 * 60_000);
    await sweepDeliveries(bench.context);
    for (const table of ['webhook_endpoints', 'deliveries'] as const) {
      expect(await db.read.selectFrom(table).selectAll().execute()).toEqual([]);
    }
  });

  test('signing secrets can be re-encrypted with a new secret key', async () => {
    const { id, secret: old } = await create({});
    const { secret } = await roll(id);
    const key = 'a newer secret key that is long enough to be accepted';
    const secretBox = createSecretBox([key, TEST_SECRET_KEY], bench.context.random);
    const context = { ...bench.context, secretBox };
    expect(await needsReencryption(context)).toBe(true);
    await reencrypt(context);
    expect(await needsReencryption(context)).toBe(false);
    const newest = createSecretBox([key], bench.context.random);
    const at = new Date(context.now()).toISOString();
    expect(
      signingSecrets({ secretBox: newest }, await find(id), at).map(({ secret: opened }) => opened),
    ).toEqual([secret, old]);
  });
});
