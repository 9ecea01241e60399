/** Addresses of an owner's offers. */

export const ownOfferPath = (offerId: string): string => `/dashboard/offers/${offerId}`;
/** POST: redirects to the owner's page with a test claim. */
export const openTestPath = (offerId: string): string => `${ownOfferPath(offerId)}/open-test`;
