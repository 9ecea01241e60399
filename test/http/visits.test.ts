/** Which requests for a listing are visits, through the whole service, including responses that are sent without a handler. */
import { describe, expect, it, vi } from 'vitest';
import { countLabels } from '../../src/campaigns/count.ts';
import { createListing } from '../../src/listings/create.ts';
import { createOffer } from '../../src/offers/create.ts';
import { ENGINES } from '../support/engines.ts';
import { signedInAs } from '../support/person.ts';
import { shareSite } from '../support/shared.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const actor = 'operator' as const;
let listings = 0;

describe.each(ENGINES)('visits through the service on %s', (engine) => {
  const site = shareSite(engine, { TRUSTED_PROXIES: '127.0.0.1' });

  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(site.baseUrl + path, { method, headers: { 'User-Agent': FIREFOX, ...headers } });

  async function newListing() {
    listings += 1;
    const slug = `visited-${engine}-${listings}`;
    const owner = await signedInAs(site, { email: `${slug}@example.com`, plan: 'studio' });
    await createListing(site.context, {
      account: owner.accountId,
      slug,
      name: slug,
      url: 'https://acme.example/app',
      upTo: 'approved',
      actor,
    });
    const offer = await createOffer(site.context, {
      listing: slug,
      offer: 'x',
      kind: 'gift',
      redemption_link: 'https://acme.example/welcome?claim={claim}',
      actor,
    });
    return { slug, owner, offerId: offer.id, path: `/l/${slug}` };
  }

  const countsOf = async (slug: string) => {
    const labels = await countLabels(site.context, { listing: slug });
    return Object.fromEntries(
      labels.map(({ via, visits, visitors, claims, arrived }) => [
        via ?? '',
        { visits, visitors, claims, arrived },
      ]),
    );
  };
  /** Once the visits are written, within seconds. */
  const expectCounts = (slug: string, counts: Record<string, Record<string, number>>) =>
    vi.waitFor(
      async () => {
        const found = await countsOf(slug);
        expect(found).toMatchObject(counts);
        expect(Object.keys(found).sort()).toEqual(Object.keys(counts).sort());
      },
      { timeout: 15_000, interval: 200 },
    );

  it('each GET that is answered with the page or with 304, however it is answered', async () => {
    const operator = await signedInAs(site, { email: `operator-${engine}@example.com`, operator: true });
    const { slug, path, owner } = await newListing();
    const first = await ask(`${path}?via=news`);
    expect(first.status).toBe(200);
    const tag = first.headers.get('etag')!;
    const of = (n: number) => ({ 'X-Forwarded-For': `198.51.100.${n % 20}` });
    const many = Array.from({ length: 60 }, (_, n) => ask(`${path}?utm_source=x&via=news`, of(n)));
    expect(new Set((await Promise.all(many)).map(({ status }) => status))).toEqual(new Set([200]));
    expect((await ask(`${path}?via=news`, { 'If-None-Match': tag })).status).toBe(304);
    // Nobody sees the page of these.
    await ask(`${path}?via=news`, {}, 'HEAD');
    await ask(`${path}?via=unheard`, {}, 'HEAD');
    await ask(`${path}?via=news`, { 'Sec-Purpose': 'prefetch' });
    await ask(`${path}?via=news`, { 'User-Agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' });
    // Their own work.
    for (const { person } of [operator, owner]) {
      expect((await person.get(`${path}?via=news`, { 'User-Agent': FIREFOX })).status).toBe(200);
    }
    // Responses that are not shared.
    const { person } = await signedInAs(site, { email: `reader-${slug}@example.com` });
    expect((await person.get(`${path}?via=signed-in`, { 'User-Agent': FIREFOX })).status).toBe(200);
    expect((await ask(`${path}?via=encoded%21`, { Authorization: 'Basic eDp5' })).status).toBe(200);
    await ask(`${path}?via=Fr%C3%BChling`);
    await expectCounts(slug, {
      // The first and the last come from this machine.
      news: { visits: 62, visitors: 21 },
      'signed-in': { visits: 1, visitors: 1 },
      encoded: { visits: 1, visitors: 1 },
      '': { visits: 1, visitors: 1 },
    });
    const unreadable = await site.context.db.read
      .selectFrom('unreadable_labels')
      .select(['found', 'visits'])
      .execute();
    expect(unreadable).toContainEqual({ found: 'Frühling', visits: 1 });
  });

  it('a claimant arrives once, however often the owner’s page is opened', async () => {
    const { slug, path, offerId } = await newListing();
    const { person } = await signedInAs(site, { email: `claimant-${slug}@example.com` });
    const { location } = await person.post(`${path}/offers/${offerId}/claim`, { via: 'news' });
    expect(location).toMatch(/^\/claims\//);
    expect(await countsOf(slug)).toMatchObject({ news: { claims: 1, arrived: 0 } });
    const openings = Array.from({ length: 5 }, () => person.post(`${location}/open`));
    for (const { status } of await Promise.all(openings)) expect(status).toBe(303);
    expect(await countsOf(slug)).toMatchObject({ news: { claims: 1, arrived: 1 } });
  });

  it('a page that is missing or gone has no visits', async () => {
    const { slug, path } = await newListing();
    await site.context.db.transaction((tx) =>
      tx.updateTable('listings').set({ state: 'withdrawn' }).where('slug', '=', slug).execute(),
    );
    expect((await ask(`${path}?via=news`)).status).toBe(200);
    const { slug: other, path: otherPath } = await newListing();
    await ask(`${otherPath}?via=news`);
    await expectCounts(other, { news: { visits: 1 } });
    expect(await countsOf(slug)).toEqual({});
  });
});
