/** Operator keys at the desk: a secret is shown only once, and creating a key requires re-authentication. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  authorizeOperatorKey,
  type KeyCaller,
  recordOutsideCall,
} from '../../../src/people/keys/authorize.ts';
import { createOperatorKey } from '../../../src/people/keys/create.ts';
import { MAX_ACTIVE_OPERATOR_KEYS, readOperatorKey, SCOPES } from '../../../src/people/keys/key.ts';
import { findKey, listOperatorKeys } from '../../../src/people/keys/queries.ts';
import { suspendAccount } from '../../../src/people/members/suspend.ts';
import { uuidv7 } from '../../../src/platform/store/uuid.ts';
import { ENGINES } from '../../support/engines.ts';
import { allTexts } from '../../support/tables.ts';
import { type Desk, openDesk } from './support.ts';

const KEYS = '/desk/keys';
const KEY = /cko_[0-9A-Za-z]{38}/;
const DAY_MS = 24 * 3_600_000;

describe.each(ENGINES)('operator keys at the desk on %s', (engine) => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk(engine);
  });
  afterAll(() => desk.close());
  beforeEach(async () => {
    desk.pages.viewer = desk.operator;
    await desk.db.transaction((tx) => tx.deleteFrom('operator_keys').execute());
  });

  const get = async (path: string) => (await desk.get(path)).text();
  const formId = async (path: string) => /name="form" value="([^"]+)"/.exec(await get(path))![1]!;
  const create = async (fields: Record<string, string> = {}) => {
    const form = await formId(`${KEYS}/new`);
    return desk.post(KEYS, { form, name: 'market', 'claims:write': 'yes', expires: '', ...fields });
  };
  const keys = () => listOperatorKeys(desk.db.read);
  const keyFor = (account: string, name = 'market') =>
    createOperatorKey(desk.context, { account, name, scopes: SCOPES, actor: 'operator' });
  const mayIssue = async (key: string) =>
    (await authorizeOperatorKey(desk.context, readOperatorKey(key)!.hash, 'claims:write')).kind ===
    'authorized';
  /** Makes the operator's last re-authentication too old. */
  const goStale = () => {
    desk.pages.viewer = { ...desk.operator, isRecentlyProven: false, isFreshlyProven: false };
  };
  const events = () =>
    desk.db.read
      .selectFrom('events')
      .select(['type', 'actor', 'data'])
      .where('type', 'like', 'operator_key.%')
      .orderBy('seq')
      .execute();

  test('are shown only once and are never stored in plain text', async () => {
    const made = await create({ 'accounts:read': 'yes', expires: '90d' });
    expect([made.status, made.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const text = await made.text();
    const key = KEY.exec(text)![0];
    expect(text).toContain(`CLAIMCHECK_KEY=${key}`);
    expect(await mayIssue(key)).toBe(true);
    const [row] = await keys();
    expect(row).toMatchObject({ account_id: desk.operator.accountId, scopes: 'accounts:read claims:write' });
    expect(Date.parse(row!.expires_at!) - Date.parse(row!.created_at)).toBe(90 * DAY_MS);

    const replaced = await desk.post(`${KEYS}/${row!.id}/replace`, { keep: '24h' });
    const newer = KEY.exec(await replaced.text())![0];
    expect(newer).not.toBe(key);
    expect([await mayIssue(key), await mayIssue(newer)]).toEqual([true, true]);
    const again = await desk.post(`${KEYS}/${row!.id}/replace`, { keep: '24h' });
    expect([again.status, await again.text()]).toEqual([
      409,
      expect.stringContaining('The form was sent twice'),
    ]);
    const [old, next, ...others] = await keys();
    expect(others).toEqual([]);
    expect(Date.parse(old!.expires_at!)).toBeLessThanOrEqual(Date.now() + DAY_MS);
    expect(old!.rolled_to_id).toBe(next!.id);
    expect(next).toMatchObject({ name: 'market', scopes: row!.scopes, revoked_at: null });

    expect((await desk.post(`${KEYS}/${next!.id}/revoke`)).headers.get('location')).toBe(KEYS);
    expect(await mayIssue(newer)).toBe(false);
    const log = await events();
    expect(log.slice(-3).map(({ type, actor }) => [type, actor])).toEqual(
      ['created', 'replaced', 'revoked'].map((verb) => [
        `operator_key.${verb}`,
        `account:${desk.operator.accountId}`,
      ]),
    );
    expect(await get('/desk/events')).toContain('replaced the operator key “market”');
    const pages = (await get(KEYS)) + (await get(`${KEYS}/new`)) + (await get('/desk/events'));
    const everything = (await allTexts(desk.context)) + pages;
    for (const secret of [key, newer]) {
      expect(everything).toContain(secret.slice(4, 8));
      expect(everything).not.toContain(secret.slice(8));
    }
  });

  test('are created only once if the form is submitted several times concurrently', async () => {
    const fields = { form: await formId(`${KEYS}/new`), name: 'twice', 'claims:read': 'yes', expires: '' };
    const answers = await Promise.all(Array.from({ length: 5 }, () => desk.post(KEYS, fields)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    expect(await keys()).toHaveLength(1);
  });

  test('are replaced only once by concurrent requests, and stop working immediately if `keep` is `now`', async () => {
    const { id, key } = await keyFor(desk.operator.accountId);
    const answers = await Promise.all([1, 2].map(() => desk.post(`${KEYS}/${id}/replace`, { keep: 'now' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await answers.find(({ status }) => status === 409)!.text()).toContain('The form was sent twice');
    expect(await mayIssue(key)).toBe(false);
    expect(await keys()).toHaveLength(2);
  });

  test('cannot be created or replaced without re-authentication, but can be revoked', async () => {
    const { id, key } = await keyFor(desk.operator.accountId);
    const form = await formId(`${KEYS}/new`);
    goStale();
    const proof = (next: string) => `/account/prove?next=${encodeURIComponent(next)}`;
    expect((await desk.get(`${KEYS}/new`)).headers.get('location')).toBe(proof(`${KEYS}/new`));
    const made = await desk.post(KEYS, { form, name: 'typed', 'claims:read': 'yes', expires: '30d' });
    const text = await made.text();
    expect([made.status, KEY.test(text)]).toEqual([403, false]);
    expect(text).toContain('this page keeps what you typed');
    expect(text).toMatch(/value="typed"/);
    expect(text).toMatch(/name="claims:read" value="yes"/);
    const replaced = await desk.post(`${KEYS}/${id}/replace`, { keep: 'now' });
    expect(replaced.status).toBe(403);
    expect([(await keys()).length, await mayIssue(key)]).toEqual([1, true]);
    await desk.post(`${KEYS}/${id}/revoke`);
    expect(await mayIssue(key)).toBe(false);
  });

  test('can be replaced only by their holder, but can be revoked by any operator', async () => {
    const { id, key } = await keyFor(desk.otherOperator.accountId, 'of another');
    const page = await get(KEYS);
    expect(page).toContain('of another');
    expect(page).toContain(desk.otherOperator.name);
    expect(page).not.toContain(`${id}/replace`);
    const replaced = await desk.post(`${KEYS}/${id}/replace`, { keep: 'now' });
    expect([replaced.status, KEY.test(await replaced.text())]).toEqual([409, false]);
    expect(await mayIssue(key)).toBe(true);
    await desk.post(`${KEYS}/${id}/revoke`);
    expect(await mayIssue(key)).toBe(false);
  });

  test('can name networks, and their page shows the last refused call', async () => {
    await create({ networks: '203.0.113.7' });
    const [key] = await keys();
    const { caller } = (await authorizeOperatorKey(
      desk.context,
      (
        await findKey(desk.db.read, 'operator_keys', key!.id)
      ).secret_hash,
      'claims:write',
    )) as { caller: KeyCaller };
    expect(caller.networks).toBe('203.0.113.7');
    await recordOutsideCall(desk.context, caller, '198.51.100.9');
    const path = `${KEYS}/${key!.id}/networks`;
    expect(await get(KEYS)).toContain('works only from');
    expect(await get(path)).toContain('198.51.100.9');
    goStale();
    expect((await desk.post(path, { networks: '' })).status).toBe(403);
    desk.pages.viewer = desk.operator;
    expect((await desk.post(path, { networks: '' })).headers.get('location')).toBe(KEYS);
    expect((await keys())[0]!.networks).toBeNull();
    expect(await get('/desk/events')).toContain('changed the networks of the operator key “market”');
  });

  test('are shown as suspended if their operator is suspended', async () => {
    const account = desk.otherOperator.accountId;
    await keyFor(account);
    await suspendAccount(desk.context, { account, actor: 'operator' });
    expect(await get(KEYS)).toContain('Suspended');
    await expect(keyFor(account)).rejects.toThrow('is suspended');
  });

  test('are limited per operator; revoked and expired keys do not count', async () => {
    const { accountId } = desk.operator;
    const made = await Promise.allSettled(
      Array.from({ length: MAX_ACTIVE_OPERATOR_KEYS + 5 }, () => keyFor(accountId)),
    );
    const [first] = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(await keys()).toHaveLength(MAX_ACTIVE_OPERATOR_KEYS);
    await expect(keyFor(desk.owner.accountId)).rejects.toThrow('is not an operator');
    const refused = await create();
    expect([refused.status, await refused.text()]).toEqual([
      422,
      expect.stringContaining(`at most ${MAX_ACTIVE_OPERATOR_KEYS} active operator keys`),
    ]);
    const kept = await desk.post(`${KEYS}/${first!.id}/replace`, { keep: '24h' });
    expect([kept.status, await kept.text()]).toEqual([409, expect.stringContaining('at most')]);
    expect(await keys()).toHaveLength(MAX_ACTIVE_OPERATOR_KEYS);
    expect((await desk.post(`${KEYS}/${first!.id}/replace`, { keep: 'now' })).status).toBe(200);
    // Only one slot is free, so only one concurrent replacement can keep its old key.
    const [one, ...others] = (await keys()).filter(({ revoked_at }) => revoked_at === null);
    await desk.post(`${KEYS}/${one!.id}/revoke`);
    const tries = await Promise.all(
      others.slice(0, 6).map(({ id }) => desk.post(`${KEYS}/${id}/replace`, { keep: '24h' })),
    );
    expect(tries.filter(({ status }) => status === 200)).toHaveLength(1);
    // Expired keys do not count against the limit.
    await desk.db.transaction((tx) =>
      tx
        .updateTable('operator_keys')
        .set({ expires_at: '2026-01-01T00:00:00.000Z' })
        .where('revoked_at', 'is', null)
        .execute(),
    );
    expect((await create()).status).toBe(200);
  });

  test.each([
    [{ name: '' }, 'The name of the operator key is empty.'],
    [{ 'claims:write': '' }, null],
    [{ expires: '9w' }, 'hours or days'],
  ])('cannot be created with %j, and the form shows why', async (fields, sentence) => {
    const form = await formId(`${KEYS}/new`);
    const all = { form, name: 'n', 'claims:write': 'yes', expires: '', ...fields };
    const { 'claims:write': scope, ...others } = all;
    const answer = await desk.post(KEYS, scope === '' ? others : all);
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain(sentence ?? 'An operator key needs at least one of these scopes');
    expect(await keys()).toEqual([]);
  });

  test('the page says that keys are missing from a list of more than 300', async () => {
    const { id } = await keyFor(desk.operator.accountId);
    const [key] = await desk.db.read.selectFrom('operator_keys').selectAll().where('id', '=', id).execute();
    const copies = Array.from({ length: 300 }, (_, n) => ({
      ...key!,
      id: uuidv7(desk.context),
      secret_hash: Buffer.from(String(n).padStart(32, '0')),
      revoked_at: desk.context.at(),
    }));
    const said = 'Only 300 keys are shown';
    expect(await get(KEYS)).not.toContain(said);
    await desk.db.transaction((tx) => tx.insertInto('operator_keys').values(copies).execute());
    const page = await get(KEYS);
    expect(page).toContain(said);
    expect(page).toContain('Revoked and expired keys (299)');
  });
});
