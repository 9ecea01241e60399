import { findTooMany, type TooMany } from '../../base/brand/plans.ts';
import { invalid } from '../../platform/errors.ts';
import { type Message, message, t } from '../../platform/languages/translate.ts';
import type { OffersTable } from '../../platform/store/tables/listings.ts';
import { timeTextWithZone } from '../../platform/text/time-zone.ts';

export type Kind = OffersTable['kind'];

interface KindTexts {
  readonly name: Message;
  /** Explains the kind to the owner of an offer. */
  readonly hint: Message;
  /** Heading of a list of these offers. */
  readonly heading: Message;
  /** These offers in a sentence that says that there are none. */
  readonly none: Message;
  /** Its bit in the `kinds` of a card. Stored, so it never changes. A new kind gets the next power of two. */
  readonly bit: number;
}

/** In the order of forms and filters. */
export const KIND_TEXTS: Readonly<Record<Kind, KindTexts>> = {
  discount: {
    name: message('Discount'),
    hint: message('A lower price, for a limited time or permanently.'),
    heading: message('Discount offers'),
    none: message('after no|discount offers'),
    bit: 1,
  },
  trial: {
    name: message('Trial'),
    hint: message('A longer or larger trial than usual.'),
    heading: message('Trial offers'),
    none: message('after no|trial offers'),
    bit: 2,
  },
  credit: {
    name: message('Credit'),
    hint: message('Something to spend in the app.'),
    heading: message('Credit offers'),
    none: message('after no|credit offers'),
    bit: 4,
  },
  bonus: {
    name: message('Bonus'),
    hint: message('Something on top of what people buy.'),
    heading: message('Bonus offers'),
    none: message('after no|bonus offers'),
    bit: 8,
  },
  access: {
    name: message('Access'),
    hint: message('Access that others don’t have, or don’t have yet.'),
    heading: message('Access offers'),
    none: message('after no|access offers'),
    bit: 16,
  },
  gift: {
    name: message('Gift'),
    hint: message('Free, without buying anything.'),
    heading: message('Gift offers'),
    none: message('after no|gift offers'),
    bit: 32,
  },
};

export const KINDS = Object.keys(KIND_TEXTS) as readonly Kind[];

export const kindName = (kind: Kind): string => t(KIND_TEXTS[kind].name);

/** What happens when the code list is empty: the offer closes, or claims get the shared code. */
export const CODE_LISTS = ['close', 'shared_code'] as const;
type CodeList = (typeof CODE_LISTS)[number];

interface LiveParts {
  readonly redemption_link: string | null;
  readonly code: string | null;
  readonly code_list: CodeList | null;
}

const hasNoParts = (offer: LiveParts): boolean =>
  offer.redemption_link === null && offer.code === null && offer.code_list === null;

interface Reviewable extends LiveParts {
  readonly hidden_since: string | null;
}

/**
 * Whether people don't see the offer yet: it was added to a live listing and waits for approval, or it has neither codes
 * nor a live link, because its first link is waiting for approval or was declined.
 */
export const isInReview = (offer: Reviewable): boolean => offer.hidden_since !== null || hasNoParts(offer);

/** `redemption_link`: the live link or, if there is none, the proposed link. */
export function requireLinkOrCode(offer: LiveParts): void {
  if (hasNoParts(offer)) {
    throw invalid(
      message('An offer needs a redemption link, a shared code or a code list; found none of them.'),
    );
  }
  if (offer.code_list === 'shared_code' && offer.code === null) {
    throw invalid(
      message(
        'When the code list is empty, claims get the shared code, but this offer has none. Set a shared code.',
      ),
    );
  }
}

/** `redemption_link` is live. `proposed_link` is waiting for approval or was declined. */
export interface OfferLinks {
  readonly redemption_link: string | null;
  readonly proposed_link: string | null;
  readonly proposed_at: string | null;
  readonly declined_reason: string | null;
}

export const NO_LINK_PROPOSAL = { proposed_link: null, proposed_at: null, declined_reason: null } as const;
export const NO_LINKS: OfferLinks = { redemption_link: null, ...NO_LINK_PROPOSAL };

/** The link for test claims; `null` if the offer has neither a test link nor a live link. */
export const testClaimLink = (offer: {
  readonly redemption_link: string | null;
  readonly test_link: string | null;
}): string | null => offer.test_link ?? offer.redemption_link;

export const ALL_CODES_GIVEN = message('All codes have been given out.');

/** A limit, because a listing page shows all offers of the listing. The CLI ignores the limit if run on the server. */
export const MAX_OFFERS_OF_LISTING = 50;

/** Returns `null` if the listing can have another offer. `ofPlan`: the limit of the owner's plan; `null`: no limit. */
export const findTooManyOffers = (count: number, ofPlan: number | null): TooMany | null =>
  findTooMany(count, ofPlan, MAX_OFFERS_OF_LISTING, ({ most, isOfPlan }) =>
    isOfPlan
      ? message(
          'The plan of this account allows at most {most, plural, one {# offer} other {# offers}} per listing.',
          { most },
        )
      : message('A listing can have at most {most} offers.', { most }),
  );

