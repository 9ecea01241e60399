import type { Context } from '../context.ts';
import { type Offer, updateOffer } from './queries.ts';
import { changeOffer, type OfferToChange } from './write.ts';

/** Stops new claims on an offer until it is resumed; claims already made stay redeemable. Does nothing if paused. */
export const pauseOffer = (context: Context, input: OfferToChange): Promise<Offer> =>
  changeOffer(context, input, async (tx, offer, listing, at) =>
    offer.paused_at !== null
      ? null
      : {
          offer: await updateOffer(tx, offer, { paused_at: at }),
          data: { change: 'paused', listing: listing.slug, offer: offer.offer },
        },
  );

/** Lets a paused offer take claims again. Does nothing if it is not paused. */
export const resumeOffer = (context: Context, input: OfferToChange): Promise<Offer> =>
  changeOffer(context, input, async (tx, offer, listing) =>
    offer.paused_at === null
      ? null
      : {
          offer: await updateOffer(tx, offer, { paused_at: null }),
          data: { change: 'resumed', listing: listing.slug, offer: offer.offer },
        },
  );
