/** Metadata of pages, for search engines and link previews. */

import { createHash } from 'node:crypto';
import { type Brand, type BrandPictures, headlineOf, leadOf } from '../../../base/brand/brand.ts';
import { FEED_PATH, posterPath, type Subject, subjectPath } from '../../../base/paths.ts';
import { plainFileOf } from '../../../marketplace/pictures/picture.ts';
import { t } from '../../../platform/languages/translate.ts';
import { isolated, joinTitle } from '../../../platform/text/text.ts';
import { shortened } from '../../../platform/text/text-width.ts';
import type { PageHead } from '../../ui/head.tsx';
import { isOpenOrScheduled, type PublicListing, type PublicOffer } from '../queries.ts';
import { NO_FILES, type Poster, posterSvg } from './poster.ts';
import { appData, offerData, siteData } from './structured-data.ts';

type HeadBrand = Pick<Brand, 'name' | 'accent' | 'headline' | 'lead'> & BrandPictures;
type App = Pick<PublicListing, 'name' | 'summary' | 'pictures' | 'offers'>;

/** In characters. Search engines show about this many. */
const MAX_DESCRIPTION_LENGTH = 200;
const HASH_DIGITS = 16;

/** The size in pixels at which posters draw the icon. */
const MIN_ICON_WIDTH = 160;
/** Selects the largest file, because a wide logo can be drawn a thousand pixels wide. */
const LOGO_WIDTH = Number.POSITIVE_INFINITY;

const faceOf = ({ name, pictures: { icon } }: App) => ({
  name,
  icon: icon === undefined ? null : plainFileOf(icon, MIN_ICON_WIDTH),
});

const brandOf = ({ name, accent, logo, icon }: HeadBrand): Poster['brand'] => ({
  name,
  accent,
  logo: logo === null ? null : plainFileOf({ files: logo.light }, LOGO_WIDTH),
  icon: icon === null ? null : plainFileOf({ files: icon.light }, MIN_ICON_WIDTH),
});

export function sitePoster(look: HeadBrand): Poster {
  const brand = brandOf(look);
  return {
    brand,
    face: brand.icon === null ? null : { name: brand.name, icon: brand.icon },
    title: headlineOf(look),
    details: [leadOf(look)],
  };
}

/**
 * What a preview says, most important first: the offer, the app, and how many other offers are open. Without an open
 * offer, only the app. `offer`: the offer that the link leads to; by default, the oldest open offer, like the badge.
 */
function previewTitle(
  { name, offers }: Pick<App, 'name' | 'offers'>,
  offer?: PublicOffer,
): readonly [headline: string, ...rest: string[]] {
  const open = offers.filter(({ state }) => state === 'open');
  const advertised = offer ?? open[0];
  if (advertised === undefined) return [name];
  const more = offer === undefined ? open.length - 1 : 0;
  return [
    advertised.offer,
    name,
    ...(more === 0 ? [] : [t('{more, plural, one {+# more offer} other {+# more offers}}', { more })]),
  ];
}

export function appPoster(look: HeadBrand, app: App, offer?: PublicOffer): Poster {
  const [title, ...rest] = previewTitle(app, offer);
  const details = rest.length > 0 ? rest : [app.summary].filter((summary) => summary !== null);
  return { brand: brandOf(look), face: faceOf(app), title, details };
}

/**
 * The offer that previews of its address advertise. `null`: the listing has no offer with this id that can be claimed,
 * now or later, so previews show the listing.
 */
export const advertisedOffer = (
  { offers }: Pick<PublicListing, 'offers'>,
  offerId: string,
): PublicOffer | null => offers.find((offer) => offer.id === offerId && isOpenOrScheduled(offer)) ?? null;

const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS);

const SAMPLE: Poster = {
  brand: { name: 'Aa', accent: null, logo: null, icon: null },
  face: { name: 'Aa', icon: null },
  title: 'Aa',
  details: ['Aa'],
};
/** The hash of a sample poster. It changes when a new version of the program draws posters differently. */
let drawing: string | undefined;

/** Hashes the poster's content, not its PNG, because each page needs the hash and drawing a PNG is slow. */
export function hashOf(poster: Poster): string {
  drawing ??= digestOf(posterSvg(SAMPLE, NO_FILES));
  return digestOf(JSON.stringify([drawing, poster]));
}

const pictureOf = (subject: Subject, poster: Poster) => ({
  path: posterPath(subject, hashOf(poster)),
  alt: joinTitle([poster.title, ...poster.details, poster.brand.name]),
});

/**
 * `isWhole`: the result of `isFront`. If it is false, the page is excluded from search engines. `isForEveryone`: whether
 * the feed has entries.
 */
export const siteHead = (
  brand: HeadBrand,
  baseUrl: string,
  { isWhole, isForEveryone }: { readonly isWhole: boolean; readonly isForEveryone: boolean },
): PageHead => ({
  path: isWhole ? subjectPath({}) : null,
  title: headlineOf(brand),
  description: leadOf(brand),
  picture: pictureOf({}, sitePoster(brand)),
  ...(isForEveryone && { feed: FEED_PATH }),
  ...(isWhole && { data: siteData(brand, baseUrl) }),
});

/** Withdrawn and suspended listings are not indexed and have no preview picture. */
export function appHead(brand: HeadBrand, listing: PublicListing, baseUrl: string): PageHead {
  const { slug, name, state } = listing;
  if (state !== 'approved') return { path: null, title: name, description: null, picture: null };
  return {
    path: subjectPath({ slug }),
    title: titleOf(listing),
    description: descriptionOf(listing, brand),
    picture: pictureOf({ slug }, appPoster(brand, listing)),
    data: appData(listing, baseUrl),
  };
}

export const offerHead = (
  brand: HeadBrand,
  listing: PublicListing,
  offer: PublicOffer,
  baseUrl: string,
): PageHead => ({
  path: subjectPath({ slug: listing.slug, offerId: offer.id }),
  title: titleOf(listing, offer),
  description: descriptionOf(listing, brand),
  picture: pictureOf({ slug: listing.slug, offerId: offer.id }, appPoster(brand, listing, offer)),
  data: offerData(listing, offer, baseUrl),
});

const titleOf = (listing: PublicListing, offer?: PublicOffer): string =>
  joinTitle(previewTitle(listing, offer));

/** Never empty, because some chats show no preview without a description. */
function descriptionOf({ summary, description, owner }: PublicListing, { name: market }: HeadBrand): string {
  const text = summary ?? description?.replace(/\s+/g, ' ').trim();
  return shortened(
    text || t('An app by {owner} on {market}.', { owner: isolated(owner), market: isolated(market) }),
    MAX_DESCRIPTION_LENGTH,
  );
}
