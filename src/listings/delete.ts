import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { appendEvent, type PersonActor } from '../events/queries.ts';
import { deleteOfferRows, hasClaims, listOffers } from '../offers/queries.ts';
import { isDeletable } from './listing.ts';
import { deleteListingRow, lockOwnListing } from './queries.ts';

/** Deletes a listing that was never live, with its offers. Its events stay. Refuses one whose offers have claims. */
export async function deleteListing(
  context: Context,
  input: { readonly listing: string; readonly actor: PersonActor },
): Promise<void> {
  const at = context.at();
  await context.db.transaction(async (tx) => {
    const listing = await lockOwnListing(tx, context.db.engine, input.listing, input.actor);
    if (!isDeletable(listing)) {
      throw invalid('Only a draft that was never live can be deleted. Withdraw the listing instead.');
    }
    const offers = await listOffers(tx, listing);
    for (const offer of offers) {
      if (await hasClaims(tx, context.db.engine, offer)) {
        throw invalid(
          'Its offers have claims, perhaps test claims. A listing with claims cannot be deleted.',
        );
      }
    }
    await deleteOfferRows(
      tx,
      offers.map(({ id }) => id),
    );
    await deleteListingRow(tx, listing);
    await appendEvent(tx, {
      accountId: listing.account_id,
      type: 'listing.changed',
      at,
      actor: input.actor,
      subjectId: listing.id,
      data: { slug: listing.slug, change: 'deleted' },
    });
  });
}
