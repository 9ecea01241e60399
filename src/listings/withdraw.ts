import type { Context } from '../context.ts';
import type { PersonActor } from '../events/queries.ts';
import { moveListing } from './move.ts';
import { type Listing, lockOwnListing } from './queries.ts';

export interface WithdrawListing {
  /** Slug or id. */
  readonly listing: string;
  readonly actor: PersonActor;
}

/** Takes an approved listing off the marketplace. Claims already made stay redeemable. */
export async function withdrawListing(context: Context, input: WithdrawListing): Promise<Listing> {
  const at = new Date(context.now()).toISOString();
  return await context.db.transaction(async (tx) => {
    const listing = await lockOwnListing(tx, context.db.engine, input.listing, input.actor);
    return await moveListing(tx, listing, { action: 'withdraw', at, actor: input.actor });
  });
}
