/** Addresses of link checks. */

export const LINK_CHECKS_PATH = '/dashboard/link-checks';

export const linkCheckPath = (offerId: string): string => `${LINK_CHECKS_PATH}/${offerId}`;
