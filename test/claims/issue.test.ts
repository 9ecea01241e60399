/** Issuing claims: one claim per claimant, exact limits, closed offers and concurrent requests. */
import { describe, expect, test } from 'vitest';
import { findStandingClaim, markReplaced } from '../../src/claims/creation/claimant-queries.ts';
import { type ClaimantInput, issueClaims } from '../../src/claims/creation/issue.ts';
import { readOffers } from '../../src/claims/creation/offer-queries.ts';
import { createClaimTokens, hashToken } from '../../src/claims/token.ts';
import { countLabels } from '../../src/marketplace/campaigns/count.ts';
import type { Offer } from '../../src/marketplace/offers/queries.ts';
import { DatabaseUnavailable } from '../../src/platform/store/database.ts';
import { uuidv7 } from '../../src/platform/store/uuid.ts';
import { changeClaims } from '../support/claims.ts';
import { ENGINES, openTestDatabase, TEST_SECRET_KEY } from '../support/engines.ts';
import { claimsOf, createOwner, issueTokens, type Owner } from '../support/marketplace.ts';
import { nodeUrls } from '../support/nodes.ts';
import { recordStatements } from '../support/plans.ts';
import { shareDatabase } from '../support/shared.ts';
import {
  changeListing,
  changeOffer,
  creationsOf,
  importFile,
  issueFor,
  REDEEMED_AT,
  recordTransactions,
} from './support.ts';

