/** The made-up marketplace of `claimcheck demo`: ninety days of it, made through the same verbs as a real one. */
import { createAccount } from '../accounts/create.ts';
import type { Account } from '../accounts/queries.ts';
import { issueClaims } from '../claims/issue.ts';
import { hashToken } from '../claims/token.ts';
import { createVerifier } from '../claims/verifier.ts';
import type { Context } from '../context.ts';
import { createKey } from '../keys/create.ts';
import { hashKey } from '../keys/key.ts';
import { createListing } from '../listings/create.ts';
import { findListing } from '../listings/queries.ts';
import { createOffer } from '../offers/create.ts';
import type { Kind } from '../offers/offer.ts';
import { listOffers } from '../offers/queries.ts';
import type { Progress } from './output.ts';

const DAY_MS = 24 * 3_600_000;
export const DEMO_DAYS = 90;
export const DEMO_LISTING = 'lumen-notes';
const DEMO_OPERATOR = 'operator@demo.example';
const ACTOR = 'operator' as const;

interface DemoOffer {
  readonly listing: string;
  readonly offer: string;
  readonly kind: Kind;
  /** Path of the owner's page; without one the offer has a shared code alone. */
  readonly page?: string;
  readonly code?: string;
  /** Claims a day at the end of the ninety, in the mean. */
  readonly claimsADay: number;
  /** Share of its claims that are redeemed. */
  readonly redeemed: number;
}

const OWNERS = [
  { email: 'mara@lumen.example', name: 'Lumen Apps', plan: 'everything' },
  { email: 'theo@brightside.example', name: 'Brightside Studio', plan: 'studio' },
] as const;

const LISTINGS = [
  { slug: DEMO_LISTING, name: 'Lumen Notes', url: 'https://notes.lumen.example', owner: OWNERS[0].email },
  { slug: 'lumen-photos', name: 'Lumen Photos', url: 'https://photos.lumen.example', owner: OWNERS[0].email },
  { slug: 'brightside', name: 'Brightside', url: 'https://app.brightside.example', owner: OWNERS[1].email },
] as const;

const OFFERS: readonly DemoOffer[] = [
  {
    listing: 'lumen-notes',
    offer: '20 % off the first year',
    kind: 'discount',
    page: '/welcome',
    claimsADay: 9,
    redeemed: 0.62,
  },
  {
    listing: 'lumen-notes',
    offer: 'Three months on trial',
    kind: 'trial',
    page: '/trial',
    claimsADay: 6,
    redeemed: 0.71,
  },
  {
    listing: 'lumen-photos',
    offer: '10 euros of print credit',
    kind: 'credit',
    page: '/credit',
    code: 'PRINT10',
    claimsADay: 4,
    redeemed: 0.48,
  },
  {
    listing: 'lumen-photos',
    offer: 'A second album',
    kind: 'bonus',
    page: '/albums',
    claimsADay: 2,
    redeemed: 0.55,
  },
  {
    listing: 'brightside',
    offer: 'Early access to the new editor',
    kind: 'access',
    page: '/early',
    claimsADay: 5,
    redeemed: 0.8,
  },
  {
    listing: 'brightside',
    offer: 'A poster as a gift',
    kind: 'gift',
    code: 'POSTER',
    claimsADay: 1,
    redeemed: 0,
  },
];

/** Five labels and, the most frequent, none. */
const LABELS = [
  null,
  null,
  'newsletter',
  'newsletter',
  'podcast',
  'youtube',
  'partner-blog',
  'spring_sale',
] as const;

/** From a claim to its redemption: opening the page takes the quickest this long, the slowest so much more. */
const PAGE_MS = 30_000;
const SLOWEST_MS = 6 * DAY_MS;

/** Claims of an offer go into at most this many calls a day, each with a time and a label of its own. */
const MAX_CALLS_A_DAY = 2;

/** Makes the accounts, listings, offers and keys, and ninety days of claims up to now. */
export async function fillDemo(context: Context, progress: Progress): Promise<void> {
  const end = context.now();
  const clock = { ms: end - (DEMO_DAYS + 1) * DAY_MS };
  // A clock that walks through the ninety days: the verbs see each of them as their present.
  const past: Context = { ...context, now: () => clock.ms };

  const keys = new Map<string, string>();
  for (const owner of OWNERS) {
    await createAccount(past, { ...owner, actor: ACTOR });
    const { key } = await createKey(past, {
      account: owner.email,
      name: 'web server',
      mode: 'live',
      actor: ACTOR,
    });
    keys.set(owner.email, key);
  }
  for (const { slug, name, url, owner } of LISTINGS) {
    await createListing(past, { account: owner, slug, name, url, upTo: 'approved', actor: ACTOR });
  }
  const offers: RunningOffer[] = [];
  for (const offer of OFFERS) {
    const listing = LISTINGS.find(({ slug }) => slug === offer.listing)!;
    const { id } = await createOffer(past, {
      listing: offer.listing,
      offer: offer.offer,
      kind: offer.kind,
      redemptionLink: offer.page === undefined ? undefined : `${listing.url}${offer.page}?claim={claim}`,
      code: offer.code,
      actor: ACTOR,
    });
    offers.push({ ...offer, id, key: keys.get(listing.owner)! });
  }
  await fillDays(past, clock, end, offers, progress);
  // Last, since this account tells a whole demo from one that was interrupted.
  await createAccount(context, {
    email: DEMO_OPERATOR,
    name: 'Demo operator',
    plan: 'everything',
    operator: true,
    actor: ACTOR,
  });
}

