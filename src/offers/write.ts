/** Shared by creating and editing an offer: the owner check, and whether a link must wait for the operator. */
import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { appendEdit, isOperatorActor, type PersonActor } from '../events/queries.ts';
import { leavesPinnedOrigin } from '../listings/listing.ts';
import {
  accountOf,
  type Listing,
  lockListing,
  nothingThere,
  requireSeen,
  updateListing,
} from '../listings/queries.ts';
import type { Transaction } from '../store/database.ts';
import { DIALECTS } from '../store/dialects.ts';
import { NO_LINK_PROPOSAL, type OfferLinks } from './offer.ts';
import { findOffer, findOfferOf, findOwnOffer, type Offer } from './queries.ts';
import { linkOrigin, parseRedemptionLink } from './redemption-link.ts';

export interface OfferToChange {
  readonly offerId: string;
  /** The version of the listing that the owner's page showed; a newer version refuses the change. */
  readonly version?: number | undefined;
  readonly actor: PersonActor;
}

/**
 * Changes an offer and appends its event, with its listing locked. An account finds only its own offers. `change`
 * returns `null` where nothing changes.
 */
export async function changeOffer(
  context: Context,
  input: OfferToChange,
  change: (
    tx: Transaction,
    offer: Offer,
    listing: Listing,
    at: string,
  ) => Promise<{ readonly offer: Offer; readonly data: Readonly<Record<string, unknown>> } | null>,
): Promise<Offer> {
  const at = context.at();
  return await context.db.transaction(async (tx) => {
    const { offer, listing } = await lockOfferToChange(context, tx, input);
    const outcome = await change(tx, offer, listing, at);
    if (outcome === null) return offer;
    await updateListing(tx, listing, {});
    await appendEdit(tx, {
      accountId: offer.account_id,
      type: 'offer.changed',
      at,
      actor: input.actor,
      subjectId: offer.id,
      data: outcome.data,
    });
    return outcome.offer;
  });
}

/** The offer as it is now and its listing, both locked. An account finds only its own offers. */
export async function lockOfferToChange(
  context: Context,
  tx: Transaction,
  input: OfferToChange,
): Promise<{ readonly offer: Offer; readonly listing: Listing }> {
  const accountId = accountOf(input.actor);
  const found =
    accountId === null
      ? await findOffer(tx, input.offerId)
      : await findOwnOffer(tx, accountId, input.offerId);
  if (found === null) throw nothingThere();
  const listing = await lockListing(tx, context.db.engine, found.listing_id);
  requireSeen(listing, input.version);
  refuseRejected(listing);
  // Waits for claims that are being made on the offer.
  await DIALECTS[context.db.engine].takeLock(tx, found.id);
  // Read again: it may have changed before the lock was taken.
  return { listing, offer: await findOfferOf(tx, listing, found.id) };
}

export function refuseRejected(listing: Pick<Listing, 'state'>): void {
  if (listing.state === 'rejected') {
    throw invalid('The offers of a rejected listing cannot be changed.');
  }
}

/** A shop URL is live immediately, so after approval only the operator can set one outside the approved website. */
export function refuseForeignShop(
  shopUrl: string | null,
  listing: Pick<Listing, 'origin'>,
  actor: PersonActor,
): void {
  if (shopUrl === null || isOperatorActor(actor)) return;
  if (leavesPinnedOrigin(listing.origin, linkOrigin(shopUrl))) {
    throw invalid(
      `The shop URL must be on ${listing.origin}, the approved website. Ask the operator to set another one.`,
    );
  }
}

/**
 * Whether a link is live immediately or waits. It is live if it keeps the pinned origin, if none is pinned yet, or if the
 * operator's command or key sets it (which approves it); otherwise it waits and the live link stays.
 */
export function placeLink(
  text: string | null,
  current: OfferLinks,
  listing: Pick<Listing, 'origin'>,
  actor: PersonActor,
  at: string,
): OfferLinks {
  const { redemption_link, proposed_link, proposed_at, declined_reason } = current;
  // A form sends the waiting link back unchanged; it keeps its place in the queue.
  if (text !== null && text === proposed_link) {
    return { redemption_link, proposed_link, proposed_at, declined_reason };
  }
  if (text === null || text === redemption_link) return { redemption_link: text, ...NO_LINK_PROPOSAL };
  const { template, origin } = parseRedemptionLink(text);
  if (isOperatorActor(actor) || !leavesPinnedOrigin(listing.origin, origin)) {
    return { redemption_link: template, ...NO_LINK_PROPOSAL };
  }
  return {
    redemption_link,
    proposed_link: template,
    proposed_at: at,
    declined_reason: null,
  };
}

export const NO_LINKS: OfferLinks = { redemption_link: null, ...NO_LINK_PROPOSAL };
