import { type Message, message, type Words } from '../../platform/languages/translate.ts';
import type { ListingsTable } from '../../platform/store/tables/listings.ts';
import { OFFER_FIELDS, REVIEWED_OFFER_FIELDS, type ReviewedOfferValues } from '../offers/fields.ts';
import { describeRedemptionLink, linkWarnings } from '../offers/redemption-link.ts';
import {
  LISTING_FIELDS,
  parseListingUrl,
  REVIEWED_LISTING_FIELDS,
  type ReviewedListingValues,
} from './fields.ts';
import { hasLiveVersion } from './listing.ts';
import { isAddedOffer, readTextChanges, withApprovedTexts, withWaitingTexts } from './text-changes.ts';

/**
 * What awaits review: a complete listing, or a proposal of a live listing, which is its new URL, changed texts of the
 * listing and its offers, the new link of an offer, or new pictures of the listing and its offers.
 */
export const REVIEWED_KINDS = ['listing', 'url', 'texts', 'link', 'pictures'] as const;

export type ReviewedKind = (typeof REVIEWED_KINDS)[number];

/** A field whose approved and proposed values differ. `null`: the field has no value. */
export interface Difference {
  /** As pages show it: "name", "website", "redemption link of “20% off”". */
  readonly field: Words;
  readonly approved: string | null;
  readonly proposed: string | null;
}

export interface ReviewedLink {
  /** `null` for the URL of the listing. */
  readonly offerId: string | null;
  readonly link: string;
  /** Name of the query parameter that carries the token; `null` for the listing's URL and for an invalid link. */
  readonly parameter: string | null;
  readonly origin: string | null;
  /** Whether `origin` is the pinned origin or, if no version is live, the origin that approval would pin. */
  readonly isPinned: boolean;
  readonly problems: readonly Words[];
  readonly warnings: readonly Words[];
}

type ReviewedListing = ReviewedListingValues &
  Pick<ListingsTable, 'origin' | 'proposed_url' | 'declined_reason' | 'text_changes' | 'last_live'>;

type ReviewedOffer = ReviewedOfferValues & {
  readonly id: string;
  readonly proposed_link: string | null;
  readonly declined_reason: string | null;
  readonly hidden_since: string | null;
};

/** The earlier version of a listing that a review compares with the current version. */
export type ReviewedVersion = ReviewedListingValues & {
  readonly offers: readonly (ReviewedOfferValues & { readonly id: string })[];
};

/** The operator's request for changes. `seen`: the version that the operator reviewed. */
export interface ChangeRequest {
  readonly at: string;
  readonly reason: string;
  readonly seen: ReviewedVersion;
}

/**
 * Returns the changes to a pending listing since its last withdrawal. If the listing was never live, returns all fields
 * that have a value.
 */
export const listingDifferences = (
  listing: ReviewedListing,
  offers: readonly ReviewedOffer[],
): readonly Difference[] =>
  differencesFrom(listing.last_live && JSON.parse(listing.last_live), listing, offers);

export const readChangeRequest = (listing: { readonly asked: string | null }): ChangeRequest | null =>
  listing.asked === null ? null : (JSON.parse(listing.asked) as ChangeRequest);

export const differencesSinceRequest = (
  request: ChangeRequest,
  listing: ReviewedListing,
  offers: readonly ReviewedOffer[],
): readonly Difference[] => [
  ...differencesFrom(request.seen, listing, offers),
  ...request.seen.offers
    .filter(({ id }) => !offers.some((offer) => offer.id === id))
    .map(({ offer }) => ({ field: message('offer'), approved: offer, proposed: null })),
];

function differencesFrom(
  before: ReviewedVersion | null,
  listing: ReviewedListing,
  offers: readonly ReviewedOffer[],
): readonly Difference[] {
  const submitted = asSubmitted(listing, offers);
  const fields = REVIEWED_LISTING_FIELDS.map(([field, reviewedAs]) => ({
    field: reviewedAs,
    approved: before?.[field] ?? null,
    proposed: submitted.listing[field],
  }));
  return [...fields, ...offerDifferences(before?.offers ?? [], submitted.offers)].filter(
    ({ approved, proposed }) => approved !== proposed,
  );
}

/** A listing in review, as it will be after approval. */
export function asSubmitted<Listing extends ReviewedListing, Offer extends ReviewedOffer>(
  listing: Listing,
  offers: readonly Offer[],
): { readonly listing: Listing; readonly offers: readonly Offer[] } {
  const changes = readTextChanges(listing);
  return {
    listing: { ...withWaitingTexts(listing, changes, null), url: waitingUrl(listing) ?? listing.url },
    offers: offers.map((offer) => withWaitingTexts(offer, changes, offer.id)),
  };
}

export interface TextDifference extends Difference {
  /** `null` for a text of the listing itself. */
  readonly offerId: string | null;
  /** The field's name in the API. */
  readonly column: string;
  /** Whether the text belongs to an offer that no operator has approved. */
  readonly isOfNewOffer: boolean;
  /** Whether people see the proposed text already. */
  readonly isLive: boolean;
}

