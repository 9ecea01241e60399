/** Claim search returns the same claims as a plain filter over all rows, for every filter and across pages. */
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { openClaim } from '../../src/claims/claimants/open.ts';
import { claimOffer } from '../../src/claims/creation/claim-offer.ts';
import type { ListedClaim } from '../../src/claims/queries.ts';
import {
  CLAIM_FILTER_NAMES,
  type ClaimFilter,
  parseClaimFilter,
} from '../../src/claims/search/claim-filter.ts';
import { findClaimNamed, findOwnerClaim, searchClaims } from '../../src/claims/search/search.ts';
import { findClaimList } from '../../src/claims/search/search-queries.ts';
import { namedToken } from '../../src/claims/token.ts';
import { createListing } from '../../src/marketplace/listings/create.ts';
import { type Scan, scan, type TimePosition } from '../../src/platform/store/scan.ts';
import { uuidv7 } from '../../src/platform/store/uuid.ts';
import { changeClaims } from '../support/claims.ts';
import { ENGINES, openTestDatabase } from '../support/engines.ts';
import { createOwner, issueTokens, type Owner, recordAttempts } from '../support/marketplace.ts';
import { nodeUrls, onDatabase } from '../support/nodes.ts';
import { recordStatements } from '../support/plans.ts';
import { shareDatabase, shareOwner } from '../support/shared.ts';
import { addOffer, importFile, issueFor, REDEEMED_AT } from './support.ts';

const parseUtc = (texts: Parameters<typeof parseClaimFilter>[0]) => parseClaimFilter(texts, 'UTC');

test.each([
  [{ state: 'both' }, /The state must be/],
  [{ mode: 'x' }, /The mode must be/],
  [{ via: 'Not one' }, /campaign label/],
  [{ claimed_from: '20.11.2026' }, /Enter a day such as/],
  [{ redeemed_to: '2026-02-30' }, /Enter a day such as/],
  [{ offer: 'x' }, /is a UUID/],
  [{ short_id: '4F7K-2M9' }, /eight letters and digits/],
  [{ claimant: namedToken('x') }, /looks like a claim token/],
  [{ reference: namedToken('x') }, /contains a claim token/],
  [{ reference: 'x'.repeat(101) }, /at most 100/],
  [{ state: 'not_redeemed', redeemed_from: '2026-11-20' }, /no time of redemption/],
])('parseClaimFilter rejects %j', (texts, reason) => {
  expect(() => parseUtc(texts)).toThrow(reason);
});

test('parseClaimFilter ignores empty values', () => {
  expect(parseUtc({ via: '', state: ' ', claimed_from: '' })).toEqual(parseUtc({}));
});

const LABELS = ['', 'spring', '__proto__', 'a-b_c'];
const DAYS = ['2026-03-01', '2026-03-02', '2026-03-03'];
/** Inclusive start and exclusive end of a period. Some claims, including some of person-1, have exactly these times. */
const FROM = `${DAYS[1]}T10:01:00Z`;
const BEFORE = `${DAYS[2]}T10:01:00Z`;
/** Number of offers. One statement merges fewer (`MAX_RANGES`). */
const MANY_OFFERS = 210;
/** The exact time of some redemptions. */
const REDEEMED = `${DAYS[1]}T23:00:00Z`;

