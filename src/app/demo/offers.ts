/** The offers of the demo's apps. */
import type { Kind } from '../../marketplace/offers/offer.ts';
import { CLUB, DEMO_DAYS, NOTES } from './apps.ts';

export interface DemoOffer {
  readonly name: string;
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
    name: 'margins',
    listing: 'marginalia',
    offer: 'A year of Marginalia for the price of six months',
    kind: 'discount',
    page: '/offer?claim={claim}',
    claimsADay: 1.1,
    redeemed: 1,
  },
  {
    name: 'reader',
    listing: 'marginalia',
    offer: 'Send 20 books to your reader, free',
    kind: 'bonus',
    page: '/books?claim={claim}',
    claimsADay: 0.5,
    redeemed: 0.8,
  },
  {
    name: 'draft',
    listing: 'quire',
    offer: 'Two months free, long enough for a first draft',
    kind: 'trial',
    page: '/start?claim={claim}',
    claimsADay: 0.9,
    redeemed: 1.1,
  },
  {
    name: 'cull',
    listing: 'contact-sheet',
    offer: '25% off, for ever',
    kind: 'discount',
    page: '/buy?claim={claim}',
    claimLimit: 400,
    claimsADay: 1.3,
    redeemed: 1,
  },
  {
    name: 'raw',
    listing: 'contact-sheet',
    offer: 'A second computer on the same licence',
    kind: 'bonus',
    code: 'TWODESKS',
    claimsADay: 0.4,
    redeemed: 0,
  },
  {
    name: 'moonless',
    listing: 'night-sky',
    offer: 'Three moonless weekends planned for you',
    kind: 'gift',
    page: '/weekends?claim={claim}',
    claimsADay: 0.7,
    redeemed: 0.9,
  },
  {
    name: 'breakfast',
    listing: 'morning-post',
    offer: 'Ten newsletters for free instead of three',
    kind: 'access',
    page: '/join?claim={claim}',
    claimsADay: 0.8,
    redeemed: 1.2,
  },
  {
    name: 'answers',
    listing: 'footnote',
    offer: '15 euros credit for your first issue',
    kind: 'credit',
    page: '/credit?claim={claim}',
    claimsADay: 0.5,
    redeemed: 0.9,
  },
  {
    name: 'fabric',
    listing: 'tessera',
    offer: 'One metre of fabric with your pattern',
    kind: 'gift',
    page: '/fabric?claim={claim}',
    claimLimit: 120,
    claimsADay: 0.9,
    redeemed: 0.7,
  },
  {
    name: 'palette',
    listing: 'swatchbook',
    offer: 'Teams for the price of one',
    kind: 'discount',
    code: 'TEAMOFONE',
    claimsADay: 0.6,
    redeemed: 0,
  },
  {
    name: 'words',
    listing: 'vokabel',
    offer: 'Half a year free, for your second language',
    kind: 'trial',
    page: '/second?claim={claim}',
    claimsADay: 1.2,
    redeemed: 1.1,
  },
  {
    name: 'chords',
    listing: 'chord-garden',
    offer: 'Early access to the guitar edition',
    kind: 'access',
    page: '/guitar?claim={claim}',
    claimsADay: 0.8,
    redeemed: 1,
  },
  {
    name: 'warblers',
    listing: 'field-guide',
    offer: 'The songs of 300 birds, free to keep',
    kind: 'gift',
    page: '/songs?claim={claim}',
    claimsADay: 1.4,
    redeemed: 1.1,
  },
  {
    name: 'club',
    listing: 'field-guide',
    offer: '10 euros off for members of a bird club',
    kind: 'credit',
    code: 'BIRDCLUB',
    claimsADay: 0.3,
    redeemed: 0,
  },
  {
    name: 'hour',
    listing: CLUB,
    offer: 'A first hour in the darkroom, free',
    kind: 'trial',
    page: '/book?claim={claim}',
    claimsADay: 0,
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
