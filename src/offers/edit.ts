import type { Context } from '../context.ts';
import { namesOf, parseChanges } from '../text/fields.ts';
import { LOGGED_OFFER_FIELDS, OFFER_FIELDS, type OfferTexts } from './fields.ts';
import { refusePastEnd, requireLinkOrCode } from './offer.ts';
import { type Offer, updateOffer } from './queries.ts';
import { linkOrigin } from './redemption-link.ts';
import { changeOffer, type OfferToChange, placeLink, refuseForeignShop } from './write.ts';

/** A member that is left out is not changed; one that is empty or `null` is removed. */
export type EditOffer = OfferToChange & OfferTexts;

/**
 * Changes an offer. Everything is live immediately except a redemption link that leaves the listing's pinned origin: it
 * waits for the operator while the approved link stays live. Setting the live link again withdraws the proposal.
 */
export async function editOffer(context: Context, input: EditOffer): Promise<Offer> {
  const { redemption_link: link, ...values } = parseChanges(OFFER_FIELDS, input, context.timeZone);
  return await changeOffer(context, input, async (tx, offer, listing, at) => {
    const links = link === undefined ? {} : placeLink(link, offer, listing, input.actor, at);
    const change = { ...values, ...links };
    const next: Offer = { ...offer, ...change };
    requireLinkOrCode({ ...next, link: next.redemption_link ?? next.proposed_link });
    if (next.shop_url !== offer.shop_url) refuseForeignShop(next.shop_url, listing, input.actor);
    if (next.ends_at !== offer.ends_at)
      refusePastEnd(next.ends_at, { now: context.now(), timeZone: context.timeZone });
    const fields = EDITABLE.filter((field) => next[field] !== offer[field]);
    if (fields.length === 0) return null;
    const logged = LOGGED_OFFER_FIELDS.filter((field) => fields.includes(field));
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
const EDITABLE = [...namesOf(OFFER_FIELDS), 'proposed_link'] as const;
