import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { appendEvent, type PersonActor } from '../events/queries.ts';
import { lockOwnListing, updateListing } from '../listings/queries.ts';
import { uuidv7 } from '../store/uuid.ts';
import { optional } from '../text.ts';
import {
  MAX_OFFERS_OF_LISTING,
  parseClaimLimit,
  parseCode,
  parseEndDate,
  parseKind,
  parseOfferText,
  refusePastEnd,
  requireLinkOrCode,
} from './offer.ts';
import { insertOffer, listOffers, type Offer } from './queries.ts';
import { linkOrigin, parseRedemptionLink, parseTestLink } from './redemption-link.ts';
import { NO_LINKS, placeLink, refuseRejected } from './write.ts';

/** A member that is left out or empty counts as absent. */
export interface CreateOffer {
  /** Slug or id. */
  readonly listing: string;
  /** The text that names the offer. */
  readonly offer: string;
  readonly kind: string;
  readonly redemptionLink?: string | null | undefined;
  /** Opened by the owner with test claims; see `parseTestLink`. */
  readonly testLink?: string | null | undefined;
  /** The shared code for checkout. */
  readonly code?: string | null | undefined;
  /** As `parseEndDate` takes it. */
  readonly endsAt?: string | null | undefined;
  /** As `parseClaimLimit` takes it. */
  readonly claimLimit?: string | null | undefined;
  readonly actor: PersonActor;
}

/**
 * Refuses an offer with neither a redemption link nor a shared code. On a listing with a pinned origin an owner's link
 * with another origin waits for the operator; until then the offer has only its code, or is in review.
 */
export async function createOffer(context: Context, input: CreateOffer): Promise<Offer> {
  const now = context.now();
  const at = new Date(now).toISOString();
  const text = parseOfferText(input.offer);
  const kind = parseKind(input.kind);
  const link = optional(input.redemptionLink, (typed) => parseRedemptionLink(typed).template);
  const testLink = optional(input.testLink, (typed) => parseTestLink(typed).template);
  const code = optional(input.code, parseCode);
  const endsAt = optional(input.endsAt, (typed) => parseEndDate(typed, context.timeZone));
  refusePastEnd(endsAt, { now, timeZone: context.timeZone });
  const claimLimit = optional(input.claimLimit, parseClaimLimit);
  requireLinkOrCode(link, code);
  const id = uuidv7(context);
  return await context.db.transaction(async (tx) => {
    const listing = await lockOwnListing(tx, context.db.engine, input.listing, input.actor);
    if (input.actor !== 'operator') {
      refuseRejected(listing);
      if ((await listOffers(tx, listing)).length >= MAX_OFFERS_OF_LISTING) {
        throw invalid(`A listing has at most ${MAX_OFFERS_OF_LISTING} offers.`);
      }
    }
    const links = placeLink(link, NO_LINKS, listing, input.actor, at);
    const offer: Offer = {
      id,
      account_id: listing.account_id,
      listing_id: listing.id,
      offer: text,
      kind,
      ...links,
      test_link: testLink,
      code,
      ends_at: endsAt,
      claim_limit: claimLimit,
      paused_at: null,
      created_at: at,
    };
    await insertOffer(tx, offer);
    await updateListing(tx, listing, {});
    await appendEvent(tx, {
      accountId: listing.account_id,
      type: 'offer.changed',
      at,
      actor: input.actor,
      subjectId: id,
      data: {
        change: 'created',
        listing: listing.slug,
        offer: text,
        kind,
        origin: link === null ? null : linkOrigin(link),
        ...(links.proposed_link === null ? {} : { waits: true }),
      },
    });
    return offer;
  });
}
