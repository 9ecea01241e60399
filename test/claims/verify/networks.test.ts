/** Keys that name networks, on a service behind a proxy that sends the client's address. */
import { describe, expect, test } from 'vitest';
import { type Attempt, toRow } from '../../../src/claims/attempts/attempt.ts';
import { insertAttempts, listOutsideCalls, OUTSIDE_CALLS } from '../../../src/claims/attempts/queries.ts';
import { hashToken } from '../../../src/claims/token.ts';
import { createVerifier } from '../../../src/claims/verify/verifier.ts';
import { createAccount } from '../../../src/people/accounts/create.ts';
import { changeKeyNetworks, changeOperatorKeyNetworks } from '../../../src/people/keys/change-networks.ts';
import { createKey, createOperatorKey } from '../../../src/people/keys/create.ts';
import { rollKey } from '../../../src/people/keys/end.ts';
import { listOperatorKeys } from '../../../src/people/keys/queries.ts';
import { suspendAccount } from '../../../src/people/members/suspend.ts';
import { withChecksum } from '../../../src/platform/secrets/secrets.ts';
import { ask } from '../../../src/platform/store/batch-queue.ts';
import { attemptOf } from '../../support/attempts.ts';
import { ENGINES } from '../../support/engines.ts';
import { eventsOf, refusalOf } from '../../support/events.ts';
import { createOwner, issueTokens, type Owner } from '../../support/marketplace.ts';
import { shareOwner, shareSite } from '../../support/shared.ts';
import { callVerify, verificationOf } from '../../support/verify.ts';

const actor = 'operator' as const;
const INSIDE = '203.0.113.7';
const OUTSIDE = '198.51.100.9';
const NETWORKS = '203.0.113.0/24 2001:db8:7::/48';
const UNKNOWN_KEY = withChecksum(`cck_live_${'u'.repeat(32)}`);

