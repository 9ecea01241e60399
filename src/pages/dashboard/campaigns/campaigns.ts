/** Funnels of a listing's labels in a period, compared with the previous period. */

import type { Context } from '../../../base/context.ts';
import { sumAllLabels } from '../../../marketplace/campaigns/closed-days.ts';
import { type LabelCount, labelOf } from '../../../marketplace/campaigns/count.ts';
import {
  type Counts,
  type DatedCounts,
  FUNNEL,
  rated,
  sumOf,
} from '../../../marketplace/campaigns/funnel.ts';
import { NO_LABEL } from '../../../marketplace/campaigns/label.ts';
import { sumDays, sumPeriods } from '../../../marketplace/campaigns/period-queries.ts';
import {
  byClaims,
  findListingOf,
  type LabelTotal,
  type ListedListing,
  listUnreadableLabels,
} from '../../../marketplace/campaigns/queries.ts';
import { DEFAULT_RANGE, periodsOf, type Span, spanOf } from '../../../marketplace/campaigns/range.ts';
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
  /** See `rated`. */
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
  /** Counts of the requested label if it is in `charted`, otherwise of all labels (`via` is `undefined`). */
  readonly chart: { readonly via: string | null | undefined; readonly counts: readonly DatedCounts[] };
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
  const [sums, unreadable] = await Promise.all([
    sumPeriods(db.read, of, period, before),
    listUnreadableLabels(db.read, of.accountId, of.listingId),
  ]);
  const labels = funnelsOf(sums);
  const charted = labels.filter(({ claims, visits }) => claims + visits > 0).slice(0, LABELS_OVER_TIME);
  const chosen = charted.find(({ via }) => (via ?? NO_LABEL) === labelInChart);
  const counts =
    chosen === undefined
      ? await sumAllLabels(db.read, of, period)
      : await sumDays(db.read, of, period, chosen.via ?? NO_LABEL);
  return {
    listing,
    span,
    isOver: span.to < today,
    unreadable,
    labels,
    total: totalOf(labels),
    charted: charted.map(({ via }) => via),
    chart: { via: chosen?.via, counts },
    days: period.days,
  };
}

function funnelsOf(sums: readonly (LabelTotal & { readonly isBefore: number })[]): readonly FunnelOfLabel[] {
  const totalsIn = (which: 0 | 1) =>
    new Map(sums.filter(({ isBefore }) => isBefore === which).map((total) => [total.via, total]));
  const [totals, earlier] = [totalsIn(0), totalsIn(1)];
  return [...new Set([...totals.keys(), ...earlier.keys(), NO_LABEL])]
    .map((via) => totals.get(via) ?? { via, ...NO_COUNTS })
    .sort(byClaims)
    .map((total) => {
      const before = earlier.get(total.via) ?? NO_COUNTS;
      return { via: labelOf(total.via), ...funnelOf(sumOf([total]), sumOf([before])) };
    });
}

export const funnelOf = (counts: Counts, before: Counts = NO_COUNTS): Funnel => ({
  ...counts,
  before,
  ...rated(counts),
});

const totalOf = (labels: readonly FunnelOfLabel[]): Funnel =>
  funnelOf(sumOf(labels), sumOf(labels.map(({ before }) => before)));

type ClaimCounts = Pick<Counts, 'claims' | 'redeemed' | 'code_claims'>;

/** For pages that don't count visits. */
export const funnelOfClaims = ({ claims, redeemed, code_claims }: ClaimCounts): Funnel =>
  funnelOf({ ...NO_COUNTS, claims, redeemed, code_claims });

const NO_COUNTS = sumOf([]);

export function campaignsCsv(labels: readonly FunnelOfLabel[], csvStyle: CsvStyle = null): string {
  const { header, rows } = csvWriter(CSV_COLUMNS, csvStyle);
  const records = labels.map(({ via, before, rate, code_claims: _, ...counts }) => ({
    via: via ?? '',
    ...counts,
    rate: csvStyle === null ? rate.toFixed(4) : Number(rate.toFixed(4)),
    ...Object.fromEntries(FUNNEL.map((count) => [`${count}_before`, before[count]])),
  }));
  return header + rows(records);
}

const CSV_COLUMNS = ['via', ...FUNNEL, 'redeemable', 'rate', ...FUNNEL.map((count) => `${count}_before`)];