/** The texts of a live listing that wait for the operator, and those that changed since the operator approved them. */
export function textDifferences(
  listing: ReviewedListing,
  offers: readonly ReviewedOffer[],
): readonly TextDifference[] {
  const changes = readTextChanges(listing);
  const compare = (
    subject: string | null,
    row: object,
    names: readonly (readonly [field: string, label: Words])[],
    isNew: boolean,
  ) => {
    const values = row as Readonly<Record<string, string | null>>;
    const approved: typeof values = isNew ? {} : withApprovedTexts(values, changes, subject);
    const proposed = withWaitingTexts(values, changes, subject);
    return names
      .map(([field, label]) => ({
        field: label,
        offerId: subject,
        column: field,
        isOfNewOffer: isNew,
        approved: approved[field] ?? null,
        proposed: proposed[field] ?? null,
        isLive: proposed[field] === values[field],
      }))
      .filter((one) => one.approved !== one.proposed);
  };
  return [
    ...compare(null, listing, REVIEWED_LISTING_FIELDS, false),
    ...offers.flatMap((offer) => {
      const isHidden = offer.hidden_since !== null;
      if (isHidden && changes.declined !== null) return [];
      const isNew = isHidden || isAddedOffer(changes, offer.id);
      const names = REVIEWED_OFFER_FIELDS.map(([field, reviewedAs]) => {
        const label =
          isNew && field === 'offer'
            ? message('new offer “{offer}”', { offer: offer.offer })
            : ofOffer(reviewedAs, offer);
        return [field, label] as const;
      });
      const differences = compare(offer.id, offer, names, isNew);
      return isHidden ? differences.map((one) => ({ ...one, isLive: false })) : differences;
    }),
  ];
}

const ofOffer = (field: Message, { offer }: ReviewedOffer): Message =>
  message('{field} of “{offer}”', { field, offer });

function offerDifferences(
  before: ReviewedVersion['offers'],
  offers: readonly ReviewedOffer[],
): readonly Difference[] {
  return offers.flatMap((offer) => {
    const old = before.find(({ id }) => id === offer.id);
    return REVIEWED_OFFER_FIELDS.map(([field, reviewedAs]) => ({
      field: ofOffer(reviewedAs, offer),
      approved: old?.[field] ?? null,
      proposed: field === 'redemption_link' ? linkToReview(offer) : offer[field],
    }));
  });
}

/** The proposed URL; `null` if none is waiting for review. */
export const waitingUrl = ({ proposed_url, declined_reason }: ReviewedListing): string | null =>
  declined_reason === null ? proposed_url : null;
export const waitingLink = ({
  proposed_link,
  declined_reason,
}: Pick<ReviewedOffer, 'proposed_link' | 'declined_reason'>): string | null =>
  declined_reason === null ? proposed_link : null;

/** The link that the offer will have after approval; `null` if it has none. */
const linkToReview = (offer: ReviewedOffer): string | null => waitingLink(offer) ?? offer.redemption_link;

/** The proposed URL and the proposed links that are waiting for review. `offer`: `null` for the listing's URL. */
export function waitingChanges<Offer extends ReviewedOffer>(
  listing: ReviewedListing,
  offers: readonly Offer[],
): readonly { readonly offer: Offer | null; readonly difference: Difference }[] {
  const url = waitingUrl(listing);
  const ofListing = { field: LISTING_FIELDS.url.reviewedAs, approved: listing.url, proposed: url };
  const ofOffers = offers.map((offer) => ({
    offer,
    difference: {
      field: ofOffer(OFFER_FIELDS.redemption_link.reviewedAs, offer),
      approved: offer.redemption_link,
      proposed: waitingLink(offer),
    },
  }));
  return [{ offer: null, difference: ofListing }, ...ofOffers].filter(
    ({ difference }) => difference.proposed !== null,
  );
}

/** The listing's URL, the proposed URL if it is waiting for review, and each offer's `linkToReview`. */
export function reviewLinks(
  listing: ReviewedListing & Pick<ListingsTable, 'state'>,
  offers: readonly ReviewedOffer[],
): readonly ReviewedLink[] {
  const waits = waitingUrl(listing);
  const { origin } = parseListingUrl(waits ?? listing.url);
  const pinned = (hasLiveVersion(listing.state) ? listing.origin : null) ?? origin;
  return [
    reviewUrl(listing.url, pinned),
    ...(waits === null ? [] : [reviewUrl(waits, pinned)]),
    ...offers.flatMap((offer) => {
      const link = linkToReview(offer);
      return link === null ? [] : [reviewLink(offer.id, link, pinned)];
    }),
  ];
}

export function reviewUrl(url: string, pinned: string | null): ReviewedLink {
  const { origin } = parseListingUrl(url);
  const isPinned = origin === pinned;
  return { offerId: null, link: url, parameter: null, origin, isPinned, problems: [], warnings: [] };
}

export function reviewLink(offerId: string, link: string, pinned: string | null): ReviewedLink {
  const { parameter, origin, problems } = describeRedemptionLink(link);
  const warnings = problems.length === 0 ? linkWarnings(link, null) : [];
  return { offerId, link, parameter, origin, isPinned: origin === pinned, problems, warnings };
}
