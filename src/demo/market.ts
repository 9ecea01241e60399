/** The demo's owners, listings, offers and campaign labels. */
import type { Plan } from '../accounts/account.ts';
import type { Kind } from '../offers/offer.ts';

/** Days that the demo covers, today included. */
export const DEMO_DAYS = 90;

export const DEMO_OPERATOR = { email: 'olga@demo.example', name: 'Olga Brandt' };
/** Has claims of every state. */
export const DEMO_CLAIMANT = { email: 'nora@demo.example', name: 'Nora Lindqvist' };

export interface DemoOwner {
  readonly email: string;
  readonly name: string;
  readonly plan: Plan;
}

export const LUMEN: DemoOwner = { email: 'mara@lumen.example', name: 'Lumen Apps', plan: 'everything' };
export const BRIGHTSIDE: DemoOwner = {
  email: 'theo@brightside.example',
  name: 'Brightside Studio',
  plan: 'studio',
};

export interface DemoListing {
  readonly owner: DemoOwner;
  readonly slug: string;
  readonly name: string;
  readonly url: string;
  readonly summary: string;
  readonly description: string;
}

export const NOTES: DemoListing = {
  owner: LUMEN,
  slug: 'lumen-notes',
  name: 'Lumen Notes',
  url: 'https://notes.lumen.example',
  summary: 'Plain-text notes that find each other, on every device you own.',
  description: `Write as you think. Lumen Notes links what belongs together while you type, so that the note from last spring is there when you need it.

Your notes are text files in a folder of your own. They sync end-to-end encrypted, open without a network, and leave with you when you go.`,
};

const PHOTOS: DemoListing = {
  owner: LUMEN,
  slug: 'lumen-photos',
  name: 'Lumen Photos',
  url: 'https://photos.lumen.example',
  summary: 'The family album that everyone adds to, and that prints well.',
  description: `One album for the whole family: grandparents look on the television, cousins add from their phones, without a social network.

Once a year it becomes a book. Choose the pictures, or let Lumen suggest the two hundred that tell the year.`,
};

const EDITOR: DemoListing = {
  owner: BRIGHTSIDE,
  slug: 'brightside',
  name: 'Brightside',
  url: 'https://app.brightside.example',
  summary: 'A calm editor for newsletters that people read to the end.',
  description: `Brightside counts what matters: who reached the last line, and where the others left.

Write in one column, see how it looks in every mail program, and send from your own address. No tracking pixels.`,
};

/** The operator asked for changes. */
export const SKETCH: DemoListing = {
  owner: LUMEN,
  slug: 'lumen-sketch',
  name: 'Lumen Sketch',
  url: 'https://sketch.lumen.example',
  summary: 'Drawings beside your notes, with a pen or a finger.',
  description:
    'Sketch on a page of any size and drop it into a note. Lines stay lines: change their weight and colour years later.',
};

/** Waits for the operator. */
export const FONTS: DemoListing = {
  owner: BRIGHTSIDE,
  slug: 'brightside-fonts',
  name: 'Brightside Fonts',
  url: 'https://fonts.brightside.example',
  summary: 'Twelve typefaces made for reading mail.',
  description: 'Twelve families, tested in forty mail programs, with fallbacks that keep your line breaks.',
};

export const LIVE_LISTINGS = [NOTES, PHOTOS, EDITOR] as const;

export interface DemoOffer {
  readonly listing: DemoListing;
  readonly offer: string;
  readonly kind: Kind;
  /** Path and query of the owner's page; without it the offer has only a shared code. */
  readonly page?: string;
  readonly code?: string;
  readonly claimLimit?: number;
  /** The day on which it ends, or is paused: 0 is the first of the demo. */
  readonly endsOn?: number;
  readonly pausedOn?: number;
  /** Mean number of claims without a label on the last days. */
  readonly claimsADay: number;
  /** Factor on the redemption rate of the label. */
  readonly redeemed: number;
}

