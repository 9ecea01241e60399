/** Calls refused before their key was looked up: whose log they are in, and keys that were seen in a browser. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AttemptRecorder, createAttemptRecorder } from '../../src/attempts/recorder.ts';
import type { Context } from '../../src/context.ts';
import { hashKey } from '../../src/keys/key.ts';
import { refusedCallOf } from '../support/attempts.ts';
import { ENGINES } from '../support/engines.ts';
import { createOwner, type Owner } from '../support/marketplace.ts';
import { shareDatabase } from '../support/shared.ts';

const START = Date.parse('2026-11-20T10:00:30.000Z');

describe.each(ENGINES)('refused calls on %s', (engine) => {
  const database = shareDatabase(engine);
  let owner: Owner;
  let recorder: AttemptRecorder;
  let isAway = false;

  const start = () => {
    const db: Context['db'] = {
      ...database.db,
      transaction: (work) =>
        isAway ? Promise.reject(new Error('the database is away')) : database.db.transaction(work),
    };
    return createAttemptRecorder({ db, now: () => START });
  };
  beforeEach(async () => {
    owner = await createOwner(database.context);
    recorder = start();
  });
  afterEach(() => recorder.close());

  const kept = () =>
    database.db.read
      .selectFrom('attempts')
      .select(['request_id', 'cause', 'api_key_id', 'origin'])
      .where('account_id', '=', owner.accountId)
      .orderBy('id')
      .execute();
  const seenInBrowserAt = async () =>
    (
      await database.db.read
        .selectFrom('api_keys')
        .select('seen_in_browser_at')
        .where('id', '=', owner.liveKeyId)
        .executeTakeFirstOrThrow()
    ).seen_in_browser_at;

  test('one with another method is kept for the owner of its key, and does not mark the key', async () => {
    const call = refusedCallOf({ keyHash: hashKey(owner.liveKey), requestId: 'g1' });
    recorder.recordWrongMethod(call);
    recorder.recordWrongMethod({ ...call, requestId: 'g2' });
    recorder.recordWrongMethod({ ...call, keyHash: hashKey('unknown') });
    await recorder.flush();
    expect(await kept()).toEqual([
      { request_id: 'g1', cause: 'method_not_allowed', api_key_id: owner.liveKeyId, origin: null },
    ]);
    expect(await seenInBrowserAt()).toBeNull();
  });

  test('a key seen in a browser is marked once and reported once, by all processes together', async () => {
    const origin = 'https://shop.example';
    const call = refusedCallOf({ keyHash: hashKey(owner.liveKey), origin, ip: '192.0.2.7', requestId: 'b1' });
    recorder.recordBrowserCall(call);
    recorder.recordBrowserCall({ ...call, requestId: 'b2' });
    await recorder.flush();
    const other = start();
    other.recordBrowserCall({ ...call, requestId: 'b3' });
    await other.close();
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

  test('a mark that the database did not store is written again', async () => {
    isAway = true;
    recorder.recordBrowserCall(refusedCallOf({ keyHash: hashKey(owner.liveKey), requestId: 'b1' }));
    await recorder.flush();
    isAway = false;
    await recorder.flush();
    expect((await kept()).map((row) => row.request_id)).toEqual(['b1']);
    expect(await seenInBrowserAt()).not.toBeNull();
  });

  test('a preflight is reported only to the owner whose approved listing has its origin', async () => {
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
});
