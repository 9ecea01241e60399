/** The set-up steps until they are done, then the overview; both if there are claims before. */

import type { Context } from '../../../base/context.ts';
import { isCause, isFailure, isFixed } from '../../../claims/attempts/cause.ts';
import { listFirstVerifications } from '../../../claims/attempts/queries.ts';
import { searchAttempts } from '../../../claims/attempts/search-queries.ts';
import { searchClaims } from '../../../claims/search/search.ts';
import { fixedTokenOfHash } from '../../../claims/verify/endpoint/fixed-tokens.ts';
import { sumAllLabels } from '../../../marketplace/campaigns/closed-days.ts';
import { sumOf } from '../../../marketplace/campaigns/funnel.ts';
import { listOwnListings } from '../../../marketplace/listings/counted-queries.ts';
import type { ListingState } from '../../../marketplace/listings/listing.ts';
import { readNewestQuestions } from '../../../marketplace/listings/question-queries.ts';
import { waitingLink } from '../../../marketplace/listings/review.ts';
import { isLow } from '../../../marketplace/offers/code.ts';
import { isOpenWithCodes, testClaimLink } from '../../../marketplace/offers/offer.ts';
import { type CountedOffer, listCountedOffers } from '../../../marketplace/offers/queries.ts';
import { planHasApiKeys } from '../../../people/accounts/account.ts';
import type { Mode } from '../../../people/keys/key.ts';
import { listActiveKeyModes } from '../../../people/keys/queries.ts';
import { t } from '../../../platform/languages/translate.ts';
import { DAY_MS } from '../../../platform/text/durations.ts';
import { lastDays } from '../../../platform/text/time-zone.ts';
import type { FindLinkPreview } from '../../ui/head.tsx';
import type { Viewer } from '../../ui/viewer.ts';
import { funnelOf } from '../campaigns/campaigns.ts';
import { countLiveClaims } from '../claims/queries.ts';
import { diagnose } from '../requests/diagnosis.ts';
import { type Call, exchangeOf, readCall } from '../requests/exchange.ts';
import { readLaunch } from './tell-people.tsx';

const LATEST_CLAIMS = 6;
const VERIFICATION_SHOWN_MS = DAY_MS;
export const OVERVIEW_DAYS = 30;

type Owner = Pick<Viewer, 'accountId' | 'plan'>;
type StartContext = Pick<Context, 'db' | 'now' | 'at' | 'marketplace'>;

export type SetUp = Awaited<ReturnType<typeof readSetUp>>;

/** Whether the owner's server has verified a claim, but has not redeemed one yet. */
export const awaitsRedemption = ({ verification }: SetUp): boolean => verification?.outcome === 'valid';

type Offered = Awaited<ReturnType<typeof readOffers>>;

async function readOffers({ db }: StartContext, { accountId }: Owner) {
  const { listings } = await listOwnListings(db.read, accountId);
  return { listings, offers: await listCountedOffers(db.read, listings) };
}

const FURTHEST_FIRST: readonly ListingState[] = [
  'approved',
  'suspended',
  'pending',
  'changes_requested',
  'rejected',
  'withdrawn',
  'draft',
];

export async function readSetUp(context: StartContext, owner: Owner, baseUrl: string, offered?: Offered) {
  const { accountId, plan } = owner;
  const { listings, offers } = offered ?? (await readOffers(context, owner));
  const { read } = context.db;
  const [keyModes, verifications, calls] = await Promise.all([
    listActiveKeyModes(read, accountId, context.at()),
    listFirstVerifications(read, accountId),
    readLatestCalls(context, accountId),
  ]);
  const verification =
    verifications.find(({ outcome }) => outcome === 'redeemed') ?? verifications[0] ?? null;
  const call = verification && (await readCall(context.db, accountId, verification.request_id));
  const listing = FURTHEST_FIRST.flatMap((state) => listings.findLast((one) => one.state === state) ?? [])[0];
  const isPublished = listing?.state === 'approved';
  const isLinked = offers.some(({ redemption_link }) => redemption_link !== null);
  const openable = offers.flatMap((offer) => openableOf(offer) ?? [])[0] ?? null;
  return {
    baseUrl,
    listing: listing === undefined ? null : { id: listing.id, name: listing.name, state: listing.state },
    isPublished,
    hasOffers: offers.length > 0,
    hasCodes: offers.some(({ code, code_list }) => code !== null || code_list !== null),
    isLinked,
    linkWaits: openable === null && offers.some((offer) => waitingLink(offer) !== null),
    unlinkedOffer: offers.find(({ redemption_link }) => redemption_link === null)?.id ?? null,
    openable,
    mayHaveKeys: planHasApiKeys(plan),
    keyModes,
    /** The first redemption; otherwise, the first verification that found a claim; otherwise, `null`. */
    verification,
    isFirst: verification === verifications[0],
    /** Request and response of `verification`; `null` after the request log has deleted them. */
    exchange: call ? exchangeOf(call, baseUrl) : null,
    calls,
    isComplete: isPublished && isLinked && keyModes.length > 0 && verification !== null,
  };
}