describe.each(ENGINES)('claim search on %s', (engine) => {
  const { context } = shareDatabase(engine);
  const owner = shareOwner(context);
  let otherSlug: string;
  const offers: string[] = [];

  beforeAll(async () => {
    otherSlug = `${owner.slug}-more`;
    await createListing(context, {
      account: owner.accountId,
      slug: otherSlug,
      name: 'More',
      url: 'https://more.example',
      upTo: 'approved',
      actor: 'operator',
    });
    offers.push(owner.offerId, await addOffer(context, owner.slug), await addOffer(context, otherSlug));
    await fill();
    const stranger = await createOwner(context);
    await issueTokens(context, stranger, 50, { via: 'spring' });
  });

  /** Creates claims. Many of them have the same time, as imported claims often do. */
  const fill = async () => {
    let file = 'token,offer,via,claimant,claimed_at,redeemed_at\n';
    for (let at = 0; at < 240; at += 1) {
      const day = DAYS[at % 3];
      const redeemed = at % 5 === 0 ? `${day}T23:00:00Z` : '';
      const claimant = at < 12 ? `person-${at % 4}` : '';
      const offer =
        claimant === '' ? offers[at % 7 < 3 ? 0 : at % 2 === 0 ? 1 : 2] : offers[Math.floor(at / 4)];
      file += `imported-${at},${offer},${LABELS[at % 4]},${claimant},${day}T10:0${at % 2}:00Z,${redeemed}\n`;
    }
    expect((await importFile(context, file)).faults).toEqual([]);
    await issueTokens(context, owner, 40, { via: 'spring' });
    await issueTokens(context, owner, 30, { mode: 'test' });
    const { claimId } = await issueFor(context, owner, 'bob');
    await changeClaims(context.db, { id: claimId }, { redeemed_at: REDEEMED_AT });
    await issueFor(context, owner, 'bob', { replace: true });
    await refer(owner, 'order-1', 6);
  };

  /** Stores a reference for every `nth` claim of an owner, as a redemption does. */
  const refer = ({ accountId }: Pick<Owner, 'accountId'>, reference: string, nth: number) =>
    context.db.transaction((tx) =>
      sql`insert into claim_references (account_number, claim_seq, reference)
        select account_number, seq, ${sql.lit(reference)} from claim_rows
        where account_number = (select number from accounts where id = ${accountId}) and seq % ${sql.lit(nth)} = 0`.execute(
        tx,
      ),
    );

  const claimsOf = (of: typeof owner) =>
    context.db.read
      .selectFrom('claims')
      .innerJoin('listings', 'listings.id', 'claims.listing_id')
      .leftJoin('claim_references', 'claim_references.claim_seq', 'claims.seq')
      .selectAll('claims')
      .select(['listings.slug', 'claim_references.reference'])
      .where('claims.account_id', '=', of.accountId)
      .execute();
  const reference = async (filter: ClaimFilter, of = owner): Promise<number[]> =>
    matching(await claimsOf(of), filter);
  const matching = (rows: Awaited<ReturnType<typeof claimsOf>>, filter: ClaimFilter): number[] =>
    rows
      .filter(
        (row) =>
          (filter.listing === undefined || [row.slug, row.listing_id].includes(filter.listing)) &&
          (filter.offer === undefined || row.offer_id === filter.offer) &&
          (filter.via === undefined || row.via === filter.via) &&
          (filter.state === undefined || (row.redeemed_at !== null) === (filter.state === 'redeemed')) &&
          (filter.mode === undefined || row.mode === filter.mode) &&
          (filter.claimed_from === undefined || row.claimed_at >= filter.claimed_from) &&
          (filter.claimed_to === undefined || row.claimed_at < filter.claimed_to) &&
          (filter.redeemed_from === undefined || (row.redeemed_at ?? '') >= filter.redeemed_from) &&
          (filter.redeemed_to === undefined ||
            (row.redeemed_at !== null && row.redeemed_at < filter.redeemed_to)) &&
          (filter.claimant === undefined || row.claimant_ref === filter.claimant) &&
          (filter.reference === undefined || row.reference === filter.reference),
      )
      .sort((a, b) => (a.claimed_at === b.claimed_at ? b.seq - a.seq : a.claimed_at < b.claimed_at ? 1 : -1))
      .map((row) => row.seq);
  const collect = async (filter: ClaimFilter, limit: number, scanned: number, of = owner) => {
    const found: number[] = [];
    let after: string | undefined;
    for (let pages = 0; pages < 1_000; pages += 1) {
      const input = { accountId: of.accountId, filter, after, limit, scanned };
      const page = await searchClaims(context, input);
      found.push(...page.rows.map(({ seq }) => seq));
      if (page.next === null) return found;
      if (page.rows.length < limit) expect(page.searchedUntil).not.toBeNull();
      after = page.next;
    }
    throw new Error('The search did not end within 1,000 pages.');
  };

  const collectOldest = async (filter: ClaimFilter, of: typeof owner) => {
    const list = await findClaimList(context.db, of.accountId, filter, 'oldest');
    const found: number[] = [];
    for (let after: TimePosition | null = null; ; ) {
      const { rows, end }: Scan<ListedClaim> = await scan(context.db, list, after, {
        scanned: 40,
        limit: 90,
      });
      found.push(...rows.map(({ seq }) => seq));
      if (end === null) return found;
      after = end;
    }
  };

  const choices: Record<string, (string | undefined)[]> = {
    place: [undefined, 'listing', 'offer'],
    via: [undefined, '(none)', 'spring', '__proto__', 'unused'],
    state: [undefined, 'redeemed', 'not_redeemed'],
    mode: [undefined, 'live', 'test'],
    claimed: [undefined, 'from', 'to', 'both'],
    redeemed: [undefined, 'from', 'to'],
    claimant: [undefined, 'person-1', 'bob'],
    reference: [undefined, 'order-1', 'order-unused'],
  };
  const combinations = Object.entries(choices).reduce<Record<string, string | undefined>[]>(
    (all, [name, values]) => all.flatMap((so) => values.map((value) => ({ ...so, [name]: value }))),
    [{}],
  );

  test('returns exactly the matching claims for combinations of filters and page sizes', async () => {
    const compared = Object.keys(choices).flatMap((name) => {
      if (name === 'place') return ['listing', 'offer'];
      return name === 'claimed' || name === 'redeemed' ? [`${name}_from`, `${name}_to`] : [name];
    });
    // `short-id.test.ts` combines the short ID, which few claims share, with other filters.
    expect([...compared, 'short_id'].toSorted(), 'filters that this test covers').toEqual(
      CLAIM_FILTER_NAMES.toSorted(),
    );
    let found = 0;
    const rows = await claimsOf(owner);
    // Tests every 61st combination. This sample includes every pair of values of any two filters.
    for (let at = 0; at < combinations.length; at += 61) {
      const combination = combinations[at]!;
      const isRedeemable = combination['state'] !== 'not_redeemed';
      const filter = parseUtc({
        listing: combination['place'] === 'listing' ? otherSlug : undefined,
        offer: combination['place'] === 'offer' ? owner.offerId : undefined,
        via: combination['via'],
        state: combination['state'],
        mode: combination['mode'],
        claimed_from: ['from', 'both'].includes(combination['claimed'] ?? '') ? FROM : undefined,
        claimed_to: ['to', 'both'].includes(combination['claimed'] ?? '') ? BEFORE : undefined,
        redeemed_from: isRedeemable && combination['redeemed'] === 'from' ? REDEEMED : undefined,
        redeemed_to: isRedeemable && combination['redeemed'] === 'to' ? REDEEMED : undefined,
        claimant: combination['claimant'],
        reference: combination['reference'],
      });
      const expected = matching(rows, filter);
      found += expected.length;
      // Reading many claims in small pages would take too long.
      const limit = (expected.length > 30 ? [11, 50] : [1, 2, 3, 7, 50]).at(
        (at % 5) >> Number(expected.length > 30),
      )!;
      expect(await collect(filter, limit, 40 + (at % 60)), JSON.stringify(combination)).toEqual(expected);
    }
    expect(found).toBeGreaterThan(500);
  });

  test('returns an empty page with a cursor if no row within the scan limit matches', async () => {
    const filter = parseUtc({ state: 'redeemed', mode: 'test' });
    const page = await searchClaims(context, { accountId: owner.accountId, filter, scanned: 20 });
    expect(page).toMatchObject({ rows: [], next: expect.any(String), searchedUntil: expect.any(String) });
  });

  test('finds a rare label by index, regardless of the scan limit', async () => {
    for (const via of ['__proto__', 'unused']) {
      const filter = parseUtc({ via });
      const page = await searchClaims(context, { accountId: owner.accountId, filter, scanned: 20 });
      expect(page.rows.map(({ seq }) => seq)).toEqual((await reference(filter)).slice(0, 50));
      expect(page.searchedUntil).toBeNull();
    }
  });

  test('pages through claims with a common reference, and finds a rare reference on the first page', async () => {
    const many = await createOwner(context);
    await issueTokens(context, many, 2_050);
    await refer(many, 'web shop', 2);
    await issueTokens(context, many, 1);
    const { rows } = await searchClaims(context, { accountId: many.accountId, filter: {}, limit: 1 });
    await refer(many, 'rare', rows[0]!.seq);
    const common = { reference: 'web shop' };
    expect(await collect(common, 50, 400, many)).toEqual(await reference(common, many));
    const rare = { accountId: many.accountId, filter: { reference: 'rare' }, scanned: 1 };
    expect(await searchClaims(context, rare)).toMatchObject({ rows: [{ reference: 'rare' }], next: null });
  });

  test('pages through all claims of a claimant whose claims were replaced often', async () => {
    const many = await createOwner(context);
    await issueTokens(context, many, 1_010);
    await context.db.transaction((tx) =>
      sql`update claim_rows set claimant_ref = 'regular', replaced_at = claimed_at
        where account_number = (select number from accounts where id = ${many.accountId})`.execute(tx),
    );
    const expected = await reference({ claimant: 'regular' }, many);
    expect(expected).toHaveLength(1_010);
    expect(await collect({ claimant: 'regular' }, 50, 400, many)).toEqual(expected);
  });

  test('returns all claims in order if an account has more offers than one statement merges', async () => {
    const many = await createOwner(context);
    await issueTokens(context, many, 2 * MANY_OFFERS);
    await context.db.transaction(async (tx) => {
      const offers = tx.selectFrom('offers').selectAll().where('id', '=', many.offerId);
      const { number, ...offer } = await offers.executeTakeFirstOrThrow();
      const more = Array.from({ length: MANY_OFFERS - 1 }, () => ({ ...offer, id: uuidv7(context) }));
      await tx.insertInto('offers').values(more).execute();
      // The numbers of the new offers directly follow the first offer's number.
      await tx
        .updateTable('claim_rows')
        .set({ offer_number: sql`offer_number + seq % ${sql.lit(MANY_OFFERS)}` })
        .where('offer_number', '=', number)
        .execute();
    });
    for (const filter of [{}, { state: 'not_redeemed' }] as const) {
      const expected = await reference(filter, many);
      expect(expected).toHaveLength(2 * MANY_OFFERS);
      expect(await collect(filter, 90, 40, many)).toEqual(expected);
      expect(await collectOldest(filter, many)).toEqual(expected.toReversed());
    }
    const { plugin, texts } = recordStatements();
    const db = { ...context.db, read: context.db.read.withPlugin(plugin) };
    await searchClaims({ db }, { accountId: many.accountId, filter: {}, limit: 6 });
    const merged = texts().map((text) => text.split('claim_rows where account_number').length - 1);
    expect(Math.max(...merged), 'index ranges of a page with six claims').toBe(7);
  });

  test('finds a claim by its full token or id, but only in the same account', async () => {
    const stranger = await createOwner(context);
    const [token] = await issueTokens(context, owner, 1);
    const { id } = (await findClaimNamed(context, { accountId: owner.accountId, text: ` ${token}\n` }))!;
    expect(await findClaimNamed(context, { accountId: stranger.accountId, text: token! })).toBeNull();
    expect(await findClaimNamed(context, { accountId: owner.accountId, text: 'clm_nonsense' })).toBeNull();
    const byId = await findClaimNamed(context, { accountId: owner.accountId, text: id.toUpperCase() });
    expect(byId).toMatchObject({ id });
    expect(await findOwnerClaim(context, { accountId: stranger.accountId, id })).toBeNull();
    expect(await findOwnerClaim(context, { accountId: owner.accountId, id: '1' })).toBeNull();
  });

  test('the timeline of a claim lists each event in order, with the key that was used', async () => {
    const claimant = (await createOwner(context)).accountId;
    const early = { ...context, now: () => Date.parse('2026-11-20T10:00:00Z') };
    const offer = { claimantAccountId: claimant, listing: owner.slug, offerId: owner.offerId };
    const { claimId } = await claimOffer(early, offer);
    const opened = { ...context, now: () => Date.parse('2026-11-20T10:01:00Z') };
    await openClaim(opened, { claimantAccountId: claimant, claimId });
    const token = context.tokens.derive(claimId, 'live');
    await changeClaims(
      context.db,
      { id: claimId },
      { redeemed_at: '2026-11-20T10:03:00.000Z', redeemed_by_key_id: owner.liveKeyId },
    );
    const causes = ['valid', 'redeemed', 'repeated', 'already_redeemed'] as const;
    await recordAttempts(context, owner, token, causes, Date.parse('2026-11-20T10:02:00.500Z'));
    const claim = await findOwnerClaim(context, { accountId: owner.accountId, id: claimId.toUpperCase() });
    expect(claim).toMatchObject({ id: claimId, origin: 'person' });
    expect(
      claim!.timeline.map(({ what, outcome, key, requestId }) => [what, outcome, key?.name, requestId]),
    ).toEqual([
      ['claimed', null, undefined, null],
      ['opened', null, undefined, null],
      ['verified', 'valid', 'server', 'r0'],
      ['redeemed', null, 'server', 'r1'],
      ['repeated', 'redeemed', 'server', 'r2'],
      ['verified', 'already_redeemed', 'server', 'r3'],
    ]);
    expect(JSON.stringify(claim)).not.toContain(token);
    expect(claim!.lookedUntil).toBeNull();
    const bounded = { accountId: owner.accountId, id: claimId, lookedThrough: 2 };
    const partly = (await findOwnerClaim(context, bounded))!;
    expect(partly.timeline.map(({ what }) => what)).toEqual(['claimed', 'opened', 'verified', 'redeemed']);
    expect(partly.lookedUntil).toBe('2026-11-20T10:03:00.500Z');
    const many = Array.from({ length: 100 }, () => 'already_redeemed' as const);
    await recordAttempts(context, owner, token, many, Date.parse('2026-11-20T11:00:00Z'));
    const full = (await findOwnerClaim(context, { accountId: owner.accountId, id: claimId }))!;
    expect(full.lookedUntil).toMatch(/^2026-11-20T1/);
  });
});

