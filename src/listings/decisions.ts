/** What the operator decides on a listing, and the steps of its owner. */
import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { type Actor, isOperatorActor, type PersonActor } from '../events/queries.ts';
import { listOffers } from '../offers/queries.ts';
import { optional, parseReason, parseReply } from '../text/text.ts';
import { LISTING_ACTIONS, type ListingAction, transition } from './listing.ts';
import { moveListing } from './move.ts';
import { type Listing, lockListing, lockOwnListing, requireSeen } from './queries.ts';

export interface Decision {
  readonly listing: string;
  /** Shown to the owner; required where the owner must change something. */
  readonly reason?: string | null | undefined;
  /** The version on the operator's page; a newer version refuses the decision. */
  readonly version?: number | undefined;
  readonly actor: Actor;
}

async function decideListing(
  context: Context,
  input: Decision,
  actionFor: (listing: Listing) => ListingAction,
): Promise<Listing> {
  const at = context.at();
  const given = optional(input.reason, parseReason);
  return await context.db.transaction(async (tx) => {
    const listing = await lockListing(tx, context.db.engine, input.listing);
    requireSeen(listing, input.version);
    const action = actionFor(listing);
    transition(listing.state, action);
    const reason = LISTING_ACTIONS[action].needsReason ? parseReason(given ?? '') : given;
    return await moveListing(tx, listing, { action, at, actor: input.actor, reason });
  });
}

/** Approves a pending listing, which pins its origin and publishes its links, or lifts a suspension. */
export const approveListing = (context: Context, input: Decision): Promise<Listing> =>
  decideListing(context, input, ({ state }) => (state === 'suspended' ? 'lift' : 'approve'));

/** Ends a suspension: the listing takes claims again, in its approved version. */
export const liftSuspension = (context: Context, input: Decision): Promise<Listing> =>
  decideListing(context, input, () => 'lift');

export const rejectListing = (context: Context, input: Decision): Promise<Listing> =>
  decideListing(context, input, () => 'reject');

export const requestChanges = (context: Context, input: Decision): Promise<Listing> =>
  decideListing(context, input, () => 'request_changes');

/** Stops new claims on an approved listing. Claims already made stay redeemable. */
export const suspendListing = (context: Context, input: Decision): Promise<Listing> =>
  decideListing(context, input, () => 'suspend');

interface OwnerStep {
  readonly listing: string;
  readonly actor: PersonActor;
}

/**
 * Puts a draft, sent-back or withdrawn listing with an offer into the operator's queue. `reply`: the answer to the
 * changes that the operator asked for.
 */
export async function submitListing(
  context: Context,
  input: OwnerStep & { readonly reply?: string | undefined },
): Promise<Listing> {
  const at = context.at();
  const reply = optional(input.reply, parseReply);
  return await context.db.transaction(async (tx) => {
    const listing = await lockOwnListing(tx, context.db.engine, input.listing, input.actor);
    transition(listing.state, 'submit');
    if (!isOperatorActor(input.actor) && (await listOffers(tx, listing)).length === 0) {
      throw invalid('The listing has no offer yet. Add one before you submit it.');
    }
    return await moveListing(tx, listing, { action: 'submit', at, actor: input.actor, reply });
  });
}

/** Takes an approved listing off the marketplace. Claims already made stay redeemable. */
export async function withdrawListing(context: Context, input: OwnerStep): Promise<Listing> {
  const at = context.at();
  return await context.db.transaction(async (tx) => {
    const listing = await lockOwnListing(tx, context.db.engine, input.listing, input.actor);
    return await moveListing(tx, listing, { action: 'withdraw', at, actor: input.actor });
  });
}
