/** The start page of an owner: four steps read from data, and what went wrong with calls, in words. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccount } from '../../src/accounts/create.ts';
import { type AttemptRecorder, createAttemptRecorder } from '../../src/attempts/recorder.ts';
import { hashToken } from '../../src/claims/token.ts';
import type { Context } from '../../src/context.ts';
import { readLatestAttempts } from '../../src/dashboard/start/diagnosed-attempts.ts';
import { setUpProgress } from '../../src/dashboard/start/set-up.ts';
import { createKey } from '../../src/keys/create.ts';
import { hashKey } from '../../src/keys/key.ts';
import { revokeKey } from '../../src/keys/revoke.ts';
import { createListing } from '../../src/listings/create.ts';
import { createOffer } from '../../src/offers/create.ts';
import { ENGINES, openTestDatabase, type TestDatabase } from '../support/engines.ts';
import { createOwner, issueTokens, type Owner } from '../support/marketplace.ts';
import { refusalOf } from '../verbs/support.ts';

const actor = 'operator' as const;

describe.each(ENGINES)('setting up on %s', (engine) => {
  let database: TestDatabase;
  let context: Context;
  let recorder: AttemptRecorder;

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    context = database.context;
    recorder = createAttemptRecorder(context);
  });
  afterAll(async () => {
    await recorder.close();
    await database.close();
  });

  const record = async (
    owner: Pick<Owner, 'accountId'>,
    call: { keyId: string; outcome: string; token?: string; status?: number },
  ) => {
    recorder.record({
      accountId: owner.accountId,
      atMs: context.now(),
      requestId: 'r',
      keyId: call.keyId,
      status: call.status ?? 404,
      outcome: call.outcome,
      redeem: true,
      tokenLast4: call.token?.slice(-4) ?? null,
      tokenHash: call.token === undefined ? null : hashToken(call.token),
      via: null,
      foundClaim: call.status === 200,
      latencyUs: 900,
      ip: null,
    });
    await recorder.flush();
  };
  const diagnosis = async (owner: Pick<Owner, 'accountId'>) =>
    (await readLatestAttempts(context, owner.accountId, 1))[0]?.diagnosis;

  test('each step is done as soon as its data is there', async () => {
    const { id } = await createAccount(context, {
      email: 'new@example.com',
      name: 'New',
      plan: 'studio',
      actor,
    });
    const steps = async () => {
      const { published, linked, keyed, verified, complete } = await setUpProgress(context, id);
      return [published.done, linked.done, keyed.done, verified.done, complete];
    };
    expect(await steps()).toEqual([false, false, false, false, false]);
    const slug = 'set-up';
    const listing = { account: id, slug, name: 'S', url: 'https://s.example', actor };
    await createListing(context, { ...listing, slug: 'waits', upTo: 'pending' });
    expect(await setUpProgress(context, id)).toMatchObject({
      published: { done: false, listing: { state: 'pending' } },
    });
    await createListing(context, { ...listing, upTo: 'approved' });
    expect(await steps()).toEqual([true, false, false, false, false]);
    await createOffer(context, { listing: slug, offer: 'Code', kind: 'gift', code: 'X', actor });
    expect(await steps()).toEqual([true, false, false, false, false]);
    const redemptionLink = 'https://s.example/welcome?c={claim}';
    await createOffer(context, { listing: slug, offer: 'Link', kind: 'gift', redemptionLink, actor });
    expect(await steps()).toEqual([true, true, false, false, false]);
    const key = await createKey(context, { account: id, name: 'server', actor });
    expect(await steps()).toEqual([true, true, true, false, false]);
    await record({ accountId: id }, { keyId: key.id, outcome: 'not_found', token: 'nonsense-1' });
    expect(await steps()).toEqual([true, true, true, false, false]);
    await record({ accountId: id }, { keyId: key.id, outcome: 'redeemed', token: 'good-token', status: 200 });
    expect(await steps()).toEqual([true, true, true, true, true]);
    expect((await setUpProgress(context, id)).verified.first).toMatchObject({
      outcome: 'redeemed',
      requestId: 'r',
      tokenLast4: 'oken',
    });
    // The request log deletes it after a week; the step stays done.
    await context.db.transaction((tx) => tx.deleteFrom('attempts').where('account_id', '=', id).execute());
    expect(await steps()).toEqual([true, true, true, true, true]);
    await revokeKey(context, { keyId: key.id, actor });
    expect(await steps()).toEqual([true, true, false, true, false]);
  });

  test('an unknown account is refused', async () => {
    expect(await refusalOf(setUpProgress(context, 'nobody'))).toMatch(/no account/);
  });

  test('a call with the placeholder itself, plain or encoded, is explained', async () => {
    const owner = await createOwner(context);
    for (const token of ['{claim}', '%7Bclaim%7D', '%7bclaim%7d']) {
      await record(owner, { keyId: owner.liveKeyId, outcome: 'not_found', token });
      expect(await diagnosis(owner)).toMatch(/placeholder \{claim\} itself/);
    }
  });

  test('a test token with a live key, a live token with a test key and an unknown token are explained', async () => {
    const owner = await createOwner(context);
    const [testToken] = await issueTokens(context, owner, 1, { mode: 'test' });
    const [liveToken] = await issueTokens(context, owner, 1);
    const testKey = await createKey(context, { account: owner.accountId, name: 't', mode: 'test', actor });
    await record(owner, { keyId: owner.liveKeyId, outcome: 'not_found', token: testToken! });
    expect(await diagnosis(owner)).toMatch(/test token was sent with a live key/);
    await record(owner, { keyId: testKey.id, outcome: 'not_found', token: liveToken! });
    expect(await diagnosis(owner)).toMatch(/live token was sent with a test key/);
    await record(owner, { keyId: owner.liveKeyId, outcome: 'not_found', token: 'somebody-elses' });
    expect(await diagnosis(owner)).toMatch(/No claim on your listings/);
    // Another owner's token is reported like an unknown one.
    const stranger = await createOwner(context);
    const [theirs] = await issueTokens(context, stranger, 1, { mode: 'test' });
    await record(owner, { keyId: owner.liveKeyId, outcome: 'not_found', token: theirs! });
    expect(await diagnosis(owner)).toMatch(/No claim on your listings/);
  });

  test('calls with ended keys and wrong methods are explained', async () => {
    const owner = await createOwner(context);
    const old = await createKey(context, {
      account: owner.accountId,
      name: 'old',
      expiresIn: '1h',
      actor,
    });
    await record(owner, { keyId: old.id, outcome: 'invalid_api_key', status: 401 });
    expect(await diagnosis(owner)).toMatch(/“old” has expired/);
    await revokeKey(context, { keyId: owner.liveKeyId, actor });
    await record(owner, { keyId: owner.liveKeyId, outcome: 'invalid_api_key', status: 401 });
    expect(await diagnosis(owner)).toMatch(/“server” is revoked/);
    await record(owner, { keyId: old.id, outcome: 'unsupported_media_type', status: 415 });
    expect(await diagnosis(owner)).toMatch(/Content-Type: application\/json/);
    recorder.recordWrongMethod({ keyHash: hashKey(owner.liveKey), ip: null, requestId: 'g' });
    await recorder.flush();
    expect(await diagnosis(owner)).toMatch(/not a POST/);
    recorder.recordBrowserCall({
      keyHash: hashKey(owner.liveKey),
      origin: 'https://acme.example',
      ip: null,
      requestId: 'b',
    });
    await recorder.flush();
    expect(await diagnosis(owner)).toMatch(/from a browser.*roll the key/);
    await record(owner, { keyId: old.id, outcome: 'valid', status: 200 });
    expect(await diagnosis(owner)).toBeNull();
  });
});
