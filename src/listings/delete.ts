/** Deletes a listing that nobody has seen, and takes the listings of a deleted account off the marketplace. */
import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import type { PersonActor } from '../events/queries.ts';
import { deleteCodesLeft } from '../offers/code-queries.ts';
import { deleteOfferRows, hasClaims, listOffers } from '../offers/queries.ts';
import type { Engine, Transaction } from '../store/database.ts';
import { DIALECTS } from '../store/dialects.ts';
import { isDeletable } from './listing.ts';
import { NO_PROPOSAL } from './move.ts';
import {
  appendListingEvent,
  deleteListingRow,
  type Listing,
  lockListing,
  lockOwnListing,
  updateListing,
} from './queries.ts';

/** Deletes a listing that was never live, with its offers. Its events stay. Refuses one whose offers have claims. */
export async function deleteListing(
  context: Context,
  input: { readonly listing: string; readonly actor: PersonActor },
): Promise<void> {
  const { db } = context;
  const step = { at: context.at(), actor: input.actor };
  await db.transaction(async (tx) => {
    const listing = await lockOwnListing(tx, db.engine, input.listing, input.actor);
    if (!isDeletable(listing)) {
      throw invalid('Only a draft that was never live can be deleted. Withdraw the listing instead.');
    }
    if (!(await deleteUnclaimed(tx, db.engine, listing))) {
      throw invalid('Its offers have claims, perhaps test claims. A listing with claims cannot be deleted.');
    }
    await appendListingEvent(tx, listing, step, 'listing.changed', { change: 'deleted' });
  });
}

/** Deletes a listing and its offers. False, deleting nothing, if one of them has claims. */
async function deleteUnclaimed(tx: Transaction, engine: Engine, listing: Listing): Promise<boolean> {
  const offers = await listOffers(tx, listing);
  for (const offer of offers) if (await hasClaims(tx, engine, offer)) return false;
  await deleteOfferRows(
    tx,
    offers.map(({ id }) => id),
  );
  await deleteListingRow(tx, listing);
  return true;
}

/**
 * Takes a listing of a deleted account off the marketplace. It is kept with what was public, since claims refer to it; a
 * listing that was never live and has no claim is deleted with its offers. Does nothing if it is closed already.
 */
export const closeListing = (
  context: Pick<Context, 'db' | 'at' | 'now'>,
  { listingId, accountId }: { readonly listingId: string; readonly accountId: string },
): Promise<void> =>
  context.db.transaction(async (tx) => {
    const { engine } = context.db;
    const step = { at: context.at(), actor: `account:${accountId}` } as const;
    const listing = await lockListing(tx, engine, listingId);
    if (listing.origin === null && (await deleteUnclaimed(tx, engine, listing))) {
      await appendListingEvent(tx, listing, step, 'listing.changed', { change: 'deleted' });
      return;
    }
    // Codes that nobody was given are the owner's.
    for (const offer of await listOffers(tx, listing)) {
      await DIALECTS[engine].takeLock(tx, offer.id);
      await deleteCodesLeft(tx, offer);
    }
    const { state } = listing;
    if (state === 'withdrawn') return;
    // A suspended listing stays suspended, and takes no claims either.
    const to = state === 'suspended' ? state : 'withdrawn';
    await updateListing(tx, listing, {
      state: to,
      last_live: null,
      asked: null,
      reply: null,
      ...NO_PROPOSAL,
    });
    if (state !== to) await appendListingEvent(tx, listing, step, 'listing.withdrawn', { from: state, to });
  });