interface RunningOffer extends DemoOffer {
  readonly id: string;
  /** Live API key of its owner. */
  readonly key: string;
}

interface Redemption {
  readonly at: number;
  readonly key: string;
  readonly token: string;
}

async function fillDays(
  past: Context,
  clock: { ms: number },
  end: number,
  offers: readonly RunningOffer[],
  progress: Progress,
): Promise<void> {
  const chance = createChance(past.random);
  let waiting: Redemption[] = [];
  for (let day = 0; day < DEMO_DAYS; day += 1) {
    const start = end - (DEMO_DAYS - day) * DAY_MS;
    const calls = offers.flatMap((offer) => planDay(offer, day, start, chance)).sort((a, b) => a.at - b.at);
    for (const { at, offer, via, count } of calls) {
      clock.ms = at;
      await redeemAll(
        past,
        waiting.filter((redemption) => redemption.at <= at),
      );
      waiting = waiting.filter((redemption) => redemption.at > at);
      for await (const claims of issueClaims(past, { offerId: offer.id, count, mode: 'live', via })) {
        for (const { token } of claims) {
          if (chance() >= offer.redeemed) continue;
          // Most people redeem at once, some days later.
          waiting.push({ at: at + PAGE_MS + chance() ** 4 * SLOWEST_MS, key: offer.key, token });
        }
      }
    }
    progress.update(day + 1);
  }
}

interface Call {
  readonly at: number;
  readonly offer: RunningOffer;
  readonly via: string | null;
  readonly count: number;
}

/** What is claimed of an offer on a day: a little more each week, less at weekends. */
function planDay(offer: RunningOffer, day: number, start: number, chance: () => number): readonly Call[] {
  const weekday = new Date(start).getUTCDay();
  const season = (0.4 + (0.6 * day) / DEMO_DAYS) * (weekday === 0 || weekday === 6 ? 0.5 : 1.2);
  const total = Math.round(offer.claimsADay * season * (0.5 + chance()));
  const calls = Math.min(MAX_CALLS_A_DAY, total);
  return Array.from({ length: calls }, (_, at) => ({
    at: start + Math.floor(chance() * DAY_MS),
    offer,
    via: LABELS[Math.floor(chance() * LABELS.length)]!,
    count: Math.floor(total / calls) + (at < total % calls ? 1 : 0),
  }));
}

/** Redeems what was due by now, as the owners' servers would have. */
async function redeemAll(past: Context, due: readonly Redemption[]): Promise<void> {
  const verifier = createVerifier(past.db, past.now, { batch() {} });
  await Promise.all(
    due.map(
      ({ key, token }) =>
        new Promise<void>((resolve, reject) => {
          const verification = {
            keyHash: hashKey(key),
            tokenHash: hashToken(token),
            redeem: true,
            idempotencyHash: null,
          };
          verifier.submit(verification, (error, answer) => {
            if (error !== null) reject(error);
            else if (answer?.kind !== 'found')
              reject(new Error(`A demo claim was answered ${answer?.kind}.`));
            else resolve();
          });
        }),
    ),
  );
}

/** Numbers from 0 up to 1, evenly. */
function createChance(random: (bytes: number) => Uint8Array): () => number {
  return () => {
    const bytes = random(4);
    return new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0) / 2 ** 32;
  };
}

/** Whether this database holds the demo, and all of it. */
export const isDemo = (accounts: readonly Pick<Account, 'email'>[]): boolean =>
  accounts.some(({ email }) => email === DEMO_OPERATOR);

export interface DemoTrial {
  readonly key: string;
  /** Test tokens, not yet redeemed. */
  readonly tokens: readonly string[];
}

const TRIAL_TOKENS = 3;
/** The key that a demo prints on a terminal is of no use to anyone the day after. */
const TRIAL_KEY_LIFE = '24h';

/** A fresh test key and fresh test claims on the first offer, to try the operation with. */
export async function createTrial(context: Context): Promise<DemoTrial> {
  const listing = await findListing(context.db.read, DEMO_LISTING);
  const [offer] = await listOffers(context.db.read, listing);
  if (offer === undefined) throw new Error(`The listing ${DEMO_LISTING} of the demo has no offer.`);
  const { key } = await createKey(context, {
    account: listing.account_id,
    name: 'demo terminal',
    mode: 'test',
    expiresIn: TRIAL_KEY_LIFE,
    actor: ACTOR,
  });
  const tokens: string[] = [];
  const input = { offerId: offer.id, count: TRIAL_TOKENS, mode: 'test', via: 'newsletter' } as const;
  for await (const claims of issueClaims(context, input)) tokens.push(...claims.map(({ token }) => token));
  return { key, tokens };
}
