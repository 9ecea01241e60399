import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '../../src/accounts/create.ts';
import { setPlan } from '../../src/accounts/edit.ts';
import type { Context } from '../../src/context.ts';
import { createKey } from '../../src/keys/create.ts';
import { revokeKey, rollKey } from '../../src/keys/end.ts';
import { findKey, listKeys } from '../../src/keys/queries.ts';
import { listKeyViews } from '../../src/keys/view.ts';
import { ENGINES, openTestDatabase, type TestDatabase } from '../support/engines.ts';
import { eventsOf, refusalOf } from './support.ts';

const actor = 'operator' as const;
const account = 'owner@example.com';
const HOUR_MS = 3_600_000;

describe.each(ENGINES)('API keys on %s', (engine) => {
  let test: TestDatabase;
  let context: Context;
  let accountId: string;
  let now = Date.UTC(2026, 10, 20, 10);
  const iso = (ms: number) => new Date(ms).toISOString();
  beforeAll(async () => {
    test = await openTestDatabase(engine);
    context = { ...test.context, now: () => now };
    accountId = (await createAccount(context, { email: account, name: 'O', plan: 'studio', actor })).id;
  });
  afterAll(() => test?.close());

  it('are stored as their SHA-256 and four characters, and whole in no table', async () => {
    const { id, key, mode, expires_at } = await createKey(context, {
      account,
      name: 'web',
      expiresIn: '90d',
      actor,
    });
    expect(key).toMatch(/^cck_live_[0-9A-Za-z]{38}$/);
    expect(mode).toBe('live');
    expect(expires_at).toBe(iso(now + 90 * 24 * HOUR_MS));
    const row = await findKey(test.db.read, 'api_keys', id);
    expect(Buffer.from(row.secret_hash)).toEqual(createHash('sha256').update(key).digest());
    expect(row).toMatchObject({
      start: key.slice(9, 13),
      name: 'web',
      account_id: accountId,
      revoked_at: null,
    });
    const everything = JSON.stringify([
      row,
      await listKeys(test.db.read, accountId),
      await eventsOf(test.db, id),
    ]);
    expect(everything).not.toContain(key.slice(9, 30));
    expect(await eventsOf(test.db, id)).toMatchObject([
      { type: 'key.created', account_id: accountId, actor },
    ]);
  });

  it('are refused to a plan without them, with the plans that have them', async () => {
    await createAccount(context, { email: 'small@example.com', name: 'S', actor });
    expect(await refusalOf(createKey(context, { account: 'small@example.com', name: 'k', actor }))).toBe(
      'The account small@example.com is on the starter plan, which has no API keys; the plans studio and everything have them.',
    );
  });

  it('survive a plan without them', async () => {
    const email = 'updown@example.com';
    const { id } = await createAccount(context, { email, name: 'U', plan: 'studio', actor });
    const key = await createKey(context, { account: email, name: 'k', actor });
    await setPlan(context, { account: email, plan: 'starter', actor });
    expect(await refusalOf(rollKey(context, { keyId: key.id, actor }))).toContain('no API keys');
    await setPlan(context, { account: email, plan: 'studio', actor });
    expect(await listKeys(test.db.read, id)).toMatchObject([
      { id: key.id, revoked_at: null, expires_at: null },
    ]);
  });

  it('are revoked once, and a second revocation returns the first time', async () => {
    const { id } = await createKey(context, { account, name: 'old', actor });
    const at = now;
    expect(await revokeKey(context, { keyId: id, actor })).toEqual({ id, name: 'old', revoked_at: iso(at) });
    now += HOUR_MS;
    expect(await revokeKey(context, { keyId: id, actor })).toEqual({ id, name: 'old', revoked_at: iso(at) });
    expect((await eventsOf(test.db, id)).map(({ type }) => type)).toEqual(['key.created', 'key.revoked']);
  });

  it('roll at once by default: same name and mode, the old key revoked', async () => {
    const old = await createKey(context, { account, name: 'roll', mode: 'test', actor });
    const rolled = await rollKey(context, { keyId: old.id, actor });
    expect(rolled.key).toMatch(/^cck_test_/);
    expect(rolled).toMatchObject({ old_id: old.id, old_expires_at: null });
    expect(await findKey(test.db.read, 'api_keys', old.id)).toMatchObject({
      revoked_at: iso(now),
      rolled_to_id: rolled.id,
    });
    expect(await findKey(test.db.read, 'api_keys', rolled.id)).toMatchObject({
      name: 'roll',
      mode: 'test',
      revoked_at: null,
    });
    const events = await eventsOf(test.db, old.id);
    expect(events.map(({ type }) => type)).toEqual(['key.created', 'key.rolled']);
    expect(JSON.stringify(events)).not.toContain(rolled.key.slice(9, 30));
  });

  it.each([
    ['1h', HOUR_MS],
    ['24h', 24 * HOUR_MS],
    ['7d', 7 * 24 * HOUR_MS],
  ])('roll with the old one living on for %s', async (keepOld, ms) => {
    const old = await createKey(context, { account, name: 'overlap', actor });
    const rolled = await rollKey(context, { keyId: old.id, keepOld, actor });
    expect(rolled.old_expires_at).toBe(iso(now + ms));
    expect(await findKey(test.db.read, 'api_keys', old.id)).toMatchObject({
      expires_at: iso(now + ms),
      revoked_at: null,
    });
  });

  it('roll without making the old one live longer, and the new one as long as the old one was to', async () => {
    const old = await createKey(context, { account, name: 'short', expiresIn: '2h', actor });
    const end = now + 2 * HOUR_MS;
    now += HOUR_MS;
    const rolled = await rollKey(context, { keyId: old.id, keepOld: '7d', actor });
    expect(rolled.old_expires_at).toBe(iso(end));
    expect(rolled.expires_at).toBe(iso(now + 2 * HOUR_MS));
  });

  it('refuse to roll what is revoked, expired or rolled, and overlaps that are none', async () => {
    const revoked = await createKey(context, { account, name: 'r', actor });
    await revokeKey(context, { keyId: revoked.id, actor });
    expect(await refusalOf(rollKey(context, { keyId: revoked.id, actor }))).toContain('revoked');
    const expired = await createKey(context, { account, name: 'e', expiresIn: '1h', actor });
    now += HOUR_MS;
    expect(await refusalOf(rollKey(context, { keyId: expired.id, actor }))).toContain('expired');
    const rolled = await createKey(context, { account, name: 'x', actor });
    const next = await rollKey(context, { keyId: rolled.id, keepOld: '1h', actor });
    expect(await refusalOf(rollKey(context, { keyId: rolled.id, actor }))).toContain(next.id);
    expect(await refusalOf(rollKey(context, { keyId: next.id, keepOld: '2h', actor }))).toContain(
      'now, 1h, 24h, 7d',
    );
  });

  it('give one of many rolls at once the new key', async () => {
    const old = await createKey(context, { account, name: 'race', actor });
    const tries = await Promise.allSettled(
      Array.from({ length: 10 }, () => rollKey(context, { keyId: old.id, keepOld: '24h', actor })),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const named = (await listKeys(test.db.read, accountId)).filter(({ name }) => name === 'race');
    expect(named).toHaveLength(2);
  });

  it('do not repeat a whole key that was passed in place of an id', async () => {
    const secret = `cck_live_${randomBytes(19).toString('hex')}`;
    const sentence = await refusalOf(revokeKey(context, { keyId: secret, actor }));
    expect(sentence).not.toContain(secret.slice(9, 14));
    expect(sentence).toContain('UUID');
  });

  it('refuse a bad mode, name or expiry', async () => {
    const input = { account, name: 'k', actor };
    expect(await refusalOf(createKey(context, { ...input, mode: 'prod' }))).toContain('prod');
    expect(await refusalOf(createKey(context, { ...input, name: '' }))).toContain('name');
    expect(await refusalOf(createKey(context, { ...input, expiresIn: '90' }))).toContain('90');
    expect(await refusalOf(createKey(context, { ...input, expiresIn: 'now' }))).toContain('from 1h to 3650d');
  });

  it('of another account are missing, and stay as they are', async () => {
    const other = await createAccount(context, {
      email: 'eve@example.com',
      name: 'E',
      plan: 'studio',
      actor,
    });
    const { id } = await createKey(context, { account, name: 'mine', actor });
    const missing = await refusalOf(
      revokeKey(context, { keyId: '01934e2d-5678-7abc-8def-0123456789ab', accountId: other.id, actor }),
    );
    const said = (work: Promise<unknown>) => refusalOf(work).then((text) => text.replace(id, 'ID'));
    const expected = missing.replace('01934e2d-5678-7abc-8def-0123456789ab', 'ID');
    expect(await said(revokeKey(context, { keyId: id, accountId: other.id, actor }))).toBe(expected);
    expect(await said(rollKey(context, { keyId: id, accountId: other.id, actor }))).toBe(expected);
    expect(await findKey(test.db.read, 'api_keys', id)).toMatchObject({
      revoked_at: null,
      rolled_to_id: null,
    });
    await revokeKey(context, { keyId: id, accountId, actor });
    expect((await findKey(test.db.read, 'api_keys', id)).revoked_at).not.toBeNull();
  });

  it('are listed with their state, the active ones first, without their secret', async () => {
    const owner = await createAccount(context, {
      email: 'lists@example.com',
      name: 'L',
      plan: 'studio',
      actor,
    });
    const make = (name: string, expiresIn?: string) =>
      createKey(context, { account: owner.id, name, expiresIn, actor });
    const [revoked, , active] = [await make('revoked'), await make('expired', '1h'), await make('active')];
    await revokeKey(context, { keyId: revoked.id, actor });
    now += HOUR_MS;
    const keys = await listKeyViews(context, owner.id);
    expect(keys.map(({ name, state }) => [name, state])).toEqual([
      ['active', 'active'],
      ['expired', 'expired'],
      ['revoked', 'revoked'],
    ]);
    expect(keys[0]).toMatchObject({
      start: active.key.slice(0, 13),
      last_used_at: null,
      seen_in_browser_at: null,
    });
    expect(JSON.stringify(keys)).not.toContain(active.key.slice(9, 20));
  });
});
