/** Helpers that create listings with offers, and start the claimant pages and an owner's app. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Context } from '../../../src/base/context.ts';
import { createClaimQueue } from '../../../src/claims/creation/claim-offer.ts';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import { createOffer } from '../../../src/marketplace/offers/create.ts';
import { claimantPages } from '../../../src/pages/market/claims/pages.tsx';
import { createMarketGate } from '../../../src/pages/market/members-only.tsx';
import { createOpenApps } from '../../../src/pages/market/more-apps.tsx';
import { marketPages } from '../../../src/pages/market/pages.tsx';
import type { Viewer } from '../../../src/pages/ui/viewer.ts';
import { serveLocally } from '../../support/local-server.ts';
import { startPages, type TestPages } from '../support.ts';

const ACTOR = 'operator' as const;

export interface ListingToMake {
  readonly slug: string;
  readonly name: string;
  readonly summary?: string;
  readonly description?: string;
  /** Origin of the app and of its redemption links. */
  readonly origin?: string;
  readonly draft?: boolean;
  readonly offers: readonly OfferToMake[];
}

type OfferFields = Omit<Parameters<typeof createOffer>[1], 'listing' | 'redemption_link' | 'actor'>;

export interface OfferToMake extends Partial<OfferFields> {
  readonly offer: string;
  /** Path and query of the redemption link; `null` for an offer without a link. */
  readonly link?: string | null;
}

export async function createMarketListing(
  context: Context,
  owner: Pick<Viewer, 'accountId'>,
  listing: ListingToMake,
): Promise<{ readonly id: string; readonly offerIds: readonly string[] }> {
  const { origin = `https://${listing.slug}.example`, draft, offers, ...fields } = listing;
  const { id } = await createListing(context, {
    ...fields,
    account: owner.accountId,
    url: `${origin}/`,
    ...(draft ? {} : { upTo: 'approved' as const }),
    actor: ACTOR,
  });
  const offerIds: string[] = [];
  for (const { link, ...offer } of offers) {
    const created = await createOffer(context, {
      kind: 'discount',
      ...offer,
      listing: listing.slug,
      redemption_link: link === null ? null : origin + (link ?? '/welcome?claim={claim}'),
      actor: ACTOR,
    });
    offerIds.push(created.id);
  }
  return { id, offerIds };
}

export function startClaimantPages(context: Context): Promise<TestPages> {
  const readOpenApps = createOpenApps(context);
  const gate = createMarketGate(context, []);
  return startPages([
    (app) =>
      marketPages(
        app,
        { context, claimQueue: createClaimQueue(context), visits: { count: () => {} }, readOpenApps, gate },
        {
          baseUrl: 'http://localhost',
          hasMail: false,
          byMail: null,
          challenge: async () => null,
          hasProvider: false,
        },
      ),
    (app) => claimantPages(app, { context, readOpenApps, gate }),
  ]);
}

export interface OwnersPage {
  readonly origin: string;
  /** All page requests, in order. */
  readonly visits: IncomingMessage[];
  /** If not `null`, every request is redirected to this URL. */
  movedTo: string | null;
  close(): Promise<void>;
}

/** Starts an owner's app on another origin. */
export async function startOwnersPage(): Promise<OwnersPage> {
  const visits: IncomingMessage[] = [];
  const server: Server = createServer((request, response) => {
    if (request.url !== '/favicon.ico') visits.push(request);
    response.setHeader('Content-Type', 'text/html');
    if (page.movedTo !== null) response.writeHead(302, { Location: page.movedTo });
    response.end('<!doctype html><title>Welcome</title><h1>Welcome to the app</h1>');
  });
  const { port, close } = await serveLocally(server);
  const page: OwnersPage = {
    origin: `http://localhost:${port}`,
    visits,
    movedTo: null,
    close,
  };
  return page;
}
