/** The paths between a share link and a claim; each keeps offer and label. */

export interface ClaimEntry {
  readonly slug: string;
  /** A label, or what arrived in its place. */
  readonly via: string | null;
  readonly offerId?: string | undefined;
}

/** The listing's page, at the offer if one is given. */
export function listingPath({ slug, via, offerId }: ClaimEntry): string {
  const query = via === null ? '' : `?via=${encodeURIComponent(via)}`;
  return `/l/${encodeURIComponent(slug)}${query}${offerId === undefined ? '' : `#${offerAnchor(offerId)}`}`;
}

/** The id of an offer's ticket on the page of its listing. */
export const offerAnchor = (offerId: string): string => `offer-${encodeURIComponent(offerId)}`;

/** Sign-in before a claim; it leads back to the offer, one click from the claim. */
export const signInPath = (entry: ClaimEntry): string =>
  `/sign-in?next=${encodeURIComponent(listingPath(entry))}`;

export const claimAction = (slug: string, offerId: string): string =>
  `/l/${encodeURIComponent(slug)}/offers/${encodeURIComponent(offerId)}/claim`;
