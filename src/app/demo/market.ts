import { FIRST_PLANS, type Plans } from '../../base/brand/plans.ts';
import type { Kind } from '../../marketplace/offers/offer.ts';
import type { Plan } from '../../people/accounts/account.ts';

export const DEMO_DAYS = 90;

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
};

/** Member of the account of `OWNERS.lumen`. */
export const COLLEAGUE: Person = { name: 'Ines Okafor', email: 'ines@lumen.example' };
/** Invited to the account of `OWNERS.lumen`; has not accepted the invitation. */
export const INVITED = 'jonas@lumen.example';

export const DEMO_PLANS: Plans = {
  starter: { ...FIRST_PLANS.starter, price: 'Free', about: 'For a first offer.', listings: 1 },
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
export const CATEGORIES = ['Writing', 'Photography', 'Newsletters', 'Design'] as const;

/** Slug of Lumen Notes. `claimcheck demo` creates test claims on the first offer of this listing. */
export const NOTES = 'lumen-notes';

interface DemoListing {
  /** The owner's key in `OWNERS`. */
  readonly owner: string;
  readonly slug: string;
  readonly name: string;
  readonly url: string;
  readonly category: string;
  readonly summary: string;
  readonly description: string;
}

const LISTINGS: readonly DemoListing[] = [
  {
    owner: 'lumen',
    slug: NOTES,
    name: 'Lumen Notes',
    url: 'https://notes.lumen.example',
    category: 'Writing',
    summary: 'Plain-text notes that find each other, on every device you own.',
    description:
      'Write as you think. Lumen Notes links what belongs together while you type, so that the note from last spring is there when you need it.\n\nYour notes are text files in a folder of your own. They sync end-to-end encrypted, open without a network, and leave with you when you go.',
  },
  {
    owner: 'lumen',
    slug: 'lumen-photos',
    name: 'Lumen Photos',
    url: 'https://photos.lumen.example',
    category: 'Photography',
    summary: 'The family album that everyone adds to, and that prints well.',
    description:
      'One album for the whole family: grandparents watch on the television, cousins add pictures from their phones, and nobody needs a social network.\n\nOnce a year it becomes a book. Choose the pictures, or let Lumen suggest the two hundred that tell the story of the year.',
  },
  {
    owner: 'brightside',
    slug: 'brightside',
    name: 'Brightside',
    url: 'https://app.brightside.example',
    category: 'Newsletters',
    summary: 'A calm editor for newsletters that people read to the end.',
    description:
      'Brightside counts what matters: who reached the last line, and where the others left.\n\nWrite in one column, see how it looks in every mail program, and send from your own address. No tracking pixels.',
  },
  {
    owner: 'lumen',
    slug: 'lumen-sketch',
    name: 'Lumen Sketch',
    url: 'https://sketch.lumen.example',
    category: 'Design',
    summary: 'Draw next to your notes, with a pen or a finger.',
    description:
      'Sketch on a page of any size and drop it into a note. Lines stay lines: change their weight and colour years later.',
  },
  {
    owner: 'brightside',
    slug: 'brightside-fonts',
    name: 'Brightside Fonts',
    url: 'https://fonts.brightside.example',
    category: 'Design',
    summary: 'Twelve typefaces made for reading mail.',
    description: 'Twelve families, tested in forty mail programs, with fallbacks that keep your line breaks.',
  },
];

export const listingOf = (slug: string): DemoListing => LISTINGS.find((listing) => listing.slug === slug)!;

export interface DemoOffer {
  readonly name: string;
  /** Slug of the listing. */
  readonly listing: string;
  readonly offer: string;
  readonly kind: Kind;
  /** Path and query of the owner's page. An offer without a page has only a shared code. */
  readonly page?: string;
  readonly code?: string;
  readonly claimLimit?: number;
  /** Day on which the offer opens; 0 is the demo's first day. */
  readonly opensOn?: number;
  /** First day after the offer has ended. */
  readonly endsOn?: number;
  /** First day on which the offer is paused. */
  readonly pausedOn?: number;
  /** Number of codes in the offer's code list. The demo makes no claims on offers with a code list. */
  readonly codes?: number;
  /** Mean number of unlabelled claims per day at the end of the demo; 0 if the offer cannot be claimed yet. */
  readonly claimsADay: number;
  /** Multiplies the label's redemption rate. */
  readonly redeemed: number;
}

export const OFFERS: readonly DemoOffer[] = [
  {
    name: 'discount',
    listing: NOTES,
    offer: '20% off the first year',
    kind: 'discount',
    page: '/welcome?claim={claim}',
    claimsADay: 4,
    redeemed: 1,
  },
  {
    name: 'trial',
    listing: NOTES,
    offer: 'Three months of sync, free to try',
    kind: 'trial',
    page: '/trial?plan=sync&claim={claim}',
    claimsADay: 3,
    redeemed: 1.15,
  },
  {
    name: 'credit',
    listing: 'lumen-photos',
    offer: '10 euros towards your first book',
    kind: 'credit',
    page: '/credit?claim={claim}',
    code: 'BOOK10',
    claimsADay: 2.2,
    redeemed: 0.8,
  },
  {
    name: 'album',
    listing: 'lumen-photos',
    offer: 'A second album, free for good',
    kind: 'bonus',
    page: '/albums?claim={claim}',
    endsOn: 68,
    claimsADay: 1.4,
    redeemed: 0.9,
  },
  {
    name: 'calendar',
    listing: 'lumen-photos',
    offer: 'A wall calendar of your own photos',
    kind: 'gift',
    page: '/calendar?claim={claim}',
    opensOn: DEMO_DAYS + 4,
    codes: 250,
    claimsADay: 0,
    redeemed: 0,
  },
  {
    name: 'access',
    listing: 'brightside',
    offer: 'Early access to the new editor',
    kind: 'access',
    page: '/early?claim={claim}',
    claimLimit: 750,
    claimsADay: 2.6,
    redeemed: 1.2,
  },
  {
    name: 'poster',
    listing: 'brightside',
    offer: 'A printed poster with your first issue',
    kind: 'gift',
    code: 'POSTER',
    pausedOn: 80,
    claimsADay: 0.9,
    redeemed: 0,
  },
  {
    name: 'half-price',
    listing: 'lumen-sketch',
    offer: 'Half price for users of Lumen Notes',
    kind: 'discount',
    page: '/half-price?claim={claim}',
    claimsADay: 0,
    redeemed: 0,
  },
  {
    name: 'families',
    listing: 'brightside-fonts',
    offer: 'Two families, free for one newsletter',
    kind: 'gift',
    page: '/start?claim={claim}',
    claimsADay: 0,
    redeemed: 0,
  },
];

export const offerNamed = (name: string): DemoOffer => OFFERS.find((offer) => offer.name === name)!;

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
  { via: null, listings: [NOTES, 'lumen-photos', 'brightside'], redeemed: 0.58, weight: () => 1 },
  {
    via: 'newsletter',
    listings: [NOTES, 'lumen-photos', 'brightside'],
    redeemed: 0.74,
    weight: (_, weekday) => [0.35, 0.35, 3, 1.4][weekday] ?? 0.35,
  },
  { via: 'podcast', listings: [NOTES, 'brightside'], redeemed: 0.66, weight: (day) => fading(day % 14, 3) },
  {
    via: 'youtube',
    listings: [NOTES, 'lumen-photos'],
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
