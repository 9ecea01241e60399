/** Counts per label. Changes are appended as deltas and aggregated later. */

import type { Context } from '../../base/context.ts';
import type { Mode } from '../../people/keys/key.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { MINUTE_MS } from '../../platform/text/durations.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { dayIn } from '../../platform/text/time-zone.ts';
import { findListing } from '../listings/queries.ts';
import { moveDeltasIntoCounts, readAggregationBacklog } from './aggregation-queries.ts';
import { type FunnelCounts, forEachStep, rated } from './funnel.ts';
import { NO_LABEL } from './label.ts';
import { sumPeriods } from './period-queries.ts';
import { byClaims, findListingOf, type LabelTotal, type ListedListing, sumLabels } from './queries.ts';
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

const toLabelCount = ({ via, ...counts }: LabelTotal): LabelCount => ({
  via: labelOf(via),
  ...forEachStep((step) => counts[step]),
  ...rated(counts),
});

export const labelOf = (via: string): string | null => (via === NO_LABEL ? null : via);

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
