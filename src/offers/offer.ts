/** Offers: their limits, their states, and whether they take new claims. */
import { invalid } from '../errors.ts';
import { isEndOfDay, timeTextWithZone } from '../text/time-zone.ts';

export const KINDS = ['discount', 'trial', 'credit', 'bonus', 'access', 'gift'] as const;
export type Kind = (typeof KINDS)[number];

export const kindName = (kind: Kind): string => kind[0]!.toUpperCase() + kind.slice(1);

/** What happens when the code list is empty: the offer closes, or claims get the shared code. */
export const CODE_LISTS = ['close', 'shared_code'] as const;
export type CodeList = (typeof CODE_LISTS)[number];

export function requireLinkOrCode(gives: {
  readonly link: string | null;
  readonly code: string | null;
  readonly code_list: CodeList | null;
}): void {
  if (gives.link === null && gives.code === null && gives.code_list === null) {
    throw invalid('An offer needs a redemption link, a shared code or a code list; found none of them.');
  }
  if (gives.code_list === 'shared_code' && gives.code === null) {
    throw invalid(
      'The offer has no shared code for claims to get when the code list is empty. Set a shared code.',
    );
  }
}

/** Which link of an offer is live, and which waits for the operator. */
export interface OfferLinks {
  readonly redemption_link: string | null;
  readonly proposed_link: string | null;
  readonly proposed_at: string | null;
  readonly declined_reason: string | null;
}

export const NO_LINK_PROPOSAL = { proposed_link: null, proposed_at: null, declined_reason: null } as const;
export const NO_LINKS: OfferLinks = { redemption_link: null, ...NO_LINK_PROPOSAL };

export type LinksOfOffer = OfferLinks & { readonly id: string };

export const linksOf = ({
  id,
  redemption_link,
  proposed_link,
  proposed_at,
  declined_reason,
}: LinksOfOffer): LinksOfOffer => ({ id, redemption_link, proposed_link, proposed_at, declined_reason });

/** The link that the owner's test claims open; `null` if the offer has none yet. */
export const testClaimLink = (offer: {
  readonly redemption_link: string | null;
  readonly test_link: string | null;
}): string | null => offer.test_link ?? offer.redemption_link;

/** Follows “The offer is over: ”. `shown`: the limit as the page writes numbers. */
export const allClaimsMade = (limit: number, shown = String(limit)): string =>
  limit === 1 ? 'its only claim has been made' : `all of its ${shown} claims have been made`;

export const ALL_CODES_GIVEN = 'All codes have been given out.';

/** Offers per listing, since its page shows them all. The operator may exceed it. */
export const MAX_OFFERS_OF_LISTING = 50;

interface Clock {
  readonly now: number;
  readonly timeZone: string;
}

/** A new end date must be in the future: to stop an offer immediately, its owner pauses it. */
export function refusePastEnd(endsAt: string | null, { now, timeZone }: Clock): void {
  if (endsAt === null || Date.parse(endsAt) > now) return;
  throw invalid(
    `The end date ${endText(timeZone, endsAt)} has passed; to stop an offer immediately, pause it.`,
  );
}

const endText = (timeZone: string, endsAt: string): string =>
  timeTextWithZone(timeZone, endsAt, isEndOfDay(timeZone, endsAt) ? 'day' : 'minute');

export interface OfferLimits {
  readonly inReview: boolean;
  readonly pausedAt: string | null;
  readonly endsAt: string | null;
  readonly claimLimit: number | null;
  /** Codes left, if the offer closes without them; otherwise `null`. */
  readonly codesLeft: number | null;
}

interface LiveParts {
  readonly redemption_link: string | null;
  readonly code: string | null;
  readonly code_list: CodeList | null;
}

/** Nothing is live: the first link waits for the operator. */
export const isInReview = (offer: LiveParts): boolean =>
  offer.redemption_link === null && offer.code === null && offer.code_list === null;

export const limitsOf = (
  offer: LiveParts & {
    readonly paused_at: string | null;
    readonly ends_at: string | null;
    readonly claim_limit: number | null;
    readonly codes_left: number;
  },
): OfferLimits => ({
  inReview: isInReview(offer),
  pausedAt: offer.paused_at,
  endsAt: offer.ends_at,
  claimLimit: offer.claim_limit,
  codesLeft: offer.code_list === 'close' ? offer.codes_left : null,
});

/** Whether the owner may delete the offer: its listing, or its own link and code, have never been live. */
export const isOfferDeletable = (
  offer: LiveParts,
  listing: { readonly state: string; readonly origin: string | null },
): boolean => listing.state !== 'rejected' && (listing.origin === null || isInReview(offer));

export type OfferState = 'open' | 'paused' | 'over' | 'in_review';

/** The state of an offer, regardless of its listing. */
export function offerState(offer: OfferLimits, claimsMade: number, now: number): OfferState {
  if (offer.inReview) return 'in_review';
  if (offer.pausedAt !== null) return 'paused';
  const isUsedUp = offer.claimLimit !== null && claimsMade >= offer.claimLimit;
  return isPast(offer, now) || isUsedUp || offer.codesLeft === 0 ? 'over' : 'open';
}

/** Whether an offer is open, or would be with more codes. */
export const isOpenWithCodes = (
  offer: Parameters<typeof limitsOf>[0] & { readonly claims: number },
  now: number,
): boolean => offerState({ ...limitsOf(offer), codesLeft: null }, offer.claims, now) === 'open';

const isPast = ({ endsAt }: OfferLimits, now: number): boolean =>
  endsAt !== null && Date.parse(endsAt) <= now;

/** The state that pages show: an open offer takes no claims until its listing is approved. */
export type ShownOfferState = OfferState | 'opens' | 'closed';

/** `listingState`: as the reader of the page sees it. */
export function shownState(
  offer: Parameters<typeof limitsOf>[0] & { readonly claims: number },
  listingState: string,
  now: number,
): ShownOfferState {
  const state = offerState(limitsOf(offer), offer.claims, now);
  if (state !== 'open' || listingState === 'approved') return state;
  return listingState === 'rejected' || listingState === 'suspended' ? 'closed' : 'opens';
}

export type Intake = { readonly open: true } | { readonly open: false; readonly reason: string };

/**
 * Whether an offer takes a new claim now, or why not, in a sentence. Claims already made stay redeemable
 * in any case.
 */
export function offerTakesClaims(
  offer: OfferLimits,
  listing: { readonly state: string },
  claimsMade: number,
  { now, timeZone }: Clock,
): Intake {
  const reason =
    listing.state === 'approved'
      ? whyClosed(offer, claimsMade, { now, timeZone })
      : `The listing takes no claims: it is ${listing.state.replace('_', ' ')}, not approved.`;
  return reason === null ? { open: true } : { open: false, reason };
}

function whyClosed(offer: OfferLimits, claimsMade: number, { now, timeZone }: Clock): string | null {
  switch (offerState(offer, claimsMade, now)) {
    case 'open':
      return null;
    case 'in_review':
      return 'The offer takes no claims: its redemption link waits for approval.';
    case 'paused':
      return 'The offer takes no claims: its owner has paused it.';
    case 'over':
      if (isPast(offer, now)) return `The offer is over: it ended on ${endText(timeZone, offer.endsAt!)}.`;
      return offer.claimLimit === null || claimsMade < offer.claimLimit
        ? ALL_CODES_GIVEN
        : `The offer is over: ${allClaimsMade(offer.claimLimit)}.`;
  }
}
