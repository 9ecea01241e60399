/** What the recorder writes to the database: attempts, first verifications, refused calls and last uses of keys. */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '../../../src/base/context.ts';
import type { Attempt } from '../../../src/claims/attempts/attempt.ts';
import { findUnrecordedCalls } from '../../../src/claims/attempts/queries.ts';
import { type AttemptRecorder, createAttemptRecorder } from '../../../src/claims/attempts/recorder.ts';
import { KEYLESS_CALLS } from '../../../src/claims/attempts/refused-calls.ts';
import { hashKey, mintKey } from '../../../src/people/keys/key.ts';
import { attemptOf, refusedCallOf } from '../../support/attempts.ts';
import { ENGINES } from '../../support/engines.ts';
import { createOwner, issueTokens, type Owner } from '../../support/marketplace.ts';
import { shareDatabase } from '../../support/shared.ts';

const START = Date.parse('2026-11-20T10:00:30.000Z');

describe.each(ENGINES)('the attempt recorder on %s', (engine) => {
  const database = shareDatabase(engine);
  let owner: Owner;
  let nowMs = START;
  /** Number of transactions that succeed before the database becomes unavailable. */
  let succeed = Number.POSITIVE_INFINITY;
  let transactions = 0;
  const open: AttemptRecorder[] = [];

  beforeEach(async () => {
    nowMs = START;
    owner = await createOwner(database.context);
  });
  afterEach(async () => {
    succeed = Number.POSITIVE_INFINITY;
    await Promise.all(open.splice(0).map((recorder) => recorder.close()));
  });

  function start(): AttemptRecorder {
    const db: Context['db'] = {
      ...database.db,
      transaction: (work) => {
        transactions += 1;
        succeed -= 1;
        if (succeed < 0) return Promise.reject(new Error('the database is unavailable'));
        return database.db.transaction(work);
      },
    };
    const recorder = createAttemptRecorder({ db, now: () => nowMs });
    open.push(recorder);
    return recorder;
  }

  const attempt = (change: Partial<Attempt> = {}): Attempt =>
    attemptOf({
      accountId: owner.accountId,
      atMs: nowMs,
      requestId: 'r1',
      keyId: owner.liveKeyId,
      cause: 'redeemed',
      ...change,
    });
  const kept = () =>
    database.db.read
      .selectFrom('attempts')
      .selectAll()
      .where('account_id', '=', owner.accountId)
      .orderBy('id')
      .execute();
  const unrecorded = () => findUnrecordedCalls(database.db.read, owner.accountId);

  test('stores every field of an attempt', async () => {
    const recorder = start();
    recorder.record(
      attempt({
        detail: 'A detail.',
        tokenLast4: 'wxyz',
        tokenHash: Buffer.alloc(32, 7),
        offerId: owner.offerId,
        via: 'spring',
        idempotencyKey: '"order-4711"',
        latencyUs: 1_234.5,
        ip: '192.0.2.1',
        userAgent: 'node',
      }),
    );
    recorder.record(attempt({ keyId: null, cause: 'token_missing', redeem: null }));
    await recorder.close();
    const [first, second] = await kept();
    expect(first).toEqual({
      id: expect.any(Number),
      account_id: owner.accountId,
      mode: 'live',
      at: '2026-11-20T10:00:30.000Z',
      request_id: 'r1',
      api_key_id: owner.liveKeyId,
      cause: 'redeemed',
      detail: 'A detail.',
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
    const { id, account_id, mode, at, request_id, cause, latency_us, ...missing } = second!;
    expect(cause).toBe('token_missing');
    expect(new Set(Object.values(missing))).toEqual(new Set([null]));
    expect(await unrecorded()).toBeUndefined();
  });

  test('redacts tokens and keys, and escapes control characters, in text from the caller', async () => {
    const recorder = start();
    const [token] = await issueTokens(database.context, owner, 1);
    const { key: operatorKey } = mintKey(randomBytes, 'operator');
    recorder.record(
      attempt({
        cause: 'unsupported_media_type',
        detail: `The Content-Type is "${token} \u0085"; send application/json in UTF-8.`,
        idempotencyKey: token!,
        userAgent: `curl/8 ${owner.liveKey} ${operatorKey} ${'x'.repeat(500)}`,
      }),
    );
    recorder.record(attempt({ idempotencyKey: '"ab"' }));
    recorder.record(attempt({ idempotencyKey: 'x' }));
    recorder.recordBrowserCall(
      refusedCallOf({
        keyHash: hashKey(owner.liveKey),
        origin: `https://${token}.example/${'o'.repeat(10_000)}`,
        requestLine: `GET /api/v1/marketplace/claims/x%2F${token}/${'p'.repeat(10_000)}`,
      }),
    );
    await recorder.flush();
    const [row, short, single, refused] = await kept();
    expect(row).toMatchObject({
      detail: 'The Content-Type is "clm_… \\u0085"; send application/json in UTF-8.',
      idempotency_last4: token!.slice(-4),
    });
    expect(row!.user_agent).toMatch(/^curl\/8 cck_… cko_… x{100,}$/);
    expect(row!.user_agent!.length).toBe(150);
    expect([short!.idempotency_last4, single!.idempotency_last4]).toEqual(['b', null]);
    expect(refused).toMatchObject({
      origin: expect.stringMatching(/^https:\/\/clm_…\.example\/o{270,280}$/),
      request_line: expect.stringMatching(/^GET \/api\/v1\/marketplace\/claims\/x%2Fclm_…\/p{200,270}$/),
    });
    const events = await database.db.read
      .selectFrom('events')
      .select('data')
      .where('account_id', '=', owner.accountId)
      .execute();
    const stored = JSON.stringify([row, refused, events]);
    expect(stored).not.toContain(token);
    expect(stored).not.toContain(owner.liveKey.slice(0, 20));
    expect(stored).not.toContain(operatorKey.slice(0, 20));
  });

  test('keeps the earliest verification and redemption of an account across processes', async () => {
    const first = () =>
      database.db.read
        .selectFrom('first_verifications')
        .selectAll()
        .where('account_id', '=', owner.accountId)
        .orderBy('outcome')
        .execute();
    const record = async (...attempts: readonly Partial<Attempt>[]) => {
      const recorder = start();
      for (const one of attempts) recorder.record(attempt(one));
      await recorder.close();
    };
    await record({ cause: 'token_unknown' });
    expect(await first()).toEqual([]);
    await record({ cause: 'valid', requestId: 'v1' }, { requestId: 'v2' });
    await record({ requestId: 'v3' });
    expect(await first()).toMatchObject([
      { request_id: 'v2', outcome: 'redeemed' },
      { request_id: 'v1', outcome: 'valid', at: '2026-11-20T10:00:30.000Z' },
    ]);
    await record({ requestId: 'v0', atMs: START - 1_000 });
    expect(await first()).toMatchObject([{ request_id: 'v0', outcome: 'redeemed' }, { request_id: 'v1' }]);
  });

  test('adds up the unrecorded calls of an account across processes', async () => {
    const recorder = start();
    succeed = 2;
    for (let i = 0; i < 70; i += 1) recorder.record(attempt({ requestId: `r${i}` }));
    await recorder.flush();
    expect((await kept()).map((row) => row.request_id)).toEqual(
      Array.from({ length: 40 }, (_, i) => `r${i}`),
    );
    succeed = 0;
    recorder.record(attempt({ atMs: START + 60_000 }));
    await recorder.flush();
    expect(await unrecorded()).toBeUndefined();
    succeed = Number.POSITIVE_INFINITY;
    await recorder.flush();
    expect(await unrecorded()).toEqual({ calls: 31, last_at: '2026-11-20T10:01:30.000Z' });

    const other = start();
    while (other.wants(owner.accountId)) other.record(attempt());
    const call = refusedCallOf({ keyHash: hashKey(owner.liveKey) });
    for (let i = 0; i < 3; i += 1) other.recordWrongMethod(call);
    await other.flush();
    expect(await unrecorded()).toEqual({ calls: 34, last_at: '2026-11-20T10:01:30.000Z' });
    expect(other.unrecorded()).toBe(3);
    const stranger = await createOwner(database.context);
    expect(await findUnrecordedCalls(database.db.read, stranger.accountId)).toBeUndefined();
  });

  test('never moves the last use of a key back in time', async () => {
    const used = async (atMs: number) => {
      const recorder = start();
      nowMs = atMs;
      recorder.touch(owner.accountId, owner.liveKeyId, atMs);
      await recorder.close();
      const row = await database.db.read
        .selectFrom('api_key_uses')
        .select('last_used_at')
        .where('account_id', '=', owner.accountId)
        .where('api_key_id', '=', owner.liveKeyId)
        .executeTakeFirst();
      return row?.last_used_at;
    };
    expect(await used(START + 10_000)).toBe('2026-11-20T10:00:40.000Z');
    expect(await used(START)).toBe('2026-11-20T10:00:40.000Z');
  });

  const seenInBrowserAt = async () =>
    (
      await database.db.read
        .selectFrom('api_keys')
        .select('seen_in_browser_at')
        .where('id', '=', owner.liveKeyId)
        .executeTakeFirstOrThrow()
    ).seen_in_browser_at;

  test('records a non-POST call for the key owner and does not mark the key as seen in a browser', async () => {
    const recorder = start();
    const call = refusedCallOf({ keyHash: hashKey(owner.liveKey), requestId: 'g1' });
    recorder.recordWrongMethod(call);
    recorder.recordWrongMethod({ ...call, requestId: 'g2' });
    recorder.recordWrongMethod({ ...call, keyHash: hashKey('unknown') });
    await recorder.flush();
    expect(await kept()).toMatchObject([
      { request_id: 'g1', cause: 'method_not_allowed', api_key_id: owner.liveKeyId, origin: null },
    ]);
    expect(await seenInBrowserAt()).toBeNull();
  });

  test('marks a key as seen in a browser and appends one event, even with several processes', async () => {
    const origin = 'https://shop.example';
    const call = refusedCallOf({ keyHash: hashKey(owner.liveKey), origin, ip: '192.0.2.7' });
    for (const requestIds of [['b1', 'b2'], ['b3']]) {
      const recorder = start();
      for (const requestId of requestIds) recorder.recordBrowserCall({ ...call, requestId });
      await recorder.close();
    }
    expect(await seenInBrowserAt()).toBe('2026-11-20T10:00:30.000Z');
    const events = await database.db.read
      .selectFrom('events')
      .select(['actor', 'subject_id', 'data'])
      .where('account_id', '=', owner.accountId)
      .where('type', '=', 'key.seen_in_browser')
      .execute();
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ actor: `key:${owner.liveKeyId}`, subject_id: owner.liveKeyId });
    expect(JSON.parse(events[0]!.data)).toEqual({ origin, ip: '192.0.2.7', request_id: 'b1' });
    expect((await kept()).map((row) => [row.request_id, row.cause, row.origin])).toEqual([
      ['b1', 'browser_call', origin],
      ['b3', 'browser_call', origin],
    ]);
  });

  test('records few calls from outside the networks of a key, because somebody else may send them', async () => {
    const recorder = start();
    const keyHash = hashKey(owner.liveKey);
    // A flush keeps one call of each key.
    for (let i = 0; i < KEYLESS_CALLS + 5; i += 1) {
      recorder.recordOutsideCall(refusedCallOf({ keyHash, requestId: `outside-${i}` }));
      await recorder.flush();
    }
    const calls = (await kept()).filter(({ cause }) => cause === 'network_not_allowed');
    expect(calls).toHaveLength(KEYLESS_CALLS);
    expect(await findUnrecordedCalls(database.db.read, owner.accountId)).toMatchObject({ calls: 5 });
    recorder.record(attempt({ requestId: 'own' }));
    await recorder.flush();
    expect((await kept()).map(({ request_id }) => request_id)).toContain('own');
  });

  test('retries marking a key if the database was unavailable', async () => {
    const recorder = start();
    succeed = 0;
    recorder.recordBrowserCall(refusedCallOf({ keyHash: hashKey(owner.liveKey), requestId: 'b1' }));
    await recorder.flush();
    succeed = Number.POSITIVE_INFINITY;
    await recorder.flush();
    expect((await kept()).map((row) => row.request_id)).toEqual(['b1']);
    expect(await seenInBrowserAt()).not.toBeNull();
  });

  test('looks up unknown callers without a transaction, which redemptions would wait for', async () => {
    const recorder = start();
    transactions = 0;
    for (let n = 0; n < 40; n += 1) {
      const origin = `https://${n}.nobody.example`;
      recorder.recordBrowserCall(refusedCallOf({ keyHash: null, origin }));
      recorder.recordWrongMethod(refusedCallOf({ keyHash: hashKey(String(n)) }));
    }
    await recorder.flush();
    expect(transactions).toBe(0);
  });

  test('records a preflight only for the owner of an approved listing with the same origin', async () => {
    const origin = `https://${owner.slug}.example`;
    const pin = (change: { origin?: string; state?: 'approved' | 'suspended' }) =>
      database.db.transaction((tx) =>
        tx.updateTable('listings').set(change).where('id', '=', owner.listingId).execute(),
      );
    await pin({ origin });
    const recorder = start();
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
});
