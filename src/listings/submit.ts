import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { isOperatorActor, type PersonActor } from '../events/queries.ts';
import { listOffers } from '../offers/queries.ts';
import { optional, parseReply } from '../text.ts';
import { transition } from './listing.ts';
import { moveListing } from './move.ts';
import { type Listing, lockOwnListing } from './queries.ts';

export interface SubmitListing {
  /** Slug or id. */
  readonly listing: string;
  /** The answer to the changes that the operator asked for. */
  readonly reply?: string | undefined;
  readonly actor: PersonActor;
}

/** Puts a listing into the operator's queue. Refuses an owner's listing without an offer, and one that is not a draft, sent back or withdrawn. */
export async function submitListing(context: Context, input: SubmitListing): Promise<Listing> {
  const at = new Date(context.now()).toISOString();
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
