/** The public catalogue API, which needs no key. */

import { expect, test } from 'vitest';
import { openApiDocument } from '../../../../src/api/operations.ts';
import { DEFAULT_BRAND } from '../../../../src/base/brand/brand.ts';
import { changeCategories } from '../../../../src/marketplace/listings/categories.ts';
import { addCategory } from '../../../../src/marketplace/listings/category.ts';
import { editListing } from '../../../../src/marketplace/listings/edit.ts';
import { featureListing } from '../../../../src/marketplace/listings/feature.ts';
import { addPicture } from '../../../../src/marketplace/listings/pictures.ts';
import { createOffer } from '../../../../src/marketplace/offers/create.ts';
import { pauseOffer } from '../../../../src/marketplace/offers/edit.ts';
import { DAY_MS } from '../../../../src/platform/text/durations.ts';
import { documentedResponses, type OpenApiDocument } from '../../../api/documented-responses.ts';
import { fakeFiles } from '../../../marketplace/pictures/support.ts';
import { addApp, CACHED, cachingOf, shareMarket } from './support.ts';

const CATALOGUE = '/api/v1/catalogue';
const market = shareMarket();
const { site, ask } = market;

test('the catalogue returns pages of apps and their offers, with the campaign label in links', async () => {
  const offerId = await addApp(site.context, market.owner, 'ada-notes', {
    name: 'Ada Notes',
    conditions: 'New customers only.',
    claim_limit: '40',
    claims: 21,
  });
  await addApp(site.context, market.owner, 'bo-board');
  const first = (await (await ask(`${CATALOGUE}?limit=1&via=partner`)).json()) as { next: string };
  const page = `${site.baseUrl}/l/ada-notes?via=partner`;
  expect(first).toEqual({
    listings: [
      {
        id: expect.any(String),
        slug: 'ada-notes',
        name: 'Ada Notes',
        summary: null,
        url: 'https://ada-notes.example',
        category: null,
        featured: null,
        icon: null,
        cover: null,
        owner: 'Ada Acme',
        share_link: page,
        offers: [
          {
            id: offerId,
            offer: 'Half off',
            kind: 'discount',
            conditions: 'New customers only.',
            picture: null,
            state: 'open',
            starts_at: null,
            ends_at: null,
            claims_left: 19,
            link: `${site.baseUrl}/l/ada-notes/offers/${offerId}?via=partner`,
          },
        ],
      },
    ],
    next: expect.any(String),
  });
  const rest = await (await ask(`${CATALOGUE}?limit=1&after=${first.next}`)).json();
  expect(rest).toMatchObject({ listings: [{ slug: 'bo-board' }], next: null });
});

test('the catalogue includes the category, featured position, pictures and scheduled offers', async () => {
  const { context } = site;
  const actor = 'operator' as const;
  const starts_at = new Date(context.now() + DAY_MS).toISOString();
  const listing = 'cy-cards';
  const later = await addApp(context, market.owner, listing, { starts_at });
  const more = { listing, offer: 'A month', kind: 'trial', code: 'MONTH', actor } as const;
  const open = await createOffer(context, more);
  const paused = await createOffer(context, more);
  await pauseOffer(context, { offerId: paused.id, actor });
  await changeCategories(context, {
    categories: addCategory([], 'Great games'),
    operatorId: market.operator,
    actor,
  });
  await editListing(context, { listing, category: 'great-games', actor });
  await featureListing(context, { listing, actor });
  const icon = [64, 128, 256, 512].flatMap((width) =>
    fakeFiles().map((file) => ({ ...file, width, height: width })),
  );
  await addPicture(context, { listing, kind: 'icon', files: icon, actor });
  const cover = fakeFiles(undefined, ['avif', 'webp', 'jpg']);
  await addPicture(context, { listing, kind: 'cover', files: cover, actor });
  const ticket = fakeFiles(undefined, ['avif', 'webp', 'jpg']);
  await addPicture(context, { offerId: later, kind: 'offer', files: ticket, actor });

  const urlOf = (file?: { readonly name: string }) => `${site.baseUrl}/pictures/${file?.name}`;
  const read = async () =>
    ((await (await ask(CATALOGUE)).json()) as { listings: { slug: string }[] }).listings.find(
      ({ slug }) => slug === listing,
    );
  const shown = await read();
  const iconUrl = urlOf(icon.find(({ name, width }) => width === 256 && name.endsWith('.png')));
  expect(shown).toMatchObject({
    category: 'Great games',
    featured: 1,
    icon: iconUrl,
    cover: urlOf(cover[2]),
    offers: [
      { id: later, state: 'scheduled', starts_at, picture: urlOf(ticket[2]) },
      { id: open.id, state: 'open', starts_at: null, picture: null },
    ],
  });
  expect(shown).toHaveProperty('offers.length', 2);
  const loaded = await fetch(iconUrl);
  expect([loaded.status, loaded.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(loaded.headers.get('cross-origin-resource-policy')).toBe('cross-origin');

  await changeCategories(context, { categories: [], operatorId: market.operator, actor });
  expect(await read()).toMatchObject({ category: null });
});

test('the catalogue is cacheable and allows cross-origin requests', async () => {
  expect(await cachingOf(ask, CATALOGUE)).toEqual({ ...CACHED, control: 'public, max-age=60' });
  const Origin = 'https://shop.example';
  for (const init of [{ headers: { Origin } }, { headers: { Origin, 'Sec-Fetch-Site': 'cross-site' } }]) {
    const answer = await ask(CATALOGUE, init);
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
  }
  const preflight = await ask(CATALOGUE, { method: 'OPTIONS', headers: { Origin } });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-headers')).toBe('If-None-Match');
});

test.each(['?limit=201', '?after=x', '?via=Two%20Words', '?x=1'])(
  'the catalogue returns 400 for %s',
  async (query) => {
    const answer = await ask(CATALOGUE + query);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'application/problem+json']);
    expect(await answer.json()).toMatchObject({ code: 'invalid_request' });
  },
);

test('the catalogue sends exactly the headers that its OpenAPI description lists', async () => {
  const document = openApiDocument(site.baseUrl, DEFAULT_BRAND) as OpenApiDocument & {
    readonly paths: Record<string, { get: { security: unknown } }>;
  };
  expect(document.paths[CATALOGUE]!.get.security).toEqual([]);
  const documented = documentedResponses(document, CATALOGUE, 'get').headers;
  for (const [method, status] of [
    ['GET', 200],
    ['POST', 405],
  ] as const) {
    const { headers } = await ask(CATALOGUE, { method });
    const described = [...documented].filter((header) => header.startsWith(`${status}: `));
    const sent = [...headers.keys()].filter(
      (name) => !/^(?:content-(?:type|length)|date|connection|keep-alive|transfer-encoding)$/.test(name),
    );
    expect(sent.map((name) => `${status}: ${name}`).sort()).toEqual(described.sort());
  }
});
