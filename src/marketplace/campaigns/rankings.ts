/** A job computes the rankings: summing the counts of thousands of listings is too slow for a page request. */
import type { Context } from '../../base/context.ts';
import type { DatabaseReader, Queryable } from '../../platform/store/database.ts';
import { readJsonSetting, writeSetting } from '../../platform/store/settings.ts';
import { SECOND_MS } from '../../platform/text/durations.ts';
import { type Iso, toIso } from '../../platform/text/time-text.ts';
import { dayIn, type Period } from '../../platform/text/time-zone.ts';
import { countOfferClaims, rankLabels, rankListings, sumMarket } from './market-queries.ts';
import { periodsOf, RANGES, type RangeName, spanOf } from './range.ts';

type RankedRange = Exclude<RangeName, 'custom'>;

const RANKED_RANGES = (Object.keys(RANGES) as RangeName[]).filter((range) => range !== 'custom');

const RANKED = 5;
/** Maximum number of listings whose offers are counted. The listings with the most claims are chosen. */
const LISTINGS_COUNTED = 50;

export interface Ranking {
  readonly offers: readonly { readonly offerId: string; readonly claims: number }[];
  readonly labels: readonly { readonly via: string; readonly claims: number; readonly redeemed: number }[];
}

interface Rankings {
  readonly at: Iso;
  /** If this value is unchanged, so are the rankings. */
  readonly basis: string;
  readonly tookMs: number;
  readonly ranges: Readonly<Record<RankedRange, Ranking>>;
}

const RANKINGS = 'rankings';

/** Returns `null` if the job has not run yet. */
export const readRankings = (db: Queryable) => readJsonSetting<Rankings>(db, RANKINGS);

type Reading = Pick<Context, 'now' | 'marketplace'> & { readonly db: DatabaseReader };

/** Includes the time zone and the day, because they determine the ranges. */
async function readBasis({ db, now, marketplace: { timeZone } }: Reading): Promise<string> {
  return JSON.stringify([timeZone, dayIn(timeZone, toIso(now())), await sumMarket(db.read)]);
}

/** The pause between two runs, as a multiple of the last run's duration. Limits the job's CPU time. */
const PAUSE_SHARE = 50;
const LEAST_PAUSE_MS = 30 * SECOND_MS;

export async function areRankingsDue(context: Reading): Promise<boolean> {
  const lastRankings = await readRankings(context.db.read);
  if (lastRankings === null) return true;
  const pauseMs = Math.max(LEAST_PAUSE_MS, lastRankings.tookMs * PAUSE_SHARE);
  // A time in the future comes from a clock that was ahead.
  const elapsedMs = Math.abs(context.now() - Date.parse(lastRankings.at));
  return elapsedMs >= pauseMs && lastRankings.basis !== (await readBasis(context));
}

export async function rankMarket(context: Context): Promise<void> {
  const { db, marketplace } = context;
  const startedMs = context.now();
  const basis = await readBasis(context);
  const today = dayIn(marketplace.timeZone, toIso(startedMs));
  const ranges: Partial<Record<RankedRange, Ranking>> = {};
  for (const range of RANKED_RANGES) {
    const { period } = periodsOf(marketplace.timeZone, spanOf(range, today));
    ranges[range] = await rank(db, period);
  }
  const tookMs = context.now() - startedMs;
  const value = JSON.stringify({ at: toIso(context.now()), basis, tookMs, ranges });
  await db.transaction((tx) => writeSetting(tx, RANKINGS, value));
}

async function rank(db: DatabaseReader, period: Period): Promise<Ranking> {
  const labels = await rankLabels(db.read, period, RANKED);
  return {
    offers: await rankOffers(db, period),
    labels: labels.map(({ via, claims, redeemed }) => ({ via, claims, redeemed })),
  };
}

async function rankOffers(db: DatabaseReader, period: Period): Promise<Ranking['offers']> {
  let best: Ranking['offers'] = [];
  for (const listing of await rankListings(db.read, period, LISTINGS_COUNTED)) {
    // Listings are sorted by claims, so no offer of this or a later listing can rank higher.
    if ((best[RANKED - 1]?.claims ?? 0) >= listing.claims) break;
    const counted = await countOfferClaims(db, listing, period);
    best = [...best, ...counted.map((offer) => ({ offerId: offer.offer_id, claims: offer.claims }))]
      .filter((offer) => offer.claims > 0)
      .sort((one, other) => other.claims - one.claims || (one.offerId < other.offerId ? -1 : 1))
      .slice(0, RANKED);
  }
  return best;
}
