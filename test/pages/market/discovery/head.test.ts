/** Page metadata for search engines and link previews. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { withdrawListing } from '../../../../src/marketplace/listings/decisions.ts';
import { joinTitle } from '../../../../src/platform/text/text.ts';
import { CHROMIUM, openBrowser, openProfile } from '../../../support/browser.ts';
import { decode } from '../../dashboard/support.ts';
import { addApp, HOSTILE_NAMES, shareMarket } from './support.ts';

// Signed-out visitors can open an offer's claim page only if a mail server is configured. These tests send no mail.
const market = shareMarket({ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'a@example.com' });
const { site, ask } = market;

const organization = z.strictObject({ '@type': z.literal('Organization'), name: z.string().min(1) });
const app = z.strictObject({
  '@type': z.literal('SoftwareApplication'),
  '@id': z.url(),
  name: z.string().min(1),
  url: z.url(),
  description: z.string().optional(),
  provider: organization,
});
const offer = z.strictObject({
  '@type': z.literal('Offer'),
  '@id': z.string().startsWith('urn:uuid:'),
  name: z.string().min(1),
  category: z.string(),
  url: z.url(),
  availability: z.literal(
    ['InStock', 'PreOrder', 'OutOfStock', 'SoldOut'].map((at) => `https://schema.org/${at}`),
  ),
  description: z.string().optional(),
  validFrom: z.iso.datetime().optional(),
  validThrough: z.iso.datetime().optional(),
  inventoryLevel: z.strictObject({ '@type': z.literal('QuantitativeValue'), value: z.int() }).optional(),
  offeredBy: organization,
});
const context = { '@context': z.literal('https://schema.org') };
const appData = app.extend({ ...context, offers: z.array(offer) });
const offerData = offer.extend({ ...context, itemOffered: app });

/** Returns the meta elements of a page by name or property, its links by relation, and its JSON-LD data. */
async function headOf(path: string) {
  const html = await (await ask(path)).text();
  const head = html.slice(0, html.indexOf('</head>'));
  const pairs = (pattern: RegExp) =>
    Object.fromEntries([...head.matchAll(pattern)].map(([, name, value]) => [name!, decode(value!)]));
  const scripts = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)];
  return {
    meta: pairs(/<meta (?:name|property)="([^"]+)" content="([^"]*)"/g),
    link: pairs(/<link rel="(canonical|alternate)"[^>]* href="([^"]*)"/g),
    data: scripts.map(([, text]) => JSON.parse(text!) as unknown),
  };
}

test('pages have structured data and a canonical URL without the campaign label', async () => {
  const { baseUrl } = site;
  const offerId = await addApp(site.context, market.owner, 'ada-notes', {
    name: 'Ada Notes',
    summary: 'Notes that write themselves',
    conditions: 'New customers only.',
    ends_at: '2999-12-31',
    claim_limit: '40',
    claims: 21,
  });
  const address = `/l/ada-notes/offers/${offerId}`;
  const front = await headOf('/?utm_source=x');
  expect(front.link).toMatchObject({ canonical: `${baseUrl}/`, alternate: '/feed.xml' });
  expect(front.data).toEqual([
    { '@context': 'https://schema.org', '@type': 'WebSite', name: 'Claimcheck', url: `${baseUrl}/` },
  ]);
  const listing = await headOf('/l/ada-notes?via=news');
  expect(listing.link['canonical']).toBe(`${baseUrl}/l/ada-notes`);
  expect(listing.meta).toMatchObject({
    description: 'Notes that write themselves',
    'og:url': `${baseUrl}/l/ada-notes`,
    'og:type': 'website',
    'og:locale': 'en_US',
    'og:title': 'Half off · Ada Notes',
    'og:description': 'Notes that write themselves',
    'og:site_name': 'Claimcheck',
    'og:image': expect.stringMatching(`^${baseUrl}/l/ada-notes/posters/[0-9a-f]{16}\\.png$`),
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:image:alt': 'Half off · Ada Notes · Claimcheck',
    'twitter:image:alt': 'Half off · Ada Notes · Claimcheck',
    'twitter:card': 'summary_large_image',
  });
  expect(appData.parse(listing.data[0])).toMatchObject({
    name: 'Ada Notes',
    offers: [
      {
        name: 'Half off',
        description: 'New customers only.',
        url: baseUrl + address,
        inventoryLevel: { value: 19 },
      },
    ],
  });
  for (const path of [`${address}?via=news`, `${address}/claim?via=news`]) {
    const page = await headOf(path);
    expect(page.link['canonical']).toBe(baseUrl + address);
    expect(page.meta).toMatchObject({
      'og:url': baseUrl + address,
      'og:title': 'Half off · Ada Notes',
      'og:description': 'Notes that write themselves',
      'og:image': expect.stringMatching(`^${baseUrl}${address}/posters/`),
    });
    expect(offerData.parse(page.data[0])).toMatchObject({
      url: baseUrl + address,
      itemOffered: { name: 'Ada Notes' },
    });
  }
});

test('search results and withdrawn apps are marked noindex and have no structured data', async () => {
  await addApp(site.context, market.owner, 'gone', { name: 'Gone' });
  await withdrawListing(site.context, { listing: 'gone', actor: 'operator' });
  for (const path of ['/?q=notes', '/l/gone']) {
    const { meta, link, data } = await headOf(path);
    expect([path, meta['robots'], link['canonical'], data]).toEqual([path, 'noindex', undefined, []]);
  }
  expect((await headOf('/l/gone')).meta).not.toHaveProperty('og:image');
});

test.skipIf(CHROMIUM === null)('metadata with hostile names reaches the browser intact', async () => {
  const browser = await openBrowser();
  const page = await (await openProfile(browser, { baseUrl: site.baseUrl })).newPage();
  const faults: string[] = [];
  page.on('console', (message) => faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.message));
  for (const [at, name] of HOSTILE_NAMES.entries()) {
    await addApp(site.context, market.owner, `hostile-${at}`, { name, summary: name, offer: name });
    await page.goto(`/l/hostile-${at}`);
    const read = await page.evaluate<{ data: string; title: string; scripts: number }>(`({
      data: document.querySelector('script[type="application/ld+json"]').textContent,
      title: document.querySelector('meta[property="og:title"]').content,
      scripts: document.querySelectorAll('head script:not([src])').length,
    })`);
    expect({ ...read, data: appData.parse(JSON.parse(read.data)) }).toMatchObject({
      data: { name, description: name, offers: [{ name }] },
      title: joinTitle([name, name]),
      scripts: 1,
    });
  }
  expect(faults).toEqual([]);
  await page.context().close();
});
