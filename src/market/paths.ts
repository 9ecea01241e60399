/** The addresses between a share link and a claim; offer and label are kept in each of them. */

export interface ClaimEntry {
  readonly slug: string;
  /** A label that was checked. */
  readonly via: string | null;
  readonly offerId?: string | undefined;
}

/** The listing's page, at the offer where one is named. */
export function listingPath({ slug, via, offerId }: ClaimEntry): string {
  const query = via === null ? '' : `?via=${encodeURIComponent(via)}`;
  return `/l/${encodeURIComponent(slug)}${query}${offerId === undefined ? '' : `#${offerAnchor(offerId)}`}`;
}

/** The id of an offer's ticket on the page of its listing. */
export const offerAnchor = (offerId: string): string => `offer-${encodeURIComponent(offerId)}`;

/** Signing in or up on the way to a claim; it ends at the offer, one click from the claim. */
export const signInPath = (entry: ClaimEntry): string =>
  `/sign-in?next=${encodeURIComponent(listingPath(entry))}`;

/** Where the claim on an offer is POSTed. */
export const claimAction = (slug: string, offerId: string): string =>
  `/l/${encodeURIComponent(slug)}/offers/${encodeURIComponent(offerId)}/claim`;
