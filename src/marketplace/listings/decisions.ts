import type { Context } from '../../base/context.ts';
import { type Actor, appendEvent } from '../../base/events/queries.ts';
import { requirePublisher } from '../../people/accounts/policy.ts';
import { findAccount, lockAccount } from '../../people/accounts/queries.ts';
import { acceptByPublishing } from '../../people/accounts/terms.ts';
import { isNewcomer } from '../../people/growth/growth.ts';
import { invalid } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { optional, parseReason, parseReply } from '../../platform/text/text.ts';
import { NO_LINK_PROPOSAL } from '../offers/offer.ts';
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
import { parseListingUrl } from './fields.ts';
import { LISTING_ACTIONS, type ListingAction, MAX_PENDING_OF_NEWCOMER, transition } from './listing.ts';
import { moveListing, NO_PROPOSAL, undoOf } from './move.ts';
import {
  type ChangeBy,
  countListings,
  isOperators,
  type Listing,
  lockListing,
  lockOwnListing,
  requireSeen,
  updateListing,
} from './queries.ts';
import { withdrawQuestions } from './question-queries.ts';
import { closeReports } from './report-queries.ts';
import { requireOpenReports } from './reports.ts';

export interface Decision {
  readonly listing: string;
  /** Shown to the owner. Required when requesting changes, rejecting a listing or declining pictures. */
  readonly reason?: string | null | undefined;
  /** The version that the operator's page showed. The decision is refused if the listing has a newer version. */
  readonly version?: number | undefined;
  /** For a suspension because of reports: the creation time of the newest one that the operator saw. */
  readonly reportsUpTo?: string;
  readonly actor: Actor;
}

const decide =
  (actionFor: (listing: Listing) => ListingAction) =>
  async (context: Context, input: Decision): Promise<Listing> => {
    const at = context.at();
    const typedReason = optional(input.reason, parseReason);
    return await context.db.transaction(async (tx) => {
      const listing = await lockListing(tx, context.db.engine, input.listing);
      const action = actionFor(listing);
      // An owner who keeps editing can't hold up a suspension.
      if (action !== 'suspend') requireSeen(listing, input.version);
      transition(listing.state, action);
      if (input.reportsUpTo !== undefined) await requireOpenReports(tx, listing.id, input.reportsUpTo);
      const reason = LISTING_ACTIONS[action].needsReason ? parseReason(typedReason ?? '') : typedReason;
      const moved = await moveListing(tx, listing, { action, at, actor: input.actor, reason });
      // Suspending the listing resolves all reports about it.
      if (action === 'suspend') {
        await closeReports(tx, { listingId: listing.id, upTo: at, at });
        await withdrawQuestions(tx, listing.id);
      }
      return moved;
    });
  };

/** Lifts a suspension or approves a pending listing. Approval publishes links and pictures and pins the origin. */
export const approveListing = decide(({ state }) => (state === 'suspended' ? 'lift' : 'approve'));

/** The listing takes claims again. Its proposed URL, links and pictures still need a decision. */
export const liftSuspension = decide(() => 'lift');
export const rejectListing = decide(() => 'reject');
export const requestChanges = decide(() => 'request_changes');

/** Stops new claims. Existing claims stay redeemable. */
export const suspendListing = decide(() => 'suspend');

interface OwnerStep extends ChangeBy {
  readonly listing: string;
}

/** Owners need an offer, operators don't. `reply`: the owner's answer to requested changes. */
export async function submitListing(
  context: Context,
  input: OwnerStep & { readonly reply?: string | undefined },
): Promise<Listing> {
  const at = context.at();
  const reply = optional(input.reply, parseReply);
  return await context.db.transaction(async (tx) => {
    const listing = await lockOwnListing(tx, context.db.engine, input);
    transition(listing.state, 'submit');
    if (!isOperators(input)) {
      const account = await findAccount(tx, listing.account_id);
      await requirePublisher(tx, account);
      await acceptByPublishing(context, tx, { account, actor: input.actor });
      if ((await listOffers(tx, listing)).length === 0) {
        throw invalid(message('The listing has no offer yet. Add one before you submit it.'));
      }
      await lockAccount(tx, context.db.engine, account.id);
      await refuseManyPending(tx, account.id);
    }
    return await moveListing(tx, listing, { action: 'submit', at, actor: input.actor, reply });
  });
}

async function refuseManyPending(tx: Transaction, accountId: string): Promise<void> {
  if ((await countListings(tx, accountId, 'pending')) < MAX_PENDING_OF_NEWCOMER) return;
  if (!(await isNewcomer(tx, accountId))) return;
  throw invalid(
    message(
      'At most {most} listings can wait for review until the operator has approved your first one. Nothing is lost: submit this one after the next decision.',
      { most: MAX_PENDING_OF_NEWCOMER },
    ),
  );
}

