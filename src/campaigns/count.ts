/** Counts of claims by campaign label and by day, and the folding of the changes that batches append to them. */
import type { Context } from '../context.ts';
import type { Mode } from '../keys/key.ts';
import { findListing } from '../listings/queries.ts';
import { DIALECTS } from '../store/dialects.ts';
import { MINUTE_MS } from '../text/durations.ts';
import { utcText } from '../text/time-text.ts';
import type { Day } from '../text/time-zone.ts';
import { NO_LABEL } from './label.ts';
import {
  findListingOf,
  type LabelTotal,
  moveDeltasIntoCounts,
  readFoldBacklog,
  sumLabels,
} from './queries.ts';

export interface LabelCount {
  /** `null` for claims without a label. */
  readonly via: string | null;
  readonly claims: number;
  readonly redeemed: number;
  /** Redeemed claims to claims, from 0 to 1. */
  readonly rate: number;
}

/** Live claims only, most claims first, each under the label it was made with. `listing`: slug or id. */
export async function countLabels(
  context: Pick<Context, 'db'>,
  input: { readonly listing: string },
): Promise<LabelCount[]> {
  const listing = await findListing(context.db.read, input.listing);
  return (await sumLabels(context.db.read, listing.account_id, listing.id)).map(toLabelCount);
}

/** The same for a listing of the account, `null` if it has no such listing. Test claims have no counts. */
export async function countOwnLabels(
  { db }: Pick<Context, 'db'>,
  { accountId, mode, listing }: { readonly accountId: string; readonly mode: Mode; readonly listing: string },
): Promise<LabelCount[] | null> {
  const found = await findListingOf(db.read, accountId, listing);
  if (found === undefined) return null;
  return mode === 'test' ? [] : (await sumLabels(db.read, accountId, found.id)).map(toLabelCount);
}

export const rateOf = (claims: number, redeemed: number): number => (claims === 0 ? 0 : redeemed / claims);

export const toLabelCount = ({ via, claims, redeemed }: LabelTotal): LabelCount => ({
  via: via === NO_LABEL ? null : via,
  claims,
  redeemed,
  rate: rateOf(claims, redeemed),
});

export type DailyCounts = Readonly<Record<'claims' | 'redeemed', readonly number[]>>;

export function dailyCounts(
  days: readonly Day[],
  counts: readonly { readonly day: string; readonly claims: number; readonly redeemed: number }[],
): DailyCounts {
  const byDay = new Map(counts.map((count) => [count.day, count]));
  return {
    claims: days.map(({ day }) => byDay.get(day)?.claims ?? 0),
    redeemed: days.map(({ day }) => byDay.get(day)?.redeemed ?? 0),
  };
}

/** `20 Nov`. */
export const dayText = ({ day }: Day): string => utcText(day, 'day').replace(/ \d{4}$/, '');

/** Deltas moved in one transaction, few enough not to delay other writers. */
const DELTAS_PER_FOLD = 5_000;
/** Folded as soon as this many wait; fewer don't slow down reads. */
const DUE_DELTAS = 1_000;
/** Fewer are folded once the oldest is this old. */
const DUE_AFTER_MS = MINUTE_MS;

type Folding = Pick<Context, 'db' | 'marketplace'>;

/** Whether a fold is due. Folds are rare because an import treats any other writer as contention. */
export async function isFoldDue(context: Pick<Context, 'db' | 'now'>): Promise<boolean> {
  const { waiting, since } = await readFoldBacklog(context.db.read);
  return waiting >= DUE_DELTAS || (since !== null && context.now() - Date.parse(since) >= DUE_AFTER_MS);
}

/** Folds everything in short transactions; `signal` stops it between two of them. */
export async function foldAllLabelDeltas(context: Folding, signal?: AbortSignal): Promise<void> {
  while (signal?.aborted !== true && (await foldLabelDeltas(context)) === DELTAS_PER_FOLD);
}

/** Moves at most `limit` deltas in one transaction and returns how many. Any number of processes may call it. */
export function foldLabelDeltas(context: Folding, limit = DELTAS_PER_FOLD): Promise<number> {
  const { db, marketplace } = context;
  return db.transaction(async (tx) => {
    // Deltas whose fold is lost in a crash are folded again.
    await DIALECTS[db.engine].commitUnflushed(tx);
    return await moveDeltasIntoCounts[db.engine](tx, marketplace.timeZone, limit);
  });
}
