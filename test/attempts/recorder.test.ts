/** The request log: written after the answers, bounded, and it counts what it drops. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  ATTEMPTS_PER_FLUSH_AND_ACCOUNT,
  type Attempt,
  BUFFERED_ATTEMPTS,
  KEPT_FOR_FAILURES,
} from '../../src/attempts/attempt-buffer.ts';
import { createKeyUses } from '../../src/attempts/key-uses.ts';
import {
  type AttemptRecorder,
  createAttemptRecorder,
  EARLY_FLUSH_MS,
  FLUSH_INTERVAL_MS,
} from '../../src/attempts/recorder.ts';
import { BUFFERED_CALLS } from '../../src/attempts/refused-calls.ts';
import { findDeletedUntil } from '../../src/attempts/search-queries.ts';
import { attemptsNeedSweep, type RequestLogLimits, sweepAttempts } from '../../src/attempts/sweep.ts';
import type { Context } from '../../src/context.ts';
import { hashKey } from '../../src/keys/key.ts';
import { toIso } from '../../src/time-text.ts';
import { refusedCallOf } from '../support/attempts.ts';
import { ENGINES, openTestDatabase, type TestDatabase } from '../support/engines.ts';
import { createOwner, issueTokens, type Owner } from '../support/marketplace.ts';

const DAY_MS = 86_400_000;
const live = (accountId: string) => ({ accountId, mode: 'live' }) as const;
const KEPT: RequestLogLimits = { days: 7, calls: 20_000 };
const START = Date.parse('2026-11-20T10:00:30.000Z');

describe.each(ENGINES)('the request log on %s', (engine) => {
  let database: TestDatabase;
  let owner: Owner;
  let nowMs = START;
  let broken = false;
  let onTransaction = () => {};
  const open: AttemptRecorder[] = [];

  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });
  afterEach(async () => {
    broken = false;
    onTransaction = () => {};
    vi.useRealTimers();
    await Promise.all(open.splice(0).map((recorder) => recorder.close()));
    nowMs = START;
  });
  afterAll(() => database.close());

  async function start(failures: unknown[] = []): Promise<AttemptRecorder> {
    owner = await createOwner(database.context);
    const db: Context['db'] = {
      ...database.db,
      transaction: (work) => {
        onTransaction();
        return broken ? Promise.reject(new Error('the database is away')) : database.db.transaction(work);
      },
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
    mode: 'live',
    atMs: nowMs,
    requestId: 'r1',
    keyId: owner.liveKeyId,
    cause: 'redeemed',
    detail: null,
    redeem: true,
    tokenLast4: 'wxyz',
    tokenHash: Buffer.alloc(32, 7),
    offerId: owner.offerId,
    via: 'spring',
    idempotencyKey: '"order-4711"',
    latencyUs: 1_234.5,
    ip: '192.0.2.1',
    userAgent: 'node',
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
      .select(['minute', 'dropped', 'failures'])
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
      attempt({ accountId: (await createOwner(database.context)).accountId, cause: 'token_unknown' }),
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
    expect(recorder.wants(live(owner.accountId), 'redeemed')).toBe(true);
    recorder.record(attempt());
    recorder.record(
      attempt({
        keyId: null,
        cause: 'token_missing',
        detail: 'The member `token` is missing.',
        redeem: null,
        tokenLast4: null,
        tokenHash: null,
        offerId: null,
        via: null,
        idempotencyKey: null,
        ip: null,
        userAgent: null,
      }),
    );
    await recorder.flush();
    const [first, second] = await kept();
    expect(first).toEqual({
      id: expect.any(Number),
      account_id: owner.accountId,
      mode: 'live',
      at: '2026-11-20T10:00:30.000Z',
      request_id: 'r1',
      api_key_id: owner.liveKeyId,
      status: 200,
      outcome: 'redeemed',
      cause: 'redeemed',
      detail: null,
      redeem: 1,
      token_last4: 'wxyz',
      token_hash: expect.any(Uint8Array),
      offer_id: owner.offerId,
      via: 'spring',
      idempotency_last4: '4711',
      latency_us: 1_235,
      ip: '192.0.2.1',
      user_agent: 'node',
      origin: null,
      request_line: null,
    });
    expect(Buffer.from(first!.token_hash!)).toEqual(Buffer.alloc(32, 7));
    expect(second).toMatchObject({
      status: 400,
      outcome: 'invalid_request',
      cause: 'token_missing',
      detail: 'The member `token` is missing.',
      token_hash: null,
      api_key_id: null,
      redeem: null,
      token_last4: null,
      offer_id: null,
      via: null,
      idempotency_last4: null,
      ip: null,
      user_agent: null,
    });
    expect(await dropped()).toEqual([]);
  });

  test('a lone attempt is written at once, those that follow within a second together', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'performance'] });
    const recorder = await start();
    const written = () => expect.poll(() => recorder.stats().written);
    // None finds a claim, so none is the first verification of the account.
    const lone = () => recorder.record(attempt({ cause: 'token_unknown' }));
    lone();
    vi.advanceTimersByTime(EARLY_FLUSH_MS);
    await written().toBe(1);
    await recorder.flush();
    vi.advanceTimersByTime(2 * FLUSH_INTERVAL_MS);
    await recorder.flush();
    lone();
    vi.advanceTimersByTime(EARLY_FLUSH_MS);
    await written().toBe(2);
    await recorder.flush();
    lone();
    lone();
    vi.advanceTimersByTime(EARLY_FLUSH_MS);
    expect(recorder.stats()).toMatchObject({ written: 2, buffered: 2 });
    await recorder.flush();
    expect(recorder.stats()).toMatchObject({ written: 4, buffered: 0 });
  });

  test('the first verification and the first redemption of an account are kept, however many follow', async () => {
    const first = () =>
      database.db.read
        .selectFrom('first_verifications')
        .selectAll()
        .where('account_id', '=', owner.accountId)
        .orderBy('outcome')
        .execute();
    const recorder = await start();
    recorder.record(attempt({ cause: 'token_unknown' }));
    await recorder.flush();
    expect(await first()).toEqual([]);
    recorder.record(attempt({ cause: 'valid', requestId: 'v1' }));
    recorder.record(attempt({ requestId: 'v2' }));
    await recorder.flush();
    const other = createAttemptRecorder({ db: database.db, now: () => START });
    other.record(attempt({ requestId: 'v3' }));
    await other.close();
    expect(await first()).toMatchObject([
      { request_id: 'v2', outcome: 'redeemed' },
      { request_id: 'v1', outcome: 'valid', at: '2026-11-20T10:00:30.000Z' },
    ]);
    // Another process writes an earlier one later.
    const late = createAttemptRecorder({ db: database.db, now: () => START });
    late.record(attempt({ requestId: 'v0', atMs: START - 1_000 }));
    await late.close();
    expect(await first()).toMatchObject([{ request_id: 'v0', outcome: 'redeemed' }, { request_id: 'v1' }]);
  });

  test('a call with another method is kept for the owner of its key, and does not mark the key as seen in a browser', async () => {
    const recorder = await start();
    const call = refusedCallOf({ keyHash: hashKey(owner.liveKey), ip: '192.0.2.1', requestId: 'g1' });
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

  const ROOM = ATTEMPTS_PER_FLUSH_AND_ACCOUNT - KEPT_FOR_FAILURES;

  test('a busy account loses attempts and gets their number, while another account loses none', async () => {
    const recorder = await start();
    const busy = owner.accountId;
    for (let i = 0; i < ROOM + 30; i += 1) {
      if (recorder.wants(live(busy), 'redeemed')) recorder.record(attempt());
    }
    const quiet = await createOwner(database.context);
    expect(recorder.wants(live(quiet.accountId), 'redeemed')).toBe(true);
    recorder.record(attempt({ accountId: quiet.accountId }));
    await recorder.flush();
    expect(await kept()).toHaveLength(ROOM);
    expect(await kept(quiet.accountId)).toHaveLength(1);
    const minute = '2026-11-20T10:00:00.000Z';
    expect(await dropped()).toEqual([{ minute, dropped: 30, failures: 0 }]);
    expect(recorder.wants(live(busy), 'redeemed')).toBe(true);
    for (let i = 0; i < ROOM; i += 1) recorder.record(attempt());
    expect(recorder.wants(live(busy), 'redeemed')).toBe(false);
    await recorder.flush();
    expect(await dropped()).toEqual([{ minute, dropped: 31, failures: 0 }]);
    expect(recorder.stats()).toMatchObject({ buffered: 0, dropped: 31 });
  });

  test('good calls leave room for failures, and dropped failures are counted apart', async () => {
    const recorder = await start();
    for (let i = 0; i < ROOM; i += 1) recorder.record(attempt());
    expect(recorder.wants(live(owner.accountId), 'redeemed')).toBe(false);
    for (let i = 0; i < KEPT_FOR_FAILURES + 3; i += 1) {
      if (recorder.wants(live(owner.accountId), 'body_not_json'))
        recorder.record(attempt({ cause: 'body_not_json' }));
    }
    await recorder.flush();
    const failures = (await kept()).filter(({ outcome }) => outcome === 'invalid_request');
    expect(failures).toHaveLength(KEPT_FOR_FAILURES);
    expect(await dropped()).toMatchObject([{ dropped: 4, failures: 3 }]);
  });

  test('many attempts are written in several short transactions; those of a failing one are counted', async () => {
    const recorder = await start();
    let transactions = 0;
    onTransaction = () => {
      transactions += 1;
      broken = transactions === 3;
    };
    for (let i = 0; i < 70; i += 1) recorder.record(attempt({ requestId: `r${i}` }));
    await recorder.flush();
    expect((await kept()).map((row) => row.request_id)).toEqual(
      Array.from({ length: 40 }, (_, i) => `r${i}`),
    );
    expect(recorder.stats()).toMatchObject({ written: 40, dropped: 30, failedFlushes: 1 });
    broken = false;
    onTransaction = () => {};
    await recorder.flush();
    expect(await dropped()).toMatchObject([{ dropped: 30, failures: 0 }]);
  });

  test('the transactions of a flush are spread over time, and a stop waits for no pause', async () => {
    const recorder = await start();
    const at: number[] = [];
    onTransaction = () => at.push(performance.now());
    for (let i = 0; i < 400; i += 1) recorder.record(attempt({ requestId: `r${i}` }));
    await vi.waitFor(() => expect(at.length).toBeGreaterThan(4), { timeout: 5_000, interval: 1 });
    const begun = at.length;
    // Four pauses of a twentieth of half a second; timers may be a little early.
    expect(at[4]! - at[0]!).toBeGreaterThan(90);
    const closing = performance.now();
    await recorder.close();
    expect(at).toHaveLength(20);
    // With its pauses the rest would take as long as its part of half a second.
    expect(performance.now() - closing).toBeLessThan(((20 - begun) / 20) * 500);
    expect(await kept()).toHaveLength(400);
  });

  test('no text that the caller chose brings a token or a key into the log, nor control characters', async () => {
    const recorder = await start();
    const [token] = await issueTokens(database.context, owner, 1);
    recorder.record(
      attempt({
        cause: 'unsupported_media_type',
        detail: `The Content-Type is "${token} \u0085"; send application/json in UTF-8.`,
        idempotencyKey: token!,
        userAgent: `curl/8 ${owner.liveKey} ${'x'.repeat(500)}`,
      }),
    );
    recorder.record(attempt({ idempotencyKey: '"ab"' }));
    recorder.record(attempt({ idempotencyKey: 'x' }));
    await recorder.flush();
    const [row, short, single] = await kept();
    expect(JSON.stringify(row)).not.toContain(token);
    expect(JSON.stringify(row)).not.toContain(owner.liveKey.slice(0, 20));
    expect(row).toMatchObject({
      detail: 'The Content-Type is "clm_… \\u0085"; send application/json in UTF-8.',
      idempotency_last4: token!.slice(-4),
    });
    expect(row!.user_agent).toMatch(/^curl\/8 cck_… x{100,}$/);
    expect(row!.user_agent!.length).toBe(150);
    expect([short!.idempotency_last4, single!.idempotency_last4]).toEqual(['b', null]);
  });

  test('nor does the path or the origin of a call that is refused before its key is looked up', async () => {
    const recorder = await start();
    const [token = ''] = await issueTokens(database.context, owner, 1);
    recorder.recordBrowserCall(
      refusedCallOf({
        keyHash: hashKey(owner.liveKey),
        origin: `https://${token}.example/${'o'.repeat(10_000)}`,
        requestLine: `GET /api/v1/marketplace/claims/x%2F${token}/${'p'.repeat(10_000)}`,
      }),
    );
    await recorder.flush();
    const [row] = await kept();
    expect(row).toMatchObject({
      origin: expect.stringMatching(/^https:\/\/clm_…\.example\/o{270,280}$/),
      request_line: expect.stringMatching(/^GET \/api\/v1\/marketplace\/claims\/x%2Fclm_…\/p{200,270}$/),
    });
    const events = await database.db.read
      .selectFrom('events')
      .select('data')
      .where('account_id', '=', owner.accountId)
      .execute();
    expect(JSON.stringify([row, events])).not.toContain(token);
  });

  test('memory is bounded over all accounts', async () => {
    const recorder = await start();
    let taken = 0;
    for (let i = 0; i < BUFFERED_ATTEMPTS + 100; i += 1) {
      const accountId = `00000000-0000-7000-8000-${String(i).padStart(12, '0')}`;
      if (!recorder.wants(live(accountId), 'redeemed')) continue;
      recorder.record(attempt({ accountId }));
      taken += 1;
    }
    expect(taken).toBe(BUFFERED_ATTEMPTS);
    expect(recorder.stats().dropped).toBe(100);
  });

  test('refused calls of more keys than memory has room for are counted, as repeats are', async () => {
    const recorder = await start();
    broken = true;
    for (let key = 0; key < BUFFERED_CALLS + 3; key += 1) {
      recorder.recordBrowserCall(refusedCallOf({ keyHash: hashKey(`key ${key}`) }));
    }
    recorder.recordBrowserCall(refusedCallOf({ keyHash: hashKey('key 0') }));
    await recorder.flush();
    expect(recorder.stats()).toMatchObject({ dropped: 4, failedFlushes: 1 });
    broken = false;
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
    const call = refusedCallOf({
      keyHash: hashKey(owner.liveKey),
      origin: 'https://shop.example',
      ip: '192.0.2.7',
      requestId: 'b1',
    });
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
    expect(await dropped()).toMatchObject([{ dropped: 1, failures: 1 }]);
  });

  test('a mark that the database did not store is written again', async () => {
    const recorder = await start();
    broken = true;
    recorder.recordBrowserCall(refusedCallOf({ keyHash: hashKey(owner.liveKey), requestId: 'b1' }));
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
    const preflight = refusedCallOf({ keyHash: null, origin });
    recorder.recordBrowserCall({ ...preflight, requestId: 'p1' });
    recorder.recordBrowserCall({ ...preflight, origin: 'https://nobody.example', requestId: 'p2' });
    recorder.recordBrowserCall({ ...preflight, origin: null, requestId: 'p3' });
    await recorder.flush();
    await pin({ state: 'suspended' });
    recorder.recordBrowserCall({ ...preflight, requestId: 'p4' });
    await recorder.flush();
    expect((await kept()).map((row) => [row.request_id, row.api_key_id, row.origin])).toEqual([
      ['p1', null, origin],
    ]);
  });

  test('attempts are deleted after a week, and earlier where one account has too many', async () => {
    // Other tests leave those of thousands of accounts, which a sweep would go through one by one.
    await database.db.transaction((tx) => tx.deleteFrom('attempts').execute());
    const recorder = await start();
    for (let i = 0; i < 10; i += 1) {
      recorder.record(attempt({ requestId: `old-${i}`, atMs: START - 7 * DAY_MS - 1_000 + i * 200 }));
      recorder.record(attempt({ requestId: `new-${i}`, atMs: START - 1_000 + i }));
      recorder.record(attempt({ requestId: `test-${i}`, mode: 'test', atMs: START - 500 + i }));
    }
    await recorder.flush();
    const context = { db: database.db, now: () => START };
    const { signal } = new AbortController();
    expect(await attemptsNeedSweep(context, KEPT)).toBe(true);
    await sweepAttempts(context, KEPT, signal);
    const afterAWeek = (await kept()).map((row) => row.request_id);
    expect(afterAWeek.filter((id) => id.startsWith('old'))).toEqual(['old-6', 'old-7', 'old-8', 'old-9']);
    expect(await findDeletedUntil(database.db.read, live(owner.accountId))).toBeNull();
    await sweepAttempts(context, { ...KEPT, calls: 7 }, signal);
    expect(await findDeletedUntil(database.db.read, live(owner.accountId))).toBe(toIso(START - 1_000 + 2));
    const newest = (name: string) => [3, 4, 5, 6, 7, 8, 9].map((at) => `${name}-${at}`);
    expect((await kept()).map((row) => row.request_id).sort()).toEqual([...newest('new'), ...newest('test')]);
    const aWeekLater = { db: database.db, now: () => START + 8 * DAY_MS };
    expect(await attemptsNeedSweep({ ...aWeekLater, now: () => START + 3_600_000 }, KEPT)).toBe(false);
    expect(await attemptsNeedSweep(aWeekLater, KEPT)).toBe(true);
    await sweepAttempts(aWeekLater, KEPT, signal);
    expect(await findDeletedUntil(database.db.read, live(owner.accountId))).toBeNull();
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
