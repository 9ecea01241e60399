/** Counts per label. Changes are appended as deltas and aggregated later. */

import type { Context } from '../../base/context.ts';
import type { Mode } from '../../people/keys/key.ts';
import { currentLanguage, ENGLISH } from '../../platform/languages/language.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { MINUTE_MS } from '../../platform/text/durations.ts';
import { toIso, utcText } from '../../platform/text/time-text.ts';
import { type Day, dayIn } from '../../platform/text/time-zone.ts';
import { findListing } from '../listings/queries.ts';
import { moveDeltasIntoCounts, readAggregationBacklog } from './aggregation-queries.ts';
import { NO_LABEL } from './label.ts';
import { sumPeriods } from './period-queries.ts';
import {
  byClaims,
  type Counts,
  type FunnelCounts,
  findListingOf,
  forEachCount,
  forEachStep,
  type LabelTotal,
  type ListedListing,
  sumLabels,
} from './queries.ts';
import { periodsOf, wantedSpan } from './range.ts';

export interface LabelCount extends FunnelCounts {
  /** `null` for visits and claims without a label. */
  readonly via: string | null;
  /** The claims of which the rate is a share (see `rated`). */
  readonly redeemable: number;
  /** Redeemed claims divided by `redeemable`, from 0 to 1. */
  readonly rate: number;
}

