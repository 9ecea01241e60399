import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { appendEvent } from '../events/queries.ts';
import { updateListing } from '../listings/queries.ts';
import { isOfferDeletable } from './offer.ts';
import { deleteOfferRows, hasClaims, listOffers } from './queries.ts';
import { lockOfferToChange, type OfferToChange } from './write.ts';

/** Deletes an offer that was never live and has no claims. Its events stay. */
export async function deleteOffer(context: Context, input: OfferToChange): Promise<void> {
  const at = context.at();
  await context.db.transaction(async (tx) => {
    const { offer, listing } = await lockOfferToChange(context, tx, input);
    if (!isOfferDeletable(offer, listing)) {
      throw invalid('An offer that was live cannot be deleted. Pause it instead.');
    }
    if (listing.state === 'pending' && (await listOffers(tx, listing)).length === 1) {
      throw invalid('The only offer of a listing in review cannot be deleted.');
    }
    if (await hasClaims(tx, context.db.engine, offer)) {
      throw invalid('The offer has claims, perhaps test claims, so it cannot be deleted. Pause it instead.');
    }
    await deleteOfferRows(tx, [offer.id]);
    await updateListing(tx, listing, {});
    await appendEvent(tx, {
      accountId: offer.account_id,
      type: 'offer.changed',
      at,
      actor: input.actor,
      subjectId: offer.id,
      data: { change: 'deleted', listing: listing.slug, offer: offer.offer },
    });
  });
}
