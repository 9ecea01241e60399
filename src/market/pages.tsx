/** The public pages: the marketplace, a listing with its offers, and the POST that claims an offer. */

import type { IncomingMessage } from 'node:http';
import { dropIntent, intentCookie, isIntended } from '../accounts/sealed-cookies.ts';
import { arrivedLabel, viaOf } from '../campaigns/label.ts';
import { type Caller, visitOf } from '../campaigns/visit.ts';
import type { VisitCounter } from '../campaigns/visits.ts';
import type { ClaimQueue } from '../claims/claim-offer.ts';
import { readClaimsOnListing } from '../claims/claimant-queries.ts';
import type { Context } from '../context.ts';
import { nothingThere, Refusal } from '../errors.ts';
import {
  type PageApp,
  type PageContext,
  page,
  readForm,
  redirect,
  requireFound,
  SIGN_IN_PATH,
  withNext,
} from '../http/pages/pages.ts';
import { clientAddressOf } from '../http/server/client-address.ts';
import { leavePlace } from '../http/server/places.ts';
import { isShared, type Shared } from '../http/server/shared-answers.ts';
import { t, wordsOf } from '../languages/translate.ts';
import { type FormInput, type FormState, newForm } from '../ui/form-state.ts';
import type { Viewer } from '../ui/viewer.ts';
import { ClaimSignInPage, type ClaimSignInProps } from './claim-sign-in-page.tsx';
import { appHead, offerHead, siteHead } from './found/heads.ts';
import { HelpPage } from './help-page.tsx';
import { headingOf, MarketPage } from './index-page.tsx';
import { ListingPage, type RefusedClaim } from './listing-page.tsx';
import { isFiltered, isFront, MARKET_PARAMETERS } from './market-query.ts';
import { claimPagePath, claimPath, listingPath } from './paths.ts';
import { findPublicListing, type PublicListing, type PublicOffer } from './queries.ts';
import { readMarket } from './read-market.ts';

const CLAIM_ACTION = '/l/:slug/offers/:offer/claim';

/** How a person who is not signed in continues to a claim. */
export interface ClaimSignIn {
  readonly baseUrl: string;
  /** Whether people can sign in through an identity provider. */
  readonly hasProvider: boolean;
  /** Mails a code to the address in a form; resolves to `null` if the form is refused. `null`: no mail server. */
  readonly byMail: ((c: PageContext, form: FormInput, next: string) => Promise<Response | null>) | null;
}

/** The label of the share link, or an invalid text in its place. */
const arrivedOn = (c: PageContext): string | null => arrivedLabel(viaOf(new URL(c.req.url).searchParams));

export interface MarketServices {
  readonly context: Context;
  readonly claimOffer: ClaimQueue;
  readonly visits: Pick<VisitCounter, 'note'>;
}

const callerOf = (request: IncomingMessage): Caller => ({
  address: clientAddressOf(request),
  userAgent: request.headers['user-agent'],
  purposes: [request.headers['sec-purpose'], request.headers['purpose'], request.headers['x-moz']],
});

