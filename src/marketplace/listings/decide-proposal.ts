/** Decisions about proposals: what waits for an operator, or changed without one, while the approved version is live. */
import type { Context } from '../../base/context.ts';
import type { ListingDecision } from '../../base/events/catalogue/listings.ts';
import { type Actor, appendEvent } from '../../base/events/queries.ts';
import { standingAfter } from '../../people/accounts/account.ts';
import { readStanding, setStanding } from '../../people/accounts/queries.ts';
import { invalid, tried } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { parseReason } from '../../platform/text/text.ts';
import { NO_LINK_PROPOSAL, requireLinkOrCode } from '../offers/offer.ts';
import {
  beforeDecision,
  changeOffers,
  findOfferOf,
  listOffers,
  type Offer,
  publishedLink,
  updateOffer,
} from '../offers/queries.ts';
import { linkOrigin } from '../offers/redemption-link.ts';
import { declineWaiting, publishWaiting } from '../pictures/queries.ts';
import type { Decision } from './decisions.ts';
import { parseListingUrl } from './fields.ts';
import { hasLiveVersion } from './listing.ts';
import { NO_PROPOSAL, NO_TEXTS, publishedTexts, type Replaced, undoOf } from './move.ts';
import {
  appendListingEvent,
  type Listing,
  type ListingChange,
  lockListing,
  requireSeen,
  updateListing,
} from './queries.ts';
import { waitingLink, waitingUrl } from './review.ts';
import {
  declineTexts,
  isAddedOffer,
  readTextChanges,
  type TextChanges,
  textColumns,
  valuesOf,
  withApprovedTexts,
} from './text-changes.ts';

interface Reviewing {
  readonly tx: Transaction;
  readonly listing: Listing;
  readonly at: string;
  readonly actor: Actor;
}

interface ProposalDecision {
  readonly action: ListingDecision;
  readonly change?: ListingChange;
  /** What to restore if the decision is undone. */
  readonly replaced?: Replaced;
}

/** `decide` writes the decision and its event, but not the listing. It returns `null` if there is no proposal. */
async function decideProposal(
  context: Context,
  input: Pick<Decision, 'listing' | 'version' | 'actor'>,
  decide: (reviewing: Reviewing) => Promise<ProposalDecision | null>,
): Promise<Listing> {
  const at = context.at();
  return await context.db.transaction(async (tx) => {
    const listing = await lockListing(tx, context.db.engine, input.listing);
    requireSeen(listing, input.version);
    const decision = await decide({ tx, listing, at, actor: input.actor });
    if (decision === null) {
      throw invalid(message('Everything here has already been decided. Reload the page.'));
    }
    const undo = undoOf({ action: decision.action, at }, listing, decision.replaced);
    return await updateListing(tx, listing, { ...decision.change, undo }, at);
  });
}

interface LinkDecision extends Pick<Decision, 'listing' | 'version' | 'actor'> {
  /** The offer whose link is approved or declined. If omitted, the decision is about the listing's URL. */
  readonly offerId?: string | undefined;
}

export const approveProposal = (context: Context, { offerId, ...input }: LinkDecision): Promise<Listing> =>
  decideProposal(context, input, (reviewing) =>
    offerId === undefined ? approveUrl(reviewing) : approveLink(reviewing, offerId),
  );

/** Pins the origin of the URL and publishes the proposed links that have this origin. */
async function approveUrl({ tx, listing, ...by }: Reviewing): Promise<ProposalDecision | null> {
  const proposed = waitingUrl(listing);
  if (proposed === null) return null;
  const { url, origin } = parseListingUrl(proposed);
  const offers = await changeOffers(tx, listing, (offer) => publishedLink(offer, origin));
  await appendListingEvent(tx, listing, by, 'listing.changed', { change: 'url_approved', url: proposed });
  return { action: 'approve_url', change: { url, origin, ...NO_PROPOSAL }, replaced: { offers } };
}

async function approveLink(
  { tx, listing, ...by }: Reviewing,
  offerId: string,
): Promise<ProposalDecision | null> {
  const offer = await findOfferOf(tx, listing, offerId);
  const link = waitingLink(offer);
  if (link === null) return null;
  await updateOffer(tx, offer, { redemption_link: link, ...NO_LINK_PROPOSAL });
  const data = { change: 'link_approved', offer: offer.offer, origin: linkOrigin(link) } as const;
  await appendEvent(tx, { ...by, ...subjectOf(offer), type: 'offer.changed', data });
  return { action: 'approve_link', replaced: { offers: [beforeDecision(offer)] } };
}

const subjectOf = ({ id, account_id }: Offer) => ({ accountId: account_id, subjectId: id });

/** Keeps the live URL or link. The owner sees the reason and may propose another URL or link. */
export async function declineProposal(
  context: Context,
  { offerId, ...input }: LinkDecision & { readonly reason: string | null },
): Promise<Listing> {
  const reason = parseReason(input.reason ?? '');
  return await decideProposal(context, input, (reviewing) =>
    offerId === undefined ? declineUrl(reviewing, reason) : declineLink(reviewing, offerId, reason),
  );
}

