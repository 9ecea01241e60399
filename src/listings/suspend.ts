import type { Context } from '../context.ts';
import type { Actor } from '../events/queries.ts';
import { moveListing } from './move.ts';
import { findListing, type Listing } from './queries.ts';

export interface SuspendListing {
  /** Slug or id. */
  readonly listing: string;
  readonly actor: Actor;
}

/** Stops new claims on an approved listing. Claims already made stay redeemable. */
export async function suspendListing(context: Context, input: SuspendListing): Promise<Listing> {
  const at = new Date(context.now()).toISOString();
  return await context.db.transaction(async (tx) => {
    const listing = await findListing(tx, input.listing);
    return await moveListing(tx, listing, { action: 'suspend', at, actor: input.actor });
  });
}
