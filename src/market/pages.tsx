/** The public pages: the marketplace, a listing with its offers, and the POST that claims an offer. */

import { arrivedLabel, viaOf } from '../campaigns/label.ts';
import { claimOffer } from '../claims/claim-offer.ts';
import { readClaimsOnListing } from '../claims/claimant-queries.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import { missing, type PageApp, type PageContext, page, readForm, redirect } from '../http/pages/pages.ts';
import { KINDS } from '../offers/offer.ts';
import { withoutDirectionMarks } from '../text/text.ts';
import { claimPath } from './claims/paths.ts';
import { MarketPage } from './index-page.tsx';
import { ListingPage, type RefusedClaim } from './listing-page.tsx';
import { signInPath } from './paths.ts';
import { findPublicListing, listMarket, type PublicListing } from './queries.ts';

export function marketPages(app: PageApp, context: Context): void {
  app.get('/', async (c) => {
    const search = withoutDirectionMarks(c.req.query('q') ?? '').trim();
    const kind = KINDS.find((known) => known === c.req.query('kind')) ?? null;
    const after = c.req.query('after');
    const { listings, next } = await listMarket(context.db.read, {
      search,
      kind: kind ?? undefined,
      after,
      now: context.now(),
    });
    const isFirst = after === undefined;
    return page(c, <MarketPage {...{ listings, next, search, kind, isFirst }} />, {
      title: 'Marketplace',
      shared: { reads: ['q', 'kind', 'after'], kept: 'briefly' },
    });
  });

  app.get('/l/:slug', async (c) => {
    const listing = await findPublicListing(context.db.read, c.req.param('slug'), context.now());
    if (listing === null) throw missing();
    return showListing(c, listing, arrivedLabel(viaOf(new URL(c.req.url).searchParams)));
  });

  app.post('/l/:slug/offers/:offer/claim', async (c) => {
    const offerId = c.req.param('offer');
    const form = await readForm(c);
    const via = arrivedLabel(form.text('via') || form.text('unread_via'));
    const listing = await findPublicListing(context.db.read, c.req.param('slug'), context.now());
    if (listing === null) throw missing();
    if (listing.state === 'approved' && !listing.offers.some(({ id }) => id === offerId)) throw missing();
    const viewer = c.get('viewer');
    // Not signed in, perhaps since the page was opened: the sign-in path keeps offer and label.
    if (viewer === null) return redirect(c, signInPath({ slug: listing.slug, via, offerId }));
    try {
      const { claimId } = await claimOffer(context, {
        claimantAccountId: viewer.accountId,
        listing: listing.slug,
        offerId,
        via,
      });
      return redirect(c, claimPath(claimId));
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'invalid_request') throw error;
      // It ended between the page and the click: the new page says why.
      const now = await findPublicListing(context.db.read, listing.slug, context.now());
      if (now === null) throw missing();
      return showListing(c, now, via, { offerId, sentence: error.message });
    }
  });

  async function showListing(
    c: PageContext,
    listing: PublicListing,
    via: string | null,
    refused: RefusedClaim | null = null,
  ): Promise<Response> {
    const viewer = c.get('viewer');
    const claims =
      viewer === null ? [] : await readClaimsOnListing(context.db.read, viewer.accountId, listing.id);
    return page(
      c,
      <ListingPage
        listing={listing}
        via={via}
        claims={claims}
        isSignedIn={viewer !== null}
        refused={refused}
      />,
      {
        title: listing.name,
        status: refused === null ? 200 : 409,
        shared: { reads: ['via'], kept: 'briefly' },
      },
    );
  }
}