/** Takes an approved listing off the marketplace. Existing claims stay redeemable. */
export async function withdrawListing(context: Context, input: OwnerStep): Promise<Listing> {
  const at = context.at();
  return await context.db.transaction(async (tx) => {
    const listing = await lockOwnListing(tx, context.db.engine, input);
    return await moveListing(tx, listing, { action: 'withdraw', at, actor: input.actor });
  });
}

interface DecideProposal extends Pick<Decision, 'listing' | 'version' | 'actor'> {
  /** The offer whose link is approved or declined. If omitted, the decision is about the listing's URL. */
  readonly offerId?: string | undefined;
}

/** Approving a new URL pins its origin and publishes the proposed links that have this origin. */
export async function approveProposal(context: Context, input: DecideProposal): Promise<Listing> {
  return await onProposal(context, input, async ({ tx, listing, offer, at, proposed, event }) => {
    if (offer !== null) {
      await updateOffer(tx, offer, { redemption_link: offer.proposed_link, ...NO_LINK_PROPOSAL });
      const data = { change: 'link_approved', ...linkOf(offer, proposed) } as const;
      await appendEvent(tx, { ...event, type: 'offer.changed', data });
      const undo = undoOf({ action: 'approve_link', at }, listing, { offers: [beforeDecision(offer)] });
      return await updateListing(tx, listing, { undo }, at);
    }
    const { url, origin } = parseListingUrl(proposed);
    const offers = await changeOffers(tx, listing, (offer) => publishedLink(offer, origin));
    const data = { change: 'url_approved', slug: listing.slug, url: proposed } as const;
    await appendEvent(tx, { ...event, type: 'listing.changed', data });
    const undo = undoOf({ action: 'approve_url', at }, listing, { offers });
    return await updateListing(tx, listing, { url, origin, ...NO_PROPOSAL, undo }, at);
  });
}

/** Keeps the live URL or link. The owner sees the reason and may propose another URL or link. */
export async function declineProposal(
  context: Context,
  input: DecideProposal & { readonly reason: string | null },
): Promise<Listing> {
  const reason = parseReason(input.reason ?? '');
  return await onProposal(context, input, async ({ tx, listing, offer, at, proposed, event }) => {
    if (offer !== null) {
      await updateOffer(tx, offer, { declined_reason: reason });
      const data = { change: 'link_declined', ...linkOf(offer, proposed), reason } as const;
      await appendEvent(tx, { ...event, type: 'offer.changed', data });
      const undo = undoOf({ action: 'decline_link', at }, listing, { offers: [beforeDecision(offer)] });
      return await updateListing(tx, listing, { undo }, at);
    }
    const data = { change: 'url_declined', slug: listing.slug, url: proposed, reason } as const;
    await appendEvent(tx, { ...event, type: 'listing.changed', data });
    const undo = undoOf({ action: 'decline_url', at }, listing);
    return await updateListing(tx, listing, { declined_reason: reason, undo }, at);
  });
}

interface Proposal {
  readonly tx: Transaction;
  readonly listing: Listing;
  /** The offer whose link is proposed; `null` if the listing's URL is proposed. */
  readonly offer: Offer | null;
  readonly at: string;
  /** The proposed URL or link. */
  readonly proposed: string;
  /** The event's members apart from its type and data. */
  readonly event: Readonly<Record<'accountId' | 'at' | 'subjectId', string>> & { readonly actor: Actor };
}

const linkOf = ({ offer }: Offer, link: string) => ({ offer, origin: linkOrigin(link) });

/** Throws a refusal if the URL or link has no pending proposal. */
async function onProposal(
  context: Context,
  input: DecideProposal,
  decide: (proposal: Proposal) => Promise<Listing>,
): Promise<Listing> {
  const at = context.at();
  return await context.db.transaction(async (tx) => {
    const listing = await lockListing(tx, context.db.engine, input.listing);
    requireSeen(listing, input.version);
    const offer = input.offerId === undefined ? null : await findOfferOf(tx, listing, input.offerId);
    const proposed = offer === null ? listing.proposed_url : offer.proposed_link;
    if (proposed === null || (offer ?? listing).declined_reason !== null) {
      throw invalid(message('Everything here has already been decided. Reload the page.'));
    }
    const { actor } = input;
    const event = { accountId: listing.account_id, at, actor, subjectId: (offer ?? listing).id };
    return await decide({ tx, listing, offer, at, proposed, event });
  });
}
