/** What a decision of the operator replaced, kept on the listing until its next change, and restoring it. */
import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import type { Actor } from '../events/queries.ts';
import type { LinksOfOffer } from '../offers/offer.ts';
import { restoreLinks } from '../offers/queries.ts';
import { toIso } from '../text/time-text.ts';
import { UNDO_WINDOW_MS } from './listing.ts';
import { appendListingEvent, type Listing, lockListing, updateListing } from './queries.ts';

const COLUMNS = [
  'state',
  'reason',
  'url',
  'origin',
  'decided_at',
  'proposed_url',
  'proposed_at',
  'declined_reason',
  'last_live',
  'asked',
  'reply',
] as const satisfies readonly (keyof Listing)[];

export interface Undo {
  readonly action: string;
  readonly at: string;
  readonly listing: Pick<Listing, (typeof COLUMNS)[number]>;
  readonly offers: readonly LinksOfOffer[];
}

export const undoOf = (
  { action, at }: Pick<Undo, 'action' | 'at'>,
  listing: Listing,
  offers: readonly LinksOfOffer[],
): string => {
  const before = Object.fromEntries(COLUMNS.map((column) => [column, listing[column]]));
  return JSON.stringify({ action, at, listing: before, offers });
};

export const readUndo = (json: string): Undo => JSON.parse(json) as Undo;

/**
 * Undoes the last decision within 30 seconds, if nothing has changed since. Claims made in between stay. `version`: after
 * the decision, as its verb returned it.
 */
export async function undoDecision(
  context: Context,
  input: { readonly listing: string; readonly version: number; readonly actor: Actor },
): Promise<Listing> {
  const now = context.now();
  return await context.db.transaction(async (tx) => {
    const listing = await lockListing(tx, context.db.engine, input.listing);
    if (listing.undo === null || listing.version !== input.version) {
      throw invalid('This decision cannot be undone: the listing has changed since.');
    }
    const undo = readUndo(listing.undo);
    if (now - Date.parse(undo.at) > UNDO_WINDOW_MS) {
      throw invalid(`The ${UNDO_WINDOW_MS / 1_000} seconds to undo this decision have passed.`);
    }
    await restoreLinks(tx, listing, undo.offers);
    const restored = await updateListing(tx, listing, undo.listing);
    await appendListingEvent(tx, listing, { at: toIso(now), actor: input.actor }, 'listing.changed', {
      change: 'decision_undone',
      decision: undo.action,
      from: listing.state,
      to: restored.state,
    });
    return restored;
  });
}