describe.each(ENGINES)('keys with networks on %s', (engine) => {
  const site = shareSite(engine, { TRUSTED_PROXIES: '127.0.0.1', VERIFY_RATE_LIMIT: '1000' });
  const { context } = site;
  const owner = shareOwner(context);

  const from = (address: string) => ({ 'X-Forwarded-For': address });
  const redeem = async (key: string, token: string, address: string) => {
    const response = await callVerify(site.baseUrl, key, { token, redeem: true }, from(address));
    return ((await response.json()) as { status: string }).status;
  };
  const keyWith = (networks: string) =>
    createKey(context, { account: owner.accountId, name: 'shop', networks, actor });
  const tokenOf = async (of: Owner = owner) => (await issueTokens(context, of, 1))[0]!;
  const recordedCalls = (keyId: string) =>
    context.db.read
      .selectFrom('attempts')
      .select(['ip', 'token_last4', 'request_line'])
      .where('api_key_id', '=', keyId)
      .where('cause', '=', 'network_not_allowed')
      .execute();

  test('redeem from their networks, and get the response of an unknown key from elsewhere', async () => {
    const { key, id } = await keyWith(NETWORKS);
    const token = await tokenOf();
    const answerTo = async (sent: string, address: string, path?: string) => {
      const response =
        path === undefined
          ? await callVerify(site.baseUrl, sent, { token, redeem: true }, from(address))
          : await fetch(site.baseUrl + path, {
              headers: { Authorization: `Bearer ${sent}`, ...from(address) },
            });
      const requestId = response.headers.get('X-Request-Id') ?? '';
      const headers = [...response.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
      return [response.status, (await response.text()).replaceAll(requestId, ''), headers];
    };
    const path = '/api/v1/marketplace/redemptions';
    // Twice, because the first call of a process learns the networks.
    for (const address of [OUTSIDE, '2001:db8:8::1', `::ffff:${OUTSIDE}`, OUTSIDE]) {
      expect(await answerTo(key, address)).toEqual(await answerTo(UNKNOWN_KEY, address));
      expect(await answerTo(key, address, path)).toEqual(await answerTo(UNKNOWN_KEY, address, path));
    }
    expect((await answerTo(key, INSIDE, path))[0]).toBe(200);
    expect(await redeem(key, token, `::ffff:${INSIDE}`)).toBe('redeemed');
    expect(await redeem(key, await tokenOf(), '2001:db8:7:1::1')).toBe('redeemed');
    await expect
      .poll(() => recordedCalls(id))
      .toContainEqual({
        ip: OUTSIDE,
        token_last4: null,
        request_line: 'POST /api/v1/marketplace/claims/verify',
      });
  });

  test('show their newest calls from outside, however many another key gets', async () => {
    const [flooded, quiet] = [await keyWith(NETWORKS), await keyWith(NETWORKS)];
    const startMs = Date.parse('2026-11-20T10:00:00Z');
    const call = (keyId: string, second: number, cause = 'network_not_allowed') =>
      toRow(
        attemptOf({
          ...{ accountId: owner.accountId, keyId, atMs: startMs + 1_000 * second },
          ...{ requestId: `${keyId}-${second}`, cause: cause as Attempt['cause'], ip: OUTSIDE },
        }),
      );
    const ofFlooded = Array.from({ length: 150 }, (_, at) => call(flooded.id, at + 10));
    const rows = [call(quiet.id, 1), call(quiet.id, 2), call(quiet.id, 500, 'redeemed'), ...ofFlooded];
    await context.db.transaction((tx) => insertAttempts(tx, engine, rows));
    const list = async ({ id }: { readonly id: string }) =>
      (await listOutsideCalls(context.db.read, owner.accountId, { id, mode: 'live' })).map(({ request_id }) =>
        request_id.split('-').at(-1),
      );
    expect(await list(quiet)).toEqual(['2', '1']);
    expect(await list(flooded)).toEqual(Array.from({ length: OUTSIDE_CALLS }, (_, at) => String(159 - at)));
  });

  test('follow a change with the next call, also in a process that has used the key', async () => {
    const { key, id } = await keyWith('');
    const [first, second] = [await tokenOf(), await tokenOf()];
    expect(await redeem(key, first, OUTSIDE)).toBe('redeemed');
    const edit = (networks: string) => changeKeyNetworks(context, { keyId: id, networks, actor });
    expect(await edit(`${INSIDE}\n2001:DB8:7::/48`)).toEqual({
      id,
      name: 'shop',
      networks: [INSIDE, '2001:db8:7::/48'],
    });
    expect(await redeem(key, second, OUTSIDE)).toBe(401);
    expect(await redeem(key, second, INSIDE)).toBe('redeemed');
    await edit(OUTSIDE);
    expect(await redeem(key, second, OUTSIDE)).toBe('already_redeemed');
    expect(await redeem(key, second, INSIDE)).toBe(401);
    await edit('');
    expect(await redeem(key, second, INSIDE)).toBe('already_redeemed');
    const events = (await eventsOf(context.db, id)).map(({ type, data }) => [
      type,
      (data as { networks?: string | null }).networks ?? null,
    ]);
    expect(events).toEqual([
      ['key.created', null],
      ['key.networks_changed', `${INSIDE}, 2001:db8:7::/48`],
      ['key.networks_changed', OUTSIDE],
      ['key.networks_changed', null],
    ]);
  });

  test('are compared in the database before a claim is redeemed', async () => {
    const { key } = await keyWith(NETWORKS);
    const token = await tokenOf();
    const verifier = createVerifier(context.db, context.now, { batch: () => {} });
    const answer = (networks: string | null) => ask(verifier, verificationOf({ key, token, networks }));
    const caller = { networks: NETWORKS };
    for (const stale of [null, INSIDE]) {
      expect(await answer(stale)).toMatchObject({ kind: 'networks_changed', caller });
    }
    const claims = context.db.read.selectFrom('claims').select('redeemed_at');
    const claim = await claims.where('token_hash', '=', hashToken(token)).executeTakeFirstOrThrow();
    expect(claim.redeemed_at).toBeNull();
    expect(await answer(NETWORKS)).toMatchObject({ kind: 'found', status: 'redeemed', caller });
  });

  test('say nothing about the account to calls from elsewhere, and roll with their networks', async () => {
    const other = await createOwner(context);
    const { key, id } = await createKey(context, {
      account: other.accountId,
      name: 'k',
      networks: INSIDE,
      actor,
    });
    const rolled = await rollKey(context, { keyId: id, keepOld: '1h', actor });
    const token = await tokenOf(other);
    await suspendAccount(context, { account: other.accountId, reason: 'spam', actor });
    for (const sent of [key, rolled.key]) {
      expect(await redeem(sent, token, OUTSIDE)).toBe(401);
      expect(await redeem(sent, token, INSIDE)).toBe(403);
    }
  });

  test('that are operator keys are refused in the same way, and the time and address are stored', async () => {
    const input = { email: 'olga@example.com', name: 'Olga', operator: true, actor } as const;
    const { id: account } = await createAccount(context, input);
    const made = await createOperatorKey(context, {
      account,
      name: 'market',
      scopes: ['keys:read'],
      networks: INSIDE,
      actor,
    });
    const statusFrom = async (address: string) => {
      const path = `/api/v1/operator/keys?account=${owner.accountId}`;
      const headers = { Authorization: `Bearer ${made.key}`, ...from(address) };
      const response = await fetch(site.baseUrl + path, { headers });
      return [response.status, ((await response.json()) as { code?: string }).code];
    };
    expect(await statusFrom(OUTSIDE)).toEqual([401, 'invalid_api_key']);
    expect(await statusFrom(INSIDE)).toEqual([200, undefined]);
    await expect
      .poll(
        async () => (await listOperatorKeys(context.db.read)).find(({ id }) => id === made.id)?.refused_ip,
      )
      .toBe(OUTSIDE);
    await changeOperatorKeyNetworks(context, { keyId: made.id, networks: '', actor });
    expect(await statusFrom(OUTSIDE)).toEqual([200, undefined]);
  });

  test('with networks that cannot be read are refused', async () => {
    for (const text of ['shop.example', '203.0.113.0/33', '203.0.113.0/', 'fe80::1%eth0', '::ffff:0:0/64']) {
      expect(await refusalOf(keyWith(text))).toContain('must be an IP address or a network');
    }
    const many = Array.from({ length: 21 }, (_, i) => `203.0.113.${i}`).join(' ');
    expect(await refusalOf(keyWith(many))).toBe('A key can have at most 20 networks.');
  });
});
