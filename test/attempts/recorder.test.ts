/** The request log: written after the answers, bounded, and it counts what it drops. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  ATTEMPTS_PER_FLUSH_AND_ACCOUNT,
  type Attempt,
  BUFFERED_ATTEMPTS,
} from '../../src/attempts/attempt-buffer.ts';
import { createKeyUses } from '../../src/attempts/key-uses.ts';
import {
  type AttemptRecorder,
  createAttemptRecorder,
  EARLY_FLUSH_MS,
  FLUSH_INTERVAL_MS,
} from '../../src/attempts/recorder.ts';
import { attemptsNeedSweep, sweepAttempts } from '../../src/attempts/sweep.ts';
import type { Context } from '../../src/context.ts';
import { hashKey } from '../../src/keys/key.ts';
import { ENGINES, openTestDatabase, type TestDatabase } from '../support/engines.ts';
import { createOwner, type Owner } from '../support/marketplace.ts';

const DAY_MS = 86_400_000;
const START = Date.parse('2026-11-20T10:00:30.000Z');

describe.each(ENGINES)('the request log on %s', (engine) => {
  let database: TestDatabase;
  let owner: Owner;
  let nowMs = START;
  let broken = false;
  const open: AttemptRecorder[] = [];

  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });
  afterEach(async () => {
    broken = false;
    vi.useRealTimers();
    await Promise.all(open.splice(0).map((recorder) => recorder.close()));
    nowMs = START;
  });
  afterAll(() => database.close());

  async function start(failures: unknown[] = []): Promise<AttemptRecorder> {
    owner = await createOwner(database.context);
    const db: Context['db'] = {
      ...database.db,
      transaction: (work) =>
        broken ? Promise.reject(new Error('the database is away')) : database.db.transaction(work),
    };
    const recorder = createAttemptRecorder(
      { db, now: () => nowMs },
      { onFailure: (error) => failures.push(error) },
    );
    open.push(recorder);
    return recorder;
  }

  const attempt = (change: Partial<Attempt> = {}): Attempt => ({
    accountId: owner.accountId,
    atMs: nowMs,
    requestId: 'r1',
    keyId: owner.liveKeyId,
    status: 200,
    outcome: 'redeemed',
    redeem: true,
    tokenLast4: 'wxyz',
    tokenHash: Buffer.alloc(32, 7),
    via: 'spring',
    foundClaim: change.outcome !== 'not_found',
    latencyUs: 1_234.5,
    ip: '192.0.2.1',
    ...change,
  });
  const kept = (accountId = owner.accountId) =>
    database.db.read
      .selectFrom('attempts')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('id')
      .execute();
  const dropped = () =>
    database.db.read
      .selectFrom('attempts_dropped')
      .select(['minute', 'dropped'])
      .where('account_id', '=', owner.accountId)
      .orderBy('minute')
      .execute();
  const lastUsed = async () =>
    (
      await database.db.read
        .selectFrom('api_key_uses')
        .select('last_used_at')
        .where('account_id', '=', owner.accountId)
        .where('api_key_id', '=', owner.liveKeyId)
        .executeTakeFirst()
    )?.last_used_at;

  test('the first verification of an account is written at once, also while other accounts are busy', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'performance'] });
    const recorder = await start();
    const written = () => expect.poll(() => recorder.stats().written);
    recorder.record(attempt());
    vi.advanceTimersByTime(EARLY_FLUSH_MS);
    await written().toBe(1);
    // The account has an attempt now, so its next one waits for the flush of this second.
    recorder.record(attempt());
    recorder.record(
      attempt({ accountId: (await createOwner(database.context)).accountId, outcome: 'not_found' }),
    );
    vi.advanceTimersByTime(EARLY_FLUSH_MS);
    const fresh = await createOwner(database.context);
    expect(recorder.stats()).toMatchObject({ written: 1, buffered: 2 });
    recorder.record(attempt({ accountId: fresh.accountId }));
    vi.advanceTimersByTime(EARLY_FLUSH_MS);
    await written().toBe(4);
    expect(await kept(fresh.accountId)).toHaveLength(1);
  });

  test('an attempt is stored with all its members', async () => {
    const recorder = await start();
    expect(recorder.wants(owner.accountId)).toBe(true);
    recorder.record(attempt());
    recorder.record(
      attempt({ keyId: null, redeem: false, tokenLast4: null, tokenHash: null, via: null, ip: null }),
    );
    await recorder.flush();
    const [first, second] = await kept();
    expect(first).toEqual({
      id: expect.any(Number),
      account_id: owner.accountId,
      at: '2026-11-20T10:00:30.000Z',
      request_id: 'r1',
      api_key_id: owner.liveKeyId,
      status: 200,
      outcome: 'redeemed',
      redeem: 1,
      token_last4: 'wxyz',
      token_hash: expect.any(Uint8Array),
      via: 'spring',
      latency_us: 1_235,
      ip: '192.0.2.1',
      origin: null,
    });
    expect(Buffer.from(first!.token_hash!)).toEqual(Buffer.alloc(32, 7));
    expect(second).toMatchObject({
      token_hash: null,
      api_key_id: null,
      redeem: 0,
      token_last4: null,
      via: null,
      ip: null,
    });
    expect(await dropped()).toEqual([]);
  });

  test('a lone attempt is written at once, without waiting for the next second', async () => {
    const recorder = await start();
    recorder.record(attempt());
    const startedAt = performance.now();
    await expect.poll(async () => (await kept()).length, { interval: 20 }).toBe(1);
    expect(performance.now() - startedAt).toBeLessThan(900);
  });

  test('an attempt after some quiet seconds is written at once too', async () => {
    const recorder = await start();
    // Just after a flush that had nothing to write, so the next timer is a second away.
    await new Promise((resolve) => setTimeout(resolve, FLUSH_INTERVAL_MS + 100));
    recorder.record(attempt());
    const startedAt = performance.now();
    await expect.poll(async () => (await kept()).length, { interval: 20 }).toBe(1);
    expect(performance.now() - startedAt).toBeLessThan(600);
  });

  test('the first verification of an account is kept, however many follow', async () => {
    const first = () =>
      database.db.read
        .selectFrom('first_verifications')
        .selectAll()
        .where('account_id', '=', owner.accountId)
        .execute();
    const recorder = await start();
    recorder.record(attempt({ outcome: 'not_found', status: 404 }));
    await recorder.flush();
    expect(await first()).toEqual([]);
    recorder.record(attempt({ outcome: 'valid', requestId: 'v1' }));
    recorder.record(attempt({ requestId: 'v2' }));
    await recorder.flush();
    const other = createAttemptRecorder({ db: database.db, now: () => START });
    other.record(attempt({ requestId: 'v3' }));
    await other.close();
    expect(await first()).toMatchObject([
      { request_id: 'v1', outcome: 'valid', at: '2026-11-20T10:00:30.000Z' },
    ]);
  });

  test('a call with another method is kept for the owner of its key, and does not mark the key as seen in a browser', async () => {
    const recorder = await start();
    const call = { keyHash: hashKey(owner.liveKey), ip: '192.0.2.1', requestId: 'g1' };
    recorder.recordWrongMethod(call);
    recorder.recordWrongMethod({ ...call, requestId: 'g2' });
    recorder.recordWrongMethod({ ...call, keyHash: hashKey('unknown') });
    await recorder.flush();
    expect(await kept()).toMatchObject([
      { outcome: 'method_not_allowed', status: 405, api_key_id: owner.liveKeyId, request_id: 'g1' },
    ]);
    const key = await database.db.read
      .selectFrom('api_keys')
      .select('seen_in_browser_at')
      .where('id', '=', owner.liveKeyId)
      .executeTakeFirstOrThrow();
    expect(key.seen_in_browser_at).toBeNull();
  });

  test('a busy account loses attempts and gets their number, while another account loses none', async () => {
    const recorder = await start();
    const busy = owner.accountId;
    for (let i = 0; i < ATTEMPTS_PER_FLUSH_AND_ACCOUNT + 30; i += 1) {
      if (recorder.wants(busy)) recorder.record(attempt());
    }
    const quiet = await createOwner(database.context);
    expect(recorder.wants(quiet.accountId)).toBe(true);
    recorder.record(attempt({ accountId: quiet.accountId }));
    await recorder.flush();
    expect(await kept()).toHaveLength(ATTEMPTS_PER_FLUSH_AND_ACCOUNT);
    expect(await kept(quiet.accountId)).toHaveLength(1);
    expect(await dropped()).toEqual([{ minute: '2026-11-20T10:00:00.000Z', dropped: 30 }]);
    expect(recorder.wants(busy)).toBe(true);
    for (let i = 0; i < ATTEMPTS_PER_FLUSH_AND_ACCOUNT; i += 1) recorder.record(attempt());
    expect(recorder.wants(busy)).toBe(false);
    await recorder.flush();
    expect(await dropped()).toEqual([{ minute: '2026-11-20T10:00:00.000Z', dropped: 31 }]);
    expect(recorder.stats()).toMatchObject({ buffered: 0, dropped: 31 });
  });

  test('memory is bounded over all accounts', async () => {
    const recorder = await start();
    let taken = 0;
    for (let i = 0; i < BUFFERED_ATTEMPTS + 100; i += 1) {
      const accountId = `00000000-0000-7000-8000-${String(i).padStart(12, '0')}`;
      if (!recorder.wants(accountId)) continue;
      recorder.record(attempt({ accountId }));
      taken += 1;
    }
    expect(taken).toBe(BUFFERED_ATTEMPTS);
    expect(recorder.stats().dropped).toBe(100);
  });

  test('attempts that a failing database did not store are counted once it is back', async () => {
    const failures: unknown[] = [];
    const recorder = await start(failures);
    broken = true;
    recorder.record(attempt());
    recorder.record(attempt());
    await recorder.flush();
    nowMs += 60_000;
    recorder.record(attempt());
    await recorder.flush();
    expect(failures).toHaveLength(2);
    broken = false;
    recorder.record(attempt({ requestId: 'after' }));
    await recorder.flush();
    expect((await kept()).map((row) => row.request_id)).toEqual(['after']);
    const counts = await dropped();
    expect(counts.reduce((sum, row) => sum + row.dropped, 0)).toBe(3);
    expect(recorder.stats()).toMatchObject({ dropped: 3, failedFlushes: 2 });
  });

  test('closing writes the attempts that are left', async () => {
    const recorder = await start();
    recorder.record(attempt());
    await recorder.close();
    expect(await kept()).toHaveLength(1);
  });

  test('the last use of a key is less than a minute old, is not written each second, and never goes back', async () => {
    const recorder = await start();
    recorder.touch(owner.accountId, owner.liveKeyId, nowMs);
    await recorder.flush();
    expect(await lastUsed()).toBe('2026-11-20T10:00:30.000Z');
    nowMs += 10_000;
    recorder.touch(owner.accountId, owner.liveKeyId, nowMs);
    await recorder.flush();
    expect(await lastUsed()).toBe('2026-11-20T10:00:30.000Z');
    nowMs += 25_000;
    await recorder.flush();
    expect(await lastUsed()).toBe('2026-11-20T10:00:40.000Z');
    const other = createAttemptRecorder({ db: database.db, now: () => START });
    open.push(other);
    other.touch(owner.accountId, owner.liveKeyId, START);
    await other.flush();
    expect(await lastUsed()).toBe('2026-11-20T10:00:40.000Z');
  });

  test('a key seen in a browser is marked once and reported once, by all processes together', async () => {
    const recorder = await start();
    const call = {
      keyHash: hashKey(owner.liveKey),
      origin: 'https://shop.example',
      ip: '192.0.2.7',
      requestId: 'b1',
    };
    recorder.recordBrowserCall(call);
    recorder.recordBrowserCall({ ...call, requestId: 'b2' });
    await recorder.flush();
    const other = createAttemptRecorder({ db: database.db, now: () => nowMs });
    open.push(other);
    other.recordBrowserCall({ ...call, requestId: 'b3' });
    await other.flush();
    const key = await database.db.read
      .selectFrom('api_keys')
      .select('seen_in_browser_at')
      .where('id', '=', owner.liveKeyId)
      .executeTakeFirstOrThrow();
    expect(key.seen_in_browser_at).toBe('2026-11-20T10:00:30.000Z');
    const events = await database.db.read
      .selectFrom('events')
      .select(['actor', 'subject_id', 'data'])
      .where('account_id', '=', owner.accountId)
      .where('type', '=', 'key.seen_in_browser')
      .execute();
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ actor: `key:${owner.liveKeyId}`, subject_id: owner.liveKeyId });
    expect(JSON.parse(events[0]!.data)).toEqual({
      origin: 'https://shop.example',
      ip: '192.0.2.7',
      request_id: 'b1',
    });
    expect((await kept()).map((row) => [row.request_id, row.status, row.outcome, row.origin])).toEqual([
      ['b1', 403, 'browser_call', 'https://shop.example'],
      ['b3', 403, 'browser_call', 'https://shop.example'],
    ]);
    expect(await dropped()).toEqual([{ minute: '2026-11-20T10:00:00.000Z', dropped: 1 }]);
  });

  test('a mark that the database did not store is written again', async () => {
    const recorder = await start();
    broken = true;
    recorder.recordBrowserCall({ keyHash: hashKey(owner.liveKey), origin: null, ip: null, requestId: 'b1' });
    await recorder.flush();
    broken = false;
    await recorder.flush();
    expect((await kept()).map((row) => row.request_id)).toEqual(['b1']);
  });

  test('a preflight is reported only to the owner whose approved listing has its origin', async () => {
    const recorder = await start();
    const origin = `https://${owner.slug}.example`;
    const pin = (change: { origin?: string; state?: 'approved' | 'suspended' }) =>
      database.db.transaction((tx) =>
        tx.updateTable('listings').set(change).where('id', '=', owner.listingId).execute(),
      );
    await pin({ origin });
    recorder.recordBrowserCall({ keyHash: null, origin, ip: null, requestId: 'p1' });
    recorder.recordBrowserCall({
      keyHash: null,
      origin: 'https://nobody.example',
      ip: null,
      requestId: 'p2',
    });
    recorder.recordBrowserCall({ keyHash: null, origin: null, ip: null, requestId: 'p3' });
    await recorder.flush();
    await pin({ state: 'suspended' });
    recorder.recordBrowserCall({ keyHash: null, origin, ip: null, requestId: 'p4' });
    await recorder.flush();
    expect((await kept()).map((row) => [row.request_id, row.api_key_id, row.origin])).toEqual([
      ['p1', null, origin],
    ]);
  });

  test('attempts are deleted after a week, and earlier where one account has too many', async () => {
    const recorder = await start();
    for (let i = 0; i < 10; i += 1) {
      recorder.record(attempt({ requestId: `old-${i}`, atMs: START - 7 * DAY_MS - 1_000 + i * 200 }));
      recorder.record(attempt({ requestId: `new-${i}`, atMs: START - 1_000 + i }));
    }
    await recorder.flush();
    const context = { db: database.db, now: () => START };
    const { signal } = new AbortController();
    expect(await attemptsNeedSweep(context)).toBe(true);
    await sweepAttempts(context, signal);
    const afterAWeek = (await kept()).map((row) => row.request_id);
    expect(afterAWeek.filter((id) => id.startsWith('old'))).toEqual(['old-6', 'old-7', 'old-8', 'old-9']);
    await sweepAttempts(context, signal, 7);
    expect((await kept()).map((row) => row.request_id)).toEqual(
      [3, 4, 5, 6, 7, 8, 9].map((at) => `new-${at}`),
    );
    const aWeekLater = { db: database.db, now: () => START + 8 * DAY_MS };
    expect(await attemptsNeedSweep({ ...aWeekLater, now: () => START + 3_600_000 })).toBe(false);
    expect(await attemptsNeedSweep(aWeekLater)).toBe(true);
    await sweepAttempts(aWeekLater, signal);
    expect(await kept()).toEqual([]);
    expect(await dropped()).toEqual([]);
  });
});

test('last uses of keys are written in one order by all processes, so that no two wait for each other', () => {
  const order = (keys: readonly string[]) => {
    const uses = createKeyUses();
    for (const key of keys) uses.touch('account', key, START);
    return uses.due(START).uses.map(({ keyId }) => keyId);
  };
  expect(order(['b', 'c', 'a'])).toEqual(['a', 'b', 'c']);
  expect(order(['c', 'a', 'b'])).toEqual(['a', 'b', 'c']);
});