describe.each(ENGINES)('issuing claims on %s', (engine) => {
  const { context } = shareDatabase(engine);

  const change = (owner: Owner, offer: Partial<Offer>) => changeOffer(context, owner, offer);
  const redeemAll = (owner: Owner) =>
    changeClaims(context.db, { account_id: owner.accountId }, { redeemed_at: REDEEMED_AT });
  const forClaimant = (
    owner: Owner,
    { claimantRef = 'bob', ...input }: Partial<ClaimantInput> = {},
    at = context,
  ) => issueFor(at, owner, claimantRef, input);

  test('issuing in bulk stores a row, an event and a unique token per claim, and updates the counts', async () => {
    const owner = await createOwner(context);
    const tokens = await issueTokens(context, owner, 2_500, { via: 'spring' });
    expect(new Set(tokens).size).toBe(2_500);
    const claims = await claimsOf(context, owner);
    expect(claims.map((claim) => Buffer.from(claim.token_hash).toString('hex'))).toEqual(
      tokens.map((token) => Buffer.from(hashToken(token)).toString('hex')),
    );
    const events = await creationsOf(context, owner);
    expect(events.map((event) => event.subject_id)).toEqual(claims.map((claim) => claim.id));
    expect(JSON.parse(events[0]!.data)).toEqual({ offer_id: owner.offerId, via: 'spring' });
    expect(await countLabels(context, { listing: owner.slug })).toMatchObject([
      { via: 'spring', claims: 2_500, redeemed: 0, rate: 0 },
    ]);
  });

  test('the link contains the token; an offer with only a code has no link', async () => {
    const owner = await createOwner(context);
    const claim = await forClaimant(owner);
    expect(claim.link).toBe(`https://acme.example/welcome?claim=${claim.token}`);
    expect((await forClaimant(owner, { mode: 'test' })).link).toContain('?claim=clm_test_');
    expect((await forClaimant(owner)).token).toBe(claim.token);
    await change(owner, { redemption_link: null, code: 'SPRING' });
    expect((await forClaimant(owner, { claimantRef: 'ann' })).link).toBeNull();
  });

  test('the link contains the label that the claim has, also when the claim is returned again', async () => {
    const owner = await createOwner(context);
    await change(owner, { redemption_link: 'https://acme.example/?claim={claim}&v={via}&o={offer}' });
    const first = await forClaimant(owner, { via: 'spring' });
    expect(first.link).toBe(`https://acme.example/?claim=${first.token}&v=spring&o=${owner.offerId}`);
    expect((await forClaimant(owner, { via: 'autumn' })).link).toBe(first.link);
    for await (const [issued] of issueClaims(context, {
      offerId: owner.offerId,
      count: 1,
      mode: 'live',
      via: 'bulk',
    })) {
      expect(issued!.link).toContain(`&v=bulk&o=${owner.offerId}`);
    }
  });

  test('repeated and concurrent requests for a claimant return one claim, even after it is redeemed', async () => {
    const owner = await createOwner(context);
    const claims = await Promise.all(Array.from({ length: 20 }, () => forClaimant(owner, { via: 'a' })));
    expect(new Set(claims.map((claim) => claim.token)).size).toBe(1);
    await redeemAll(owner);
    await change(owner, { paused_at: '2026-11-20T10:00:00.000Z' });
    expect((await forClaimant(owner)).token).toBe(claims[0]!.token);
    expect(await claimsOf(context, owner)).toHaveLength(1);
    expect(await creationsOf(context, owner)).toHaveLength(1);
  });

  test('a replacement keeps the label and becomes the current claim; the old claim stays redeemed', async () => {
    const owner = await createOwner(context);
    const first = await forClaimant(owner, { via: 'spring' });
    await expect(forClaimant(owner, { replace: true })).rejects.toThrow(/not redeemed yet/);
    await redeemAll(owner);
    await change(owner, { ends_at: '2026-01-01T00:00:00.000Z' });
    const second = await forClaimant(owner, { replace: true });
    expect(second.token).not.toBe(first.token);
    expect((await forClaimant(owner)).token).toBe(second.token);
    const [old, current] = await claimsOf(context, owner);
    expect(old).toMatchObject({
      id: first.claimId,
      redeemed_at: REDEEMED_AT,
      replaced_at: expect.any(String),
    });
    expect(current).toMatchObject({ id: second.claimId, via: 'spring', replaced_at: null });
    expect(JSON.parse((await creationsOf(context, owner))[1]!.data)).toMatchObject({
      replaces: first.claimId,
    });
  });

  test('a claim keeps its token after key rotation; a server without the claim’s secret key rejects the request', async () => {
    const owner = await createOwner(context);
    const before = await forClaimant(owner);
    const rotated = { ...context, tokens: createClaimTokens('the secret key from now on', TEST_SECRET_KEY) };
    expect(await forClaimant(owner, {}, rotated)).toEqual(before);
    const after = await forClaimant(owner, { claimantRef: 'ann' }, rotated);
    await expect(forClaimant(owner, { claimantRef: 'ann' }, context)).rejects.toThrow(/another SECRET_KEY/);
    expect(await forClaimant(owner, { claimantRef: 'ann' }, rotated)).toEqual(after);
  });

  test('the token of an imported claim cannot be shown, but the claim can be replaced', async () => {
    const owner = await createOwner(context);
    await importFile(context, `token,offer,claimant\nimported-1,${owner.offerId},bob\n`);
    await expect(forClaimant(owner)).rejects.toThrow(/was imported/);
    await redeemAll(owner);
    expect((await forClaimant(owner, { replace: true })).token).toMatch(/^clm_/);
  });

  test('a closed offer rejects live claims with the reason and accepts test claims', async () => {
    const owner = await createOwner(context);
    await change(owner, { paused_at: '2026-11-20T10:00:00.000Z' });
    await expect(issueTokens(context, owner, 1)).rejects.toThrow(/paused/);
    await expect(forClaimant(owner)).rejects.toThrow(/paused/);
    await changeListing(context, owner, { state: 'suspended' });
    await expect(issueTokens(context, owner, 1)).rejects.toThrow(/suspended, not approved/);
    expect(await issueTokens(context, owner, 2, { mode: 'test' })).toHaveLength(2);
    expect(await countLabels(context, { listing: owner.slug })).toEqual([]);
  });

  test('a bulk request beyond the claim limit is rejected before any claim is issued', async () => {
    const owner = await createOwner(context);
    await change(owner, { claim_limit: 10 });
    await issueTokens(context, owner, 4);
    await expect(issueTokens(context, owner, 7)).rejects.toThrow(
      /accepts only 6 more claims .* 7 were requested/,
    );
    await issueTokens(context, owner, 5, { mode: 'test' });
    await issueTokens(context, owner, 6);
    await expect(forClaimant(owner)).rejects.toThrow(/all of its 10 claims/);
    expect((await claimsOf(context, owner)).filter((claim) => claim.mode === 'live')).toHaveLength(10);
  });

  /** Retries if the request gets no database connection in time. On Citus, requests are slower and wait longer. */
  const untilAnswered = async (owner: Owner, claimantRef: string) => {
    for (;;) {
      try {
        return await forClaimant(owner, { claimantRef });
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) throw error;
      }
    }
  };

  test('concurrent claimants and bulk requests get exactly as many claims as the limit allows', async () => {
    const owner = await createOwner(context);
    await change(owner, { claim_limit: 90 });
    const results = await Promise.allSettled([
      issueTokens(context, owner, 60),
      issueTokens(context, owner, 60),
      ...Array.from({ length: 100 }, (_, at) => untilAnswered(owner, `person-${at}`)),
    ]);
    expect(results.slice(0, 2).map(({ status }) => status)).toContain('rejected');
    expect(await claimsOf(context, owner)).toHaveLength(90);
  });

  test('issuing in bulk stops when the caller stops reading', async () => {
    const owner = await createOwner(context);
    let taken = 0;
    const input = { offerId: owner.offerId, count: 100_000, mode: 'live', via: null } as const;
    for await (const claims of issueClaims(context, input)) {
      taken += claims.length;
      break;
    }
    expect(await claimsOf(context, owner)).toHaveLength(taken);
  });

  test('invalid input is rejected', async () => {
    const owner = await createOwner(context);
    for (const [input, reason] of [
      [{ offerId: 'nonsense' }, /offer id is a UUID/],
      [{ offerId: '01934e2d-5678-7abc-8def-0123456789ab' }, /There is no offer/],
      [{ count: 0 }, /count must be/],
      [{ count: 1.5 }, /count must be/],
      [{ via: 'No' }, /campaign label/],
    ] as const) {
      const all = { offerId: owner.offerId, count: 1, mode: 'live', via: null, ...input } as const;
      await expect(issueClaims(context, all).next()).rejects.toThrow(reason);
    }
    await expect(forClaimant(owner, { claimantRef: ' ' })).rejects.toThrow(/claimant is empty/);
  });
});