interface Clock {
  readonly now: number;
  readonly timeZone: string;
}

export function refusePastEnd(endsAt: string | null, { now, timeZone }: Clock): void {
  if (endsAt === null || Date.parse(endsAt) > now) return;
  throw invalid(
    message('The end date {end} has passed; to stop an offer immediately, pause it.', {
      end: timeTextWithZone(timeZone, endsAt),
    }),
  );
}

/** Refuses an offer that would never open. */
export function refuseStartAfterEnd(
  { starts_at, ends_at }: { readonly starts_at: string | null; readonly ends_at: string | null },
  timeZone: string,
): void {
  if (starts_at === null || ends_at === null || Date.parse(starts_at) < Date.parse(ends_at)) return;
  throw invalid(
    message('The offer opens on {start}, which is not before its end, {end}.', {
      start: timeTextWithZone(timeZone, starts_at),
      end: timeTextWithZone(timeZone, ends_at),
    }),
  );
}

/** Offers that were live can't be deleted. The `origin` of a listing is `null` until its first approval. */
export const isOfferDeletable = (
  offer: Reviewable,
  listing: { readonly state: string; readonly origin: string | null },
): boolean => listing.state !== 'rejected' && (listing.origin === null || isInReview(offer));

interface Limits extends Reviewable {
  readonly paused_at: string | null;
  readonly starts_at: string | null;
  readonly ends_at: string | null;
  readonly claim_limit: number | null;
  /** Number of live claims. */
  readonly claims: number;
  readonly codes_left: number;
}

/** Number of codes left; `null` if the offer doesn't close when its codes run out. */
export const codesNeeded = (offer: Pick<Limits, 'code_list' | 'codes_left'>): number | null =>
  offer.code_list === 'close' ? offer.codes_left : null;

/** `scheduled`: the start is in the future. */
type OfferState = 'open' | 'scheduled' | 'paused' | 'over' | 'in_review';

/** Ignores the state of the listing. */
export function offerState(offer: Limits, now: number): OfferState {
  if (isInReview(offer)) return 'in_review';
  if (offer.paused_at !== null) return 'paused';
  if (offer.ends_at !== null && Date.parse(offer.ends_at) <= now) return 'over';
  if (offer.starts_at !== null && Date.parse(offer.starts_at) > now) return 'scheduled';
  const isUsedUp = offer.claim_limit !== null && offer.claims >= offer.claim_limit;
  return isUsedUp || codesNeeded(offer) === 0 ? 'over' : 'open';
}

/** Whether the offer would be open if it had started and had codes left. */
export const isOpenWithCodes = (offer: Limits, now: number): boolean =>
  offerState({ ...offer, starts_at: null, codes_left: Number.POSITIVE_INFINITY }, now) === 'open';

/** `opens`: will open when the listing is approved. `closed`: the listing is rejected or suspended. */
type ShownOfferState = OfferState | 'opens' | 'closed';

/** `listingState`: the stored state or the public state (`publicStateOf`). */
export function shownState(offer: Limits, listingState: string, now: number): ShownOfferState {
  const state = offerState(offer, now);
  if ((state !== 'open' && state !== 'scheduled') || listingState === 'approved') return state;
  if (listingState === 'rejected' || listingState === 'suspended') return 'closed';
  return state === 'open' ? 'opens' : state;
}

/** Returns `null` if the offer takes new claims. Existing claims stay redeemable in any case. */
export function whyClosed(offer: Limits, listingState: string, { now, timeZone }: Clock): Message | null {
  if (listingState !== 'approved') {
    return message(
      'The listing takes no claims: its state is {state, select, changes_requested {changes requested} draft {draft} pending {pending} rejected {rejected} withdrawn {withdrawn} other {suspended}}, not approved.',
      { state: listingState },
    );
  }
  switch (offerState(offer, now)) {
    case 'open':
      return null;
    case 'in_review':
      return message('The offer takes no claims: it has not been approved.');
    case 'paused':
      return message('The offer takes no claims: its owner has paused it.');
    case 'scheduled':
      return message('The offer opens on {day}.', {
        day: () => timeTextWithZone(timeZone, offer.starts_at!),
      });
    case 'over':
      if (offer.claim_limit !== null && offer.claims >= offer.claim_limit) {
        return message(
          'The offer is over: {limit, plural, =1 {its only claim has been made} other {all of its # claims have been made}}.',
          { limit: offer.claim_limit },
        );
      }
      return codesNeeded(offer) === 0
        ? ALL_CODES_GIVEN
        : message('The offer is over: it ended on {day}.', {
            day: () => timeTextWithZone(timeZone, offer.ends_at!),
          });
  }
}
