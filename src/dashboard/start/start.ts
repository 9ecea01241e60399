/** The content of an owner's start page: the set-up steps until they are done, then the overview. */
import { createHash } from 'node:crypto';
import { searchClaims } from '../../claims/search.ts';
import type { ListedClaim } from '../../claims/queries.ts';
import type { Context } from '../../context.ts';
import { DAY_MS } from '../../durations.ts';
import { listOwnListings, type OwnListing } from '../../listings/counted-queries.ts';
import { testClaimLink } from '../../offers/offer.ts';
import { type CountedOffer, listCountedOffers } from '../../offers/queries.ts';
import type { Exchange } from '../requests/exchange.ts';
import { type Overview, readOverview } from './counts.ts';
import { readExchange } from './exchange.ts';
import { type SetUpProgress, setUpProgress, shownVerification } from './set-up.ts';

/** Number of latest claims shown. */
const LATEST_CLAIMS = 6;
/** How long the page shows the first verification, and the first redemption. */
const VERIFICATION_SHOWN_MS = DAY_MS;

export interface SetUp {
  readonly progress: SetUpProgress;
  /** Request and answer of the verification that is shown. */
  readonly exchange: Exchange | null;
  /** An offer whose link can be opened with a test claim. */
  readonly openable: { readonly id: string; readonly link: string } | null;
  /** Whether there is an offer, with or without a link; `waits`: its first link is in review. */
  readonly offers: 'none' | 'waits' | 'some';
  /** Equal for two set-ups that render the same. */
  readonly fingerprint: string;
}

export interface Start {
  readonly setUp: SetUp;
  readonly listings: readonly OwnListing[];
  readonly offers: readonly CountedOffer[];
  readonly overview: Overview;
  readonly latest: readonly ListedClaim[];
  /** Which parts of the page are shown. */
  readonly shows: { readonly steps: boolean; readonly overview: boolean; readonly exchange: boolean };
}

type StartContext = Pick<Context, 'db' | 'now' | 'timeZone'>;

export async function readSetUp(context: StartContext, accountId: string, baseUrl: string): Promise<SetUp> {
  const { listings } = await listOwnListings(context.db.read, accountId);
  return setUpOf(context, accountId, await listCountedOffers(context.db.read, listings), baseUrl);
}

export async function readStart(context: StartContext, accountId: string, baseUrl: string): Promise<Start> {
  const [{ listings }, overview, { rows: latest }] = await Promise.all([
    listOwnListings(context.db.read, accountId),
    readOverview(context, accountId),
    searchClaims(context, { accountId, filter: { mode: 'live' }, limit: LATEST_CLAIMS }),
  ]);
  const offers = await listCountedOffers(context.db.read, listings);
  const setUp = await setUpOf(context, accountId, offers, baseUrl);
  const { complete, published, keyed, verified } = setUp.progress;
  const hasClaims = overview.allClaims > 0;
  // A plan without API keys cannot verify: set-up is complete once a listing with an offer is published.
  const isDoneWithoutKeys = !keyed.possible && published.done && offers.length > 0;
  const isDone = complete || (hasClaims && verified.done) || isDoneWithoutKeys;
  const shown = shownVerification(setUp.progress);
  const isFresh = shown !== null && context.now() - Date.parse(shown.at) < VERIFICATION_SHOWN_MS;
  return {
    setUp,
    listings,
    offers,
    overview,
    latest,
    shows: { steps: !isDone, overview: isDone || hasClaims, exchange: isDone && isFresh },
  };
}

async function setUpOf(
  context: StartContext,
  accountId: string,
  offers: readonly CountedOffer[],
  baseUrl: string,
): Promise<SetUp> {
  const progress = await setUpProgress(context, accountId);
  const verification = shownVerification(progress);
  const exchange =
    verification === null ? null : await readExchange(context, accountId, verification, baseUrl);
  const openable =
    offers
      .map((offer) => ({ id: offer.id, link: testClaimLink(offer) }))
      .find((offer): offer is { id: string; link: string } => offer.link !== null) ?? null;
  const waits = offers.some((offer) => offer.proposed_link !== null && offer.declined_reason === null);
  const shown = {
    progress,
    exchange,
    openable,
    offers: offers.length === 0 ? 'none' : openable === null && waits ? 'waits' : 'some',
  } as const;
  const fingerprint = createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 16);
  return { ...shown, fingerprint };
}
