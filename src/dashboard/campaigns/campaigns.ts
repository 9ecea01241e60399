/** The counts of each label of a listing, in total and by day. */

import { dailyCounts, type LabelCount, rateOf, toLabelCount } from '../../campaigns/count.ts';
import { NO_LABEL } from '../../campaigns/label.ts';
import {
  countCodeClaimsByLabel,
  findListingOf,
  type LabelTotal,
  listUnreadableLabels,
  sumDays,
  sumLabels,
} from '../../campaigns/queries.ts';
import type { Context } from '../../context.ts';
import { redeemableOf } from '../../listings/listing.ts';
import type { DatabaseReader } from '../../store/database.ts';
import { csvHeader, csvRows } from '../../text/csv.ts';
import { lastDays } from '../../text/time-zone.ts';

export const CAMPAIGN_DAYS = 90;
/** Labels shown over time: those with the most claims; the others are only in the sum. */
const LABELS_OVER_TIME = 6;

/** The rate is of the claims that can be redeemed here; see `redeemableOf`. */
function rateWithout(codeClaims: number, { claims, redeemed }: { claims: number; redeemed: number }) {
  const redeemable = redeemableOf(claims, redeemed, codeClaims);
  return { redeemable, rate: rateOf(redeemable, redeemed) };
}

export type Campaigns = NonNullable<Awaited<ReturnType<typeof findCampaigns>>>;
export type RatedLabel = Campaigns['labels'][number];

/** `null` if the account has no listing with this slug or id. */
export async function findCampaigns(
  context: Pick<Context, 'now' | 'marketplace'> & { readonly db: DatabaseReader },
  input: { readonly accountId: string; readonly listing: string },
) {
  const { db } = context;
  const listing = await findListingOf(db.read, input.accountId, input.listing);
  if (listing === undefined) return null;
  const days = lastDays(context.marketplace.timeZone, context.now(), CAMPAIGN_DAYS);
  const [totals, codes] = await Promise.all([
    sumLabels(db.read, listing.account_id, listing.id),
    countCodeClaimsByLabel(db.read, listing.account_id, listing.id),
  ]);
  const codeClaims = [...codes.values()].reduce((sum, count) => sum + count, 0);
  const whole = { accountId: listing.account_id, listingId: listing.id };
  const shown = totals.slice(0, LABELS_OVER_TIME).map(({ via }) => via);
  const [all, byLabel] = await Promise.all([
    sumDays(db.read, whole, days),
    shown.length === 0 ? [] : sumDays(db.read, whole, days, shown),
  ]);
  const ofLabel = Map.groupBy(byLabel, ({ via }) => via);
  const claims = totals.reduce((sum, label) => sum + label.claims, 0);
  const redeemed = totals.reduce((sum, label) => sum + label.redeemed, 0);
  return {
    listing,
    /** Invalid labels that arrived, most claims first; their claims also count as claims without a label. */
    unreadable: await listUnreadableLabels(db.read, listing.account_id, listing.id),
    /** Most claims first; claims without a label (`via` is `null`) always have a row. */
    labels: withRowForNone(totals)
      .map(toLabelCount)
      .map((label) => ({ ...label, ...rateWithout(codes.get(label.via) ?? 0, label) })),
    total: { claims, redeemed, ...rateWithout(codeClaims, { claims, redeemed }) },
    days,
    daily: dailyCounts(days, all),
    dailyByLabel: shown.map((via) => ({
      via: via === NO_LABEL ? null : via,
      ...dailyCounts(days, ofLabel.get(via) ?? []),
    })),
  };
}

export function campaignsCsv(labels: readonly LabelCount[]): string {
  const records = labels.map(({ via, claims, redeemed, rate }) => ({
    via: via ?? '',
    claims,
    redeemed,
    rate: rate.toFixed(4),
  }));
  return csvHeader(CSV_COLUMNS) + csvRows(records, CSV_COLUMNS);
}

const CSV_COLUMNS = ['via', 'claims', 'redeemed', 'rate'];

const withRowForNone = (totals: readonly LabelTotal[]): readonly LabelTotal[] =>
  totals.some(({ via }) => via === NO_LABEL)
    ? totals
    : [...totals, { via: NO_LABEL, claims: 0, redeemed: 0 }];