/** With this many claims, PostgreSQL would scan the whole table if the query allowed a scan. */
const CLAIMS = 5_000;

test.skipIf(nodeUrls().length > 1)('the ranges of a list are found by index on PostgreSQL', async () => {
  const { context, databaseUrl, close } = await openTestDatabase('postgres');
  const owner = await createOwner(context);
  await issueTokens(context, owner, CLAIMS);
  await onDatabase(databaseUrl!, (client) => client.query('analyze'));
  const { plugin, stepsOnPostgres } = recordStatements();
  const { ranges } = await findClaimList(context.db, owner.accountId, {}, 'newest');
  if (typeof ranges !== 'function') throw new Error('The list does not find its ranges.');
  const which = { conditions: [], way: sql`desc`, limit: 10 };
  expect(await ranges(context.db.read.withPlugin(plugin), which)).toHaveLength(1);
  const steps = (await stepsOnPostgres(databaseUrl!)).join('\n');
  const { rows: compiling } = await sql`show jit`.execute(context.db.read);
  const { rows: parallel } = await sql`show max_parallel_workers_per_gather`.execute(context.db.read);
  await close();
  // Compiling, or starting processes, would take longer than reading thousands of index entries.
  expect(compiling).toEqual([{ jit: 'off' }]);
  expect(parallel).toEqual([{ max_parallel_workers_per_gather: '0' }]);
  expect(steps).toMatch(/Index Scan(?: Backward)? using claims_by_offer on claim_rows/);
  expect(steps).not.toContain('Seq Scan on claim_rows');
});
