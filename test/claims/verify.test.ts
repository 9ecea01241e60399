import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { hashToken } from '../../src/claims/token.ts';
import { hashText } from '../../src/claims/verify/decision/batch.ts';
import type { VerificationResponse } from '../../src/claims/verify/decision/verification.ts';
import { createVerifier } from '../../src/claims/verify/verifier.ts';
import { findOffer, updateOffer } from '../../src/marketplace/offers/queries.ts';
import { createAccount } from '../../src/people/accounts/create.ts';
import { setPlan } from '../../src/people/accounts/edit.ts';
import { authorizeOperatorKey } from '../../src/people/keys/authorize.ts';
import { createOperatorKey } from '../../src/people/keys/create.ts';
import { revokeKey } from '../../src/people/keys/end.ts';
import { hashKey, SCOPES } from '../../src/people/keys/key.ts';
import { ask } from '../../src/platform/store/batch-queue.ts';
import { DATABASE_FILE } from '../../src/platform/store/open.ts';
import { ENGINES } from '../support/engines.ts';
import { createOwner, issueTokens, OFFER_TEXT } from '../support/marketplace.ts';
import { shareDatabase, shareOwner } from '../support/shared.ts';
import { verificationOf, type Wanted } from '../support/verify.ts';

const DAY_MS = 86_400_000;

