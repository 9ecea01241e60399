/** Claims by signed-in people: one per person and offer, exact limits, rejections, and opening the owner's page. */
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { openClaim } from '../../src/claims/claimants/open.ts';
import {
  type ClaimedOffer,
  type ClaimQueue,
  claimOffer,
  claimOffers,
  createClaimQueue,
} from '../../src/claims/creation/claim-offer.ts';
import { claimForTest, replaceClaim } from '../../src/claims/creation/issue.ts';
import { findClaimableOffer, readCountsOf } from '../../src/claims/creation/offer-queries.ts';
import { createClaimTokens } from '../../src/claims/token.ts';
import { countLabels } from '../../src/marketplace/campaigns/count.ts';
import { editOffer } from '../../src/marketplace/offers/edit.ts';
import { findMyClaim, listMyClaims } from '../../src/pages/market/claims/my-claims.ts';
import { inTrace } from '../../src/platform/process/trace.ts';
import { DatabaseUnavailable } from '../../src/platform/store/database.ts';
import { DIALECTS } from '../../src/platform/store/dialects.ts';
import { readAccountNumber } from '../../src/platform/store/numbers.ts';
import { changeClaims } from '../support/claims.ts';
import { ENGINES } from '../support/engines.ts';
import { eventsOf, refusalOf } from '../support/events.ts';
import { claimsOf, createOwner, issueTokens, OFFER_TEXT, type Owner } from '../support/marketplace.ts';
import { nodeUrls } from '../support/nodes.ts';
import { shareDatabase } from '../support/shared.ts';
import {
  addOffer,
  changeListing,
  changeOffer,
  createPerson,
  importFile,
  REDEEMED_AT,
  recordTransactions,
} from './support.ts';

const UNKNOWN = '01934e2d-5678-7abc-8def-0123456789ab';
/** Number of people in concurrent tests. Their claims need more than one batch. */
const CROWD = 300;

const NO_AUTOVACUUM = sql`alter table claim_rows set (autovacuum_enabled = false)`;

