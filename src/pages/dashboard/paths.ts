/** Paths of the dashboard. The pages for API keys, webhooks, members and setup define their own paths. */

import type { AttemptFilterTexts } from '../../claims/attempts/attempt-filter.ts';
import type { ClaimFilterTexts } from '../../claims/claim-filter.ts';
import { pathWithQuery } from '../ui/filter-bar.tsx';

export const OWNER_CLAIMS_PATH = '/dashboard/claims';

export const ownerClaimPath = (id: string): string => `${OWNER_CLAIMS_PATH}/${id}`;

export const ownerClaimsPath = (texts: ClaimFilterTexts, after?: string): string =>
  pathWithQuery(OWNER_CLAIMS_PATH, { ...texts, after });

export const ownerExportPath = (format: string, texts: ClaimFilterTexts): string =>
  pathWithQuery(`${OWNER_CLAIMS_PATH}/export.${format}`, texts);

export const CAMPAIGNS_PATH = '/dashboard/campaigns';
/** Id of the card for new share links on the campaigns page. */
export const SHARE_CARD = 'share';
export const SHARE_PATH = `${CAMPAIGNS_PATH}#${SHARE_CARD}`;
export const CAMPAIGNS_EXPORT_PATH = `${CAMPAIGNS_PATH}/export.csv`;
export const qrCodePath = (format: 'svg' | 'png'): string => `${CAMPAIGNS_PATH}/qr.${format}`;

/** Query parameters of the campaigns page. */
export interface CampaignsView {
  readonly listing: string;
  readonly range?: string | undefined;
  /** First and last day of a custom range. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The label to chart. `undefined`: all labels together. */
  readonly label?: string | undefined;
  /** Page of the label table, starting at 1. */
  readonly page?: number | undefined;
}

export const campaignsPath = ({ page = 1, ...view }: CampaignsView, path = CAMPAIGNS_PATH): string =>
  pathWithQuery(path, { ...view, page: page === 1 ? null : String(page) });

export const PLAN_PATH = '/dashboard/settings/plan';
export const ASK_TO_PUBLISH_PATH = '/dashboard/ask-to-publish';

export const ACCEPT_TERMS_PATH = '/dashboard/accept-terms';

export const OWN_LISTINGS_PATH = '/dashboard/listings';
export const NEW_LISTING_PATH = `${OWN_LISTINGS_PATH}/new`;

export const ownListingPath = (listingId: string): string => `${OWN_LISTINGS_PATH}/${listingId}`;
export const newOfferPath = (listingId: string): string => `${ownListingPath(listingId)}/offers/new`;

export const ownOfferPath = (offerId: string): string => `/dashboard/offers/${offerId}`;

export const offerCodesPath = (offerId: string): string => `${ownOfferPath(offerId)}/codes`;

export const OPEN_TEST = 'open-test';
/** A POST creates a test claim, or reuses an unredeemed one, and redirects to the offer's link with the token. */
export const openTestPath = (offerId: string): string => `${ownOfferPath(offerId)}/${OPEN_TEST}`;

export const REQUESTS_PATH = '/dashboard/requests';
/** A GET returns only the list of calls. The request log polls this path while it follows new calls. */
export const FOLLOWED_PATH = `${REQUESTS_PATH}/followed`;
export const FAILURES_PATH = `${REQUESTS_PATH}/failures`;

/** `mode`: the query parameter. `undefined`: the dashboard's current mode. */
export const failuresPath = (mode: string | undefined): string => pathWithQuery(FAILURES_PATH, { mode });

export const FOLLOWS = 'yes';

export const requestsPath = (
  texts: AttemptFilterTexts,
  more: { readonly after?: string | undefined; readonly follow?: typeof FOLLOWS } = {},
): string => pathWithQuery(REQUESTS_PATH, { ...texts, ...more });

export const requestPath = (requestId: string): string => `${REQUESTS_PATH}/${encodeURIComponent(requestId)}`;

export const LINK_CHECKS_PATH = '/dashboard/link-checks';

export const linkCheckPath = (offerId: string): string => `${LINK_CHECKS_PATH}/${offerId}`;
