/** What the demo's owners and operator do: publish, decide, pause, roll keys, make failing calls. */
import { createAccount } from '../accounts/create.ts';
import { readClaimsOf } from '../claims/claimant-queries.ts';
import { replaceClaim } from '../claims/replace.ts';
import type { Context } from '../context.ts';
import { HOUR_MS, MINUTE_MS } from '../durations.ts';
import { INVALID_API_KEY } from '../http/request-checks.ts';
import { createKey, type NewKey } from '../keys/create.ts';
import { rollKey } from '../keys/roll.ts';
import { createListing } from '../listings/create.ts';
import { approveListing, requestChanges, submitListing } from '../listings/decisions.ts';
import { createOffer } from '../offers/create.ts';
import { editOffer } from '../offers/edit.ts';
import { pauseOffer } from '../offers/pause.ts';
import { toIso } from '../time-text.ts';
import { dayIn } from '../time-zone.ts';
import type { CallLog } from './calls.ts';
import { dayStart } from './days.ts';
import {
  BRIGHTSIDE,
  CREDIT,
  DEMO_CLAIMANT,
  DEMO_OPERATOR,
  type DemoListing,
  type DemoOffer,
  type DemoOwner,
  FONTS,
  FONTS_OFFER,
  LIVE_LISTINGS,
  LIVE_OFFERS,
  LUMEN,
  NOTES,
  POSTER,
  SKETCH,
  SKETCH_OFFER,
  TRIAL,
} from './market.ts';

/** The accounts, listings and keys of the story, by their names here. */
export interface Cast {
  /** Ids of accounts by e-mail address. */
  readonly accounts: Map<string, string>;
  accountId(person: { readonly email: string }): string;
  offerId(offer: DemoOffer): string;
  /** The key that each owner's server uses now. */
  readonly liveKeys: Map<DemoOwner, Pick<NewKey, 'id' | 'key'>>;
}

export interface StoryContext {
  /** Its clock shows the time of the step. */
  readonly past: Context;
  readonly calls: CallLog;
  readonly cast: Cast;
}

export interface StoryStep {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly step: () => Promise<unknown>;
}

/** Time between two steps while everything is set up. */
const STEP_MS = 11 * MINUTE_MS;
const MAX_CLAIMS_OF_NORA = 10;
const OWNERS = [LUMEN, BRIGHTSIDE];

/** The four days before the first: accounts, approved listings, keys. Moves the clock on. */
export async function createCast(past: Context, clock: { ms: number }, end: number): Promise<Cast> {
  clock.ms = dayStart(end, -4) + 8 * HOUR_MS;
  const accounts = new Map<string, string>();
  const offers = new Map<DemoOffer, string>();
  const liveKeys: Cast['liveKeys'] = new Map();
  const cast: Cast = {
    accounts,
    accountId: ({ email }) => accounts.get(email)!,
    offerId: (offer) => offers.get(offer)!,
    liveKeys,
  };
  const step = () => {
    clock.ms += STEP_MS;
  };

  const operator = await createAccount(past, {
    ...DEMO_OPERATOR,
    plan: 'everything',
    operator: true,
    actor: 'operator',
  });
  accounts.set(operator.email, operator.id);
  for (const owner of OWNERS) {
    step();
    const { id } = await createAccount(past, { ...owner, actor: `account:${operator.id}` });
    accounts.set(owner.email, id);
  }
  for (const listing of LIVE_LISTINGS) {
    step();
    await publish(past, cast, listing);
    for (const offer of LIVE_OFFERS.filter((each) => each.listing === listing)) {
      step();
      offers.set(offer, await addOffer(past, cast, offer, end));
    }
    step();
    await submitListing(past, { listing: listing.slug, actor: actorOf(cast, listing.owner) });
  }
  clock.ms += 22 * HOUR_MS;
  for (const { slug } of LIVE_LISTINGS) {
    step();
    await approveListing(past, { listing: slug, actor: `account:${operator.id}` });
  }
  for (const owner of OWNERS) {
    step();
    liveKeys.set(owner, await newKey(past, cast, owner, 'web server', 'live'));
  }
  return cast;
}

