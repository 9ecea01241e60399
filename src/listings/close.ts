import type { Context } from '../context.ts';
import { appendEvent } from '../events/queries.ts';
import { deleteCodesLeft } from '../offers/code-queries.ts';
import { deleteOfferRows, hasClaims, listOffers } from '../offers/queries.ts';
import type { Engine, Transaction } from '../store/database.ts';
import { DIALECTS } from '../store/dialects.ts';
import { NO_PROPOSAL } from './move.ts';
import { deleteListingRow, type Listing, lockListing, updateListing } from './queries.ts';

/**
 * Takes a listing of a deleted account off the marketplace. It is kept with what was public, since claims refer to it; a
 * listing that was never live and has no claim is deleted with its offers. Does nothing if it is closed already.
 */
export const closeListing = (
  context: Pick<Context, 'db' | 'at' | 'now'>,
  { listingId, accountId }: { readonly listingId: string; readonly accountId: string },
): Promise<void> =>
  context.db.transaction(async (tx) => {
    const listing = await lockListing(tx, context.db.engine, listingId);
    const data = (await deleteUnseen(context, tx, listing))
      ? ({ type: 'listing.changed', data: { slug: listing.slug, change: 'deleted' } } as const)
      : await withdraw(tx, context.db.engine, listing);
    if (data === null) return;
    await appendEvent(tx, {
      ...data,
      accountId,
      at: context.at(),
      actor: `account:${accountId}`,
      subjectId: listing.id,
    });
  });

async function deleteUnseen(
  { db }: Pick<Context, 'db'>,
  tx: Transaction,
  listing: Listing,
): Promise<boolean> {
  if (listing.origin !== null) return false;
  const offers = await listOffers(tx, listing);
  for (const offer of offers) if (await hasClaims(tx, db.engine, offer)) return false;
  await deleteOfferRows(
    tx,
    offers.map(({ id }) => id),
  );
  await deleteListingRow(tx, listing);
  return true;
}

/** Codes that nobody was given are the owner's. A suspended listing stays suspended, and takes no claims either. */
async function withdraw(tx: Transaction, engine: Engine, listing: Listing) {
  for (const offer of await listOffers(tx, listing)) {
    await DIALECTS[engine].takeLock(tx, offer.id);
    await deleteCodesLeft(tx, offer);
  }
  const { state } = listing;
  if (state === 'withdrawn') return null;
  const to = state === 'suspended' ? state : 'withdrawn';
  await updateListing(tx, listing, { state: to, last_live: null, asked: null, reply: null, ...NO_PROPOSAL });
  return state === to
    ? null
    : ({ type: 'listing.withdrawn', data: { slug: listing.slug, from: state, to } } as const);
}
