import type { IncomingMessage } from 'node:http';
import { readRetention } from '../../background/personal-data/retention.ts';
import type { Context } from '../../base/context.ts';
import {
  HELP_PATH,
  listingPath,
  offerPath,
  PRIVACY_PATH,
  PUBLISH_PATH,
  sharePath,
} from '../../base/paths.ts';
import { readClaimsOnListing } from '../../claims/claimants/queries.ts';
import type { ClaimQueue } from '../../claims/creation/claim-offer.ts';
import type { VisitCounter } from '../../marketplace/campaigns/count-visits.ts';
import { type Caller, visitOf } from '../../marketplace/campaigns/visit.ts';
import { findListsOf } from '../../marketplace/waiting-list/queries.ts';
import { readPolicy } from '../../people/accounts/policy.ts';
import { mayBrowse } from '../../people/visibility/visibility.ts';
import { clientAddressOf } from '../../platform/http/server/client-address.ts';
import { isShared, type Shared } from '../../platform/http/server/page-cache.ts';
import { t } from '../../platform/languages/translate.ts';
import { joinTitle } from '../../platform/text/text.ts';
import type { PageRouter } from '../frame/page-router.ts';
import { type PageContext, page, redirect } from '../frame/pages.ts';
import type { Viewer } from '../ui/viewer.ts';
import { arrivedOn, type ClaimSignIn, claimPages } from './claim-pages.tsx';
import { advertisedOffer, appHead, offerHead, siteHead } from './discovery/heads.ts';
import { HelpPage } from './help-page.tsx';
import { headingOf, MarketPage } from './index-page.tsx';
import { ListingPage, type RefusedClaim } from './listing-page.tsx';
import { isFiltered, isFront, MARKET_PARAMETERS, readMarket } from './market-query.ts';
import type { MarketGate } from './members-only.tsx';
import type { ReadOpenApps } from './more-apps.tsx';
import { PrivacyPage } from './privacy-page.tsx';
import { PublishPage } from './publish-page.tsx';
import type { PublicListing, PublicOffer } from './queries.ts';

interface MarketServices {
  readonly context: Context;
  readonly claimQueue: ClaimQueue;
  readonly visits: Pick<VisitCounter, 'count'>;
  readonly readOpenApps: ReadOpenApps;
  readonly gate: MarketGate;
}

interface ShowOptions {
  readonly refused?: RefusedClaim | null;
  /** The offer that the link leads to, shown first. */
  readonly sharedOffer?: PublicOffer | null;
  readonly onSent?: Shared['onSent'];
}

const callerOf = (request: IncomingMessage): Caller => ({
  address: clientAddressOf(request),
  userAgent: request.headers['user-agent'],
  purposes: [request.headers['sec-purpose'], request.headers['purpose'], request.headers['x-moz']],
});