/** All other happenings of the ninety days, in order of time. */
export function planStory(end: number, { past, calls, cast }: StoryContext): readonly StoryStep[] {
  const onDay = (day: number, hour: number) => dayStart(end, day) + hour * HOUR_MS;
  const hoursAgo = (hours: number) => end - hours * HOUR_MS;
  const operator = actorOf(cast, DEMO_OPERATOR);
  const mara = actorOf(cast, LUMEN);
  const theo = actorOf(cast, BRIGHTSIDE);
  let staging: NewKey;
  let rolled: Pick<NewKey, 'id' | 'key'>;
  let inPage: NewKey;
  const failed = (hours: number, fault: Omit<Parameters<CallLog['failed']>[0], 'at' | 'accountId'>) => {
    calls.failed({ at: hoursAgo(hours), accountId: cast.accountId(LUMEN), ...fault });
  };

  const steps: readonly (readonly [at: number, step: () => Promise<unknown>])[] = [
    [onDay(12, 9.2), async () => (staging = await newKey(past, cast, LUMEN, 'staging', 'test'))],
    [
      onDay(40, 13.6),
      () =>
        createKey(past, {
          account: cast.accountId(BRIGHTSIDE),
          name: 'laptop',
          mode: 'test',
          expiresIn: '60d',
          actor: theo,
        }),
    ],
    [onDay(60, 10.4), () => replaceTrial(past, cast)],
    [onDay(80, 8.1), () => pauseOffer(past, { offerId: cast.offerId(POSTER), actor: theo })],
    [
      onDay(83, 9.5),
      async () => {
        rolled = cast.liveKeys.get(LUMEN)!;
        const input = { keyId: rolled.id, accountId: cast.accountId(LUMEN), keepOld: '24h', actor: mara };
        cast.liveKeys.set(LUMEN, await rollKey(past, input));
      },
    ],
    [
      onDay(84, 14.2),
      async () => {
        await publish(past, cast, SKETCH);
        await addOffer(past, cast, SKETCH_OFFER, end);
        await submitListing(past, { listing: SKETCH.slug, actor: mara });
      },
    ],
    [onDay(85, 11.7), async () => (inPage = await newKey(past, cast, LUMEN, 'checkout page', 'live'))],
    [onDay(85, 12.1), () => calls.fromBrowser({ key: inPage.key, origin: new URL(NOTES.url).origin })],
    [
      onDay(86, 9.9),
      () =>
        requestChanges(past, {
          listing: SKETCH.slug,
          reason:
            'The page behind the redemption link asks for a card before it says what the offer is. Please show the offer first, then submit again.',
          actor: operator,
        }),
    ],
    [
      onDay(87, 15.3),
      async () => {
        await publish(past, cast, FONTS);
        await addOffer(past, cast, FONTS_OFFER, end);
        await submitListing(past, { listing: FONTS.slug, actor: theo });
      },
    ],
    [
      onDay(88, 8.8),
      () =>
        editOffer(past, {
          offerId: cast.offerId(CREDIT),
          redemption_link: 'https://shop.lumen.example/books/credit?claim={claim}',
          actor: mara,
        }),
    ],
    [
      hoursAgo(1),
      async () => {
        const live = cast.liveKeys.get(LUMEN)!;
        // A nightly job with the old key, a colleague's first tries, wrong tokens of customers.
        for (const hours of [56, 32, 8]) {
          failed(hours, { keyId: rolled.id, cause: 'invalid_api_key', detail: INVALID_API_KEY, token: null });
        }
        for (const hours of [50, 31.4, 20.1, 9.3, 3.4])
          failed(hours, { keyId: live.id, cause: 'token_unknown' });
        failed(44, {
          keyId: live.id,
          cause: 'idempotency_key_reused',
          detail: 'This Idempotency-Key has already redeemed another token; nothing was redeemed now.',
        });
        const ofStaging = { keyId: staging.id, mode: 'test' } as const;
        const unread = { ...ofStaging, token: null };
        failed(29, { ...ofStaging, cause: 'placeholder_sent', token: '{claim}' });
        failed(28.8, {
          ...unread,
          cause: 'unsupported_media_type',
          detail: 'There is no Content-Type header; send application/json.',
        });
        failed(28.5, { ...unread, cause: 'token_missing', detail: 'The member `token` is missing.' });
        const ofTheo = { accountId: cast.accountId(BRIGHTSIDE), keyId: cast.liveKeys.get(BRIGHTSIDE)!.id };
        for (const hours of [61, 37.5, 26.2]) {
          calls.failed({ at: hoursAgo(hours), ...ofTheo, cause: 'token_unknown' });
        }
      },
    ],
  ];
  return steps.map(([at, step]) => ({ at, step }));
}

const actorOf = (cast: Cast, person: { readonly email: string }) =>
  `account:${cast.accountId(person)}` as const;

const publish = (past: Context, cast: Cast, { owner, ...listing }: DemoListing) =>
  createListing(past, { ...listing, account: cast.accountId(owner), actor: actorOf(cast, owner) });

async function addOffer(past: Context, cast: Cast, offer: DemoOffer, end: number): Promise<string> {
  const { listing, page, endsOn, claimLimit } = offer;
  const { id } = await createOffer(past, {
    listing: listing.slug,
    offer: offer.offer,
    kind: offer.kind,
    redemption_link: page === undefined ? null : `${listing.url}${page}`,
    code: offer.code,
    ends_at: endsOn === undefined ? null : dayIn(past.timeZone, toIso(dayStart(end, endsOn) - 1)),
    claim_limit: claimLimit === undefined ? null : String(claimLimit),
    actor: actorOf(cast, listing.owner),
  });
  return id;
}

const newKey = (past: Context, cast: Cast, owner: DemoOwner, name: string, mode: 'live' | 'test') =>
  createKey(past, { account: cast.accountId(owner), name, mode, actor: actorOf(cast, owner) });

/** Her redemption failed on the owner's side, and the owner asked the operator for a new claim. */
async function replaceTrial(past: Context, cast: Cast): Promise<void> {
  const claims = await readClaimsOf(past.db.read, cast.accountId(DEMO_CLAIMANT), {
    after: null,
    limit: MAX_CLAIMS_OF_NORA,
  });
  const claim = claims.find(({ offer_id }) => offer_id === cast.offerId(TRIAL))!;
  await replaceClaim(past, {
    accountId: claim.account_id,
    claimId: claim.id,
    actor: actorOf(cast, DEMO_OPERATOR),
  });
}