async function declineUrl(
  { tx, listing, ...by }: Reviewing,
  reason: string,
): Promise<ProposalDecision | null> {
  const url = waitingUrl(listing);
  if (url === null) return null;
  await appendListingEvent(tx, listing, by, 'listing.changed', { change: 'url_declined', url, reason });
  return { action: 'decline_url', change: { declined_reason: reason } };
}

async function declineLink(
  { tx, listing, ...by }: Reviewing,
  offerId: string,
  reason: string,
): Promise<ProposalDecision | null> {
  const offer = await findOfferOf(tx, listing, offerId);
  const link = waitingLink(offer);
  if (link === null) return null;
  await updateOffer(tx, offer, { declined_reason: reason });
  const data = { change: 'link_declined', offer: offer.offer, origin: linkOrigin(link), reason } as const;
  await appendEvent(tx, { ...by, ...subjectOf(offer), type: 'offer.changed', data });
  return { action: 'decline_link', replaced: { offers: [beforeDecision(offer)] } };
}

export const approvePictures = (context: Context, input: Decision): Promise<Listing> =>
  decideProposal(context, input, async ({ tx, listing, ...by }) => {
    const pictures = await publishWaiting(tx, listing.id, by.at);
    if (pictures.length === 0) return null;
    await appendListingEvent(tx, listing, by, 'listing.changed', { change: 'pictures_approved' });
    return { action: 'approve_pictures', replaced: { pictures } };
  });

/** The owner sees the reason next to each declined picture. */
export async function declinePictures(context: Context, input: Decision): Promise<Listing> {
  const reason = parseReason(input.reason ?? '');
  return await decideProposal(context, input, async ({ tx, listing, ...by }) => {
    const pictures = await declineWaiting(tx, listing.id, reason);
    if (pictures.length === 0) return null;
    await appendListingEvent(tx, listing, by, 'listing.changed', { change: 'pictures_declined', reason });
    return { action: 'decline_pictures', replaced: { pictures } };
  });
}

const hasTextsToDecide = ({ texts_changed_at, state }: Listing): boolean =>
  texts_changed_at !== null && hasLiveVersion(state);

/** Publishes the waiting texts and offers, and accepts the texts that the owner has replaced. */
export const approveTexts = (context: Context, input: Decision): Promise<Listing> =>
  decideProposal(context, input, async ({ tx, listing, ...by }) => {
    if (!hasTextsToDecide(listing)) return null;
    const changes = readTextChanges(listing);
    const offers = await changeOffers(tx, listing, (offer) => publishedTexts(changes, offer));
    await appendListingEvent(tx, listing, by, 'listing.changed', { change: 'texts_approved' });
    const change = { ...valuesOf(changes.waiting, null), ...NO_TEXTS };
    return { action: 'approve_texts', change, replaced: { offers } };
  });

/**
 * Keeps the approved texts and restores the ones that the owner has replaced. Offers that were added without a review
 * are hidden. The owner sees the reason and may propose other texts. Begins the owner's month of good standing again.
 */
export async function restoreTexts(context: Context, input: Decision): Promise<Listing> {
  const reason = parseReason(input.reason ?? '');
  return await decideProposal(context, input, async ({ tx, listing, ...by }) => {
    if (!hasTextsToDecide(listing)) return null;
    const changes = readTextChanges(listing);
    const offers = await listOffers(tx, listing);
    const rowOf = (id: string | null) => (id === null ? listing : offers.find((offer) => offer.id === id));
    const hidden = new Set(offers.filter((offer) => !isRestorable(changes, offer)).map(({ id }) => id));
    const declined = declineTexts(changes, reason, rowOf, hidden);
    const changedOffers = await changeOffers(tx, listing, (offer) =>
      hidden.has(offer.id)
        ? { hidden_since: offer.hidden_since ?? by.at }
        : valuesOf(changes.approved, offer.id),
    );
    const standing = await readStanding(tx, listing.account_id);
    await setStanding(tx, listing.account_id, standingAfter(standing, 'sanctioned', by.at));
    await appendListingEvent(tx, listing, by, 'listing.changed', { change: 'texts_declined', reason });
    return {
      action: 'restore_texts',
      change: { ...valuesOf(changes.approved, null), ...textColumns(declined, NO_TEXTS, by.at) },
      replaced: { standing, offers: changedOffers },
    };
  });
}

/** Whether the offer has an approved version that still has a code or a link. */
function isRestorable(changes: TextChanges, offer: Offer): boolean {
  if (offer.hidden_since !== null || isAddedOffer(changes, offer.id)) return false;
  if (Object.keys(valuesOf(changes.approved, offer.id)).length === 0) return true;
  return tried(() => requireLinkOrCode(withApprovedTexts(offer, changes, offer.id))) === undefined;
}