export function marketPages(
  app: PageRouter,
  { context, claimQueue, visits, readOpenApps, gate }: MarketServices,
  signIn: ClaimSignIn,
): void {
  app.get('/', { for: 'anyone' }, async (c) => {
    const rights = await gate.readRights(c);
    const shared = { reads: MARKET_PARAMETERS, lifetime: 'briefly' } as const;
    if (!mayBrowse(rights)) return gate.showInsteadOfMarket(c, shared);
    const market = await readMarket(context, rights, (name) => c.req.query(name));
    const { view } = market;
    const { brand, look } = context.marketplace;
    return page(c, <MarketPage {...market} brand={brand} isByMail={signIn.byMail !== null} />, {
      title: isFiltered(view) ? headingOf(view) : t('Marketplace'),
      head: siteHead(look, signIn.baseUrl, { isWhole: isFront(view), isForEveryone: rights.unrestricted }),
      shared,
    });
  });

  app.get(HELP_PATH, { for: 'anyone' }, (c) =>
    page(c, <HelpPage hasMail={signIn.hasMail} isByMail={signIn.byMail !== null} />, {
      title: t('Help'),
      shared: { reads: [], lifetime: 'always' },
    }),
  );

  app.get(PRIVACY_PATH, { for: 'anyone' }, async (c) => {
    const retention = await readRetention(context.db.read);
    return page(c, <PrivacyPage retention={retention} hasMail={signIn.hasMail} />, {
      title: t('Your data'),
      shared: { reads: [], lifetime: 'briefly' },
    });
  });

  app.get(PUBLISH_PATH, { for: 'anyone' }, async (c) => {
    const { publishing } = await readPolicy(context.db.read);
    const { plans } = context.marketplace;
    const needsPermission = publishing !== 'everyone';
    return page(c, <PublishPage {...{ plans, needsPermission }} hasMail={signIn.hasMail} />, {
      title: t('Publish your app'),
      shared: { reads: [], lifetime: 'briefly' },
    });
  });

  app.get(listingPath(':slug'), { for: 'anyone' }, async (c) =>
    receiveVisit(c, await gate.findListing(c, c.req.param('slug')), null),
  );

  app.get(offerPath(':slug', ':offer'), { for: 'anyone' }, async (c) => {
    const listing = await gate.findListing(c, c.req.param('slug'));
    const offerId = c.req.param('offer');
    const offer = listing.offers.find(({ id }) => id === offerId) ?? null;
    // A link to an offer that was deleted or is being reviewed again still leads to the listing.
    if (offer === null && listing.state === 'approved') {
      return redirect(c, sharePath({ slug: listing.slug, via: arrivedOn(c) }));
    }
    return receiveVisit(c, listing, offer);
  });

  claimPages(app, { context, claimQueue, gate }, signIn, showListing);

  async function receiveVisit(
    c: PageContext,
    listing: PublicListing,
    sharedOffer: PublicOffer | null,
  ): Promise<Response> {
    const via = arrivedOn(c);
    const { incoming, outgoing } = c.env;
    const visit = visitOf(listing, via);
    const onSent = (request: IncomingMessage) => visits.count(visit, callerOf(request));
    const counted = listing.state === 'approved' && !isOwn(listing, c.get('viewer')) ? onSent : undefined;
    const response = await showListing(c, listing, via, { sharedOffer, onSent: counted });
    // The cache calls `onSent` each time it sends a shared response. Other responses are counted here.
    if (!isShared(outgoing) && incoming.method === 'GET') counted?.(incoming);
    return response;
  }

  async function showListing(
    c: PageContext,
    listing: PublicListing,
    via: string | null,
    { refused = null, sharedOffer = null, onSent }: ShowOptions,
  ): Promise<Response> {
    const viewer = c.get('viewer');
    const { look } = context.marketplace;
    const advertised = sharedOffer === null ? null : advertisedOffer(listing, sharedOffer.id);
    const { hasMail } = signIn;
    const closed = hasMail ? listing.offers.filter(({ state }) => state !== 'open') : [];
    const [claims, openApps, waitsFor] = await Promise.all([
      viewer === null ? [] : readClaimsOnListing(context.db.read, viewer.accountId, listing.id),
      readOpenApps(await gate.readRights(c)),
      viewer === null
        ? new Set<string>()
        : findListsOf(context.db.read, {
            accountId: viewer.personId,
            offerIds: closed.map(({ id }) => id),
            at: context.at(),
          }),
    ]);
    return page(
      c,
      <ListingPage
        listing={listing}
        via={via}
        claims={claims}
        isSignedIn={viewer !== null}
        isByMail={signIn.byMail !== null}
        waitsFor={hasMail ? waitsFor : null}
        refused={refused}
        sharedOffer={sharedOffer}
        openApps={openApps}
      />,
      {
        title: advertised === null ? listing.name : joinTitle([advertised.offer, listing.name]),
        head:
          advertised === null
            ? appHead(look, listing, signIn.baseUrl)
            : offerHead(look, listing, advertised, signIn.baseUrl),
        status: refused === null ? 200 : 409,
        shared: { reads: ['via'], lifetime: 'briefly', onSent },
      },
    );
  }
}

/** Whether the viewer is the owner or an operator; their visits are not counted. */
const isOwn = ({ account_id }: PublicListing, viewer: Viewer | null): boolean =>
  viewer !== null && (viewer.isOperator || viewer.accountId === account_id);
