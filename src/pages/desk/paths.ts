/** Paths of desk pages that several folders link to. */

export const OVERVIEW_PATH = '/desk';
export const QUEUE_PATH = '/desk/queue';
export const SEARCH_PATH = '/desk/search';
export const SYSTEM_PATH = '/desk/system';
export const OUTBOX_PATH = '/desk/outbox';
export const OPERATOR_KEYS_PATH = '/desk/keys';
export const AUDIT_PATH = '/desk/events';
export const ACCOUNTS_PATH = '/desk/accounts';
const DESK_CLAIMS_PATH = '/desk/claims';
export const DESK_LISTINGS_PATH = '/desk/listings';
export const SETTINGS_PATH = '/desk/settings';
export const BRAND_PATH = `${SETTINGS_PATH}/brand`;
export const GENERAL_PATH = `${SETTINGS_PATH}/general`;
export const FRONT_PAGE_PATH = `${SETTINGS_PATH}/front-page`;
export const PEOPLE_PATH = `${SETTINGS_PATH}/people`;
export const PLANS_PATH = `${SETTINGS_PATH}/plans`;
export const RETENTION_PATH = `${SETTINGS_PATH}/retention`;

export const accountPath = (id: string): string => `${ACCOUNTS_PATH}/${id}`;
/** POST: sends the account all its mail again. */
export const clearRefusalPath = (id: string): string => `${OUTBOX_PATH}/refused/${id}/clear`;
export const callPath = (requestId: string): string => `/desk/calls/${requestId}`;
export const deskClaimPath = (id: string): string => `${DESK_CLAIMS_PATH}/${id}`;
export const deskListingPath = (id: string): string => `${DESK_LISTINGS_PATH}/${id}`;

export const newListingOfPath = (accountId: string): string => `${accountPath(accountId)}/listings/new`;
export const editListingPath = (id: string): string => `${deskListingPath(id)}/edit`;
export const newOfferOfPath = (listingId: string): string => `${deskListingPath(listingId)}/offers/new`;
export const editOfferPath = (listingId: string, offerId: string): string =>
  `${deskListingPath(listingId)}/offers/${offerId}/edit`;
