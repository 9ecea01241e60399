/** The sitemap, the catalogue and the feed, which contain only live listings. */
import { beforeAll, describe, expect, test } from 'vitest';
import { suspendListing } from '../../../../src/marketplace/listings/decisions.ts';
import { pauseOffer } from '../../../../src/marketplace/offers/edit.ts';
import { atomFeed } from '../../../../src/pages/market/discovery/feed.ts';
import {
  listCatalogue,
  listForSitemap,
  listNewOffers,
  listPageStarts,
} from '../../../../src/pages/market/discovery/queries.ts';
import { parseSitemapName } from '../../../../src/pages/market/discovery/sitemap.ts';
import { suspendAccount } from '../../../../src/people/members/suspend.ts';
import { ENGINES } from '../../../support/engines.ts';
import { STRANGER } from '../../../support/marketplace.ts';
import { shareDatabase } from '../../../support/shared.ts';
import { addApp, addOwner, CACHED, cachingOf, HOSTILE_NAMES, readXml, shareMarket } from './support.ts';

const ACTOR = 'operator' as const;

describe.each(ENGINES)('lists on %s', (engine) => {
  const { context } = shareDatabase(engine);
  const clock = { ms: Date.parse('2026-11-20T10:00:00.000Z') };
  const live = ['one', 'two', 'three', 'four', 'five'];
  beforeAll(async () => {
    Object.assign(context, { now: () => clock.ms });
    expect(await listNewOffers(context.db.read, { rights: STRANGER, now: clock.ms, limit: 5 })).toEqual([]);
    const owner = await addOwner(context, 'Ada Acme');
    const other = await addOwner(context, 'Bo Bad');
    for (const slug of live) {
      clock.ms += 60_000;
      await addApp(context, owner, slug);
    }
    await addApp(context, owner, 'draft', { draft: true });
    await addApp(context, owner, 'suspended');
    await suspendListing(context, { listing: 'suspended', reason: 'Spam', actor: ACTOR });
    await addApp(context, other, 'of-suspended');
    await suspendAccount(context, { account: other, reason: 'Spam', actor: ACTOR });
  });

  test('sitemap pages contain each live listing exactly once', async () => {
    for (const size of [1, 2, 5, 6]) {
      const starts = [null, ...(await listPageStarts(context.db.read, STRANGER, size))];
      expect([size, starts.length]).toEqual([size, Math.ceil(live.length / size)]);
      const pages = [];
      for (const after of starts)
        pages.push(await listForSitemap(context.db.read, { rights: STRANGER, after, limit: size }));
      expect(pages.flat().map(({ slug }) => slug)).toEqual(live);
      expect(pages.flat()[0]).toEqual({ slug: 'one', changedAt: '2026-11-20T10:01:00.000Z' });
    }
  });

  test('the catalogue contains each live listing exactly once, with its offers', async () => {
    const read = async (after: string | null, limit: number) =>
      listCatalogue(context.db.read, { rights: STRANGER, now: clock.ms, after, limit });
    const first = await read(null, 3);
    const rest = await read(first.next, 3);
    expect(rest.next).toBeNull();
    const all = [...first.listings, ...rest.listings];
    expect(all.map(({ slug, offers }) => [slug, offers.length])).toEqual(live.map((slug) => [slug, 1]));
  });

  test('the feed is sorted newest first and omits offers that cannot be claimed', async () => {
    const newest = async (limit: number) =>
      (await listNewOffers(context.db.read, { rights: STRANGER, now: clock.ms, limit })).map(
        ({ listing }) => listing.slug,
      );
    expect(await newest(50)).toEqual(live.toReversed());
    expect(await newest(2)).toEqual(['five', 'four']);
    const [newestOffer] = await listNewOffers(context.db.read, { rights: STRANGER, now: clock.ms, limit: 1 });
    await pauseOffer(context, { offerId: newestOffer!.id, actor: ACTOR });
    expect(await newest(2)).toEqual(['four', 'three']);
  });
});

describe('lists over HTTP', () => {
  const market = shareMarket();
  const { site, ask } = market;
  beforeAll(async () => {
    for (const [at, name] of HOSTILE_NAMES.entries()) {
      await addApp(site.context, market.owner, `hostile-${at}`, {
        name,
        offer: name,
        conditions: `${name}\n${name}`,
      });
    }
  });
  const get = async (path: string) => (await ask(path)).text();

  test('robots.txt links to the sitemap, which contains every listing', async () => {
    const robots = await get('/robots.txt');
    for (const path of ['/dashboard', '/desk', '/sign-in', '/account', '/api/']) {
      expect(robots).toContain(`Disallow: ${path}\n`);
    }
    const [, index] = /^Sitemap: (.*)$/m.exec(robots)!;
    expect(index).toBe(`${site.baseUrl}/sitemap.xml`);
    const pages = readXml(await get('/sitemap.xml')).get('sitemapindex/sitemap/loc')!;
    expect(pages).toEqual([`${site.baseUrl}/sitemap/start.xml`]);
    const page = readXml(await get(new URL(pages[0]!).pathname));
    expect(page.get('urlset@xmlns')).toEqual(['http://www.sitemaps.org/schemas/sitemap/0.9']);
    expect(page.get('urlset/url/loc')).toEqual([
      `${site.baseUrl}/`,
      ...HOSTILE_NAMES.map((_, at) => `${site.baseUrl}/l/hostile-${at}`),
    ]);
    for (const path of ['/sitemap/x.xml', '/sitemap/0199f7a2-5b1c-7d3e-8f40-9a1b2c3d4e5f']) {
      expect((await ask(path)).status).toBe(404);
    }
    expect(parseSitemapName('0199f7a2-5b1c-7d3e-8f40-9a1b2c3d4e5f.xml')).toBeDefined();
  });

  test('the feed is well-formed Atom even with hostile names', async () => {
    const feed = readXml(await get('/feed.xml'));
    const entries = HOSTILE_NAMES.length;
    expect(feed.get('feed@xmlns')).toEqual(['http://www.w3.org/2005/Atom']);
    for (const name of ['id', 'title', 'published', 'updated', 'author/name', 'link@href', 'summary']) {
      expect([name, feed.get(`feed/entry/${name}`)?.length]).toEqual([name, entries]);
    }
    const titles = feed.get('feed/entry/title')!.map((title) => title.replaceAll(/[\u2068\u2069]/g, ''));
    expect(titles.sort()).toEqual(HOSTILE_NAMES.map((name) => `${name}: ${name}`).sort());
    const [link] = feed.get('feed/entry/link@href')!;
    expect((await fetch(link!)).status).toBe(200);
    // Validation rejects characters that XML forbids, but the feed must be well-formed even without validation.
    expect(() =>
      readXml(atomFeed({ name: 'a\u0001\ufffe\ud800b', baseUrl: 'https://a.example', offers: [] })),
    ).not.toThrow();
  });

  test('the sitemap and the feed are cacheable', async () => {
    expect(await cachingOf(ask, '/sitemap.xml')).toEqual({ ...CACHED, control: 'public, max-age=3600' });
    expect(await cachingOf(ask, '/sitemap/start.xml')).toEqual({
      ...CACHED,
      control: 'public, max-age=3600',
    });
    expect(await cachingOf(ask, '/feed.xml')).toEqual({ ...CACHED, control: 'public, max-age=300' });
  });
});
