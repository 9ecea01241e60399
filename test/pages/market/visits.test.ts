/** Which requests for a listing count as visits, including requests answered from the cache. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Context } from '../../../src/base/context.ts';
import { countLabels } from '../../../src/marketplace/campaigns/count.ts';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import { createOffer } from '../../../src/marketplace/offers/create.ts';
import { ENGINES, openDatabaseAt } from '../../support/engines.ts';
import { signedInAs } from '../../support/person.ts';
import { shareSite } from '../../support/shared.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const actor = 'operator' as const;

describe.each(ENGINES)('visits on %s', (engine) => {
  const site = shareSite(engine, { TRUSTED_PROXIES: '127.0.0.1' });

  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(site.baseUrl + path, { method, headers: { 'User-Agent': FIREFOX, ...headers } });

  async function newListing(slug: string) {
    const owner = await signedInAs(site, { email: `${slug}@example.com`, plan: 'studio' });
    const url = 'https://acme.example/app';
    const listing = { account: owner.accountId, slug, name: slug, url, upTo: 'approved', actor } as const;
    await createListing(site.context, listing);
    const redemption_link = 'https://acme.example/welcome?claim={claim}';
    const gift = { listing: slug, offer: 'x', kind: 'gift', redemption_link, actor };
    const offer = await createOffer(site.context, gift);
    return { owner, offerId: offer.id, path: `/l/${slug}` };
  }

  const countsOf = async (slug: string, context: Context = site.context) => {
    const labels = await countLabels(context, { listing: slug });
    return Object.fromEntries(
      labels.map(({ via, visits, visitors, claims, arrived }) => [
        via ?? '',
        { visits, visitors, claims, arrived },
      ]),
    );
  };

  test('a claimant counts as arrived once, even if they open the owner’s page several times', async () => {
    const { path, offerId } = await newListing('claimed');
    const { person } = await signedInAs(site, { email: 'claimant@example.com' });
    const { location } = await person.post(`${path}/offers/${offerId}/claim`, { via: 'news' });
    expect(location).toMatch(/^\/claims\//);
    expect(await countsOf('claimed')).toMatchObject({ news: { claims: 1, arrived: 0 } });
    const openings = Array.from({ length: 5 }, () => person.post(`${location}/open`));
    for (const { status } of await Promise.all(openings)) expect(status).toBe(303);
    expect(await countsOf('claimed')).toMatchObject({ news: { claims: 1, arrived: 1 } });
  });

  test('a visit is a GET request that gets the page or a 304, even if the response comes from the cache', async () => {
    const operator = await signedInAs(site, { email: 'operator@example.com', operator: true });
    const { path, owner } = await newListing('visited');
    const first = await ask(`${path}?via=news`);
    expect(first.status).toBe(200);
    const tag = first.headers.get('etag')!;
    const of = (n: number) => ({ 'X-Forwarded-For': `198.51.100.${n % 20}` });
    const many = Array.from({ length: 60 }, (_, n) => ask(`${path}?utm_source=x&via=news`, of(n)));
    expect(new Set((await Promise.all(many)).map(({ status }) => status))).toEqual(new Set([200]));
    expect((await ask(`${path}?via=news`, { 'If-None-Match': tag })).status).toBe(304);
    // HEAD requests, prefetches and bots are not visits.
    await ask(`${path}?via=news`, {}, 'HEAD');
    await ask(`${path}?via=unheard`, {}, 'HEAD');
    await ask(`${path}?via=news`, { 'Sec-Purpose': 'prefetch' });
    await ask(`${path}?via=news`, { 'User-Agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' });
    // The owner and operators are not visitors.
    for (const { person } of [operator, owner]) {
      expect((await person.get(`${path}?via=news`, { 'User-Agent': FIREFOX })).status).toBe(200);
    }
    // Requests that bypass the cache count too.
    const { person } = await signedInAs(site, { email: 'reader@example.com' });
    expect((await person.get(`${path}?via=signed-in`, { 'User-Agent': FIREFOX })).status).toBe(200);
    expect((await ask(`${path}?via=encoded%21`, { Authorization: 'Basic eDp5' })).status).toBe(200);
    // A visit with an invalid label counts without a label.
    await ask(`${path}?via=Fr%C3%BChling`);
    // Requests for a withdrawn listing are not visits.
    const gone = await newListing('gone');
    await site.context.db.transaction((tx) =>
      tx.updateTable('listings').set({ state: 'withdrawn' }).where('slug', '=', 'gone').execute(),
    );
    expect((await ask(`${gone.path}?via=news`)).status).toBe(200);

    // Visits are written every few seconds, and when the service stops.
    await site.stop();
    const { context, db } = await openDatabaseAt(site.dbLocation);
    onTestFinished(() => db.close());
    const counts = await countsOf('visited', context);
    expect(counts).toMatchObject({
      // The first request and the 304 come from this machine, the other 60 from 20 networks.
      news: { visits: 62, visitors: 21 },
      'signed-in': { visits: 1, visitors: 1 },
      encoded: { visits: 1, visitors: 1 },
      '': { visits: 1, visitors: 1 },
    });
    expect(Object.keys(counts)).toHaveLength(4);
    expect(await countsOf('gone', context)).toEqual({});
    const unreadable = await db.read.selectFrom('unreadable_labels').select(['found', 'visits']).execute();
    expect(unreadable).toContainEqual({ found: 'Frühling', visits: 1 });
  });
});
