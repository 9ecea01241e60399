import type { Context } from '../context.ts';
import { optional } from '../text.ts';
import {
  parseClaimLimit,
  parseCode,
  parseEndDate,
  parseKind,
  parseOfferText,
  refusePastEnd,
  requireLinkOrCode,
} from './offer.ts';
import { type Offer, updateOffer } from './queries.ts';
import { linkOrigin, parseRedemptionLink, parseTestLink } from './redemption-link.ts';
import { changeOffer, type OfferToChange, placeLink } from './write.ts';

/** A member that is left out is not changed; one that is empty or `null` is removed. */
export interface EditOffer extends OfferToChange {
  /** The text that names the offer. */
  readonly offer?: string | undefined;
  readonly kind?: string | undefined;
  readonly redemptionLink?: string | null | undefined;
  readonly testLink?: string | null | undefined;
  /** The shared code for checkout. */
  readonly code?: string | null | undefined;
  /** As `parseEndDate` takes it. */
  readonly endsAt?: string | null | undefined;
  /** As `parseClaimLimit` takes it; a limit below the claims already made ends the offer. */
  readonly claimLimit?: string | null | undefined;
}

/**
 * Changes an offer. Text, kind, code, end date and limit are live at once; so is a redemption link of the listing's
 * pinned origin, and a test link of any. A link with another origin waits for the operator while the approved link stays live; setting the live
 * link again withdraws the proposal.
 */
export async function editOffer(context: Context, input: EditOffer): Promise<Offer> {
  const parsed = {
    ...(input.offer === undefined ? {} : { offer: parseOfferText(input.offer) }),
    ...(input.kind === undefined ? {} : { kind: parseKind(input.kind) }),
    ...(input.code === undefined ? {} : { code: optional(input.code, parseCode) }),
    ...(input.testLink === undefined
      ? {}
      : { test_link: optional(input.testLink, (typed) => parseTestLink(typed).template) }),
    ...(input.endsAt === undefined
      ? {}
      : { ends_at: optional(input.endsAt, (typed) => parseEndDate(typed, context.timeZone)) }),
    ...(input.claimLimit === undefined ? {} : { claim_limit: optional(input.claimLimit, parseClaimLimit) }),
  };
  const link =
    input.redemptionLink === undefined
      ? undefined
      : optional(input.redemptionLink, (typed) => parseRedemptionLink(typed).template);
  return await changeOffer(context, input, async (tx, offer, listing, at) => {
    const links = link === undefined ? {} : placeLink(link, offer, listing, input.actor, at);
    const change = { ...parsed, ...links };
    const next: Offer = { ...offer, ...change };
    requireLinkOrCode(next.redemption_link ?? next.proposed_link, next.code);
    if (next.ends_at !== offer.ends_at)
      refusePastEnd(next.ends_at, { now: context.now(), timeZone: context.timeZone });
    const fields = EDITABLE.filter((field) => next[field] !== offer[field]);
    if (fields.length === 0) return null;
    const logged = EVENT_FIELDS.filter((field) => fields.includes(field));
    const pick = (from: Offer) => Object.fromEntries(logged.map((field) => [field, from[field]]));
    const typed = next.proposed_link ?? next.redemption_link;
    return {
      offer: await updateOffer(tx, offer, change),
      data: {
        change: 'edited',
        listing: listing.slug,
        offer: offer.offer,
        fields,
        from: pick(offer),
        to: pick(next),
        ...(fields.some((field) => LINKS.includes(field))
          ? { origin: typed === null ? null : linkOrigin(typed), waits: next.proposed_link !== null }
          : {}),
      },
    };
  });
}

const LINKS: readonly (keyof Offer)[] = ['redemption_link', 'proposed_link'];
/** Fields whose values the event repeats; shared codes and links stay out of it. */
const EVENT_FIELDS = ['offer', 'kind', 'ends_at', 'claim_limit'] as const;
const EDITABLE = [...EVENT_FIELDS, 'code', 'redemption_link', 'proposed_link', 'test_link'] as const;
