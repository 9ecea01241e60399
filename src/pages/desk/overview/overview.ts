import type { Check } from '../../../background/system/check.ts';
import { readFirstSteps } from '../../../background/system/first-steps.ts';
import type { Context } from '../../../base/context.ts';
import { COUNTED, sumOf } from '../../../marketplace/campaigns/funnel.ts';
import { sumMarket, sumMarketDays } from '../../../marketplace/campaigns/market-queries.ts';
import { periodsOf, type ShownRange } from '../../../marketplace/campaigns/range.ts';
import { type Ranking, readRankings } from '../../../marketplace/campaigns/rankings.ts';
import { countWaitingByKind, readWaiting } from '../../../marketplace/listings/queue-queries.ts';
import { isLow } from '../../../marketplace/offers/code.ts';
import { isOpenWithCodes } from '../../../marketplace/offers/offer.ts';
import { readOfferNames } from '../../../marketplace/offers/queries.ts';
import type { Queryable } from '../../../platform/store/database.ts';
import { DAY_MS } from '../../../platform/text/durations.ts';
import { toIso } from '../../../platform/text/time-text.ts';
import { dayIn, type Period } from '../../../platform/text/time-zone.ts';
import {
  countLiveListings,
  countNewAccounts,
  countNewOwners,
  countOutbox,
  listFailingCallers,
  listFailingEndpoints,
  listLowOffers,
  type Range,
  READ,
  readReviewTimes,
} from './queries.ts';

export interface Equipment {
  readonly hasMail: boolean;
  readonly hasBackups: boolean;
  /** Runs the checks of the system page, or returns cached results. */
  readonly examine: () => Promise<readonly Check[]>;
}

interface OverviewRequest extends Equipment {
  readonly range: ShownRange;
  readonly operatorId: string;
  readonly isDemo: boolean;
}

type Reading = Pick<Context, 'db' | 'now' | 'marketplace'>;

export type Overview = Awaited<ReturnType<typeof readOverview>>;

export async function readOverview(context: Reading, request: OverviewRequest) {
  const { db, now } = context;
  const [business, waiting, checks, ever, steps] = await Promise.all([
    readBusiness(context, request.range),
    readWaits(context, request.hasMail),
    request.examine(),
    sumMarket(db.read),
    // The demo needs no setup, so it has no first steps.
    request.isDemo ? null : readFirstSteps(context, request),
  ]);
  const isQuiet = COUNTED.every((count) => ever[count] === 0);
  return { ...business, waiting, checks, steps, isQuiet, now: now() };
}

async function readBusiness({ db, now, marketplace: { timeZone } }: Reading, range: ShownRange) {
  const { read } = db;
  const { period, before } = periodsOf(timeZone, range.span);
  const [numbers, numbersBefore, daily, ranking, listings] = await Promise.all([
    readNumbers(read, rangeOf(period)),
    readNumbers(read, rangeOf(before)),
    sumMarketDays(read, period),
    readRanking(read, range),
    countLiveListings(read, rangeOf(period)),
  ]);
  const isOver = range.span.to < dayIn(timeZone, toIso(now()));
  return {
    days: period.days,
    isOver,
    daily,
    counts: sumOf(daily),
    countsBefore: sumOf(await sumMarketDays(read, before)),
    numbers,
    numbersBefore,
    listings,
    ranking,
  };
}

const rangeOf = ({ days, end }: Period): Range => ({ from: days[0]!.start, to: end! });

async function readNumbers(db: Queryable, range: Range) {
  const [accounts, owners, reviewTimes] = await Promise.all([
    countNewAccounts(db, range),
    countNewOwners(db, range),
    readReviewTimes(db, range),
  ]);
  return { accounts, owners, reviews: reviewTimes.length, reviewMs: medianOf(reviewTimes) };
}

/** `null` for an empty list. */
function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

/** `null` if there is no ranking yet, and for custom ranges. */
async function readRanking(db: Queryable, { name }: ShownRange) {
  if (name === 'custom') return null;
  const rankings = await readRankings(db);
  if (rankings === null) return null;
  const { offers, labels }: Ranking = rankings.ranges[name];
  const named = await readOfferNames(
    db,
    offers.map(({ offerId }) => offerId),
  );
  return {
    at: rankings.at,
    labels,
    offers: offers.flatMap(({ offerId, claims }) => {
      const offer = named.find(({ id }) => id === offerId);
      return offer === undefined ? [] : [{ ...offer, claims }];
    }),
  };
}

async function readWaits({ db, now }: Reading, hasMail: boolean) {
  const { read } = db;
  const at = now();
  const [reviews, [oldest], outbox, offers, endpoints, callers] = await Promise.all([
    countWaitingByKind(read),
    readWaiting(read, { limit: 1 }),
    countOutbox(read, hasMail),
    listLowOffers(read),
    listFailingEndpoints(read),
    listFailingCallers(read, toIso(at - DAY_MS)),
  ]);
  return {
    reviews,
    oldestReview: oldest?.since ?? null,
    outbox,
    hasMail,
    lowOffers: offers.filter((offer) => isLow(offer) && isOpenWithCodes(offer, at)).slice(0, READ),
    endpoints,
    callers,
  };
}
