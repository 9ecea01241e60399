/**
 * Paths of the marketplace. Links and forms carry the offer and the campaign label from the share link to the claim.
 */
import { labelOrNone } from '../../marketplace/campaigns/label.ts';
import { isUuid } from '../../platform/store/uuid.ts';

export const MY_CLAIMS_PATH = '/claims';

/** The id in the path is not a secret: other accounts get a 404. */
export const claimPath = <Id extends string>(claimId: Id) => `${MY_CLAIMS_PATH}/${claimId}` as const;
/** POST: redirects to the owner's page. */
export const claimOpenPath = <Id extends string>(claimId: Id) => `${claimPath(claimId)}/open` as const;
/** Polled by the page of an unredeemed claim. */
export const claimLookPath = <Id extends string>(claimId: Id) => `${claimPath(claimId)}/look` as const;

interface ClaimEntry {
  readonly slug: string;
  /** The campaign label of the share link. An invalid label is kept as it arrived (`arrivedLabel`). */
  readonly via: string | null;
  readonly offerId?: string | undefined;
}

export function listingPath({ slug, via, offerId }: ClaimEntry): string {
  const query = via === null ? '' : `?via=${encodeURIComponent(via)}`;
  return `/l/${encodeURIComponent(slug)}${query}${offerId === undefined ? '' : `#${offerAnchor(offerId)}`}`;
}

export const offerAnchor = (offerId: string): string => `offer-${encodeURIComponent(offerId)}`;

export const reportPath = (slug: string): string => `/l/${encodeURIComponent(slug)}/report`;

/** POST claims the offer. GET shows the sign-in form or, right after a sign-in for this claim, claims the offer. */
export const claimAction = (slug: string, offerId: string): string =>
  `/l/${encodeURIComponent(slug)}/offers/${encodeURIComponent(offerId)}/claim`;

/** The page on which a person who is not signed in claims an offer. */
export const claimPagePath = ({ slug, via }: ClaimEntry, offerId: string): string =>
  claimAction(slug, offerId) + (via === null ? '' : `?via=${encodeURIComponent(via)}`);

/** The id of the offer whose claim page has this path; `null` for any other path. */
export function offerOfClaimPage(path: string): string | null {
  const id = /^\/l\/[^/]+\/offers\/([^/]+)\/claim(?:\?|$)/.exec(path)?.[1];
  return id !== undefined && isUuid(id) ? id : null;
}

/** The form field that carries `via`. Its name is `via` for a valid label and `unread_via` for any other text. */
export const viaField = (via: string | null): Readonly<Record<string, string>> =>
  via === null ? {} : { [labelOrNone(via) === null ? 'unread_via' : 'via']: via };

export const FEED_PATH = '/feed.xml';

/** The subject of a page and its preview: the marketplace (no fields), a listing, or one of its offers. */
export interface Subject {
  readonly slug?: string | undefined;
  readonly offerId?: string | undefined;
}

/** The path of the page, without a campaign label. */
export function pathOf({ slug, offerId }: Subject): string {
  if (slug === undefined) return '/';
  return offerId === undefined ? listingPath({ slug, via: null }) : claimAction(slug, offerId);
}

/** `hash`: the hash of the poster's content. The path changes with the content. */
export function posterPath({ slug, offerId }: Subject, hash: string): string {
  const of = [
    ...(slug === undefined ? [] : ['l', slug]),
    ...(offerId === undefined ? [] : ['offers', offerId]),
  ];
  return `/${[...of, 'posters', `${hash}.png`].map(encodeURIComponent).join('/')}`;
}