export const DISCOUNT: DemoOffer = {
  listing: NOTES,
  offer: '20% off the first year',
  kind: 'discount',
  page: '/welcome?claim={claim}',
  claimsADay: 4,
  redeemed: 1,
};
export const TRIAL: DemoOffer = {
  listing: NOTES,
  offer: 'Three months of sync, on trial',
  kind: 'trial',
  page: '/trial?plan=sync&claim={claim}',
  claimsADay: 3,
  redeemed: 1.15,
};
export const CREDIT: DemoOffer = {
  listing: PHOTOS,
  offer: '10 euros towards your first book',
  kind: 'credit',
  page: '/credit?claim={claim}',
  code: 'BOOK10',
  claimsADay: 2.2,
  redeemed: 0.8,
};
export const ALBUM: DemoOffer = {
  listing: PHOTOS,
  offer: 'A second album, free for good',
  kind: 'bonus',
  page: '/albums?claim={claim}',
  endsOn: 68,
  claimsADay: 1.4,
  redeemed: 0.9,
};
export const ACCESS: DemoOffer = {
  listing: EDITOR,
  offer: 'Early access to the new editor',
  kind: 'access',
  page: '/early?claim={claim}',
  claimLimit: 750,
  claimsADay: 2.6,
  redeemed: 1.2,
};
export const POSTER: DemoOffer = {
  listing: EDITOR,
  offer: 'A printed poster with your first issue',
  kind: 'gift',
  code: 'POSTER',
  pausedOn: 80,
  claimsADay: 0.9,
  redeemed: 0,
};
/** Offers of the listings that are not public yet. */
export const SKETCH_OFFER: DemoOffer = {
  listing: SKETCH,
  offer: 'Half price for users of Lumen Notes',
  kind: 'discount',
  page: '/half-price?claim={claim}',
  claimsADay: 0,
  redeemed: 0,
};
export const FONTS_OFFER: DemoOffer = {
  listing: FONTS,
  offer: 'Two families, free for one newsletter',
  kind: 'gift',
  page: '/start?claim={claim}',
  claimsADay: 0,
  redeemed: 0,
};

export const LIVE_OFFERS = [DISCOUNT, TRIAL, CREDIT, ALBUM, ACCESS, POSTER] as const;

export interface DemoLabel {
  /** `null`: claims without a label. */
  readonly via: string | null;
  readonly listings: readonly DemoListing[];
  /** Share of its claims that are redeemed. */
  readonly redeemed: number;
  /** Claims on a day, relative to those without a label. `weekday`: 0 is Sunday. */
  readonly weight: (day: number, weekday: number) => number;
}

const TUESDAY = 2;
const WEDNESDAY = 3;
/** Claims of each day of the launch, in multiples of those without a label. */
const LAUNCH_DAY = 49;
const LAUNCH = [3, 9, 6, 4, 3, 2.2, 1.5, 0.8, 0.5];
const EPISODE_DAYS = 14;
const VIDEO_DAY = 30;
const PARTNER_DAY = 18;

export const LABELS: readonly DemoLabel[] = [
  { via: null, listings: LIVE_LISTINGS, redeemed: 0.58, weight: () => 1 },
  {
    via: 'newsletter',
    listings: LIVE_LISTINGS,
    redeemed: 0.74,
    weight: (_, weekday) => (weekday === TUESDAY ? 3 : weekday === WEDNESDAY ? 1.4 : 0.35),
  },
  {
    via: 'podcast',
    listings: [NOTES, EDITOR],
    redeemed: 0.66,
    weight: (day) => 1.8 * Math.exp(-(day % EPISODE_DAYS) / 3),
  },
  {
    via: 'youtube',
    listings: [NOTES, PHOTOS],
    redeemed: 0.37,
    weight: (day) => (day < VIDEO_DAY ? 0 : 0.5 + 1.8 * Math.exp(-(day - VIDEO_DAY) / 7)),
  },
  {
    via: 'partner-blog',
    listings: [PHOTOS, EDITOR],
    redeemed: 0.52,
    weight: (day) => (day < PARTNER_DAY ? 0 : 0.6),
  },
  {
    via: 'launch_week',
    listings: [NOTES],
    redeemed: 0.46,
    weight: (day) => LAUNCH[day - LAUNCH_DAY] ?? 0,
  },
];