export function marketPages(
  app: PageApp,
  { context, claimOffer, visits }: MarketServices,
  signIn: ClaimSignIn,
): void {
  const services = { context, baseUrl: signIn.baseUrl };

  app.get('/', async (c) => {
    const { view, ...shown } = await readMarket(context, (name) => c.req.query(name));
    const { brand, look } = context.marketplace;
    return page(c, <MarketPage {...{ brand, view, ...shown }} />, {
      title: isFiltered(view) ? headingOf(view) : t('Marketplace'),
      head: siteHead(look, signIn.baseUrl, isFront(view)),
      shared: { reads: MARKET_PARAMETERS, kept: 'briefly' },
    });
  });

  app.get('/help', (c) =>
    page(c, <HelpPage hasMail={signIn.byMail !== null} />, {
      title: t('Help'),
      shared: { reads: [], kept: 'always' },
    }),
  );

  app.get('/l/:slug', async (c) => {
    const listing = await findListing(c.req.param('slug'));
    const via = arrivedOn(c);
    const { incoming, outgoing } = c.env;
    const visit = visitOf(listing, via);
    const onSent = (request: IncomingMessage) => visits.note(visit, callerOf(request));
    const counted = listing.state === 'approved' && !isOwn(listing, c.get('viewer')) ? onSent : undefined;
    const response = await showListing(c, listing, via, { onSent: counted });
    // A shared response is counted each time it is sent.
    if (!isShared(outgoing) && incoming.method === 'GET') counted?.(incoming);
    return response;
  });

  /** Whether the viewer is the owner or an operator; their visits are not counted. */
  const isOwn = ({ account_id }: PublicListing, viewer: Viewer | null): boolean =>
    viewer !== null && (viewer.isOperator || viewer.accountId === account_id);

  // Signed in: a sign-in that began with "Claim offer" continues here. Otherwise: the page that asks for an address.
  app.get(CLAIM_ACTION, async (c) => {
    const offerId = c.req.param('offer');
    const listing = await findListing(c.req.param('slug'));
    const via = arrivedOn(c);
    const entry = { slug: listing.slug, via };
    const viewer = c.get('viewer');
    if (viewer === null) {
      const offer = openOffer(listing, offerId);
      if (offer === null || signIn.byMail === null) return redirect(c, listingPath({ ...entry, offerId }));
      return showClaimSignIn(c, { listing, offer, via, form: newForm() });
    }
    const cookie = c.req.header('cookie') ?? '';
    if (isIntended(services, { cookie }, claimPagePath(entry, offerId))) {
      c.header('Set-Cookie', dropIntent(services), { append: true });
      return claim(c, viewer, { slug: listing.slug, offerId, via });
    }
    const claims = await readClaimsOnListing(context.db.read, viewer.accountId, listing.id);
    const made = claims.find(({ offer_id }) => offer_id === offerId);
    return redirect(c, made === undefined ? listingPath({ ...entry, offerId }) : claimPath(made.id));
  });

  app.post(CLAIM_ACTION, async (c) => {
    const offerId = c.req.param('offer');
    const form = await readForm(c);
    const via = arrivedLabel(form.text('via') || form.text('unread_via'));
    const viewer = c.get('viewer');
    if (viewer !== null) return claim(c, viewer, { slug: c.req.param('slug'), offerId, via });
    const listing = await findListingOf(offerId, c.req.param('slug'));
    // Not signed in, or no longer. A cookie keeps the claim that the person asked for.
    const next = claimPagePath({ slug: listing.slug, via }, offerId);
    c.header('Set-Cookie', intentCookie(services, next), { append: true });
    if (signIn.byMail === null || !form.has('email')) {
      return redirect(c, withNext(SIGN_IN_PATH, next));
    }
    const offer = openOffer(listing, offerId);
    if (offer === null) return redirect(c, listingPath({ slug: listing.slug, via, offerId }));
    return (await signIn.byMail(c, form, next)) ?? (await showClaimSignIn(c, { listing, offer, via, form }));
  });

  const findListing = async (slug: string): Promise<PublicListing> =>
    requireFound(await findPublicListing(context.db.read, slug, context.now()));

  async function findListingOf(offerId: string, slug: string): Promise<PublicListing> {
    const listing = await findListing(slug);
    if (listing.state === 'approved' && !listing.offers.some(({ id }) => id === offerId))
      throw nothingThere();
    return listing;
  }

  const openOffer = ({ state, offers }: PublicListing, offerId: string): PublicOffer | null =>
    (state === 'approved' && offers.find((offer) => offer.id === offerId && offer.state === 'open')) || null;

  const showClaimSignIn = (c: PageContext, props: ClaimSignInProps & { form: FormState }) =>
    page(c, <ClaimSignInPage {...props} />, {
      title: t('Claim offer · {name}', { name: props.listing.name }),
      head: offerHead(context.marketplace.look, props.listing, props.offer, signIn.baseUrl),
      status: props.form.status,
      shared: { reads: ['via'], kept: 'briefly' },
    });

  async function claim(
    c: PageContext,
    { accountId }: Viewer,
    { slug, offerId, via }: { slug: string; offerId: string; via: string | null },
  ): Promise<Response> {
    // Gives the request's place back, so that any number of claims can wait. Those that wait share one flush.
    leavePlace(c.env.outgoing);
    try {
      const { claimId } = await claimOffer({
        claimantAccountId: accountId,
        listing: slug,
        offerId,
        via,
        rules: {
          hasProvider: signIn.hasProvider,
          hasMail: signIn.byMail !== null,
          address: clientAddressOf(c.env.incoming),
        },
      });
      return redirect(c, claimPath(claimId));
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'invalid_request') throw error;
      // The offer closed after the page was loaded: the new page says why.
      const now = await findListingOf(offerId, slug);
      return showListing(c, now, via, { refused: { offerId, sentence: wordsOf(error.sentence) } });
    }
  }

  async function showListing(
    c: PageContext,
    listing: PublicListing,
    via: string | null,
    { refused = null, onSent }: { refused?: RefusedClaim | null; onSent?: Shared['onSent'] },
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
        hasMail={signIn.byMail !== null}
        refused={refused}
      />,
      {
        title: listing.name,
        head: appHead(context.marketplace.look, listing, signIn.baseUrl),
        status: refused === null ? 200 : 409,
        shared: { reads: ['via'], kept: 'briefly', onSent },
      },
    );
  }
}
