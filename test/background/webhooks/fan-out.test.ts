/** Each subscribed endpoint gets exactly one delivery per event. */
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { disableEndpoint, enableEndpoint } from '../../../src/background/webhooks/endpoints.ts';
import { createFanOut } from '../../../src/background/webhooks/fan-out.ts';
import { appendEvent, lastSeq } from '../../../src/base/events/queries.ts';
import { createReadSettled } from '../../../src/base/events/settled.ts';
import { createVerifier } from '../../../src/claims/verify/verifier.ts';
import { encodeBase62, sha256 } from '../../../src/platform/secrets/secrets.ts';
import { ask } from '../../../src/platform/store/batch-queue.ts';
import { uuidv7 } from '../../../src/platform/store/uuid.ts';
import { ENGINES } from '../../support/engines.ts';
import { createOwner, issueTokens } from '../../support/marketplace.ts';
import { verificationOf } from '../../support/verify.ts';
import { BASE_URL, shareBench } from './support.ts';

const URL_ = 'https://1.1.1.1/hook';

describe.each(ENGINES)('deliveries for events on %s', (engine) => {
  const bench = shareBench(engine);

  const countOf = async (endpointId: string) => (await bench.deliveries(endpointId)).length;

  const setCursors = (cursor: number, endpointId?: string) =>
    bench.context.db.transaction((tx) =>
      tx
        .updateTable('webhook_endpoints')
        .set({ cursor })
        .$if(endpointId !== undefined, (update) => update.where('id', '=', endpointId!))
        .execute(),
    );
  const cursorsOf = async (...ids: readonly string[]) => {
    const rows = await bench.context.db.read
      .selectFrom('webhook_endpoints')
      .select(['id', 'cursor'])
      .execute();
    return ids.map((id) => rows.find((row) => row.id === id)!.cursor);
  };
  /** Returns the last settled event number. On Citus, this number can be higher than the number of the last event. */
  const settledSeq = async () => (await createReadSettled(bench.context.db, bench.context.now)())!.seq;
  /** Returns a function that sets all cursors back to the last event before `takeBack` was called. */
  const takeBack = async () => {
    const seq = await lastSeq(bench.context.db.read);
    return () => setCursors(seq);
  };

  test('are created only for events that are newer than the endpoint and match its account and event types', async () => {
    await bench.claims(3);
    const all = await bench.endpoint(URL_, ['claim.created', 'key.created']);
    const keys = await bench.endpoint(URL_, ['key.created']);
    await issueTokens(bench.context, await createOwner(bench.context), 3);
    await bench.claims(5);
    await bench.spread();
    expect(await countOf(all.id)).toBe(5);
    expect(await countOf(keys.id)).toBe(0);
    await bench.claims(2);
    const later = await bench.endpoint(URL_);
    await bench.claims(1);
    await bench.spread();
    expect([await countOf(all.id), await countOf(later.id)]).toEqual([8, 1]);
    const [first] = await bench.deliveries(all.id);
    expect(JSON.parse(first!.payload)).toEqual({
      type: 'claim.created',
      timestamp: expect.stringMatching(/^2\d{3}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
      data: {
        claim_id: expect.any(String),
        short_id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/),
        mode: 'live',
        offer_id: bench.owner.offerId,
        offer: '20 % off the first "year"',
        kind: 'discount',
        listing: bench.owner.slug,
        listing_name: bench.owner.slug,
        via: null,
        claimed_at: expect.any(String),
        redeemed_at: null,
        reference: null,
      },
    });
    expect(first).toMatchObject({ message_id: expect.stringMatching(/^evt_[0-9A-Za-z]{22}$/), attempts: 0 });
    // The id must not be a plain hash of the values below: the owner knows all except the event number, and could guess
    // that number by brute force.
    const { timestamp, data } = JSON.parse(first!.payload);
    const known = [first!.event_seq, bench.owner.accountId, 'claim.created', timestamp, data.claim_id];
    const guessed = encodeBase62(sha256(known.join(' ')).subarray(0, 16), 22);
    expect(first!.message_id).not.toBe(`evt_${guessed}`);
  });

  test('include the reference only in `claim.redeemed` events', async () => {
    const { id } = await bench.endpoint(URL_, ['claim.created', 'claim.redeemed']);
    const tokens = await issueTokens(bench.context, bench.owner, 2);
    const verifier = createVerifier(bench.context.db, () => Date.now() + 60_000, { batch: () => {} });
    for (const [at, token] of tokens.entries()) {
      const reference = at === 0 ? 'order-4711' : null;
      await ask(verifier, verificationOf({ key: bench.owner.liveKey, token, reference }));
    }
    await bench.spread();
    const messages = (await bench.deliveries(id)).map(({ payload }) => JSON.parse(payload));
    const referencesOf = (type: string) =>
      messages.filter((message) => message.type === type).map(({ data }) => data.reference);
    expect(referencesOf('claim.created')).toEqual([null, null]);
    expect(referencesOf('claim.redeemed')).toEqual(['order-4711', null]);
  });

  test('are created once, with the same ids, even if processes race or cursors are reset', async () => {
    const [one, two] = [await bench.endpoint(URL_), await bench.endpoint(URL_)];
    const back = await takeBack();
    await bench.claims(450);
    await Promise.all([bench.spread(), bench.spread(), bench.spread()]);
    const made = await bench.deliveries(one.id);
    const idsOf = async (id: string) => (await bench.deliveries(id)).map(({ message_id }) => message_id);
    const ids = await idsOf(one.id);
    expect(new Set(ids).size).toBe(450);
    expect(ids).toHaveLength(450);
    expect(await idsOf(two.id)).toEqual(ids);
    // A restore of an older backup also sets the cursors back.
    await back();
    await bench.spread();
    expect(await bench.deliveries(one.id)).toEqual(made);
    await bench.context.db.transaction((tx) => tx.deleteFrom('deliveries').execute());
    await back();
    await bench.spread();
    expect(await idsOf(one.id)).toEqual(ids);
  });

  test('are created once if another process finishes first', async () => {
    const { id } = await bench.endpoint(URL_);
    await bench.claims(3);
    const { promise, resolve } = Promise.withResolvers<void>();
    const { db } = bench.context;
    const late: typeof db = {
      ...db,
      transaction: async (work) => {
        await promise;
        return db.transaction(work);
      },
    };
    // The late pass has read three events. Before it writes, another pass creates deliveries for all six.
    const isLate = createFanOut({ ...bench.context, db: late }, BASE_URL).step();
    await bench.claims(3);
    await createFanOut(bench.context, BASE_URL).step();
    resolve();
    await isLate;
    await bench.spread();
    expect(await countOf(id)).toBe(6);
  });

  test('are created for all endpoints in one pass, which moves every cursor', async () => {
    const other = await createOwner(bench.context);
    const ids = [(await bench.endpoint(URL_)).id, (await bench.endpoint(URL_, ['key.created'])).id];
    for (let made = 0; made < 3; made += 1) ids.push((await bench.endpoint(URL_, undefined, other)).id);
    await bench.claims(2);
    await issueTokens(bench.context, other, 2);
    const { db } = bench.context;
    let passes = 0;
    const counting: typeof db = {
      ...db,
      transaction: (work) => {
        passes += 1;
        return db.transaction(work);
      },
    };
    const end = await settledSeq();
    await createFanOut({ ...bench.context, db: counting }, BASE_URL).step();
    expect(passes).toBe(1);
    expect(await Promise.all(ids.map(countOf))).toEqual([2, 0, 2, 2, 2]);
    expect(await cursorsOf(...ids)).toEqual(ids.map(() => end));
  });

  test('need no additional steps if hundreds of endpoints are idle', async () => {
    const { id } = await bench.endpoint(URL_);
    const { db } = bench.context;
    const row = await db.read.selectFrom('webhook_endpoints').selectAll().executeTakeFirstOrThrow();
    const idle = Array.from({ length: 250 }, () => ({
      ...row,
      id: uuidv7(bench.context),
      event_types: '["key.created"]',
    }));
    await db.transaction((tx) => tx.insertInto('webhook_endpoints').values(idle).execute());
    await bench.claims(450);
    const spread = createFanOut(bench.context, BASE_URL);
    const steps: string[] = [];
    while (steps.at(-1) !== 'none') steps.push(await spread.step());
    expect(steps).toEqual(['more', 'more', 'some', 'none']);
    expect(await countOf(id)).toBe(450);
    // A new process starts from the stored cursors, some of which are behind.
    await bench.spread();
    expect(await countOf(id)).toBe(450);
    await bench.spread();
    const cursors = new Set(await cursorsOf(id, ...idle.map((endpoint) => endpoint.id)));
    expect([...cursors]).toEqual([await settledSeq()]);
  });

  test('are not delayed by an idle account, whose cursor moves only occasionally', async () => {
    const { id } = await bench.endpoint(URL_);
    const other = await createOwner(bench.context);
    const idle = await bench.endpoint(URL_, undefined, other);
    const [start] = await cursorsOf(idle.id);
    const spread = createFanOut(bench.context, BASE_URL);
    await bench.claims(250);
    expect([await spread.step(), await spread.step()]).toEqual(['more', 'some']);
    // This pass starts at the cursor of the idle account, and skips 250 events that already have deliveries.
    await bench.claims(50);
    expect([await spread.step(), await spread.step()]).toEqual(['some', 'none']);
    expect(await countOf(id)).toBe(300);
    // On Citus, event numbers have gaps, so the cursor may already have moved.
    if (bench.context.db.engine !== 'citus') expect(await cursorsOf(idle.id)).toEqual([start]);
    await bench.claims(250);
    while ((await spread.step()) !== 'none');
    expect(await countOf(id)).toBe(550);
    expect((await cursorsOf(idle.id))[0]).toBeGreaterThan(start! + 500);
    await issueTokens(bench.context, other, 1);
    await bench.spread();
    expect(await countOf(idle.id)).toBe(1);
  });

  test('an endpoint that is far behind does not delay other endpoints', async () => {
    const behind = await bench.endpoint(URL_);
    const other = await bench.endpoint(URL_);
    await bench.claims(1);
    await bench.spread();
    await setCursors((await cursorsOf(behind.id))[0]! - 100_000, behind.id);
    await bench.context.db.transaction((tx) => tx.deleteFrom('deliveries').execute());
    await bench.claims(1);
    const spread = createFanOut(bench.context, BASE_URL);
    expect(await spread.isDue()).toBe(true);
    expect(await spread.step()).toBe('more');
    expect([await countOf(behind.id), await countOf(other.id)]).toEqual([0, 1]);
    await bench.claims(1);
    await spread.step();
    expect([await countOf(behind.id), await countOf(other.id)]).toEqual([0, 2]);
    while ((await spread.step()) !== 'none');
    expect(await countOf(behind.id)).toBeGreaterThanOrEqual(3);
    const [first, second] = await cursorsOf(behind.id, other.id);
    expect(first).toBe(second);
  });

  test('are not lost if their endpoint is disabled and enabled during a pass', async () => {
    const { id } = await bench.endpoint(URL_);
    await bench.claims(3);
    const { db } = bench.context;
    let isDisabled = false;
    const read = db.read.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        // At this point, the pass has read the endpoints but not the events.
        if (!isDisabled && Object.hasOwn(result.rows[0] ?? {}, 'event_types')) {
          isDisabled = true;
          await disableEndpoint(bench.context, bench.own(id));
        }
        return result;
      },
    });
    const interrupted: typeof db = {
      ...db,
      read,
      transaction: async (work) => {
        await enableEndpoint(bench.context, { ...bench.own(id), sendsMissed: true });
        return db.transaction(work);
      },
    };
    await createFanOut({ ...bench.context, db: interrupted }, BASE_URL).step();
    expect(isDisabled).toBe(true);
    await bench.spread();
    expect(await countOf(id)).toBe(3);
  });

  test('enabling an endpoint creates deliveries for the events it missed, unless the owner skips these events', async () => {
    const missed = await bench.endpoint(URL_);
    const skipped = await bench.endpoint(URL_);
    await bench.claims(2);
    await bench.spread();
    for (const { id } of [missed, skipped]) await disableEndpoint(bench.context, bench.own(id));
    await bench.claims(250);
    const other = await bench.endpoint(URL_);
    await bench.claims(4);
    await bench.spread();
    expect([await countOf(missed.id), await countOf(skipped.id), await countOf(other.id)]).toEqual([2, 2, 4]);
    await enableEndpoint(bench.context, { ...bench.own(missed.id), sendsMissed: true });
    await enableEndpoint(bench.context, { ...bench.own(skipped.id), sendsMissed: false });
    await bench.claims(1);
    await bench.spread();
    expect([await countOf(missed.id), await countOf(skipped.id), await countOf(other.id)]).toEqual([
      257, 3, 5,
    ]);
  });

  test('the job is due only after a new event for one of the endpoints', async () => {
    const spread = createFanOut(bench.context, BASE_URL);
    await bench.claims(1);
    expect(await spread.isDue()).toBe(false);
    await bench.endpoint(URL_);
    expect(await spread.isDue()).toBe(false);
    await issueTokens(bench.context, await createOwner(bench.context), 3);
    expect(await spread.isDue()).toBe(false);
    await bench.claims(1);
    expect(await spread.isDue()).toBe(true);
    await bench.spread();
    expect(await spread.isDue()).toBe(false);
  });

  test('contain no secrets', async () => {
    const { id } = await bench.endpoint(URL_, [
      'claim.created',
      'key.created',
      'key.rolled',
      'key.seen_in_browser',
      'listing.approved',
    ]);
    const [token] = await issueTokens(bench.context, bench.owner, 1);
    const at = new Date().toISOString();
    const { accountId, listingId, liveKeyId } = bench.owner;
    await bench.context.db.transaction(async (tx) => {
      const about = { accountId, at, actor: 'operator' as const };
      await appendEvent(tx, {
        ...about,
        type: 'key.seen_in_browser',
        subjectId: liveKeyId,
        data: { origin: 'https://acme.example', ip: '192.0.2.1', request_id: 'r' },
      });
      await appendEvent(tx, {
        ...about,
        type: 'listing.approved',
        subjectId: listingId,
        data: { slug: bench.owner.slug, from: 'pending', to: 'approved', origin: 'https://acme.example' },
      });
    });
    await bench.spread();
    const made = await bench.deliveries(id);
    expect(made.map(({ type }) => type).sort()).toEqual([
      'claim.created',
      'key.seen_in_browser',
      'listing.approved',
    ]);
    const text = made.map(({ payload }) => payload).join();
    for (const secret of [token!, bench.owner.liveKey, '192.0.2.1']) expect(text).not.toContain(secret);
    expect(text).toContain(`"key_id":"${liveKeyId}","origin":"https://acme.example"`);
  });

  // SQLite has one writer at a time, so transactions cannot commit out of order.
  if (engine === 'sqlite') return;

  test('events of a transaction that commits late are not missed', async () => {
    await bench.claims(1);
    const { id } = await bench.endpoint(URL_);
    const client = new pg.Client({ connectionString: bench.database.databaseUrl! });
    await client.connect();
    await client.query('begin');
    // This event gets its number before the events of the claims below, but is committed after them.
    await client.query(
      `insert into event_rows (account_number, type, at, actor, claim_seq)
       select e.account_number, e.type, e.at, e.actor, e.claim_seq
       from event_rows e join accounts a on a.number = e.account_number
       where a.id = $1 and e.type = 'claim.created' limit 1`,
      [bench.owner.accountId],
    );
    await bench.claims(3);
    await bench.spread();
    expect(await countOf(id)).toBe(0);
    await client.query('commit');
    await client.end();
    await bench.spread();
    expect(await countOf(id)).toBe(4);
  });
});