test.skipIf(nodeUrls().length > 1)(
  'on PostgreSQL, creating claims does not scan existing claims',
  async () => {
    const { context, databaseUrl, close } = await openTestDatabase('postgres');
    const { recorded, stepsOnPostgres } = recordTransactions(context);
    const owner = await createOwner(context);
    await issueTokens(recorded, owner, 5_000);
    const { imported } = await importFile(recorded, `token,offer\nthe-only-one,${owner.offerId}\n`);
    const steps = (await stepsOnPostgres(databaseUrl!)).join('\n');
    await close();
    expect(imported).toBe(1);
    expect(steps).toContain('Insert on claim_rows');
    expect(steps).toContain('Insert on event_rows');
    expect(steps).not.toMatch(/(Scan|Join) .*claim_rows/);
  },
);

test('on SQLite, the claim to replace is found through the index on its id', async () => {
  const { context, db, dataDir, close } = await openTestDatabase('sqlite');
  const { plugin, steps } = recordStatements();
  await db.transaction((tx) =>
    markReplaced(
      tx.withPlugin(plugin),
      db.engine,
      { number: 1, account_number: 1 },
      uuidv7(context),
      new Date().toISOString(),
    ),
  );
  expect(steps(dataDir)).toContain('SEARCH claim_rows USING INDEX claims_by_id (id=?)');
  await close();
});

test('on PostgreSQL, the claim of a claimant is looked up once, through the index on claimants', async () => {
  const { context, db, databaseUrl, close } = await openTestDatabase('postgres');
  const owner = await createOwner(context);
  const offer = (await readOffers(db.read, [owner.offerId])).get(owner.offerId)!;
  const { plugin, stepsOnPostgres } = recordStatements();
  await findStandingClaim(db.read.withPlugin(plugin), offer, 'live', { claimant_ref: 'bob' });
  const steps = (await stepsOnPostgres(databaseUrl!)).join('\n');
  await close();
  // Before version 18, a join reads all claims of the account if the statistics are out of date.
  expect(steps).toMatch(/InitPlan .*\n.*claims_by_claimant/);
});
