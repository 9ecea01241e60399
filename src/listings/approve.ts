import type { Context } from '../context.ts';
import type { Actor } from '../events/queries.ts';
import { moveListing } from './move.ts';
import { findListing, type Listing } from './queries.ts';

export interface ApproveListing {
  /** Slug or id. */
  readonly listing: string;
  readonly actor: Actor;
}

/** Lets a pending or suspended listing take claims, and pins the origin of its url. */
export async function approveListing(context: Context, input: ApproveListing): Promise<Listing> {
  const at = new Date(context.now()).toISOString();
  return await context.db.transaction(async (tx) => {
    const listing = await findListing(tx, input.listing);
    return await moveListing(tx, listing, { action: 'approve', at, actor: input.actor });
  });
}
