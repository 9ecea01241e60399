/** What search engines and previews get of the marketplace, a listing and an offer. */
import { createHash } from 'node:crypto';
import { type Brand, headlineOf, leadOf } from '../../brand/brand.ts';
import { shortened } from '../../text/text-width.ts';
import type { PageHead } from '../../ui/head.tsx';
import type { PublicListing, PublicOffer } from '../queries.ts';
import { type Card, cardSvg } from './card.ts';
import { cardPath, FEED_PATH, pathOf, type Subject } from './paths.ts';
import { appData, offerData, siteData } from './structured-data.ts';

type HeadBrand = Pick<Brand, 'name' | 'accent' | 'headline' | 'lead'>;
type App = Pick<PublicListing, 'slug' | 'name' | 'summary' | 'description'>;

/** Search engines show about as much. */
const MAX_DESCRIPTION_LENGTH = 200;
const HASH_DIGITS = 16;

export const siteCard = (brand: HeadBrand): Card => ({
  brand,
  app: null,
  title: headlineOf(brand),
  text: leadOf(brand),
});

export const appCard = (brand: HeadBrand, { name, summary }: App): Card => ({
  brand,
  app: name,
  title: name,
  text: summary,
});

export const offerCard = (brand: HeadBrand, { name }: App, { offer }: PublicOffer): Card => ({
  brand,
  app: name,
  title: offer,
  text: name,
});

const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS);

/** Changes when cards are drawn in another way. */
let look: string | undefined;

/** Of what the card shows. Drawing it takes longer than the page that names it. */
export function hashOf(card: Card): string {
  const { name, accent } = card.brand;
  look ??= digestOf(cardSvg({ brand: { name: 'Aa', accent: null }, app: 'Aa', title: 'Aa', text: 'Aa' }));
  return digestOf(JSON.stringify([look, name, accent, card.app, card.title, card.text]));
}

const pictureOf = (subject: Subject, card: Card) => ({
  path: cardPath(subject, hashOf(card)),
  alt: [card.title, card.text, card.brand.name].filter((text) => text !== null).join(' · '),
});

/** `isWhole`: the front page without a search or filter. Its other views are left to people. */
export const siteHead = (brand: HeadBrand, baseUrl: string, isWhole: boolean): PageHead => ({
  path: isWhole ? pathOf({}) : null,
  title: headlineOf(brand),
  description: leadOf(brand),
  picture: pictureOf({}, siteCard(brand)),
  feed: FEED_PATH,
  ...(isWhole && { data: siteData(brand, baseUrl) }),
});

/** A listing that is no longer public says only that. */
export function appHead(brand: HeadBrand, listing: PublicListing, baseUrl: string): PageHead {
  const { slug, name, state } = listing;
  if (state !== 'approved') return { path: null, title: name, description: null, picture: null };
  return {
    path: pathOf({ slug }),
    title: name,
    description: descriptionOf(listing),
    picture: pictureOf({ slug }, appCard(brand, listing)),
    data: appData(listing, baseUrl),
  };
}

export const offerHead = (
  brand: HeadBrand,
  listing: PublicListing,
  offer: PublicOffer,
  baseUrl: string,
): PageHead => ({
  path: pathOf({ slug: listing.slug, offerId: offer.id }),
  title: offer.offer,
  description: [listing.name, descriptionOf(listing)].filter((text) => text !== null).join(': '),
  picture: pictureOf({ slug: listing.slug, offerId: offer.id }, offerCard(brand, listing, offer)),
  data: offerData(listing, offer, baseUrl),
});

function descriptionOf({ summary, description }: App): string | null {
  const text = summary ?? description?.replace(/\s+/g, ' ').trim() ?? null;
  return text === null ? null : shortened(text, MAX_DESCRIPTION_LENGTH);
}
