/** Addresses for other sites and for programs. */
import { claimAction, listingPath } from '../paths.ts';

export const FEED_PATH = '/feed.xml';

/** What a page and its preview are about: the marketplace, a listing, or an offer of it. */
export interface Subject {
  readonly slug?: string | undefined;
  readonly offerId?: string | undefined;
}

/** The page, without a label. */
export function pathOf({ slug, offerId }: Subject): string {
  if (slug === undefined) return '/';
  return offerId === undefined ? listingPath({ slug, via: null }) : claimAction(slug, offerId);
}

/** `hash`: of what the picture shows, so the address changes with it. */
export function posterPath({ slug, offerId }: Subject, hash: string): string {
  const of = [
    ...(slug === undefined ? [] : ['l', slug]),
    ...(offerId === undefined ? [] : ['offers', offerId]),
  ];
  return `/${[...of, 'posters', `${hash}.png`].map(encodeURIComponent).join('/')}`;
}
