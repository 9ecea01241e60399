/** Calls with fixed tokens on a running service: the only effects are a log entry and the last use of the test key. */
import { expect, test } from 'vitest';
import { outcomeOf } from '../../src/claims/attempts/cause.ts';
import { listFirstVerifications } from '../../src/claims/attempts/queries.ts';
import { FIXED_TOKENS, fixedTokenOfHash } from '../../src/claims/verify/endpoint/fixed-tokens.ts';
import { readLatestCalls } from '../../src/pages/dashboard/start/start.ts';
import { revokeKey } from '../../src/people/keys/end.ts';
import { SANDBOX_KEY } from '../../src/people/keys/key.ts';
import { createOwner, type Owner } from '../support/marketplace.ts';
import { shareSite } from '../support/shared.ts';
import { readTables } from '../support/tables.ts';
import { callVerify, outcomesOf } from '../support/verify.ts';

/** Tables that may change during any call: the request log, the last uses of keys, and the background jobs. */
const CHANGING = ['attempts', 'api_key_uses', 'jobs'];

/** Options for polling the request log. The log is flushed every second, but a busy machine takes longer. */
const WRITTEN = { timeout: 20_000 };

const service = shareSite('sqlite');
let owner: Owner;

const verify = (key: string, token: string, redeem = true) =>
  callVerify(service.baseUrl, key, { token, redeem });
const statusOf = async (answer: Response): Promise<string> =>
  ((await answer.json()) as { status: string }).status;
const tokenNamed = (name: string) => [...FIXED_TOKENS.values()].find((fixed) => fixed.name === name)!.token;
const fault = async () => (await readLatestCalls(service.context, owner.accountId)).faults[0]?.sentences;

test('fixed tokens work with the sandbox key even if no account exists', async () => {
  expect(await statusOf(await verify(SANDBOX_KEY, tokenNamed('Redeemed')))).toBe('redeemed');
  const other = await fetch(`${service.baseUrl}/api/v1/marketplace/claims`, {
    headers: { Authorization: `Bearer ${SANDBOX_KEY}` },
  });
  expect(other.status).toBe(401);
});

test('fixed tokens change only the request log and key uses, and do not count as a first verification', async () => {
  owner = await createOwner(service.context);
  const unchanged = async () => {
    const tables = await readTables(service.context);
    return [...tables].filter(([name]) => !CHANGING.includes(name));
  };
  const before = await unchanged();
  const sent = [...FIXED_TOKENS.values()].filter(({ arrival }) => arrival !== 'late');
  for (const { token } of sent) {
    await verify(owner.testKey, token, false);
    await verify(owner.testKey, token).catch(() => {});
    await verify(SANDBOX_KEY, token).catch(() => {});
  }
  const kept = () =>
    service.context.db.read
      .selectFrom('attempts')
      .select(['cause', 'token_hash'])
      .where('account_id', '=', owner.accountId)
      .orderBy('id')
      .execute();
  await expect.poll(async () => (await kept()).length, WRITTEN).toBe(2 * sent.length);
  expect(await unchanged()).toEqual(before);
  for (const { cause, token_hash } of await kept()) {
    expect(outcomesOf(fixedTokenOfHash(token_hash!)!)).toContain(outcomeOf(cause));
  }
  expect(await listFirstVerifications(service.context.db.read, owner.accountId)).toEqual([]);
  expect(await fault()).toMatch(/^The fixed test token \w+ was verified, so your server can reach/);
});

test('fixed tokens return 404 with a live key, and the owner sees the reason', async () => {
  const unknown = await verify(owner.liveKey, 'imported-token-1');
  const fixed = await verify(owner.liveKey, tokenNamed('Redeemed'));
  expect(fixed.status).toBe(404);
  expect(await fixed.text()).toBe(await unknown.text());
  await expect.poll(fault, WRITTEN).toMatch(/^A fixed test token was sent with a live key/);
});

test('fixed tokens return 401 with a revoked test key', async () => {
  const key = await service.context.db.read
    .selectFrom('api_keys')
    .select('id')
    .where('account_id', '=', owner.accountId)
    .where('mode', '=', 'test')
    .executeTakeFirstOrThrow();
  await revokeKey(service.context, { keyId: key.id, actor: 'operator' });
  const answer = await verify(owner.testKey, tokenNamed('Redeemed'));
  expect(answer.status).toBe(401);
  await expect.poll(fault, WRITTEN).toMatch(/“trial” is revoked/);
});
