import { claimAction, listingPath } from '../paths.ts';

export const FEED_PATH = '/feed.xml';

/** What a page and its preview are about: the marketplace (no field is set), a listing, or one of its offers. */
export interface Subject {
  readonly slug?: string | undefined;
  readonly offerId?: string | undefined;
}

/** The path of the page, without a campaign label. */
export function pathOf({ slug, offerId }: Subject): string {
  if (slug === undefined) return '/';
  return offerId === undefined ? listingPath({ slug, via: null }) : claimAction(slug, offerId);
}

/** `hash`: a hash of what the picture shows, so that the path changes with it. */
export function posterPath({ slug, offerId }: Subject, hash: string): string {
  const of = [
    ...(slug === undefined ? [] : ['l', slug]),
    ...(offerId === undefined ? [] : ['offers', offerId]),
  ];
  return `/${[...of, 'posters', `${hash}.png`].map(encodeURIComponent).join('/')}`;
}
