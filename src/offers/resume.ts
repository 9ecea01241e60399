import type { Context } from '../context.ts';
import { type Offer, updateOffer } from './queries.ts';
import { changeOffer, type OfferToChange } from './write.ts';

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
