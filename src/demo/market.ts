/** The demo's owners, listings, offers and campaign labels, from `market.json`. */
import type { Plan } from '../accounts/account.ts';
import type { Kind } from '../offers/offer.ts';
import market from './market.json' with { type: 'json' };

/** Days that the demo covers, today included. */
export const DEMO_DAYS = 90;

export interface Person {
  readonly name: string;
  readonly email: string;
}

interface DemoListing {
  /** Name of the owner in `owners`. */
  readonly owner: string;
  readonly slug: string;
  readonly name: string;
  readonly url: string;
  readonly summary: string;
  readonly description: string;
}

export interface DemoOffer {
  readonly name: string;
  /** Slug of the listing. */
  readonly listing: string;
  readonly offer: string;
  readonly kind: Kind;
  /** Path and query of the owner's page; without it the offer has only a shared code. */
  readonly page?: string;
  readonly code?: string;
  readonly claimLimit?: number;
  /** The day on which it ends, or is paused: 0 is the first of the demo. */
  readonly endsOn?: number;
  readonly pausedOn?: number;
  /** Mean number of claims without a label on the last days; 0: its listing is not public. */
  readonly claimsADay: number;
  /** Factor on the redemption rate of the label. */
  readonly redeemed: number;
}

export interface DemoLabel {
  /** `null`: claims without a label. */
  readonly via: string | null;
  /** Slugs. */
  readonly listings: readonly string[];
  /** Share of its claims that are redeemed. */
  readonly redeemed: number;
  /** The first day with claims. */
  readonly from?: number;
  /** Claims on a day, relative to those without a label: always, at each `peak`, by weekday (from Sunday), by day. */
  readonly base?: number;
  readonly peak?: number;
  /** Days in which a peak falls to a third, and days between peaks. */
  readonly fades?: number;
  readonly every?: number;
  readonly weekdays?: readonly number[];
  readonly days?: readonly number[];
}

export const MARKET = market as {
  readonly operator: Person;
  /** Has claims of every state. */
  readonly claimant: Person;
  readonly owners: Readonly<Record<string, Person & { readonly plan: Plan }>>;
  readonly listings: readonly DemoListing[];
  readonly offers: readonly DemoOffer[];
  readonly labels: readonly DemoLabel[];
};

/** The listing on which the printed test claims are. */
export const NOTES = 'lumen-notes';

export const listingOf = (slug: string): DemoListing =>
  MARKET.listings.find((listing) => listing.slug === slug)!;
export const offerNamed = (name: string): DemoOffer => MARKET.offers.find((offer) => offer.name === name)!;

/** Claims of a label on a day, relative to those without a label. `weekday`: 0 is Sunday. */
export function weightOf(label: DemoLabel, day: number, weekday: number): number {
  const { from = 0, base = 0, peak = 0, fades = 1, every = DEMO_DAYS, weekdays, days } = label;
  if (day < from) return 0;
  const since = (day - from) % every;
  return base + peak * Math.exp(-since / fades) + (weekdays?.[weekday] ?? 0) + (days?.[since] ?? 0);
}
