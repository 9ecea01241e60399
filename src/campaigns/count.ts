/** Counts of claims by campaign label and by day. */
import type { Context } from '../context.ts';
import type { Mode } from '../keys/key.ts';
import { findListing } from '../listings/queries.ts';
import { utcText } from '../text/time-text.ts';
import type { Day } from '../text/time-zone.ts';
import { NO_LABEL } from './label.ts';
import { findListingOf, type LabelTotal, sumLabels } from './queries.ts';

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

export interface DailyCounts {
  readonly claims: readonly number[];
  readonly redeemed: readonly number[];
}

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
