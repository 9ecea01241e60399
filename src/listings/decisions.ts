/** What the operator decides on a listing, and the steps of its owner. */
import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { isOperatorActor, type PersonActor } from '../events/queries.ts';
import { listOffers } from '../offers/queries.ts';
import { optional, parseReply } from '../text/text.ts';
import { transition } from './listing.ts';
import { type Decision, decideListing, moveListing } from './move.ts';
import { type Listing, lockOwnListing } from './queries.ts';

/** Approves a pending listing, which pins its origin and publishes its links, or lifts a suspension. */
export const approveListing = (context: Context, input: Decision): Promise<Listing> =>
  decideListing(context, input, ({ state }) => (state === 'suspended' ? 'lift' : 'approve'));

/** Lets a suspended listing take claims again, in its approved version. */
export const liftSuspension = (context: Context, input: Decision): Promise<Listing> =>
  decideListing(context, input, () => 'lift');

export const rejectListing = (context: Context, input: Decision): Promise<Listing> =>
  decideListing(context, input, () => 'reject');

export const requestChanges = (context: Context, input: Decision): Promise<Listing> =>
  decideListing(context, input, () => 'request_changes');

/** Stops new claims on an approved listing. Claims already made stay redeemable. */
export const suspendListing = (context: Context, input: Decision): Promise<Listing> =>
  decideListing(context, input, () => 'suspend');

export interface SubmitListing {
  readonly listing: string;
  /** The answer to the changes that the operator asked for. */
  readonly reply?: string | undefined;
  readonly actor: PersonActor;
}

/** Puts a draft, sent-back or withdrawn listing with an offer into the operator's queue. */
export async function submitListing(context: Context, input: SubmitListing): Promise<Listing> {
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
export async function withdrawListing(
  context: Context,
  input: { readonly listing: string; readonly actor: PersonActor },
): Promise<Listing> {
  const at = context.at();
  return await context.db.transaction(async (tx) => {
    const listing = await lockOwnListing(tx, context.db.engine, input.listing, input.actor);
    return await moveListing(tx, listing, { action: 'withdraw', at, actor: input.actor });
  });
}
