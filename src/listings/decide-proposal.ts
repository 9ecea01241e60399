/** The operator's decision on an address that waits beside its approved version: a listing's url or an offer's link. */

import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { type Actor, appendEvent } from '../events/queries.ts';
import { findOfferOf, type Offer, publishProposedLinks, updateOffer } from '../offers/queries.ts';
import { linkOrigin } from '../offers/redemption-link.ts';
import type { Transaction } from '../store/database.ts';
import { parseReason } from '../text.ts';
import { toIso } from '../time-text.ts';
import { parseListingUrl } from './listing.ts';
import { NO_PROPOSAL } from './move.ts';
import { type Listing, lockListing, requireSeen, updateListing } from './queries.ts';
import { undoOf } from './undo.ts';

export interface DecideProposal {
  readonly listing: string;
  /** The offer whose link it is; left out for the listing's url. */
  readonly offerId?: string | undefined;
  /** The version on the operator's page; a newer version refuses the decision. */
  readonly version?: number | undefined;
  readonly actor: Actor;
}

export interface DeclineProposal extends DecideProposal {
  readonly reason: string;
}

/**
 * Makes the waiting address live. A url pins its origin: links of the listing's offers that wait for the same origin go
 * live with it.
 */
export async function approveProposal(context: Context, input: DecideProposal): Promise<Listing> {
  return await onProposal(context, input, async (tx, listing, offer, at) => {
    if (offer !== null) {
      await updateOffer(tx, offer, { redemption_link: offer.proposed_link, ...NO_LINK_PROPOSAL });
      const undo = undoOf({ action: 'approve_link', at }, listing, [offer].map(linksOf));
      await appendLinkEvent(tx, input.actor, offer, at, 'link_approved', {});
      return await updateListing(tx, listing, { undo });
    }
    const { url, origin } = parseListingUrl(listing.proposed_url!);
    const replaced = await publishProposedLinks(tx, listing, origin);
    const undo = undoOf({ action: 'approve_url', at }, listing, replaced);
    await appendUrlEvent(tx, input.actor, listing, at, 'url_approved', {});
    return await updateListing(tx, listing, { url, origin, ...NO_PROPOSAL, undo });
  });
}

/** Keeps the live address; the owner sees the reason beside the proposal and may propose again. */
export async function declineProposal(context: Context, input: DeclineProposal): Promise<Listing> {
  const reason = parseReason(input.reason);
  return await onProposal(context, input, async (tx, listing, offer, at) => {
    if (offer !== null) {
      await updateOffer(tx, offer, { declined_reason: reason });
      const undo = undoOf({ action: 'decline_link', at }, listing, [offer].map(linksOf));
      await appendLinkEvent(tx, input.actor, offer, at, 'link_declined', { reason });
      return await updateListing(tx, listing, { undo });
    }
    const undo = undoOf({ action: 'decline_url', at }, listing, []);
    await appendUrlEvent(tx, input.actor, listing, at, 'url_declined', { reason });
    return await updateListing(tx, listing, { declined_reason: reason, undo });
  });
}

const NO_LINK_PROPOSAL = { proposed_link: null, proposed_at: null, declined_reason: null } as const;

const linksOf = ({ id, redemption_link, proposed_link, proposed_at, declined_reason }: Offer) => ({
  id,
  redemption_link,
  proposed_link,
  proposed_at,
  declined_reason,
});

/** Opens the transaction and checks that a proposal waits. */
async function onProposal(
  context: Context,
  input: DecideProposal,
  decide: (tx: Transaction, listing: Listing, offer: Offer | null, at: string) => Promise<Listing>,
): Promise<Listing> {
  const at = toIso(context.now());
  return await context.db.transaction(async (tx) => {
    const listing = await lockListing(tx, context.db.engine, input.listing);
    requireSeen(listing, input.version);
    const offer = input.offerId === undefined ? null : await findOfferOf(tx, listing, input.offerId);
    const proposed = offer === null ? listing.proposed_url : offer.proposed_link;
    const declined = (offer ?? listing).declined_reason;
    if (proposed === null || declined !== null) {
      throw invalid('There is nothing left to decide here. Reload the page.');
    }
    return await decide(tx, listing, offer, at);
  });
}

const appendUrlEvent = (
  tx: Transaction,
  actor: Actor,
  listing: Listing,
  at: string,
  change: string,
  data: Readonly<Record<string, string>>,
): Promise<void> =>
  appendEvent(tx, {
    accountId: listing.account_id,
    type: 'listing.changed',
    at,
    actor,
    subjectId: listing.id,
    data: { slug: listing.slug, change, url: listing.proposed_url, ...data },
  });

const appendLinkEvent = (
  tx: Transaction,
  actor: Actor,
  offer: Offer,
  at: string,
  change: string,
  data: Readonly<Record<string, string>>,
): Promise<void> =>
  appendEvent(tx, {
    accountId: offer.account_id,
    type: 'offer.changed',
    at,
    actor,
    subjectId: offer.id,
    data: { change, offer: offer.offer, origin: linkOrigin(offer.proposed_link!), ...data },
  });