describe.each(ENGINES)('claims by people on %s', (engine) => {
  const database = shareDatabase(engine);
  const { context } = database;
  const person = () => createPerson(context);
  const crowd: string[] = [];
  /**
   * Returns the ids of `count` people. Creates them one by one, because hundreds of concurrent transactions would wait
   * too long for a connection.
   */
  const peopleOf = async (count: number): Promise<readonly string[]> => {
    while (crowd.length < count) crowd.push(await person());
    return crowd.slice(0, count);
  };
  let queue: ClaimQueue | undefined;
  const claim = (owner: Owner, claimantAccountId: string, via?: string) => {
    queue ??= createClaimQueue(context);
    return queue({ ...wants(owner, claimantAccountId), via });
  };
  const wants = (of: Owner, claimantAccountId: string, offerId = of.offerId) => ({
    claimantAccountId,
    listing: of.slug,
    offerId,
  });
  const redeem = (claimId: string) => changeClaims(context.db, { id: claimId }, { redeemed_at: REDEEMED_AT });

  test('a new claim stores a row and an event and updates the counts', async () => {
    const owner = await createOwner(context);
    const bob = await person();
    const { claimId, created } = await claim(owner, bob, 'spring');
    expect(created).toBe(true);
    expect(await claimsOf(context, owner)).toMatchObject([
      { id: claimId, claimant_id: bob, claimant_ref: null, via: 'spring', mode: 'live', redeemed_at: null },
    ]);
    expect(await eventsOf(context.db, claimId)).toMatchObject([
      {
        type: 'claim.created',
        account_id: owner.accountId,
        actor: `account:${bob}`,
        data: { offer_id: owner.offerId, via: 'spring' },
      },
    ]);
    expect(await countLabels(context, { listing: owner.slug })).toMatchObject([
      { via: 'spring', claims: 1, redeemed: 0, rate: 0 },
    ]);
  });

  // On SQLite, a write transaction locks the whole database.
  test.skipIf(engine === 'sqlite')('a locked offer delays and fails only its own claims', async () => {
    const owner = await createOwner(context);
    const [locked, other] = [await addOffer(context, owner.slug), await addOffer(context, owner.slug)];
    const [ada, ben] = await peopleOf(2);
    const batch = [
      wants(owner, ada!, locked),
      wants(owner, ada!, other),
      wants(owner, ben!, locked),
      wants(owner, ben!),
    ];
    const { promise: until, resolve: release } = Promise.withResolvers<void>();
    const { promise: isHeld, resolve: held } = Promise.withResolvers<void>();
    const holding = context.db.transaction(async (tx) => {
      await DIALECTS[engine].takeLock(tx, locked);
      held();
      await until;
    });
    await isHeld;
    const outcomes = await claimOffers(context, batch).finally(release);
    await holding;
    expect(outcomes).toEqual([
      expect.any(DatabaseUnavailable),
      { claimId: expect.any(String), created: true },
      expect.any(DatabaseUnavailable),
      { claimId: expect.any(String), created: true },
    ]);
    const repeated = await claimOffers(context, batch);
    expect(repeated.map((outcome) => 'created' in outcome && outcome.created)).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  test('the event of each concurrent claim has the trace of its request', async () => {
    const owner = await createOwner(context);
    const people = await peopleOf(3);
    const traces = [`${'a'.repeat(32)}-01`, null, `${'b'.repeat(32)}-00`];
    await Promise.all(people.map((id, n) => inTrace(traces[n]!, () => claim(owner, id))));
    const events = await context.db.read
      .selectFrom('events')
      .select(['actor', 'trace'])
      .where('account_id', '=', owner.accountId)
      .where('type', '=', 'claim.created')
      .execute();
    const traceOf = new Map(events.map(({ actor, trace }) => [actor, trace]));
    expect(people.map((id) => traceOf.get(`account:${id}`))).toEqual(traces);
  });

  test('claims on an offer with only a code are not counted as redeemable, however they are made', async () => {
    const owner = await createOwner(context);
    let imported = 0;
    const makeClaims = async () => {
      await claim(owner, await person());
      await issueTokens(context, owner, 2);
      imported += 2;
      const row = (n: number, redeemedAt = '') => `${owner.slug}-${n},${owner.offerId},,,,${redeemedAt}\n`;
      const header = 'token,offer,via,claimant,claimed_at,redeemed_at\n';
      await importFile(context, header + row(imported) + row(imported + 1, REDEEMED_AT));
      const [label] = await countLabels(context, { listing: owner.slug });
      return label;
    };
    expect(await makeClaims()).toMatchObject({ claims: 5, redeemed: 1, redeemable: 5, rate: 0.2 });
    await changeOffer(context, owner, { redemption_link: null, code: 'SPRING20' });
    // Only the imported claim that was redeemed elsewhere is added.
    expect(await makeClaims()).toMatchObject({ claims: 10, redeemed: 2, redeemable: 6 });
  });

  test('each person gets exactly one claim despite hundreds of concurrent duplicate clicks', async () => {
    const owner = await createOwner(context);
    const ids = await peopleOf(CROWD);
    const clicks = ids.flatMap((id) => [id, id, ids[0]!]);
    const results = await Promise.all(clicks.map((id) => claim(owner, id)));
    expect(results.filter(({ created }) => created)).toHaveLength(CROWD);
    const claims = await claimsOf(context, owner);
    expect(claims).toHaveLength(CROWD);
    const claimIds = new Map(claims.map((row) => [row.claimant_id, row.id]));
    expect(results.map(({ claimId }) => claimId)).toEqual(clicks.map((id) => claimIds.get(id)));
    const offer = await findClaimableOffer(context.db.read, owner.offerId);
    const counts = await readCountsOf(context.db.read, [offer!.id]);
    expect(counts.get(offer!.id)).toEqual({ claims: CROWD, codes_left: 0 });
  });

  test.skipIf(nodeUrls().length > 1)(
    'a new claim does not scan the other claims on the offer, even right after many were issued in bulk',
    async () => {
      // Statistics from the middle of the test would change the plan.
      if (engine === 'postgres') await context.db.transaction((tx) => NO_AUTOVACUUM.execute(tx));
      const owner = await createOwner(context);
      await issueTokens(context, owner, 5_000);
      const { recorded, steps, stepsOnPostgres } = recordTransactions(context);
      const ids = await peopleOf(64);
      await claimOffers(
        recorded,
        ids.map((id) => wants(owner, id)),
      );
      const plan =
        engine === 'sqlite' ? steps(database.dataDir) : await stepsOnPostgres(database.databaseUrl!);
      expect(plan.join('\n')).toContain('claims_by_claimant_account');
      expect(plan.join('\n')).not.toMatch(/claims_by_offer|claims_by_label|Seq Scan on claim_rows|SCAN c\b/);
    },
  );

  test('a batch has the same outcomes as separate claims, even if one of its claims fails', async () => {
    const [owner, full] = [await createOwner(context), await createOwner(context)];
    await changeOffer(context, full, { claim_limit: 1 });
    const broken = await createOwner(context);
    await changeOffer(context, broken, { code_list: 'close' });
    // The stored count says that five codes are left, but the list is empty.
    const account_number = await readAccountNumber(context.db.read, broken.accountId);
    const counts = { account_number, offer_id: broken.offerId, claims: 0, codes_left: 5, codes_given: 0 };
    await context.db.transaction((tx) => tx.insertInto('offer_claims').values(counts).execute());
    const [ann, bob, cy] = [await person(), await person(), await person()];
    const dee = await createPerson(context, 'dee@example.com');
    const deeToo = await createPerson(context, 'dee+2@example.com');
    const outcomes = await claimOffers(context, [
      wants(owner, ann),
      wants(broken, ann),
      wants(owner, UNKNOWN),
      wants(owner, bob, UNKNOWN),
      wants(full, bob),
      wants(full, cy),
      wants(owner, ann),
      wants(owner, dee),
      wants(owner, deeToo),
      wants(owner, cy, 'no-uuid'),
      wants(owner, cy),
    ]);
    expect(outcomes).toMatchObject([
      { created: true },
      { message: 'All codes have been given out.' },
      { message: 'This account has been deleted.' },
      { message: 'This offer does not exist.' },
      { created: true },
      { message: expect.stringContaining('its only claim has been made') },
      { created: false },
      { created: true },
      { message: expect.stringContaining('already claimed with your mailbox') },
      { message: 'This offer does not exist.' },
      { created: true },
    ]);
    expect((await claimsOf(context, owner)).map((row) => row.claimant_id)).toEqual([ann, dee, cy]);
    expect(await claimsOf(context, broken)).toEqual([]);
    const [event] = await eventsOf(context.db, (outcomes[7] as ClaimedOffer).claimId);
    expect(event).toMatchObject({ type: 'claim.created', actor: `account:${dee}` });
  });

  test('a closed offer rejects new claims with the reason and returns existing claims', async () => {
    const owner = await createOwner(context);
    const bob = await person();
    const first = await claim(owner, bob);
    await redeem(first.claimId);
    const ann = await person();
    await changeOffer(context, owner, { paused_at: '2026-11-20T10:00:00.000Z' });
    expect(await refusalOf(claim(owner, ann))).toMatch(/paused/);
    await changeOffer(context, owner, { paused_at: null, ends_at: '2026-01-01T00:00:00.000Z' });
    expect(await refusalOf(claim(owner, ann))).toMatch(/it ended on 1 Jan 2026/);
    await changeListing(context, owner, { state: 'suspended' });
    expect(await refusalOf(claim(owner, ann))).toMatch(/suspended, not approved/);
    expect(await claim(owner, bob)).toEqual({ claimId: first.claimId, created: false });
  });

  test('an offer accepts claims from the exact millisecond of its start', async () => {
    const owner = await createOwner(context);
    const starts_at = '2026-12-01T09:00:00.000Z';
    await changeOffer(context, owner, { starts_at });
    const at = (ms: number) => ({ ...context, now: () => Date.parse(starts_at) + ms });
    const bob = await person();
    expect(await refusalOf(claimOffer(at(-1), wants(owner, bob)))).toBe(
      'The offer opens on 1 Dec 2026, 09:00 UTC.',
    );
    expect(await claimsOf(context, owner)).toEqual([]);
    expect(await claimOffer(at(0), wants(owner, bob))).toMatchObject({ created: true });
    const ann = await person();
    expect(await claimForTest(at(-1), { accountId: owner.accountId, offerId: owner.offerId })).toBeDefined();
    expect(await refusalOf(claimOffer(at(-1), wants(owner, ann)))).toMatch(/opens on/);
  });

  test('no claim is created after a concurrent edit has postponed the start', async () => {
    const owner = await createOwner(context);
    const ids = await peopleOf(CROWD);
    const race = (some: readonly string[]) =>
      some.map((id) =>
        claim(owner, id).then(
          () => 'made',
          (error: Error) => error.message,
        ),
      );
    const first = race(ids.slice(0, CROWD / 2));
    const edit = editOffer(context, { offerId: owner.offerId, starts_at: '2099-01-01', actor: 'operator' });
    const outcomes = await Promise.all([...first, ...race(ids.slice(CROWD / 2))]);
    expect((await edit).starts_at).toBe('2099-01-01T00:00:00.000Z');
    const made = outcomes.filter((outcome) => outcome === 'made').length;
    const refused = outcomes.filter(
      (outcome) => outcome === 'The offer opens on 1 Jan 2099, 00:00 UTC.',
    ).length;
    expect(made + refused).toBe(CROWD);
    expect(await claimsOf(context, owner)).toHaveLength(made);
    const log = await context.db.read
      .selectFrom('events')
      .select(['type', 'data'])
      .where('account_id', '=', owner.accountId)
      .orderBy('seq')
      .execute();
    const change = log.findLastIndex(({ data }) => JSON.parse(data).change === 'edited');
    expect(change).toBeGreaterThan(0);
    expect(log.slice(change).filter(({ type }) => type === 'claim.created')).toEqual([]);
  });

  test('an offer is not found if the id is wrong or the listing was never public', async () => {
    const owner = await createOwner(context);
    const other = await createOwner(context);
    const bob = await person();
    const of = (listing: string, offerId: string) =>
      refusalOf(claimOffer(context, { claimantAccountId: bob, listing, offerId }));
    const missing = 'This offer does not exist.';
    expect(await of(owner.slug, UNKNOWN)).toBe(missing);
    expect(await of(owner.slug, other.offerId)).toBe(missing);
    expect(await of(owner.slug, "' or 1=1")).toBe(missing);
    await changeListing(context, owner, { state: 'pending' });
    expect(await of(owner.slug, owner.offerId)).toBe(missing);
  });

  test('a person sees only their own claims, in pages: newest first, but redeemed claims last', async () => {
    const bob = await person();
    const owner = await createOwner(context);
    await claim(owner, await person());
    const made: string[] = [];
    for (let at = 0; at < 7; at += 1) {
      const offerId = await addOffer(context, owner.slug);
      const claimed = await claimOffer(context, wants(owner, bob, offerId));
      made.unshift(claimed.claimId);
    }
    const redeemed = [made[1]!, made[4]!];
    await changeClaims(context.db, { id: redeemed }, { redeemed_at: REDEEMED_AT });
    const inOrder = [...made.filter((id) => !redeemed.includes(id)), ...redeemed];
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const page = await listMyClaims(context, { claimantAccountId: bob, after, limit: 3 });
      seen.push(...page.claims.map(({ id }) => id));
      after = page.next ?? undefined;
    } while (after !== undefined);
    expect(seen).toEqual(inOrder);
    const nonsense = await listMyClaims(context, { claimantAccountId: bob, after: 'x', limit: 3 });
    expect(nonsense.claims.map(({ id }) => id)).toEqual(inOrder.slice(0, 3));
  });

  test('opening a claim returns its link only to the claimant and records the first opening', async () => {
    const owner = await createOwner(context);
    const bob = await person();
    const { claimId } = await claim(owner, bob);
    const mine = { claimantAccountId: bob, claimId };
    const token = context.tokens.derive(claimId, 'live');
    const link = `https://acme.example/welcome?claim=${token}`;
    const shown = await findMyClaim(context, mine);
    const expected = {
      state: 'not_redeemed',
      offer: OFFER_TEXT,
      origin: 'https://acme.example',
      opened_at: null,
    };
    expect(shown).toMatchObject(expected);
    // The data for the page must not contain the token.
    expect(JSON.stringify(shown)).not.toContain(token);
    expect(await openClaim(context, mine)).toEqual({ link, token });
    const opened = (await findMyClaim(context, mine))!.opened_at;
    expect(opened).not.toBeNull();
    const later = { ...context, now: () => Date.now() + 60_000 };
    await Promise.all([openClaim(later, mine), openClaim(later, mine)]);
    expect((await findMyClaim(context, mine))!.opened_at).toBe(opened);
    await redeem(claimId);
    expect(await findMyClaim(context, mine)).toMatchObject({ state: 'redeemed' });
    const eve = await person();
    for (const id of [claimId, UNKNOWN, 'x']) {
      expect(await findMyClaim(context, { claimantAccountId: eve, claimId: id })).toBeNull();
      const opening = openClaim(context, { claimantAccountId: eve, claimId: id });
      expect(await refusalOf(opening)).toBe('This claim does not exist.');
    }
  });

  test('the link passes on the label of the claim and the offer, and nothing about the person', async () => {
    const owner = await createOwner(context);
    const redemption_link = 'https://acme.example/welcome?claim={claim}&v={via}&o={offer}';
    await changeOffer(context, owner, { redemption_link });
    for (const via of ['spring_26', undefined]) {
      const claimantAccountId = await person();
      const { claimId } = await claim(owner, claimantAccountId, via);
      const { link, token } = await openClaim(context, { claimantAccountId, claimId });
      expect(link).toBe(`https://acme.example/welcome?claim=${token}&v=${via ?? ''}&o=${owner.offerId}`);
    }
  });

  test('a claim cannot be opened if the offer has only a code or the secret key has changed', async () => {
    const owner = await createOwner(context);
    const bob = await person();
    const { claimId } = await claim(owner, bob);
    const mine = { claimantAccountId: bob, claimId };
    const elsewhere = { ...context, tokens: createClaimTokens('another secret key, long enough as well') };
    expect(String((await findMyClaim(elsewhere, mine))?.linkFault)).toMatch(/can’t be opened at the moment/);
    await changeOffer(context, owner, { redemption_link: null, code: 'SPRING' });
    expect(await findMyClaim(context, mine)).toMatchObject({ code: 'SPRING', linkFault: null });
    expect(await refusalOf(openClaim(context, mine))).toMatch(/Enter its code at checkout/);
  });

  test('a redeemed claim can be replaced exactly once, even if the claim limit is reached', async () => {
    const owner = await createOwner(context);
    await changeOffer(context, owner, { claim_limit: 1 });
    const bob = await person();
    const first = await claim(owner, bob, 'spring');
    const { claimId } = first;
    const replace = () => replaceClaim(context, { accountId: owner.accountId, claimId, actor: 'operator' });
    expect(await refusalOf(replace())).toMatch(/not redeemed yet/);
    await redeem(first.claimId);
    const tries = await Promise.allSettled([replace(), replace(), replace()]);
    const made = tries.map((result) =>
      result.status === 'fulfilled' ? result.value.claimId : result.reason,
    );
    expect(new Set([...made, (await replace()).claimId]).size).toBe(1);
    const second = await claim(owner, bob);
    expect(second).toMatchObject({ created: false, claimId: made[0] });
    expect(second.claimId).not.toBe(first.claimId);
    expect(await claimsOf(context, owner)).toMatchObject([
      { id: first.claimId, replaced_at: expect.any(String) },
      { id: second.claimId, via: 'spring', replaced_at: null, redeemed_at: null },
    ]);
    expect(await eventsOf(context.db, second.claimId)).toMatchObject([
      { actor: 'operator', data: { replaces: first.claimId } },
    ]);
    expect(await countLabels(context, { listing: owner.slug })).toMatchObject([{ via: 'spring', claims: 2 }]);
    const stranger = await createOwner(context);
    for (const [{ accountId }, id] of [
      [stranger, claimId],
      [owner, stranger.offerId],
      [owner, '1'],
    ] as const) {
      const refused = replaceClaim(context, { accountId, claimId: id, actor: 'operator' });
      expect(await refusalOf(refused)).toBe('This claim does not exist.');
    }
  });

  test('an owner has at most one unredeemed test claim per offer, and test claims are not counted', async () => {
    const owner = await createOwner(context);
    const input = { accountId: owner.accountId, offerId: owner.offerId };
    const first = await claimForTest(context, input);
    expect(await claimForTest(context, input)).toEqual({ claimId: first.claimId, created: false });
    await redeem(first.claimId);
    const second = await claimForTest(context, input);
    expect(second.created).toBe(true);
    const mine = { claimantAccountId: owner.accountId, claimId: second.claimId };
    expect((await openClaim(context, mine)).link).toContain('claim=clm_test_');
    expect(await countLabels(context, { listing: owner.slug })).toEqual([]);
    const stranger = await createOwner(context);
    const refused = claimForTest(context, { ...input, accountId: stranger.accountId });
    expect(await refusalOf(refused)).toBe('This offer does not exist.');
  });
});
