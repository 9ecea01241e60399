import type { Context } from '../context.ts';
import type { PersonActor } from '../events/queries.ts';
import { moveListing } from './move.ts';
import { type Listing, lockOwnListing } from './queries.ts';

export interface SubmitListing {
  /** Slug or id. */
  readonly listing: string;
  readonly actor: PersonActor;
}

/** Puts a listing into the operator's queue. Refuses one that is not a draft, sent back or withdrawn. */
export async function submitListing(context: Context, input: SubmitListing): Promise<Listing> {
  const at = new Date(context.now()).toISOString();
  return await context.db.transaction(async (tx) => {
    const listing = await lockOwnListing(tx, context.db.engine, input.listing, input.actor);
    return await moveListing(tx, listing, { action: 'submit', at, actor: input.actor });
  });
}
