import { beforeAll, describe, expect, test } from 'vitest';
import { claimOffer } from '../../../src/claims/creation/claim-offer.ts';
import { issueClaims } from '../../../src/claims/creation/issue.ts';
import { aggregateBatch } from '../../../src/marketplace/campaigns/count.ts';
import { changeCategories } from '../../../src/marketplace/listings/categories.ts';
import { addCategory } from '../../../src/marketplace/listings/category.ts';
import { findOwnListing, listOwnListings } from '../../../src/marketplace/listings/counted-queries.ts';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import { suspendListing } from '../../../src/marketplace/listings/decisions.ts';
import { editListing } from '../../../src/marketplace/listings/edit.ts';
import { featureListing } from '../../../src/marketplace/listings/feature.ts';
import {
  cardsNeedRefresh,
  countPopular,
  refreshCards,
} from '../../../src/marketplace/listings/refresh-cards.ts';
import { createOffer } from '../../../src/marketplace/offers/create.ts';
import { editOffer, pauseOffer } from '../../../src/marketplace/offers/edit.ts';
import {
  countMarket,
  listFeaturedOnMarket,
  listMarket,
  type MarketQuery,
} from '../../../src/pages/market/queries.ts';
import { createAccount } from '../../../src/people/accounts/create.ts';
import { restoreAccount, suspendAccount } from '../../../src/people/members/suspend.ts';
import { toIso } from '../../../src/platform/text/time-text.ts';
import { ENGINES } from '../../support/engines.ts';
import { findLive, STRANGER } from '../../support/marketplace.ts';
import { shareDatabase } from '../../support/shared.ts';

const desk = 'operator' as const;
const NOW = Date.parse('2026-11-20T10:00:00.000Z');

