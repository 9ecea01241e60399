/**
 * The paths of all pages, for links, redirects and routes: `listingPath(':slug')` is the path of a route. Pages,
 * letters and notices take paths from here (`test/check/paths.test.ts`).
 */
import { ERROR_PAGES_PATH } from '../platform/errors.ts';

type QueryTexts = Readonly<Record<string, string | null | undefined>>;

export function pathWithQuery(path: string, texts: QueryTexts): string {
  const query = new URLSearchParams();
  for (const [name, text] of Object.entries(texts)) {
    if (text) query.set(name, text);
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

/** Encodes a text for a path. A parameter of a route, such as `:slug`, stays as it is. */
const segment = <Text extends string>(text: Text): Text =>
  /^:\w+$/.test(text) ? text : (encodeURIComponent(text) as Text);

// The marketplace

/** Redirects owners to the dashboard, operators to the desk, and everyone else to the marketplace. */
export const HOME_PATH = '/home';
export const HELP_PATH = '/help';
export const PUBLISH_PATH = '/publish';
export const PRIVACY_PATH = '/privacy';
export const FEED_PATH = '/feed.xml';

export const SITEMAP_PATH = '/sitemap.xml';
/** A page of the sitemap. */
export const sitemapPath = <File extends string>(file: File) => `/sitemap/${file}` as const;

export const LISTINGS_PATH = '/l';
export const listingPath = <Slug extends string>(slug: Slug) => `${LISTINGS_PATH}/${segment(slug)}` as const;

interface ClaimEntry {
  readonly slug: string;
  /** The campaign label of the share link. An invalid label is kept as it arrived (`arrivedLabel`). */
  readonly via: string | null;
  readonly offerId?: string | undefined;
}

const withVia = (path: string, via: string | null): string =>
  via === null ? path : `${path}?via=${encodeURIComponent(via)}`;

/** The page of an offer: the listing's page with this offer first. Previews of this address show the offer. */
export const offerPath = <Slug extends string, Offer extends string>(slug: Slug, offerId: Offer) =>
  `${listingPath(slug)}/offers/${segment(offerId)}` as const;

/** What a share link opens: the page of a listing or, with `offerId`, of an offer, with a campaign label. */
export const sharePath = ({ slug, via, offerId }: ClaimEntry): string =>
  withVia(offerId === undefined ? listingPath(slug) : offerPath(slug, offerId), via);

/** The listing's page with a campaign label, scrolled to one of its offers. */
export const entryPath = ({ slug, via, offerId }: ClaimEntry): string =>
  withVia(listingPath(slug), via) + (offerId === undefined ? '' : `#${offerAnchor(offerId)}`);

export const offerAnchor = (offerId: string): string => `offer-${encodeURIComponent(offerId)}`;

/** GET shows the form, POST puts the person on the waiting list of an offer that can't be claimed now. */
export const waitingListPath = <Slug extends string, Offer extends string>(slug: Slug, offerId: Offer) =>
  `${offerPath(slug, offerId)}/waiting-list` as const;
/** POST: takes the signed-in person off the waiting list. */
export const leaveListPath = <Slug extends string, Offer extends string>(slug: Slug, offerId: Offer) =>
  `${waitingListPath(slug, offerId)}/leave` as const;
/** The links in emails about waiting lists. A sealed code follows. */
export const CONFIRM_WAITING_PATH = '/waiting-list/confirm';
export const STOP_WAITING_PATH = '/waiting-list/stop';

/** The icon of the marketplace as a PNG. Apple's devices request these paths automatically. */
export const TOUCH_ICON_PATH = '/apple-touch-icon.png';
export const PLAIN_TOUCH_ICON_PATH = '/apple-touch-icon-precomposed.png';

export const reportPath = <Slug extends string>(slug: Slug) => `${listingPath(slug)}/report` as const;

export const badgePath = (slug: string, theme: 'light' | 'dark' = 'light'): string =>
  `${listingPath(slug)}/badge.svg${theme === 'light' ? '' : '?theme=dark'}`;

/** POST claims the offer. GET shows the sign-in form or, right after a sign-in for this claim, claims the offer. */
export const claimAction = <Slug extends string, Offer extends string>(slug: Slug, offerId: Offer) =>
  `${offerPath(slug, offerId)}/claim` as const;

/** The page on which a person who is not signed in claims an offer. */
export const claimPagePath = ({ slug, via }: ClaimEntry, offerId: string): string =>
  withVia(claimAction(slug, offerId), via);

/** The offer in the path of a claim page, which may not exist; `undefined` for any other path. */
export const offerOfClaimPage = (path: string): string | undefined =>
  /^\/l\/[^/]+\/offers\/([^/]+)\/claim(?:\?|$)/.exec(path)?.[1];

/** The subject of a page and its preview: the marketplace (no fields), a listing, or one of its offers. */
export interface Subject {
  readonly slug?: string | undefined;
  readonly offerId?: string | undefined;
}

/** The path of the page, without a campaign label. */
export function subjectPath({ slug, offerId }: Subject): string {
  if (slug === undefined) return '/';
  return offerId === undefined ? listingPath(slug) : offerPath(slug, offerId);
}

/** `hash`: the hash of the poster's content. The path changes with the content. */
export const posterPath = (subject: Subject, hash: string): string => posterFile(subject, `${hash}.png`);

export const posterFile = (subject: Subject, file: string): string =>
  `${subject.slug === undefined ? '' : subjectPath(subject)}/posters/${segment(file)}`;

export const MY_CLAIMS_PATH = '/claims';
/** The id in the path is not a secret: other accounts get a 404. */
export const claimPath = <Id extends string>(claimId: Id) => `${MY_CLAIMS_PATH}/${claimId}` as const;
/** POST: redirects to the owner's page. */
export const claimOpenPath = <Id extends string>(claimId: Id) => `${claimPath(claimId)}/open` as const;
/** Polled by the page of an unredeemed claim. */
export const claimLookPath = <Id extends string>(claimId: Id) => `${claimPath(claimId)}/look` as const;

// Signing in, and a person's account

export const SIGN_IN_PATH = '/sign-in';
/** The password page if there is a mail server. Without a mail server, `SIGN_IN_PATH` asks for the password. */
export const PASSWORD_SIGN_IN_PATH = `${SIGN_IN_PATH}/password`;
export const CODE_SIGN_IN_PATH = `${SIGN_IN_PATH}/code`;
export const SIGN_IN_LINK_PATH = `${SIGN_IN_PATH}/link`;
export const SECOND_FACTOR_PATH = `${SIGN_IN_PATH}/second-factor`;
export const PASSKEY_PATH = `${SIGN_IN_PATH}/passkey`;
export const PASSKEY_OPTIONS_PATH = `${PASSKEY_PATH}/options`;
export const COOKIE_CHECK_PATH = `${SIGN_IN_PATH}/check`;
export const OIDC_PATH = `${SIGN_IN_PATH}/oidc`;
const OIDC_CALLBACK_PATH = `${OIDC_PATH}/callback`;
/** Each provider has a different path, so that no provider can complete a sign-in at another one (RFC 9700, 4.4). */
export const oidcCallbackPath = (number: number): string =>
  number === 1 ? OIDC_CALLBACK_PATH : `${OIDC_CALLBACK_PATH}/${number}`;
/** Providers send logout tokens here (OpenID Connect Back-Channel Logout 1.0). */
export const OIDC_LOGOUT_PATH = `${OIDC_PATH}/logout`;
export const OIDC_LINK_PATH = `${OIDC_PATH}/link`;
export const oidcLinkPath = (number: number): string => `${OIDC_LINK_PATH}?provider=${number}`;
export const ENDED_ACCESS_PATH = `${SIGN_IN_PATH}/ended-access`;
export const HANDED_OVER_PATH = `${SIGN_IN_PATH}/handed-over`;
export const SIGN_UP_PATH = '/sign-up';
export const SIGN_OUT_PATH = '/sign-out';
/** POST: the theme of pages in this browser. */
export const THEME_PATH = '/theme';
/** POST: the language of pages in this browser. */
export const LANGUAGE_PATH = '/language';
export const FORGOT_PASSWORD_PATH = '/forgot-password';
export const RESET_PASSWORD_PATH = '/reset-password';
/** Where the first operator signs up. */
export const SETUP_PATH = '/setup';
export const INVITATION_PATH = '/invitation';
export const STOP_INVITATIONS_PATH = `${INVITATION_PATH}/stop`;

export const ACCOUNT_PATH = '/account';
/** Where a signed-in person confirms their identity. */
export const PROVE_PATH = `${ACCOUNT_PATH}/prove`;
/** Where a new tab ends that was opened next to a form. */
export const BACK_TO_FORM_PATH = `${ACCOUNT_PATH}/back-to-form`;
export const SECOND_FACTOR_CARD_PATH = `${ACCOUNT_PATH}#two-factor`;
export const NEW_EMAIL_PATH = `${ACCOUNT_PATH}/email/confirm`;
export const WORK_ACCOUNTS_PATH = `${ACCOUNT_PATH}/accounts`;
export const MAIL_PATH = `${ACCOUNT_PATH}/mail`;
export const CLEAR_REFUSAL_PATH = `${MAIL_PATH}/clear-refusal`;
export const STOP_NOTICES_PATH = '/mail/stop';

/** A code follows each path. Mail clients send a POST there, some from their own website (RFC 8058). */
export const ONE_CLICK_PATHS: readonly string[] = [
  STOP_WAITING_PATH,
  STOP_INVITATIONS_PATH,
  STOP_NOTICES_PATH,
];
/** Path without the extension. The extension is the format, such as `.json`. */
export const DATA_PATH = `${ACCOUNT_PATH}/data`;
export const DELETE_PATH = `${ACCOUNT_PATH}/delete`;
export const KEEP_PATH = `${ACCOUNT_PATH}/keep`;

// The documentation

export const DOCS_PATH = '/docs';
/** `page`: the file name of a page in `docs/guide/`, and optionally the anchor of a heading. */
export const guidePath = (page: string): string => (page === 'README' ? DOCS_PATH : `${DOCS_PATH}/${page}`);
export const DOCS_SEARCH_PATH = `${DOCS_PATH}/search`;
export const PRIVACY_GUIDE_PATH = `${DOCS_PATH}/privacy`;
export const errorPagePath = (code: string): string => `${ERROR_PAGES_PATH}/${code}`;

// The dashboard

export const DASHBOARD_PATH = '/dashboard';
export const DASHBOARD_SETUP_PATH = `${DASHBOARD_PATH}/set-up`;
export const MODE_PATH = `${DASHBOARD_PATH}/mode`;
export const SWITCH_PATH = `${DASHBOARD_PATH}/switch`;
export const ASK_TO_PUBLISH_PATH = `${DASHBOARD_PATH}/ask-to-publish`;
export const ACCEPT_TERMS_PATH = `${DASHBOARD_PATH}/accept-terms`;

export const OWN_LISTINGS_PATH = `${DASHBOARD_PATH}/listings`;
export const NEW_LISTING_PATH = `${OWN_LISTINGS_PATH}/new`;
export const ownListingPath = (listingId: string): string => `${OWN_LISTINGS_PATH}/${listingId}`;

/** The invitation links of a listing that is for members only. */
export const listingLinksPath = (listingId: string): string => `${ownListingPath(listingId)}/access`;

export const OWN_OFFERS_PATH = `${DASHBOARD_PATH}/offers`;
export const ownQuestionPath = (listingId: string): string => `${ownListingPath(listingId)}/question`;
export const newOfferPath = (listingId: string): string => `${ownListingPath(listingId)}/offers/new`;
export const ownOfferPath = (offerId: string): string => `${OWN_OFFERS_PATH}/${offerId}`;
export const offerCodesPath = (offerId: string): string => `${ownOfferPath(offerId)}/codes`;
export const codesExportPath = (offerId: string, format: string): string =>
  `${offerCodesPath(offerId)}/export.${format}`;
export const OPEN_TEST = 'open-test';
/** A POST creates a test claim, or reuses an unredeemed one, and redirects to the offer's link with the token. */
export const openTestPath = (offerId: string): string => `${ownOfferPath(offerId)}/${OPEN_TEST}`;

export const OWNER_CLAIMS_PATH = `${DASHBOARD_PATH}/claims`;
export const ownerClaimPath = (id: string): string => `${OWNER_CLAIMS_PATH}/${id}`;
export const ownerClaimsPath = (texts: QueryTexts, after?: string): string =>
  pathWithQuery(OWNER_CLAIMS_PATH, { ...texts, after });
export const ownerExportPath = (format: string, texts: QueryTexts): string =>
  pathWithQuery(`${OWNER_CLAIMS_PATH}/export.${format}`, texts);

export const CAMPAIGNS_PATH = `${DASHBOARD_PATH}/campaigns`;
/** Id of the card for new share links on the campaigns page. */
export const SHARE_CARD = 'share';
export const SHARE_PATH = `${CAMPAIGNS_PATH}#${SHARE_CARD}`;
/** Id of the part of the start page that helps to share a new listing. */
export const TELL_PEOPLE = 'tell-people';
/** `share`: the label that is filled in. */
export const shareCardPath = (listing: string, share: string): string =>
  `${pathWithQuery(CAMPAIGNS_PATH, { listing, share })}#${SHARE_CARD}`;
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

export const REQUESTS_PATH = `${DASHBOARD_PATH}/requests`;
/** A GET returns only the list of calls. The request log polls this path while it follows new calls. */
export const FOLLOWED_PATH = `${REQUESTS_PATH}/followed`;
export const FAILURES_PATH = `${REQUESTS_PATH}/failures`;
/** `mode`: the query parameter. `undefined`: the dashboard's current mode. */
export const failuresPath = (mode: string | undefined): string => pathWithQuery(FAILURES_PATH, { mode });
export const FOLLOWS = 'yes';
export const requestsPath = (
  texts: QueryTexts,
  more: { readonly after?: string | undefined; readonly follow?: typeof FOLLOWS } = {},
): string => pathWithQuery(REQUESTS_PATH, { ...texts, ...more });
export const requestPath = (requestId: string): string => `${REQUESTS_PATH}/${encodeURIComponent(requestId)}`;

export const LINK_CHECKS_PATH = `${DASHBOARD_PATH}/link-checks`;
export const linkCheckPath = (offerId: string): string => `${LINK_CHECKS_PATH}/${offerId}`;

export const WEBHOOKS_PATH = `${DASHBOARD_PATH}/webhooks`;
export const endpointPath = (id: string): string => `${WEBHOOKS_PATH}/${id}`;

export const OWN_KEYS_PATH = `${DASHBOARD_PATH}/settings/keys`;
export const keyNetworksPath = (id: string) => `${OWN_KEYS_PATH}/${id}/networks`;
export const NEW_KEY_PATH = `${OWN_KEYS_PATH}/new`;
export const MEMBERS_PATH = `${DASHBOARD_PATH}/settings/members`;
export const INVITATIONS_PATH = `${DASHBOARD_PATH}/settings/invitations`;
export const PLAN_PATH = `${DASHBOARD_PATH}/settings/plan`;

// The desk

export const DESK_PATH = '/desk';
export const QUEUE_PATH = `${DESK_PATH}/queue`;
export const DESK_SEARCH_PATH = `${DESK_PATH}/search`;
export const SYSTEM_PATH = `${DESK_PATH}/system`;
export const OUTBOX_PATH = `${DESK_PATH}/outbox`;
/** Only in the demo: its emails, without signing in. */
export const DEMO_MAILS_PATH = '/demo/emails';
export const OPERATOR_KEYS_PATH = `${DESK_PATH}/keys`;
export const AUDIT_PATH = `${DESK_PATH}/events`;
/** The webhook endpoints of the marketplace. */
export const DESK_WEBHOOKS_PATH = `${DESK_PATH}/webhooks`;
export const deskEndpointPath = (id: string): string => `${DESK_WEBHOOKS_PATH}/${id}`;
export const HIDE_FIRST_STEPS_PATH = `${DESK_PATH}/first-steps/hide`;
export const SETTINGS_PATH = `${DESK_PATH}/settings`;
export const BRAND_PATH = `${SETTINGS_PATH}/brand`;
export const GENERAL_PATH = `${SETTINGS_PATH}/general`;
export const ANNOUNCEMENT_PATH = `${SETTINGS_PATH}/announcement`;
export const FRONT_PAGE_PATH = `${SETTINGS_PATH}/front-page`;
export const PEOPLE_PATH = `${SETTINGS_PATH}/people`;
/** The invitation links of the marketplace. */
export const MARKET_LINKS_PATH = `${PEOPLE_PATH}/access`;
export const PLANS_PATH = `${SETTINGS_PATH}/plans`;
export const RETENTION_PATH = `${SETTINGS_PATH}/retention`;

/** POST: sends the account all its mail again. */
export const clearRefusalPath = (id: string): string => `${OUTBOX_PATH}/refused/${id}/clear`;
export const callPath = (requestId: string): string => `${DESK_PATH}/calls/${requestId}`;
export const deskClaimPath = (id: string): string => `${DESK_PATH}/claims/${id}`;

export const DESK_ACCOUNTS_PATH = `${DESK_PATH}/accounts`;
export const DESK_INVITATIONS_PATH = `${DESK_ACCOUNTS_PATH}/invitations`;
/** POST: invites the person of an account that an operator created. */
export const inviteOwnerPath = (accountId: string): string => `${DESK_INVITATIONS_PATH}/owner/${accountId}`;
export const deskAccountPath = (id: string): string => `${DESK_ACCOUNTS_PATH}/${id}`;

export const DESK_LISTINGS_PATH = `${DESK_PATH}/listings`;
/** The invitation links of all owners' listings. */
export const DESK_LINKS_PATH = `${DESK_LISTINGS_PATH}/access`;
/** The first step of a new listing at the desk: whose it is. */
export const NEW_DESK_LISTING_PATH = `${DESK_LISTINGS_PATH}/new`;
export const deskListingPath = (id: string): string => `${DESK_LISTINGS_PATH}/${id}`;
export const newListingOfPath = (accountId: string): string => `${deskAccountPath(accountId)}/listings/new`;
export const editListingPath = (id: string): string => `${deskListingPath(id)}/edit`;
export const newOfferOfPath = (listingId: string): string => `${deskListingPath(listingId)}/offers/new`;
export const editOfferPath = (listingId: string, offerId: string): string =>
  `${deskListingPath(listingId)}/offers/${offerId}/edit`;
