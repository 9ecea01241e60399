/** The address of an offer: what crawlers and people get, what stays hidden, and how visits are counted. */
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { countLabels } from '../../../src/marketplace/campaigns/count.ts';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import { withdrawListing } from '../../../src/marketplace/listings/decisions.ts';
import { createOffer } from '../../../src/marketplace/offers/create.ts';
import { pauseOffer } from '../../../src/marketplace/offers/edit.ts';
import { ENGINES, openDatabaseAt } from '../../support/engines.ts';
import { signedInAs } from '../../support/person.ts';
import { shareSite } from '../../support/shared.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const CRAWLERS = [
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'WhatsApp/2.23.20.0',
  'Twitterbot/1.0',
  'facebookexternalhit/1.1',
  'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'TelegramBot (like TwitterBot)',
];
const actor = 'operator' as const;

describe.each(ENGINES)('the address of an offer on %s', (engine) => {
  const site = shareSite(engine);

  // Pages are cached once the marketplace has an operator.
  beforeAll(async () => void (await signedInAs(site, { email: 'operator@example.com', operator: true })));

  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(site.baseUrl + path, {
      method,
      redirect: 'manual',
      headers: { 'User-Agent': FIREFOX, ...headers },
    });

  async function addListing(slug: string, offers: readonly string[], state?: 'draft') {
    const owner = await signedInAs(site, { email: `${slug}@example.com`, plan: 'studio' });
    const url = 'https://acme.example/app';
    const listing = { account: owner.accountId, slug, name: slug, url, actor };
    await createListing(site.context, state === 'draft' ? listing : { ...listing, upTo: 'approved' });
    const ids: string[] = [];
    for (const offer of offers) {
      const redemption_link = 'https://acme.example/welcome?claim={claim}';
      const input = { listing: slug, offer, kind: 'gift', redemption_link, actor };
      ids.push((await createOffer(site.context, input)).id);
    }
    return { ids, paths: ids.map((id) => `/l/${slug}/offers/${id}`) };
  }

  const metaOf = (html: string, name: string): string | undefined =>
    new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(html)?.[1];

  test('crawlers get the preview of the offer with GET and HEAD, without a redirect', async () => {
    const { paths } = await addListing('crawled', ['First gift', 'Second gift']);
    for (const crawler of CRAWLERS) {
      for (const [path, title] of [
        ['/l/crawled', 'First gift · crawled · +1 more offer'],
        [paths[1]!, 'Second gift · crawled'],
      ] as const) {
        const head = await ask(`${path}?via=news`, { 'User-Agent': crawler }, 'HEAD');
        expect([crawler, head.status, head.headers.get('content-type')]).toEqual([
          crawler,
          200,
          'text/html; charset=UTF-8',
        ]);
        const response = await ask(`${path}?via=news`, { 'User-Agent': crawler, Range: 'bytes=0-32768' });
        const html = await response.text();
        expect(response.status).toBe(200);
        expect(metaOf(html, 'og:title')).toBe(title);
        expect(metaOf(html, 'og:description')).not.toBe('');
        expect(metaOf(html, 'og:url')).toBe(site.baseUrl + path);
        // Slack reads the first 32 KB.
        expect(html.indexOf('og:image:alt')).toBeLessThan(32_000);
        const image = metaOf(html, 'og:image')!;
        expect(image).toMatch(`${site.baseUrl}${path}/posters/`);
        const picture = await fetch(image, { redirect: 'manual', method: 'HEAD' });
        expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
      }
    }
  });

  test('people land on the listing, where the offer comes first and is marked', async () => {
    const { ids } = await addListing('landed', ['First gift', 'Second gift']);
    const orderIn = (html: string) =>
      [...html.matchAll(/<article class="([^"]*)" id="offer-([^"]+)"/g)].map(([, classes, id]) => [
        id,
        classes!.includes('marked'),
      ]);
    expect(orderIn(await (await ask('/l/landed')).text())).toEqual(ids.map((id) => [id, false]));
    const html = await (await ask(`/l/landed/offers/${ids[1]}?via=x`)).text();
    expect(orderIn(html)).toEqual([
      [ids[1], true],
      [ids[0], false],
    ]);
    expect(html).toContain('<title>Second gift · landed · Claimcheck</title>');
  });

  test('an offer that cannot be claimed is not advertised, and hidden offers do not exist', async () => {
    const { ids, paths } = await addListing('closed', ['Paused gift', 'Open gift']);
    const poster = metaOf(await (await ask(paths[0]!)).text(), 'og:image')!;
    await pauseOffer(site.context, { offerId: ids[0]!, actor });
    // Another URL than before, because pages are cached for a second.
    const paused = await (await ask(`${paths[0]}?via=paused`)).text();
    expect(metaOf(paused, 'og:title')).toBe('Open gift · closed');
    expect(metaOf(paused, 'og:url')).toBe(`${site.baseUrl}/l/closed`);
    expect(paused).toContain('The app has paused this offer.');
    // An old link to the picture of the offer shows the listing's picture, without a redirect.
    const pictures = [poster, metaOf(paused, 'og:image')!].map(async (url) =>
      Buffer.from(await (await fetch(url, { redirect: 'manual' })).arrayBuffer()),
    );
    expect(await pictures[0]).toEqual(await pictures[1]);

    // An unknown offer and one that waits for review give the same response.
    await site.context.db.transaction((tx) =>
      tx.updateTable('offers').set({ hidden_since: site.context.at() }).where('id', '=', ids[0]!).execute(),
    );
    const unknown = '/l/closed/offers/0199f7a2-5b1c-7d3e-8f40-9a1b2c3d4e5f';
    for (const path of [paths[0]!, unknown, '/l/closed/offers/x']) {
      const { status, headers } = await ask(`${path}?via=news`);
      expect([path, status, headers.get('location')]).toEqual([path, 303, '/l/closed?via=news']);
      expect((await ask(`${path}/posters/0.png`)).status).toBe(404);
    }
    const draft = await addListing('draft', ['Secret gift'], 'draft');
    for (const path of [...draft.paths, '/l/nowhere/offers/x', '/l/landed-not/offers/x']) {
      expect([path, (await ask(path)).status]).toEqual([path, 404]);
    }
    const gone = await addListing('gone', ['Former gift']);
    await withdrawListing(site.context, { listing: 'gone', actor });
    const html = await (await ask(gone.paths[0]!)).text();
    expect([metaOf(html, 'robots'), metaOf(html, 'og:image')]).toEqual(['noindex', undefined]);
    expect(html).not.toContain('Former gift');
  });

  test('visits count with their label, whichever address is opened, also from the cache', async () => {
    const { ids, paths } = await addListing('counted', ['First gift', 'Second gift']);
    const first = await ask(`${paths[0]}?via=news`);
    const tag = first.headers.get('etag')!;
    await ask(`${paths[0]}?utm_source=x&via=News.`);
    expect((await ask(`${paths[0]}?via=news`, { 'If-None-Match': tag })).status).toBe(304);
    await ask('/l/counted?via=news');
    await ask(`${paths[1]}?via=other`);
    // Not visits: HEAD requests, crawlers and redirects.
    await ask(`${paths[0]}?via=news`, {}, 'HEAD');
    for (const crawler of CRAWLERS) await ask(`${paths[0]}?via=news`, { 'User-Agent': crawler });
    await ask('/l/counted/offers/x?via=news');
    const { person } = await signedInAs(site, { email: 'claimant@example.com' });
    const { text } = await person.get(`${paths[1]}?via=other`, { 'User-Agent': FIREFOX });
    expect(text).toContain('name="via" value="other"');
    await person.post(`/l/counted/offers/${ids[1]}/claim`, { via: 'other' });

    // Visits are written when the service stops.
    await site.stop();
    const { context, db } = await openDatabaseAt(site.dbLocation);
    onTestFinished(() => db.close());
    const labels = await countLabels(context, { listing: 'counted' });
    expect(labels.map(({ via, visits, visitors, claims }) => ({ via, visits, visitors, claims }))).toEqual([
      { via: 'other', visits: 2, visitors: 1, claims: 1 },
      { via: 'news', visits: 4, visitors: 1, claims: 0 },
    ]);
  });
});
