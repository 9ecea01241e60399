import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { type Actor, appendEvent } from '../events/queries.ts';
import { restoreLinks } from '../offers/queries.ts';
import { UNDO_WINDOW_MS } from './listing.ts';
import { type Listing, lockListing, updateListing } from './queries.ts';
import { readUndo } from './undo.ts';

export interface UndoDecision {
  /** Slug or id. */
  readonly listing: string;
  /** The version after the decision, as its verb returned it. */
  readonly version: number;
  readonly actor: Actor;
}

/**
 * Undoes the operator's last decision on a listing or one of its links, within 30 seconds and only if the listing and
 * its offers have not changed since. Claims made meanwhile stay.
 */
export async function undoDecision(context: Context, input: UndoDecision): Promise<Listing> {
  const now = context.now();
  return await context.db.transaction(async (tx) => {
    const listing = await lockListing(tx, context.db.engine, input.listing);
    if (listing.undo === null || listing.version !== input.version) {
      throw invalid('The decision cannot be taken back: the listing has changed since.');
    }
    const undo = readUndo(listing.undo);
    if (now - Date.parse(undo.at) > UNDO_WINDOW_MS) {
      throw invalid(`A decision can be taken back for ${UNDO_WINDOW_MS / 1_000} seconds; they are over.`);
    }
    await restoreLinks(tx, listing, undo.offers);
    const restored = await updateListing(tx, listing, undo.listing);
    await appendEvent(tx, {
      accountId: listing.account_id,
      type: 'listing.changed',
      at: new Date(now).toISOString(),
      actor: input.actor,
      subjectId: listing.id,
      data: {
        slug: listing.slug,
        change: 'decision_undone',
        decision: undo.action,
        from: listing.state,
        to: restored.state,
      },
    });
    return restored;
  });
}