describe.each(ENGINES)('verification on %s', (engine) => {
  const database = shareDatabase(engine);
  const owner = shareOwner(database.context);
  // Claims are created with the real clock. The verifier's clock is ahead, so that no redemption precedes its claim.
  let clockMs = Date.now() + 3_600_000;
  let verifier: ReturnType<typeof createVerifier> | undefined;

  const submit = (wanted: Partial<Wanted> & Pick<Wanted, 'token'>): Promise<VerificationResponse> => {
    verifier ??= createVerifier(database.db, () => clockMs, { batch: () => {} });
    return ask(verifier, verificationOf({ key: owner.liveKey, ...wanted }));
  };
  const body = (answer: VerificationResponse) => (answer.kind === 'found' ? JSON.parse(answer.body) : answer);
  const statusOf = (answer: VerificationResponse): string =>
    answer.kind === 'found' ? `${answer.status}${answer.replayed ? ' again' : ''}` : answer.kind;

  test('returns valid, then redeemed, then already_redeemed, with all eight members in order', async () => {
    const [token] = await issueTokens(database.context, owner, 1, { via: 'spring' });
    const valid = await submit({ token: token!, redeem: false });
    expect(body(valid)).toEqual({
      status: 'valid',
      offer_id: owner.offerId,
      offer: OFFER_TEXT,
      kind: 'discount',
      listing: owner.slug,
      via: 'spring',
      claimed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      redeemed_at: null,
    });
    expect(Object.keys(body(valid)).join()).toBe(
      'status,offer_id,offer,kind,listing,via,claimed_at,redeemed_at',
    );
    const redeemed = body(await submit({ token: token! }));
    const redeemed_at = new Date(clockMs).toISOString();
    expect(redeemed).toEqual({ ...body(valid), status: 'redeemed', redeemed_at });
    clockMs += 1_234;
    for (const redeem of [true, false]) {
      const again = body(await submit({ token: token!, redeem }));
      expect(again).toEqual({ ...redeemed, status: 'already_redeemed' });
    }
  });

  test('adds one event and one label count per redeemed claim', async () => {
    const [token] = await issueTokens(database.context, owner, 1, { via: '__proto__' });
    const counts = async () => {
      const { db } = database;
      const events = await db.read
        .selectFrom('events')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('type', '=', 'claim.redeemed')
        .executeTakeFirstOrThrow();
      const deltas = await db.read
        .selectFrom('label_deltas')
        .select(({ fn }) => fn.sum<number>('redeemed').as('n'))
        .where('via', '=', '__proto__')
        .executeTakeFirstOrThrow();
      return [Number(events.n), Number(deltas.n)] as const;
    };
    const [eventsBefore, redeemedBefore] = await counts();
    await submit({ token: token! });
    await submit({ token: token! });
    expect(await counts()).toEqual([eventsBefore + 1, redeemedBefore + 1]);
  });

  test('if the clock was set back, sets redeemed_at to claimed_at and the event time to the clock time', async () => {
    const [token] = await issueTokens(database.context, owner, 1);
    const rightMs = clockMs;
    clockMs -= 7 * DAY_MS;
    const { claimed_at, redeemed_at } = body(await submit({ token: token! }));
    const event = await database.db.read
      .selectFrom('events')
      .select('at')
      .where('type', '=', 'claim.redeemed')
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst();
    expect([redeemed_at, event?.at]).toEqual([claimed_at, new Date(clockMs).toISOString()]);
    expect(body(await submit({ token: token!, redeem: false })).redeemed_at).toBe(claimed_at);
    clockMs = rightMs;
  });

  test('replays the response byte for byte for 24 hours if the Idempotency-Key is the same', async () => {
    const [token] = await issueTokens(database.context, owner, 1);
    const first = await submit({ token: token!, idempotencyKey: 'order-1' });
    const rename = (offer: string) =>
      database.db.transaction(async (tx) => updateOffer(tx, await findOffer(tx, owner.offerId), { offer }));
    await rename('something else');
    clockMs += DAY_MS - 1;
    const again = await submit({ token: token!, idempotencyKey: 'order-1' });
    await rename(OFFER_TEXT);
    expect(statusOf(first)).toBe('redeemed');
    expect(statusOf(again)).toBe('redeemed again');
    expect(again.kind === 'found' && again.body).toBe(first.kind === 'found' && first.body);
    expect(statusOf(await submit({ token: token! }))).toBe('already_redeemed');
    expect(statusOf(await submit({ token: token!, idempotencyKey: 'order-2' }))).toBe('already_redeemed');
    clockMs += 1;
    expect(statusOf(await submit({ token: token!, idempotencyKey: 'order-1' }))).toBe('already_redeemed');
  });

  const referencesOf = async (tokens: readonly string[]): Promise<(string | null)[]> => {
    const claims = await database.db.read
      .selectFrom('claims')
      .innerJoin('claim_references', 'claim_references.claim_seq', 'claims.seq')
      .select(['token_hash', 'reference'])
      .execute();
    const byHash = new Map(claims.map((claim) => [hashText(claim.token_hash), claim.reference]));
    return tokens.map((token) => byHash.get(hashText(hashToken(token))) ?? null);
  };

  const tracesOf = async (tokens: readonly string[]): Promise<(string | null)[]> => {
    const events = await database.db.read
      .selectFrom('events')
      .innerJoin('claims', 'claims.id', 'events.subject_id')
      .select(['claims.token_hash', 'events.trace'])
      .where('events.type', '=', 'claim.redeemed')
      .execute();
    return tokens.flatMap((token) =>
      events
        .filter((event) => hashText(event.token_hash) === hashText(hashToken(token)))
        .map(({ trace }) => trace),
    );
  };

  test('stores the trace of the call that redeemed the claim, and a replay does not change it', async () => {
    const [first, other] = [`${'1'.repeat(32)}-01`, `${'2'.repeat(32)}-00`];
    const [token, plain, referred] = await issueTokens(database.context, owner, 3);
    await submit({ token: token!, redeem: false, trace: other });
    const redeem = { token: token!, idempotencyKey: 'traced' };
    // All three are in one batch, so they also test the columns of a batch that has a trace for some calls only.
    const [answer] = await Promise.all([
      submit({ ...redeem, trace: first }),
      submit({ token: plain! }),
      submit({ token: referred!, reference: 'traced-4711', trace: other }),
    ]);
    const replay = await submit({ ...redeem, trace: other });
    expect([statusOf(answer), statusOf(replay)]).toEqual(['redeemed', 'redeemed again']);
    expect(await tracesOf([token!, plain!, referred!])).toEqual([first, null, other]);
    expect(await referencesOf([token!, plain!, referred!])).toEqual([null, null, 'traced-4711']);
    expect(JSON.stringify([answer, replay])).not.toContain(first.slice(0, 32));
  });

  test('stores the reference only on redemption, and omits the reference from the response', async () => {
    const [token, plain] = await issueTokens(database.context, owner, 2);
    await submit({ token: token!, redeem: false });
    expect(await referencesOf([token!])).toEqual([null]);
    const answer = await submit({ token: token!, reference: 'order "4711", {ü}\\' });
    expect(Object.keys(body(answer)).join()).toBe(
      'status,offer_id,offer,kind,listing,via,claimed_at,redeemed_at',
    );
    await submit({ token: plain! });
    for (const again of [token!, plain!]) {
      expect(statusOf(await submit({ token: again, reference: 'later' }))).toBe('already_redeemed');
    }
    expect(await referencesOf([token!, plain!])).toEqual(['order "4711", {ü}\\', null]);
  });

  test('ignores the reference of a retry with the same Idempotency-Key', async () => {
    const [token, without] = await issueTokens(database.context, owner, 2);
    await submit({ token: token!, idempotencyKey: 'ref-1', reference: 'first' });
    await submit({ token: without!, idempotencyKey: 'ref-2' });
    for (const [again, idempotencyKey] of [
      [token!, 'ref-1'],
      [without!, 'ref-2'],
    ] as const) {
      const answer = await submit({ token: again, idempotencyKey, reference: 'late' });
      expect(statusOf(answer)).toBe('redeemed again');
    }
    expect(await referencesOf([token!, without!])).toEqual(['first', null]);
  });

  test('stores only the winner’s reference if requests in a batch race for a claim', async () => {
    const tokens = await issueTokens(database.context, owner, 60);
    const raced = tokens[0]!;
    const wanted = tokens.map((token, at) => ({ token, reference: at % 3 === 0 ? `order-${at}` : null }));
    const racers = Array.from({ length: 40 }, (_, at) => ({ token: raced, reference: `racer-${at}` }));
    const submitted = [...racers, ...wanted.toReversed()];
    const answers = await Promise.all(submitted.map(submit));
    const winner = submitted.find(
      ({ token }, at) => token === raced && statusOf(answers[at]!) === 'redeemed',
    );
    expect(await referencesOf(tokens)).toEqual([
      winner!.reference,
      ...wanted.slice(1).map(({ reference }) => reference),
    ]);
    // The requests that lost the race stored no reference.
    const { stored } = await database.db.read
      .selectFrom('claim_references')
      .select(({ fn }) => fn.countAll<number>().as('stored'))
      .where('reference', 'like', 'racer-%')
      .executeTakeFirstOrThrow();
    expect(Number(stored)).toBe(1);
  });

  test('rejects an Idempotency-Key reused with another token, and does not redeem that token', async () => {
    const [one, two] = await issueTokens(database.context, owner, 2);
    await submit({ token: one!, idempotencyKey: 'constant' });
    expect(await submit({ token: two!, idempotencyKey: 'constant' })).toMatchObject({
      kind: 'refused',
      code: 'idempotency_key_reused',
    });
    expect(statusOf(await submit({ token: 'unknown-token', idempotencyKey: 'constant' }))).toBe('not_found');
    expect(statusOf(await submit({ token: two!, redeem: false }))).toBe('valid');
  });

  test('redeems only one token if a batch has many tokens with the same Idempotency-Key', async () => {
    const tokens = await issueTokens(database.context, owner, 20);
    const bystanders = await issueTokens(database.context, owner, 20);
    const [shared, others] = await Promise.all([
      Promise.all(tokens.map((token) => submit({ token, idempotencyKey: 'shared-in-a-batch' }))),
      Promise.all(bystanders.map((token) => submit({ token, idempotencyKey: `own ${token}` }))),
    ]);
    expect(shared.filter((answer) => statusOf(answer) === 'redeemed')).toHaveLength(1);
    expect(shared.filter((answer) => answer.kind === 'refused')).toHaveLength(19);
    expect(others.map(statusOf)).toEqual(bystanders.map(() => 'redeemed'));
  });

  test('returns the same response to concurrent duplicates with one Idempotency-Key', async () => {
    const [token] = await issueTokens(database.context, owner, 1);
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => submit({ token: token!, idempotencyKey: 'retry storm' })),
    );
    expect(answers.filter((answer) => statusOf(answer) === 'redeemed')).toHaveLength(1);
    expect(answers.filter((answer) => statusOf(answer) === 'redeemed again')).toHaveLength(199);
    expect(new Set(answers.map((answer) => answer.kind === 'found' && answer.body)).size).toBe(1);
  });

  test.runIf(engine === 'sqlite')(
    'redeeming does not change the size of claim rows, with or without an Idempotency-Key',
    async () => {
      const tokens = await issueTokens(database.context, owner, 2_000, { via: 'spring' });
      using file = new DatabaseSync(join(database.dataDir, DATABASE_FILE), { readOnly: true });
      /** Pages and bytes of the table, without its indexes. */
      const sizeOfClaims = () =>
        file
          .prepare("select count(*) as pages, sum(payload) as bytes from dbstat where name = 'claim_rows'")
          .get();
      const before = sizeOfClaims();
      const answers = await Promise.all(
        tokens.map((token, n) => submit({ token, idempotencyKey: n % 2 === 0 ? null : `row ${n}` })),
      );
      expect(new Set(answers.map(statusOf))).toEqual(new Set(['redeemed']));
      expect(sizeOfClaims()).toEqual(before);
    },
  );

  test("returns not_found for another owner's token and for a key of the other mode", async () => {
    const stranger = await createOwner(database.context);
    const [strange] = await issueTokens(database.context, stranger, 1);
    const [trial] = await issueTokens(database.context, owner, 1, { mode: 'test' });
    const [live] = await issueTokens(database.context, owner, 1);
    expect(statusOf(await submit({ token: strange! }))).toBe('not_found');
    expect(statusOf(await submit({ token: trial! }))).toBe('not_found');
    expect(statusOf(await submit({ token: live!, key: owner.testKey }))).toBe('not_found');
    expect(statusOf(await submit({ token: trial!, key: owner.testKey }))).toBe('redeemed');
    expect(statusOf(await submit({ token: strange!, key: stranger.liveKey, redeem: false }))).toBe('valid');
  });

  test('rejects unknown keys, revoked keys and accounts whose plan has no API keys', async () => {
    const other = await createOwner(database.context);
    const [token] = await issueTokens(database.context, other, 1);
    expect(await submit({ token: token!, key: 'cck_live_unknown' })).toMatchObject({
      code: 'invalid_api_key',
      caller: null,
    });
    await setPlan(database.context, { account: other.accountId, plan: 'starter', actor: 'operator' });
    for (const asked of [token!, null]) {
      const refused = await submit({ token: asked, key: other.liveKey });
      expect(refused).toMatchObject({ code: 'plan_without_api_keys' });
    }
    await setPlan(database.context, { account: other.accountId, plan: 'studio', actor: 'operator' });
    expect(await submit({ token: null, key: other.liveKey })).toMatchObject({ kind: 'authorized' });
    expect(statusOf(await submit({ token: token!, key: other.liveKey, redeem: false }))).toBe('valid');
    await revokeKey(database.context, { keyId: other.liveKeyId, actor: 'operator' });
    expect(await submit({ token: token!, key: other.liveKey })).toMatchObject({ code: 'invalid_api_key' });
  });

  test('rejects operator keys for verification and API keys for operator calls', async () => {
    const { context } = database;
    const account = { email: 'olga@example.com', name: 'Olga', operator: true, actor: 'operator' } as const;
    const { id } = await createAccount(context, account);
    const name = 'market';
    const made = await createOperatorKey(context, { account: id, name, scopes: SCOPES, actor: 'operator' });
    const authorized = async (key: string) =>
      (await authorizeOperatorKey(context, hashKey(key), SCOPES[0])).kind;
    expect([await authorized(made.key), await authorized(owner.liveKey)]).toEqual(['authorized', 'refused']);
    const [token] = await issueTokens(context, owner, 1);
    expect(await submit({ token: token!, key: made.key })).toMatchObject({
      code: 'invalid_api_key',
      caller: null,
    });
    expect(statusOf(await submit({ token: token!, redeem: false }))).toBe('valid');
  });
});
