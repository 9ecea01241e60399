/** Paths of an owner's listings. */

export const OWN_LISTINGS_PATH = '/dashboard/listings';
export const NEW_LISTING_PATH = `${OWN_LISTINGS_PATH}/new`;

export const ownListingPath = (listingId: string): string => `${OWN_LISTINGS_PATH}/${listingId}`;
export const newOfferPath = (listingId: string): string => `${ownListingPath(listingId)}/offers/new`;
