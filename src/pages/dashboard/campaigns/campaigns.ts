/** Funnels of a listing's labels in a period, compared with the previous period. */

import type { Context } from '../../../base/context.ts';
import {
  type DailyCounts,
  dailyCounts,
  type LabelCount,
  rateOf,
  toLabelCount,
} from '../../../marketplace/campaigns/count.ts';
import { NO_LABEL } from '../../../marketplace/campaigns/label.ts';
import { sumDays, sumPeriods } from '../../../marketplace/campaigns/period-queries.ts';
import {
  byClaims,
  COUNTED,
  type Counts,
  countCodeClaimsByLabel,
  findListingOf,
  forEachCount,
  type LabelTotal,
  type ListedListing,
  listUnreadableLabels,
} from '../../../marketplace/campaigns/queries.ts';
import { DEFAULT_RANGE, periodsOf, type Span, spanOf } from '../../../marketplace/campaigns/range.ts';
import { redeemableOf } from '../../../marketplace/listings/listing.ts';
import { offerState } from '../../../marketplace/offers/offer.ts';
import { type CountedOffer, listCountedOffers } from '../../../marketplace/offers/queries.ts';
import type { DatabaseReader } from '../../../platform/store/database.ts';
import { type CsvStyle, csvWriter } from '../../../platform/text/csv.ts';
import { toIso } from '../../../platform/text/time-text.ts';
import { type Day, dayIn } from '../../../platform/text/time-zone.ts';

/** Maximum number of labels with a separate chart. Labels with the most claims come first. */
const LABELS_OVER_TIME = 6;

export interface Funnel extends Counts {
  /** Counts of the previous period. */
  readonly before: Counts;
  /** See `redeemableOf`. */
  readonly redeemable: number;
  readonly rate: number;
}

export type FunnelOfLabel = Funnel & Pick<LabelCount, 'via'>;

export interface Campaigns {
  readonly listing: ListedListing;
  readonly span: Span;
  /** Whether the last day of the period has passed. */
  readonly isOver: boolean;
  /** Invalid labels of opened share links. Their visits and claims are counted as having no label. */
  readonly unreadable: Awaited<ReturnType<typeof listUnreadableLabels>>;
  /** Sorted by claims, descending. Always includes an entry for no label (`via` is `null`). */
  readonly labels: readonly FunnelOfLabel[];
  readonly total: Funnel;
  readonly charted: readonly (string | null)[];
  /** Daily counts of the requested label if it is in `charted`, otherwise of all labels (`via` is `undefined`). */
  readonly chart: { readonly via: string | null | undefined; readonly daily: DailyCounts };
  readonly days: readonly Day[];
}

/** The offers that share links can lead to: those that people see and can claim, now or later. */
export async function listOffersToShare(
  { db, now }: Pick<Context, 'db' | 'now'>,
  listing: ListedListing,
): Promise<readonly CountedOffer[]> {
  const offers = await listCountedOffers(db.read, [listing]);
  return offers.filter((offer) => ['open', 'scheduled'].includes(offerState(offer, now())));
}

type Reading = Pick<Context, 'now' | 'marketplace'> & { readonly db: DatabaseReader };

interface CampaignsRequest {
  readonly accountId: string;
  readonly listing: string;
  readonly span?: Span | undefined;
  /** The label to chart. `null`: visits and claims without a label; `undefined`: all labels. */
  readonly label?: string | null | undefined;
}

/** Returns `null` if the account has no listing with this slug or id. */
export async function findCampaigns(context: Reading, input: CampaignsRequest): Promise<Campaigns | null> {
  const { db } = context;
  const { timeZone } = context.marketplace;
  const today = dayIn(timeZone, toIso(context.now()));
  const listing = await findListingOf(db.read, input.accountId, input.listing);
  if (listing === undefined) return null;
  const span = input.span ?? spanOf(DEFAULT_RANGE, today);
  const { period, before } = periodsOf(timeZone, span);
  const of = { accountId: listing.account_id, listingId: listing.id };
  const labelInChart = input.label === null ? NO_LABEL : input.label;
  const [sums, codes, unreadable] = await Promise.all([
    sumPeriods(db.read, of, period, before),
    countCodeClaimsByLabel(db, of.accountId, of.listingId, period),
    listUnreadableLabels(db.read, of.accountId, of.listingId),
  ]);
  const labels = funnelsOf(sums, codes);
  const charted = labels.filter(({ claims, visits }) => claims + visits > 0).slice(0, LABELS_OVER_TIME);
  const chosen = charted.find(({ via }) => (via ?? NO_LABEL) === labelInChart);
  const byDay = await sumDays(db.read, of, period, chosen === undefined ? null : (chosen.via ?? NO_LABEL));
  return {
    listing,
    span,
    isOver: span.to < today,
    unreadable,
    labels,
    total: totalOf(labels, codes),
    charted: charted.map(({ via }) => via),
    chart: { via: chosen?.via, daily: dailyCounts(period.days, byDay) },
    days: period.days,
  };
}

type CodeClaims = ReadonlyMap<string | null, number>;

function funnelsOf(
  sums: readonly (LabelTotal & { readonly isBefore: number })[],
  codes: CodeClaims,
): readonly FunnelOfLabel[] {
  const totalsIn = (which: 0 | 1) =>
    new Map(sums.filter(({ isBefore }) => isBefore === which).map((total) => [total.via, total]));
  const [totals, earlier] = [totalsIn(0), totalsIn(1)];
  return [...new Set([...totals.keys(), ...earlier.keys(), NO_LABEL])]
    .map((via) => totals.get(via) ?? { via, ...NO_COUNTS })
    .sort(byClaims)
    .map((total) => {
      const { via, rate: _, ...counts } = toLabelCount(total);
      const before = sumOf([earlier.get(total.via) ?? NO_COUNTS]);
      return { via, ...funnelOf(counts, before, codes.get(via) ?? 0) };
    });
}

function funnelOf(counts: Counts, before: Counts, codeClaims: number): Funnel {
  const redeemable = redeemableOf(counts.claims, counts.redeemed, codeClaims);
  return { ...counts, before, redeemable, rate: rateOf(redeemable, counts.redeemed) };
}

function totalOf(labels: readonly FunnelOfLabel[], codes: CodeClaims): Funnel {
  const codeClaims = [...codes.values()].reduce((sum, count) => sum + count, 0);
  return funnelOf(sumOf(labels), sumOf(labels.map(({ before }) => before)), codeClaims);
}

const sumOf = (all: readonly Counts[]): Counts =>
  forEachCount((count) => all.reduce((sum, counts) => sum + counts[count], 0));

const NO_COUNTS = sumOf([]);

export function campaignsCsv(labels: readonly FunnelOfLabel[], csvStyle: CsvStyle = null): string {
  const { header, rows } = csvWriter(CSV_COLUMNS, csvStyle);
  const records = labels.map(({ via, before, rate, ...counts }) => ({
    via: via ?? '',
    ...counts,
    rate: csvStyle === null ? rate.toFixed(4) : Number(rate.toFixed(4)),
    ...Object.fromEntries(COUNTED.map((count) => [`${count}_before`, before[count]])),
  }));
  return header + rows(records);
}

const CSV_COLUMNS = ['via', ...COUNTED, 'rate', ...COUNTED.map((count) => `${count}_before`)];