/** Requested days, such as `2026-11-20`. Without days, everything is counted. */
interface WantedDays {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

type Counting = Pick<Context, 'db' | 'now'> & {
  readonly marketplace: Pick<Context['marketplace'], 'timeZone'>;
};

/** Returns the labels, sorted by number of claims in descending order. `listing`: slug or id. */
export async function countLabels(
  context: Counting,
  input: WantedDays & { readonly listing: string },
): Promise<LabelCount[]> {
  const listing = await findListing(context.db.read, input.listing);
  return await countOf(context, listing, input);
}

/** Like `countLabels`; `null` if the account has no such listing. Test claims are not counted. */
export async function countOwnLabels(
  context: Counting,
  input: WantedDays & { readonly accountId: string; readonly mode: Mode; readonly listing: string },
): Promise<LabelCount[] | null> {
  const listing = await findListingOf(context.db.read, input.accountId, input.listing);
  if (listing === undefined) return null;
  return input.mode === 'test' ? [] : await countOf(context, listing, input);
}

async function countOf(
  { db, now, marketplace: { timeZone } }: Counting,
  { id, account_id }: ListedListing,
  days: WantedDays,
): Promise<LabelCount[]> {
  const span = wantedSpan(days, dayIn(timeZone, toIso(now())));
  if (span === null) return (await sumLabels(db.read, account_id, id)).map(toLabelCount);
  const { period, before } = periodsOf(timeZone, span);
  const counts = await sumPeriods(db.read, { accountId: account_id, listingId: id }, period, before);
  return counts
    .filter(({ isBefore }) => isBefore === 0)
    .sort(byClaims)
    .map(toLabelCount);
}

/**
 * The definition of every redemption rate: the share of claims that were redeemed, among those that were redeemed or
 * can be. Claims that give only a code are used in the owner's shop, which doesn't report it. In a period, claims from
 * before the period can be redeemed, so there can be more redemptions than claims.
 */
export function rated({
  claims,
  redeemed,
  code_claims,
}: Pick<Counts, 'claims' | 'redeemed' | 'code_claims'>) {
  const redeemable = Math.max(redeemed, claims - code_claims);
  return { redeemable, rate: redeemable === 0 ? 0 : redeemed / redeemable };
}

const toLabelCount = ({ via, ...counts }: LabelTotal): LabelCount => ({
  via: labelOf(via),
  ...forEachStep((step) => counts[step]),
  ...rated(counts),
});

export const labelOf = (via: string): string | null => (via === NO_LABEL ? null : via);

export type DailyCounts = Readonly<Record<keyof Counts, readonly number[]>>;

export function dailyCounts(
  days: readonly Day[],
  counts: readonly (Counts & { readonly day: string })[],
): DailyCounts {
  const byDay = new Map(counts.map((count) => [count.day, count]));
  return forEachCount((count) => days.map(({ day }) => byDay.get(day)?.[count] ?? 0));
}

/** The claims of one listing on each day. `counts`: of several listings. */
export function claimsByDay(
  listingId: string,
  days: readonly Day[],
  counts: readonly { readonly listing_id: string; readonly day: string; readonly claims: number }[],
): readonly number[] {
  const ofListing = counts.filter(({ listing_id }) => listing_id === listingId);
  const byDay = new Map(ofListing.map(({ day, claims }) => [day, claims]));
  return days.map(({ day }) => byDay.get(day) ?? 0);
}

const WEEK_DAYS = 7;

/** The last week ends on the last day. Days before the first complete week are dropped. */
export function byWeek(
  days: readonly Day[],
  daily: DailyCounts,
): { readonly days: readonly Day[]; readonly counts: DailyCounts } {
  const rest = days.length % WEEK_DAYS;
  const weeks = (values: readonly number[]) =>
    Array.from({ length: Math.floor(days.length / WEEK_DAYS) }, (_, week) => {
      const begin = rest + week * WEEK_DAYS;
      return values.slice(begin, begin + WEEK_DAYS).reduce((sum, value) => sum + value, 0);
    });
  return {
    days: days.filter((_, index) => index >= rest && (index - rest) % WEEK_DAYS === 0),
    counts: forEachCount((count) => weeks(daily[count])),
  };
}

const MOST_DAYS_DRAWN = 120;

/** `isOver`: whether the last point is complete. A week counts as complete even if its last day isn't. */
export function chartPoints(days: readonly Day[], counts: DailyCounts, isOver: boolean) {
  if (days.length <= MOST_DAYS_DRAWN) return { unit: 'day', days, counts, isOver } as const;
  return { unit: 'week', ...byWeek(days, counts), isOver: true } as const;
}

/** Such as `20 Nov`. */
export function dayText({ day }: Day): string {
  const language = currentLanguage();
  if (language === ENGLISH) return utcText(day, 'day').replace(/ \d{4}$/, '');
  const format = dayFormats.getOrInsertComputed(
    language.code,
    (code) => new Intl.DateTimeFormat(code, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
  );
  return format.format(Date.parse(day));
}

const dayFormats = new Map<string, Intl.DateTimeFormat>();

/** Maximum number of deltas per transaction: few enough not to delay other writers. */
const DELTAS_PER_BATCH = 5_000;
/** A backlog of this size is aggregated immediately. A smaller backlog doesn't slow down reads. */
const DUE_DELTAS = 1_000;
/** A smaller backlog is aggregated once its oldest delta reaches this age. */
const DUE_AFTER_MS = MINUTE_MS;

type Aggregating = Pick<Context, 'db' | 'marketplace'>;

/** Aggregations are infrequent, because their writes slow down concurrent imports. */
export async function isAggregationDue(context: Pick<Context, 'db' | 'now'>): Promise<boolean> {
  const { waiting, since } = await readAggregationBacklog(context.db.read);
  // A time in the future comes from a clock that was ahead.
  return (
    waiting >= DUE_DELTAS || (since !== null && Math.abs(context.now() - Date.parse(since)) >= DUE_AFTER_MS)
  );
}

/** `signal` stops the aggregation between two transactions. */
export async function aggregateLabelDeltas(context: Aggregating, signal?: AbortSignal): Promise<void> {
  while (signal?.aborted !== true && (await aggregateBatch(context)) === DELTAS_PER_BATCH);
}

/** Returns the number of aggregated deltas. Safe to run concurrently in several processes. */
export function aggregateBatch(context: Aggregating, limit = DELTAS_PER_BATCH): Promise<number> {
  const { db, marketplace } = context;
  return db.transaction(async (tx) => {
    // If a crash loses the commit, the deltas remain and are aggregated again.
    await DIALECTS[db.engine].commitUnflushed(tx);
    return await moveDeltasIntoCounts[db.engine](tx, marketplace.timeZone, limit);
  });
}