describe.each(ENGINES)('the marketplace on %s', (engine) => {
  const database = shareDatabase(engine);
  const { context } = database;
  const clock = { ms: NOW };
  let accountId: string;

  beforeAll(async () => {
    Object.assign(context, { now: () => clock.ms });
    accountId = await account('owner@example.com');
    await fill();
  });

  const account = async (email: string) =>
    (await createAccount(context, { email, name: 'Ada & Co', actor: desk })).id;
  const listing = async (
    slug: string,
    fields: { name?: string; summary?: string; account?: string } = {},
  ) => {
    clock.ms += 1_000;
    const approved = { url: 'https://app.example.com', upTo: 'approved', actor: desk } as const;
    return await createListing(context, { account: accountId, slug, name: slug, ...approved, ...fields });
  };
  const offer = (listing: string, fields: Partial<Parameters<typeof createOffer>[1]> = {}) => {
    const half = { offer: 'Half off', kind: 'discount', code: 'SECRET-CODE' };
    return createOffer(context, { listing, ...half, ...fields, actor: desk });
  };
  const issue = async (offerId: string, count: number) => {
    for await (const _ of issueClaims(context, { offerId, count, mode: 'live', via: null }));
  };
  const market = (query: Partial<MarketQuery> = {}) =>
    listMarket(database.db.read, { rights: STRANGER, now: clock.ms, sort: 'newest', page: 1, ...query });
  const slugs = async (query: Partial<MarketQuery> = {}) => {
    const found: string[] = [];
    for (let page = 1; ; page += 1) {
      const listings = await market({ size: 2, page, ...query });
      expect(listings.length).toBeLessThanOrEqual(2);
      if (listings.length === 0) return found;
      found.push(...listings.map(({ slug }) => slug));
    }
  };

  /** Creates three listings with an open offer, and one listing for each reason why a listing is closed or hidden. */
  const fill = async () => {
    await listing('no-offers');
    await listing('ended');
    await offer('ended', { kind: 'gift', ends_at: new Date(clock.ms + 500).toISOString() });
    await listing('scheduled');
    await offer('scheduled', { offer: 'A preview', starts_at: new Date(clock.ms + 400_000).toISOString() });
    await listing('cafe-notes', { name: 'Café Notes', summary: 'Écrire 100%_sûr' });
    await offer('cafe-notes', { offer: 'Three MONTHS free', kind: 'trial' });
    await listing('full');
    const redemption_link = 'https://app.example.com/secret-path?c={claim}';
    await issue((await offer('full', { claim_limit: '2', kind: 'credit', redemption_link })).id, 2);
    await listing('paused');
    await pauseOffer(context, { offerId: (await offer('paused')).id, actor: desk });
    await listing('photos', { summary: 'Pictures, sorted' });
    await offer('photos');
    await offer('photos', { kind: 'gift', offer: 'An album' });
    await listing('suspended');
    await offer('suspended');
    await suspendListing(context, { listing: 'suspended', actor: desk });
    const draft = { account: accountId, slug: 'draft', name: 'Draft', url: 'https://d.example' };
    await createListing(context, { ...draft, actor: desk });
    await listing('in-review');
    await createOffer(context, {
      listing: 'in-review',
      offer: 'Unseen words',
      kind: 'bonus',
      redemption_link: 'https://other.example/?c={claim}',
      actor: `account:${accountId}`,
    });
    await listing('limited');
    await issue((await offer('limited', { claim_limit: '2' })).id, 1);
    await refreshCards(context);
  };

  test('sorts listings with an open offer first, and newest first within each group, across pages', async () => {
    const all = ['limited', 'photos', 'cafe-notes', 'paused', 'full', 'scheduled', 'ended'];
    expect(await slugs()).toEqual(all);
    expect(await slugs({ size: 1 })).toHaveLength(7);
    expect((await market({ size: 3, page: 2 })).map(({ slug }) => slug)).toEqual(all.slice(3, 6));
    expect(await market({ page: 9_999 })).toEqual([]);
    const photos = (await market()).find(({ slug }) => slug === 'photos')!;
    expect(await slugs({ without: [photos.id] })).toHaveLength(6);
  });

  test('treats a listing as open from the start of its scheduled offer', async () => {
    const listings = await market();
    const { offers } = listings.find(({ slug }) => slug === 'scheduled')!;
    expect(offers).toMatchObject([{ state: 'scheduled', startsAt: expect.any(String) }]);
    expect(JSON.stringify(offers)).not.toContain('SECRET-CODE');
    const start = Date.parse(offers[0]!.startsAt!);
    clock.ms = start - 1;
    await refreshCards(context);
    expect((await slugs()).indexOf('scheduled')).toBe(5);
    clock.ms = start;
    expect(await cardsNeedRefresh(context)).toBe(true);
    await refreshCards(context);
    expect(await cardsNeedRefresh(context)).toBe(false);
    expect((await slugs()).slice(0, 4)).toEqual(['limited', 'photos', 'cafe-notes', 'scheduled']);
  });

  test('searches for all words, ignores case and accents, and treats wildcards literally', async () => {
    expect(await slugs({ search: 'CAFE' })).toEqual(['cafe-notes']);
    expect(await slugs({ search: ' month  écrire ' })).toEqual(['cafe-notes']);
    expect(await slugs({ search: 'month sorted' })).toEqual([]);
    expect(await slugs({ search: 'half' })).toEqual(['limited', 'photos', 'paused', 'full', 'ended']);
    expect(await slugs({ search: '100%_s' })).toEqual(['cafe-notes']);
    for (const search of ['%', '_']) expect(await slugs({ search })).toEqual(['cafe-notes']);
    expect(await slugs({ search: '\\' })).toEqual([]);
    expect(await slugs({ search: 'unseen' })).toEqual([]);
    expect(await slugs({ search: "' or 1=1 --" })).toEqual([]);
    expect(await slugs({ search: '\ud800 \u0000x\u0000' })).toEqual([]);
    expect(await slugs({ search: `${'x'.repeat(5_000)}` })).toEqual([]);
  });

  test('filters by the kind of open and scheduled offers', async () => {
    expect(await slugs({ kind: 'gift' })).toEqual(['photos']);
    expect(await slugs({ kind: 'trial' })).toEqual(['cafe-notes']);
    expect(await slugs({ kind: 'discount' })).toEqual(['limited', 'photos', 'scheduled']);
    expect(await slugs({ kind: 'bonus' })).toEqual([]);
    expect(await slugs({ kind: 'discount', search: 'paused' })).toEqual([]);
  });

  test('folds ß and letters with strokes in searches, and can rank name matches first', async () => {
    await listing('strasse', { name: 'Straße 7', summary: 'Łódź, Ørsted & Müller' });
    await offer('strasse');
    await listing('maps', { summary: 'Every strasse' });
    await offer('maps');
    for (const search of ['STRASSE', 'straße', 'Strasse 7', 'lodz', 'orsted', 'muller', 'MÜLLER']) {
      expect(await slugs({ search }), search).toContain('strasse');
    }
    expect(await slugs({ search: 'strasse' })).toEqual(['maps', 'strasse']);
    expect(await slugs({ search: 'strasse', sort: 'match' })).toEqual(['strasse', 'maps']);
  });

  test('can sort by claims in the last 30 days or by the earliest end of an open offer', async () => {
    const day = 24 * 3_600_000;
    await issue((await offer('maps', { ends_at: toIso(clock.ms + 3 * day) })).id, 3);
    await offer('strasse', { ends_at: toIso(clock.ms + 5 * day) });
    // This offer is only scheduled, so its end date is ignored.
    await offer('photos', { starts_at: toIso(clock.ms + day), ends_at: toIso(clock.ms + 2 * day) });
    await aggregateBatch(context);
    await countPopular(context);
    const popular = await slugs({ sort: 'popular' });
    expect(popular.slice(0, 3)).toEqual(['maps', 'limited', 'strasse']);
    // Listings without an open offer come last, however many claims they have.
    expect(popular.indexOf('full')).toBeGreaterThan(popular.indexOf('cafe-notes'));
    expect(await slugs({ sort: 'ending' })).toEqual(['maps', 'strasse']);
    expect((await countMarket(database.db.read, { rights: STRANGER, now: clock.ms })).ending).toBe(2);
    clock.ms += 31 * day;
    await countPopular(context);
    await refreshCards(context);
    expect((await slugs({ sort: 'popular' }))[0]).toBe('maps');
    expect(await slugs({ sort: 'popular', kind: 'gift' })).toEqual(['photos']);
    expect(await slugs({ sort: 'ending' })).toEqual([]);
  });

  test('filters by category, and counts the results of each filter', async () => {
    const change = { operatorId: accountId, actor: desk };
    await changeCategories(context, {
      ...change,
      categories: addCategory(addCategory([], 'Grün & Café'), 'Text'),
    });
    const design = 'gruen-cafe';
    await editListing(context, { listing: 'photos', actor: desk, category: 'GRUN & CAFE' });
    await editListing(context, { listing: 'paused', actor: desk, category: design });
    await editListing(context, { listing: 'maps', actor: desk, category: 'text' });
    await expect(editListing(context, { listing: 'maps', actor: desk, category: 'Tax' })).rejects.toThrow(
      'There is no category "Tax". Categories: Grün & Café, Text.',
    );
    expect(await slugs({ category: design })).toEqual(['photos', 'paused']);
    expect(await slugs({ category: design, kind: 'gift' })).toEqual(['photos']);
    const counts = await countMarket(database.db.read, { rights: STRANGER, category: design, now: clock.ms });
    expect(counts.all).toBe((await market()).length);
    expect([counts.matching, counts.kinds.get('gift'), counts.kinds.get('trial')]).toEqual([2, 1, 0]);
    expect([counts.categories.get(design), counts.categories.get('text')]).toEqual([2, 1]);
    const ofKind = await countMarket(database.db.read, {
      rights: STRANGER,
      search: 'maps',
      kind: 'gift',
      now: clock.ms,
    });
    expect([ofKind.matching, ofKind.kinds.get('discount'), ofKind.categories.get('text')]).toEqual([
      0,
      1,
      undefined,
    ]);
  });

  test('shows featured listings in the operator’s order, at most six', async () => {
    const featured = async () =>
      (await listFeaturedOnMarket(database.db.read, STRANGER, clock.ms)).map(({ slug }) => slug);
    const feature = (slug: string, rank?: number | null) =>
      featureListing(context, { listing: slug, rank, actor: desk });
    const { version } = (await findOwnListing(database.db.read, accountId, 'maps'))!;
    for (const slug of ['maps', 'photos', 'limited']) await feature(slug);
    await feature('limited', 1);
    await feature('maps', 99);
    expect(await featured()).toEqual(['limited', 'photos', 'maps']);
    expect((await findOwnListing(database.db.read, accountId, 'maps'))!.version).toBe(version);
    await expect(feature('draft')).rejects.toThrow('Only an approved listing');
    await feature('photos', null);
    expect(await featured()).toEqual(['limited', 'maps']);
    for (const slug of ['photos', 'strasse', 'paused', 'full']) await feature(slug);
    await expect(feature('ended')).rejects.toThrow('At most 6 listings can be featured');
  });

  test('updates search results immediately after an edit', async () => {
    await editListing(context, { listing: 'photos', actor: desk, summary: 'Zebra' });
    expect(await slugs({ search: 'zebra' })).toEqual(['photos']);
    expect(await slugs({ search: 'sorted' })).toEqual([]);
    await editListing(context, { listing: 'photos', actor: desk, summary: 'Pictures, sorted' });
  });

  test('shows approved offers of approved listings with their state, but without codes or links', async () => {
    const full = await findLive(database.db.read, 'full', clock.ms);
    expect(full).toMatchObject({
      slug: 'full',
      owner: 'Ada & Co',
      state: 'approved',
      offers: [{ kind: 'credit', claims: 2, claimLimit: 2, state: 'over', hasCode: true }],
    });
    expect(full!.offers[0]!.linkOrigin).toBe('https://app.example.com');
    expect(JSON.stringify([full, await market()])).not.toMatch(/SECRET-CODE|secret-path/);
    expect((await findLive(database.db.read, 'in-review', clock.ms))?.offers).toEqual([]);
    expect(await findLive(database.db.read, 'suspended', clock.ms)).toMatchObject({
      state: 'suspended',
      description: null,
      offers: [],
    });
    for (const slug of ['draft', 'no-such', accountId, '', 'a\u0000', '../x']) {
      expect(await findLive(database.db.read, slug, clock.ms)).toBeNull();
    }
  });

  test('hides the listings of a suspended account and rejects new claims until the account is restored', async () => {
    const seller = await account('seller@example.com');
    await listing('closed', { account: seller });
    const { id: offerId } = await offer('closed');
    const claim = (claimantAccountId: string) =>
      claimOffer(context, { claimantAccountId, listing: 'closed', offerId });
    const { claimId } = await claim(accountId);
    await suspendAccount(context, { account: seller, actor: desk });
    expect(await slugs()).not.toContain('closed');
    expect(await findLive(database.db.read, 'closed', clock.ms)).toMatchObject({
      state: 'suspended',
      offers: [],
    });
    await expect(claim(await account('late@example.com'))).rejects.toThrow('its state is suspended');
    await expect(issue(offerId, 1)).rejects.toThrow('its state is suspended');
    expect(await claim(accountId)).toEqual({ claimId, created: false });
    await restoreAccount(context, { account: seller, actor: desk });
    expect(await slugs()).toContain('closed');
    expect((await claim(await account('later@example.com'))).created).toBe(true);
  });

  test('shows up-to-date counts of offers and claims only to the owner', async () => {
    const other = await account('other@example.com');
    const mine = await listing('counted');
    const { id } = await offer('counted');
    const waiting = await offer('counted');
    await editOffer(context, {
      offerId: waiting.id,
      actor: `account:${accountId}`,
      redemption_link: 'https://other.example/?c={claim}',
    });
    await issue(id, 5);
    await aggregateBatch(context);
    // These two claims are not in the stored counts yet.
    await issue(id, 2);
    const found = await findOwnListing(database.db.read, accountId, mine.id);
    expect(found).toMatchObject({ slug: 'counted', offers: 2, waiting: 1, claims: 7, redeemed: 0 });
    expect(await findOwnListing(database.db.read, accountId, 'counted')).toEqual(found);
    expect(await findOwnListing(database.db.read, other, mine.id)).toBeNull();
    expect(await findOwnListing(database.db.read, accountId, 'a\u0000')).toBeNull();
    expect(await listOwnListings(database.db.read, other)).toEqual({ listings: [], next: null });
    const first = await listOwnListings(database.db.read, accountId, { limit: 3 });
    const second = await listOwnListings(database.db.read, accountId, { after: first.next!, limit: 100 });
    expect(first.listings).toHaveLength(3);
    expect(first.listings[0]).toEqual(found);
    expect([...first.listings, ...second.listings].map(({ slug }) => slug).toSorted()).toEqual(
      'cafe-notes counted draft ended full in-review limited maps no-offers paused photos scheduled strasse suspended'.split(
        ' ',
      ),
    );
    expect(second.next).toBeNull();
  });
});
