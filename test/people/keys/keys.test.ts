import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { createAccount } from '../../../src/people/accounts/create.ts';
import { setPlan } from '../../../src/people/accounts/edit.ts';
import { createKey } from '../../../src/people/keys/create.ts';
import { revokeKey, rollKey } from '../../../src/people/keys/end.ts';
import { findKey, listKeys } from '../../../src/people/keys/queries.ts';
import { listKeyViews } from '../../../src/people/keys/view.ts';
import { ENGINES } from '../../support/engines.ts';
import { eventsOf, expectOneOf, refusalOf, typesOf } from '../../support/events.ts';
import { shareDatabase } from '../../support/shared.ts';

const actor = 'operator' as const;
const account = 'owner@example.com';
const HOUR_MS = 3_600_000;

describe.each(ENGINES)('API keys on %s', (engine) => {
  const database = shareDatabase(engine);
  const { context } = database;
  let accountId: string;
  let now = Date.UTC(2026, 10, 20, 10);
  const iso = (ms: number) => new Date(ms).toISOString();
  const find = (id: string) => findKey(database.db.read, 'api_keys', id);
  beforeAll(async () => {
    Object.assign(context, { now: () => now });
    accountId = (await createAccount(context, { email: account, name: 'O', plan: 'studio', actor })).id;
  });

  test('are stored only as a SHA-256 hash and their first four random characters', async () => {
    const made = await createKey(context, { account, name: 'web', expiresIn: '90d', actor });
    const { id, key, mode, expires_at } = made;
    expect(key).toMatch(/^cck_live_[0-9A-Za-z]{38}$/);
    expect(mode).toBe('live');
    expect(expires_at).toBe(iso(now + 90 * 24 * HOUR_MS));
    const row = await find(id);
    expect(Buffer.from(row.secret_hash)).toEqual(createHash('sha256').update(key).digest());
    const start = key.slice(9, 13);
    expect(row).toMatchObject({ start, name: 'web', account_id: accountId, revoked_at: null });
    const events = await eventsOf(database.db, id);
    expect(events).toMatchObject([{ type: 'key.created', account_id: accountId, actor }]);
    const everything = JSON.stringify([row, await listKeys(database.db.read, accountId), events]);
    expect(everything).not.toContain(key.slice(9, 30));
  });

  test('cannot be created on a plan without API keys, and the error names plans that include them', async () => {
    await createAccount(context, { email: 'small@example.com', name: 'S', actor });
    expect(await refusalOf(createKey(context, { account: 'small@example.com', name: 'k', actor }))).toBe(
      'The account small@example.com is on the starter plan, which has no API keys; the plans “studio” and “everything” have them.',
    );
  });

  test('are preserved while the account is on a plan without API keys', async () => {
    const email = 'updown@example.com';
    const { id } = await createAccount(context, { email, name: 'U', plan: 'studio', actor });
    const key = await createKey(context, { account: email, name: 'k', actor });
    await setPlan(context, { account: email, plan: 'starter', actor });
    expect(await refusalOf(rollKey(context, { keyId: key.id, actor }))).toContain('no API keys');
    await setPlan(context, { account: email, plan: 'studio', actor });
    expect(await listKeys(database.db.read, id)).toMatchObject([
      { id: key.id, revoked_at: null, expires_at: null },
    ]);
  });

  test('keep the time of the first revocation if they are revoked again', async () => {
    const { id } = await createKey(context, { account, name: 'old', actor });
    const at = now;
    expect(await revokeKey(context, { keyId: id, actor })).toEqual({ id, name: 'old', revoked_at: iso(at) });
    now += HOUR_MS;
    expect(await revokeKey(context, { keyId: id, actor })).toEqual({ id, name: 'old', revoked_at: iso(at) });
    expect(await typesOf(database.db, id)).toEqual(['key.created', 'key.revoked']);
  });

  test('rolling revokes the old key immediately by default, and the new key has the same name and mode', async () => {
    const old = await createKey(context, { account, name: 'roll', mode: 'test', actor });
    const rolled = await rollKey(context, { keyId: old.id, actor });
    expect(rolled.key).toMatch(/^cck_test_/);
    expect(rolled).toMatchObject({ old_id: old.id, old_expires_at: null });
    expect(await find(old.id)).toMatchObject({ revoked_at: iso(now), rolled_to_id: rolled.id });
    expect(await find(rolled.id)).toMatchObject({ name: 'roll', mode: 'test', revoked_at: null });
    const events = await eventsOf(database.db, old.id);
    expect(events.map(({ type }) => type)).toEqual(['key.created', 'key.rolled']);
    expect(JSON.stringify(events)).not.toContain(rolled.key.slice(9, 30));
  });

  test('rolling can keep the old key valid for a given time', async () => {
    const old = await createKey(context, { account, name: 'overlap', actor });
    const rolled = await rollKey(context, { keyId: old.id, keepOld: '24h', actor });
    const end = iso(now + 24 * HOUR_MS);
    expect(rolled.old_expires_at).toBe(end);
    expect(await find(old.id)).toMatchObject({ expires_at: end, revoked_at: null });
  });

  test('rolling never delays the expiry of the old key, and gives the new key the full lifetime of the old key', async () => {
    const old = await createKey(context, { account, name: 'short', expiresIn: '2h', actor });
    const end = now + 2 * HOUR_MS;
    now += HOUR_MS;
    const rolled = await rollKey(context, { keyId: old.id, keepOld: '7d', actor });
    expect(rolled.old_expires_at).toBe(iso(end));
    expect(rolled.expires_at).toBe(iso(now + 2 * HOUR_MS));
  });

  test('cannot be rolled if they are revoked, expired or already rolled, or if the overlap is invalid', async () => {
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

  test('can be rolled by only one of several concurrent calls', async () => {
    const old = await createKey(context, { account, name: 'race', actor });
    await expectOneOf(
      Array.from({ length: 10 }, () => rollKey(context, { keyId: old.id, keepOld: '24h', actor })),
      'rolled',
    );
    const named = (await listKeys(database.db.read, accountId)).filter(({ name }) => name === 'race');
    expect(named).toHaveLength(2);
  });

  test('do not appear in the error if a caller passes a key instead of its id', async () => {
    const secret = `cck_live_${randomBytes(19).toString('hex')}`;
    const sentence = await refusalOf(revokeKey(context, { keyId: secret, actor }));
    expect(sentence).not.toContain(secret.slice(9, 14));
    expect(sentence).toContain('UUID');
  });

  test('are not found by other accounts, which cannot revoke or roll them', async () => {
    const eve = { email: 'eve@example.com', name: 'E', plan: 'studio', actor };
    const { id: other } = await createAccount(context, eve);
    const { id } = await createKey(context, { account, name: 'mine', actor });
    const unknown = '01934e2d-5678-7abc-8def-0123456789ab';
    const said = async (verb: typeof revokeKey | typeof rollKey, keyId: string) =>
      (await refusalOf(verb(context, { keyId, accountId: other, actor }))).replace(keyId, 'ID');
    const missing = await said(revokeKey, unknown);
    expect(await said(revokeKey, id)).toBe(missing);
    expect(await said(rollKey, id)).toBe(missing);
    expect(await find(id)).toMatchObject({ revoked_at: null, rolled_to_id: null });
    await revokeKey(context, { keyId: id, accountId, actor });
    expect((await find(id)).revoked_at).not.toBeNull();
  });

  test('are listed with their state and without their secret, active keys first', async () => {
    const lists = { email: 'lists@example.com', name: 'L', plan: 'studio', actor };
    const owner = await createAccount(context, lists);
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
    const start = active.key.slice(0, 13);
    expect(keys[0]).toMatchObject({ start, last_used_at: null, seen_in_browser_at: null });
    expect(JSON.stringify(keys)).not.toContain(active.key.slice(9, 20));
  });
});
