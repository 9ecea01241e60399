/** Addresses of an owner's pages of an offer. */

export const ownOfferPath = (offerId: string): string => `/dashboard/offers/${offerId}`;
/** POST: goes to the owner's page with a test claim. */
export const openTestPath = (offerId: string): string => `${ownOfferPath(offerId)}/open-test`;
