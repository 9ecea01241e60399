/** Addresses of listings at the operator's desk. */
export const DESK_LISTINGS_PATH = '/desk/listings';