function openableOf(offer: CountedOffer) {
  const link = testClaimLink(offer);
  return link === null ? null : { id: offer.id, link };
}

export type Start = Awaited<ReturnType<typeof readStart>>;

export async function readStart(
  context: StartContext,
  owner: Owner,
  { baseUrl, findLinkPreview }: { readonly baseUrl: string; readonly findLinkPreview: FindLinkPreview },
) {
  const { accountId } = owner;
  const [offered, overview, { rows: latest }] = await Promise.all([
    readOffers(context, owner),
    readOverview(context, accountId),
    searchClaims(context, { accountId, filter: { mode: 'live' }, limit: LATEST_CLAIMS }),
  ]);
  const setUp = await readSetUp(context, owner, baseUrl, offered);
  const { verification } = setUp;
  const hasClaims = overview.allClaims > 0;
  // On a plan without API keys, the set-up is complete once a listing with an offer is published.
  const isDoneWithoutKeys = !setUp.mayHaveKeys && setUp.isPublished && setUp.hasOffers;
  const isDone = setUp.isComplete || (hasClaims && verification !== null) || isDoneWithoutKeys;
  const isFresh =
    verification !== null && context.now() - Date.parse(verification.at) < VERIFICATION_SHOWN_MS;
  const shows = { steps: !isDone, overview: isDone || hasClaims, exchange: isDone && isFresh };
  const { listings, offers } = offered;
  const approved = new Set(listings.filter(({ state }) => state === 'approved').map(({ id }) => id));
  /** Excludes offers that would be closed even with more codes: paused, in review, ended, or at the claim limit. */
  const lowOnCodes = offers.filter(
    (offer) =>
      approved.has(offer.listing_id) &&
      offer.code_list !== null &&
      isLow(offer) &&
      isOpenWithCodes(offer, context.now()),
  );
  const [launch, newestQuestions] = await Promise.all([
    readLaunch(context, findLinkPreview, listings, baseUrl),
    readNewestQuestions(
      context.db.read,
      listings.map(({ id }) => id),
    ),
  ]);
  const questions = listings.flatMap((listing) => {
    const question = newestQuestions.get(listing.id);
    return question?.replied_at === null ? [{ listing, question }] : [];
  });
  const now = context.now();
  return { listings, offers, setUp, overview, latest, lowOnCodes, questions, shows, launch, now };
}

export async function readOverview({ db, now, marketplace }: StartContext, accountId: string) {
  const bothPeriods = lastDays(marketplace.timeZone, now(), 2 * OVERVIEW_DAYS);
  const days = bothPeriods.slice(OVERVIEW_DAYS);
  const [allClaims, counts] = await Promise.all([
    countLiveClaims(db.read, accountId, {}),
    sumAllLabels(db.read, { accountId }, { days: bothPeriods, end: null }),
  ]);
  const { before = [], since = [] } = Object.groupBy(counts, ({ day }) =>
    day < days[0]!.day ? 'before' : 'since',
  );
  return {
    allClaims,
    days,
    daily: since,
    funnel: funnelOf(sumOf(since), sumOf(before)),
  };
}

const LOOKED_THROUGH = 20;
const FAULTS_SHOWN = 3;

export type Fault = SetUp['calls']['faults'][number];

export async function readLatestCalls(
  { db }: Pick<Context, 'db'>,
  accountId: string,
  limit = LOOKED_THROUGH,
) {
  const read = (mode: Mode) => searchAttempts(db, { accountId, mode }, {}, { limit });
  const [live, test] = await Promise.all([read('live'), read('test')]);
  const calls = [...live.rows, ...test.rows].sort((a, b) => (a.at > b.at ? -1 : 1)).slice(0, limit);
  const faulty = calls.filter(({ cause }) => isCause(cause) && (isFailure(cause) || isFixed(cause)));
  const alike = Map.groupBy(faulty, ({ cause, api_key_id }) => `${cause} ${api_key_id}`);
  const faults = await Promise.all(
    [...alike.values()].slice(0, FAULTS_SHOWN).map(async ([newest, ...older]) => {
      const call = await readCall(db, accountId, newest!.request_id);
      const sentences = call === undefined ? null : sentencesOf(call);
      if (call === undefined || sentences === null) return [];
      // `call` is the newest call with this cause and key; `times` is the number of such calls.
      const { at, cause, token_last4, key_name } = call;
      return [{ at, cause, token_last4, key_name, sentences, times: 1 + older.length }];
    }),
  );
  return { hasAny: calls.length > 0, faults: faults.flat() };
}

function sentencesOf(call: Call): string | null {
  // A call with a fixed test token is correct, but it doesn't verify a claim.
  if (isCause(call.cause) && isFixed(call.cause)) {
    const name = call.token_hash === null ? '' : (fixedTokenOfHash(call.token_hash)?.name ?? '');
    return t(
      'The fixed test token {name} was verified, so your server can reach this service. The token belongs to no claim: open your link with a test claim and verify the token of that claim.',
      { name },
    );
  }
  const diagnosis = diagnose(call, call.claim?.mode ?? null);
  return diagnosis && `${diagnosis.what} ${diagnosis.fix}`;
}
