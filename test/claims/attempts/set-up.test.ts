/** The owner's start page: the four set-up steps, and the diagnosis of the latest call. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../../../src/base/context.ts';
import { type Cause, causeOfNotFound } from '../../../src/claims/attempts/cause.ts';
import { type AttemptRecorder, createAttemptRecorder } from '../../../src/claims/attempts/recorder.ts';
import { hashToken } from '../../../src/claims/token.ts';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import { createOffer } from '../../../src/marketplace/offers/create.ts';
import { readLatestCalls, readSetUp } from '../../../src/pages/dashboard/start/start.ts';
import { createAccount } from '../../../src/people/accounts/create.ts';
import { createKey } from '../../../src/people/keys/create.ts';
import { revokeKey } from '../../../src/people/keys/end.ts';
import { hashKey } from '../../../src/people/keys/key.ts';
import { attemptOf, refusedCallOf } from '../../support/attempts.ts';
import { ENGINES } from '../../support/engines.ts';
import { createOwner, issueTokens, type Owner } from '../../support/marketplace.ts';
import { shareDatabase } from '../../support/shared.ts';

const actor = 'operator' as const;

describe.each(ENGINES)('the start page on %s', (engine) => {
  const database = shareDatabase(engine);
  let context: Context;
  let recorder: AttemptRecorder;

  beforeAll(async () => {
    // The clock advances on every read, so no two calls have the same time.
    let nowMs = database.context.now();
    context = { ...database.context, now: () => (nowMs += 1) };
    recorder = createAttemptRecorder(context);
  });
  afterAll(() => recorder.close());

  const record = async (
    { accountId }: Pick<Owner, 'accountId'>,
    { token, ...call }: { keyId: string; cause: Cause; token?: string; requestId?: string },
  ) => {
    const sent = token === undefined ? {} : { tokenLast4: token.slice(-4), tokenHash: hashToken(token) };
    // The page looks up calls by request id, so each id must be unique.
    recorder.record(attemptOf({ accountId, atMs: context.now(), requestId: randomUUID(), ...sent, ...call }));
    await recorder.flush();
  };
  const diagnosis = async (owner: Pick<Owner, 'accountId'>) =>
    (await readLatestCalls(context, owner.accountId, 1)).faults[0]?.sentences;

  test('marks each step as done once its data exists', async () => {
    const { id } = await createAccount(context, {
      email: 'new@example.com',
      name: 'New',
      plan: 'studio',
      actor,
    });
    const setUp = () => readSetUp(context, { accountId: id, plan: 'studio' }, 'https://claims.example');
    const steps = async () => {
      const { isPublished, isLinked, keyModes, verification, isComplete } = await setUp();
      return [isPublished, isLinked, keyModes.length > 0, verification !== null, isComplete];
    };
    expect(await steps()).toEqual([false, false, false, false, false]);
    const slug = 'set-up';
    const listing = { account: id, slug, name: 'S', url: 'https://s.example', actor };
    await createListing(context, { ...listing, slug: 'waits', upTo: 'pending' });
    expect(await setUp()).toMatchObject({ isPublished: false, listing: { state: 'pending' } });
    await createListing(context, { ...listing, upTo: 'approved' });
    expect(await steps()).toEqual([true, false, false, false, false]);
    await createOffer(context, { listing: slug, offer: 'Code', kind: 'gift', code: 'X', actor });
    expect(await steps()).toEqual([true, false, false, false, false]);
    const redemption_link = 'https://s.example/welcome?c={claim}';
    await createOffer(context, { listing: slug, offer: 'Link', kind: 'gift', redemption_link, actor });
    expect(await steps()).toEqual([true, true, false, false, false]);
    const key = await createKey(context, { account: id, name: 'server', actor });
    expect(await steps()).toEqual([true, true, true, false, false]);
    await record({ accountId: id }, { keyId: key.id, cause: 'token_unknown', token: 'nonsense-1' });
    expect(await steps()).toEqual([true, true, true, false, false]);
    await record(
      { accountId: id },
      { keyId: key.id, cause: 'redeemed', token: 'good-token', requestId: 'r' },
    );
    expect(await steps()).toEqual([true, true, true, true, true]);
    expect((await setUp()).verification).toMatchObject({
      outcome: 'redeemed',
      request_id: 'r',
      token_last4: 'oken',
    });
    // The verification step stays done after the call has been deleted from the request log.
    await context.db.transaction((tx) => tx.deleteFrom('attempts').where('account_id', '=', id).execute());
    expect(await steps()).toEqual([true, true, true, true, true]);
    await revokeKey(context, { keyId: key.id, actor });
    expect(await steps()).toEqual([true, true, false, true, false]);
  });

  test('explains a call that sent the unreplaced placeholder, plain or percent-encoded', async () => {
    const owner = await createOwner(context);
    for (const token of ['{claim}', '%7Bclaim%7D', '%7bclaim%7d']) {
      const sent = {
        tokenLast4: token.slice(-4),
        tokenHash: hashToken(token),
        tokenMode: null,
        wrapping: null,
      };
      await record(owner, { keyId: owner.liveKeyId, cause: causeOfNotFound(sent, 'live'), token });
      expect(await diagnosis(owner)).toMatch(/placeholder \{claim\} itself/);
    }
  });

  test('explains unknown tokens and tokens of the other mode', async () => {
    const owner = await createOwner(context);
    const [testToken] = await issueTokens(context, owner, 1, { mode: 'test' });
    const [liveToken] = await issueTokens(context, owner, 1);
    const testKey = await createKey(context, { account: owner.accountId, name: 't', mode: 'test', actor });
    await record(owner, { keyId: owner.liveKeyId, cause: 'token_unknown', token: testToken! });
    expect(await diagnosis(owner)).toMatch(/test token was sent with a live key/);
    await record(owner, { keyId: testKey.id, cause: 'token_unknown', token: liveToken! });
    expect(await diagnosis(owner)).toMatch(/live token was sent with a test key/);
    await record(owner, { keyId: owner.liveKeyId, cause: 'token_unknown', token: 'somebody-elses' });
    expect(await diagnosis(owner)).toMatch(/No claim on your listings/);
    // Another owner's token gets the same explanation as an unknown token.
    const stranger = await createOwner(context);
    const [theirs] = await issueTokens(context, stranger, 1, { mode: 'test' });
    await record(owner, { keyId: owner.liveKeyId, cause: 'token_unknown', token: theirs! });
    expect(await diagnosis(owner)).toMatch(/No claim on your listings/);
  });

  test('explains expired and revoked keys, wrong content types and methods, and browser calls', async () => {
    const owner = await createOwner(context);
    const old = await createKey(context, { account: owner.accountId, name: 'old', expiresIn: '1h', actor });
    await record(owner, { keyId: old.id, cause: 'invalid_api_key' });
    expect(await diagnosis(owner)).toMatch(/“old” has expired/);
    await revokeKey(context, { keyId: owner.liveKeyId, actor });
    await record(owner, { keyId: owner.liveKeyId, cause: 'invalid_api_key' });
    expect(await diagnosis(owner)).toMatch(/“server” is revoked/);
    await record(owner, { keyId: old.id, cause: 'unsupported_media_type' });
    expect(await diagnosis(owner)).toMatch(/Content-Type: application\/json/);
    const call = refusedCallOf({ keyHash: hashKey(owner.liveKey), requestId: randomUUID() });
    recorder.recordWrongMethod(call);
    await recorder.flush();
    expect(await diagnosis(owner)).toMatch(/not a POST/);
    recorder.recordBrowserCall({ ...call, requestId: randomUUID(), origin: 'https://acme.example' });
    await recorder.flush();
    expect(await diagnosis(owner)).toMatch(/from a browser.*roll the key/);
    await record(owner, { keyId: old.id, cause: 'valid' });
    expect(await diagnosis(owner)).toBeUndefined();
  });
});
