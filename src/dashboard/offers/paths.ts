/** Addresses of an owner's offers. */

export const ownOfferPath = (offerId: string): string => `/dashboard/offers/${offerId}`;

/** GET shows the codes of an offer's list, POST adds some. */
export const offerCodesPath = (offerId: string): string => `${ownOfferPath(offerId)}/codes`;

export const OPEN_TEST = 'open-test';
/** POST: redirects to the owner's page with a test claim. */
export const openTestPath = (offerId: string): string => `${ownOfferPath(offerId)}/${OPEN_TEST}`;
