import { expect, test } from 'vitest';
import { inLanguage } from '../../../platform/languages/language.ts';
import type { PublicListing, PublicOffer } from '../queries.ts';
import { advertisedOffer, appHead, appPoster, offerHead } from './heads.ts';

const BASE_URL = 'https://claims.example';
const LOOK = { name: 'Market', accent: null, headline: null, lead: null, logo: null, icon: null };

const offerOf = (id: string, offer: string, state: PublicOffer['state'] = 'open'): PublicOffer => ({
  id,
  offer,
  kind: 'discount',
  state,
  startsAt: null,
  endsAt: null,
  claimLimit: null,
  claims: 0,
  hasCode: true,
  codesLeft: null,
  conditions: null,
  linkOrigin: null,
});

const listingOf = (offers: readonly PublicOffer[], more: Partial<PublicListing> = {}): PublicListing => ({
  id: '1',
  account_id: '2',
  slug: 'lumen-notes',
  name: 'Lumen Notes',
  summary: null,
  category: null,
  description: null,
  url: 'https://lumen.example',
  owner: 'Ada Acme',
  state: 'approved',
  offers,
  pictures: {},
  offerPictures: new Map(),
  ...more,
});

const discount = offerOf('a', '20% off the first year');
const trial = offerOf('b', 'Three months free');

test.each<[name: string, offers: readonly PublicOffer[], title: string]>([
  ['one open offer', [discount], '20% off the first year · Lumen Notes'],
  ['two open offers', [discount, trial], '20% off the first year · Lumen Notes · +1 more offer'],
  ['three open offers', [discount, trial, trial], '20% off the first year · Lumen Notes · +2 more offers'],
  ['no offers', [], 'Lumen Notes'],
  [
    'offers that are not open, which are not advertised',
    [
      offerOf('c', 'Over', 'over'),
      offerOf('d', 'Paused', 'paused'),
      offerOf('e', 'Later', 'scheduled'),
      discount,
    ],
    '20% off the first year · Lumen Notes',
  ],
  ['only offers that are not open', [offerOf('c', 'Over', 'over')], 'Lumen Notes'],
])('title and picture of a listing with %s', (_name, offers, title) => {
  const listing = listingOf(offers);
  const head = appHead(LOOK, listing, BASE_URL);
  expect(head).toMatchObject({ path: '/l/lumen-notes', title, picture: { alt: `${title} · Market` } });
  const poster = appPoster(LOOK, listing);
  expect([poster.title, ...poster.details].join(' · ')).toBe(title);
});

test('title and picture of an offer name the offer and the app, also before the offer opens', () => {
  const later = offerOf('c', 'Later', 'scheduled');
  const head = offerHead(LOOK, listingOf([discount, later]), later, BASE_URL);
  expect(head).toMatchObject({
    path: '/l/lumen-notes/offers/c',
    title: 'Later · Lumen Notes',
    picture: { alt: 'Later · Lumen Notes · Market' },
  });
});

test('only offers that can be claimed now or later are advertised at their address', () => {
  const states = ['open', 'scheduled', 'paused', 'over', 'in_review'] as const;
  const listing = listingOf(states.map((state) => offerOf(state, state, state)));
  expect(states.filter((state) => advertisedOffer(listing, state) !== null)).toEqual(['open', 'scheduled']);
  expect(advertisedOffer(listing, 'unknown')).toBeNull();
});

test.each([
  [{ summary: 'Notes that write themselves', description: 'Long' }, 'Notes that write themselves'],
  [{ description: 'First line\n\nSecond line' }, 'First line Second line'],
  [{ description: ' \n ' }, 'An app by Ada Acme on Market.'],
  [{}, 'An app by Ada Acme on Market.'],
])('a preview always has a description: %j', (texts, description) => {
  const listing = listingOf([discount], texts);
  expect(appHead(LOOK, listing, BASE_URL).description).toBe(description);
  expect(offerHead(LOOK, listing, discount, BASE_URL).description).toBe(description);
});

test('previews are in the language of the marketplace', () => {
  const head = inLanguage('de', () => appHead(LOOK, listingOf([discount, trial, trial]), BASE_URL));
  expect(head).toMatchObject({
    title: '20% off the first year · Lumen Notes · +2 weitere Angebote',
    description: 'Eine App von Ada Acme auf Market.',
  });
});

test('texts in different directions are isolated from each other', () => {
  const name = '\u0645\u0641\u0643\u0631\u0629';
  const [title, allRightToLeft] = ['20% off', name].map(
    (offer) => appHead(LOOK, listingOf([offerOf('a', offer)], { name }), BASE_URL).title,
  );
  expect(title).toBe(`\u206820% off\u2069 · \u2068${name}\u2069`);
  expect(allRightToLeft).toBe(`${name} · ${name}`);
});

test('a withdrawn or suspended listing has no preview', () => {
  for (const state of ['withdrawn', 'suspended'] as const) {
    const head = appHead(LOOK, listingOf([], { state }), BASE_URL);
    expect(head).toEqual({ path: null, title: 'Lumen Notes', description: null, picture: null });
  }
});
