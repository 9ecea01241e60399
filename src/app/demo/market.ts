import { FIRST_PLANS, type Plans } from '../../base/brand/plans.ts';
import type { Plan } from '../../people/accounts/account.ts';
import { LIVE_APPS, NOTES } from './apps.ts';

export interface Person {
  readonly name: string;
  readonly email: string;
}

export const OPERATOR: Person = { name: 'Olga Brandt', email: 'olga@demo.example' };
/** A claimant who has a claim in each state. */
export const CLAIMANT: Person = { name: 'Nora Lindqvist', email: 'nora@demo.example' };

export const OWNERS: Readonly<Record<string, Person & { readonly plan: Plan }>> = {
  lumen: { name: 'Lumen Apps', email: 'mara@lumen.example', plan: 'everything' },
  brightside: { name: 'Brightside Studio', email: 'theo@brightside.example', plan: 'studio' },
  nordlys: { name: 'Nordlys', email: 'sofie@nordlys.example', plan: 'studio' },
  polder: { name: 'Polder Labs', email: 'daan@polder.example', plan: 'everything' },
  quince: { name: 'Quince & Sons', email: 'amara@quince.example', plan: 'studio' },
};

/** Member of the account of `OWNERS.lumen`. */
export const COLLEAGUE: Person = { name: 'Ines Okafor', email: 'ines@lumen.example' };
/** Invited to the account of `OWNERS.lumen`; the first invitation has expired, and the second is open. */
export const INVITED = ['petra@lumen.example', 'jonas@lumen.example'] as const;
/** Invited to publish; the first invitation has expired, and the second is open. */
export const INVITED_OWNERS: readonly Person[] = [
  { name: 'Kaspar Lind', email: 'kaspar@lindwerk.example' },
  { name: 'Yuki Tanaka', email: 'yuki@tanaka.example' },
];

export const DEMO_PLANS: Plans = {
  starter: { ...FIRST_PLANS.starter, price: 'Free', about: 'For a first offer.', listings: 1, members: 1 },
  studio: {
    ...FIRST_PLANS.studio,
    price: '€19 a month',
    about: 'For a team with its own server.',
    listings: 3,
    members: 5,
  },
  everything: {
    ...FIRST_PLANS.everything,
    price: '€49 a month',
    about: 'For a company with many apps.',
  },
};
export const CATEGORIES = ['Writing', 'Photography', 'Newsletters', 'Design', 'Learning'] as const;

export interface DemoLabel {
  /** `null`: claims without a label. */
  readonly via: string | null;
  /** Slugs of the listings whose claims can have this label. */
  readonly listings: readonly string[];
  /** Share of the label's claims that are redeemed. */
  readonly redeemed: number;
  /** Number of claims on a day, relative to claims without a label. `weekday`: 0 is Sunday. */
  readonly weight: (day: number, weekday: number) => number;
}

/** Returns a weight that decays exponentially from 1.8 on day 0, with a time constant of `days` days. */
const fading = (day: number, days: number): number => 1.8 * Math.exp(-day / days);

export const LABELS: readonly DemoLabel[] = [
  { via: null, listings: LIVE_APPS, redeemed: 0.58, weight: () => 1 },
  {
    via: 'newsletter',
    listings: [NOTES, 'lumen-photos', 'brightside', 'field-guide', 'vokabel'],
    redeemed: 0.74,
    weight: (_, weekday) => [0.35, 0.35, 3, 1.4][weekday] ?? 0.35,
  },
  { via: 'podcast', listings: [NOTES, 'brightside'], redeemed: 0.66, weight: (day) => fading(day % 14, 3) },
  {
    via: 'youtube',
    listings: [NOTES, 'lumen-photos', 'tessera'],
    redeemed: 0.37,
    weight: (day) => (day < 30 ? 0 : 0.5 + fading(day - 30, 7)),
  },
  {
    via: 'partner-blog',
    listings: ['lumen-photos', 'brightside'],
    redeemed: 0.52,
    weight: (day) => (day < 18 ? 0 : 0.6),
  },
  {
    via: 'launch_week',
    listings: [NOTES],
    redeemed: 0.46,
    weight: (day) => [3, 9, 6, 4, 3, 2.2, 1.5, 0.8, 0.5][day - 49] ?? 0,
  },
];
