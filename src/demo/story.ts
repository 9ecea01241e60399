/** What the demo's owners and operator do, as a table, and how each kind of step is done. */
import { createAccount } from '../accounts/create.ts';
import { readClaimsOf } from '../claims/claimant-queries.ts';
import { replaceClaim } from '../claims/issue.ts';
import type { Context } from '../context.ts';
import { createKey } from '../keys/create.ts';
import { rollKey } from '../keys/roll.ts';
import { createListing } from '../listings/create.ts';
import { approveListing, requestChanges, submitListing } from '../listings/decisions.ts';
import { createOffer } from '../offers/create.ts';
import { editOffer, pauseOffer } from '../offers/edit.ts';
import { HOUR_MS } from '../text/durations.ts';
import { type EpochMs, toIso } from '../text/time-text.ts';
import { dayIn } from '../text/time-zone.ts';
import type { CallLog } from './calls.ts';
import { dayStart } from './days.ts';
import { type DemoOffer, listingOf, MARKET, NOTES, offerNamed } from './market.ts';
import { type Cast, keyOf, ownerId, SERVER_KEY } from './people.ts';

/** Day of the demo and hour (UTC). Days before 0 are without claims. */
type Time = readonly [day: number, hour: number];

type Step = { readonly at: Time } & (
  | { readonly do: 'createAccount'; readonly owner: string }
  | ({ readonly do: 'createKey'; readonly owner: string; readonly key: string } & KeyOptions)
  | { readonly do: 'rollKey'; readonly owner: string; readonly key: string; readonly keepOld: string }
  | { readonly do: 'browserCall'; readonly owner: string; readonly key: string }
  | { readonly do: 'publish' | 'approve'; readonly listing: string }
  | { readonly do: 'requestChanges'; readonly listing: string; readonly reason: string }
  | { readonly do: 'changeLink'; readonly offer: string; readonly link: string }
  | { readonly do: 'pause'; readonly offer: string }
  | { readonly do: 'replaceClaim'; readonly offer: string }
);
interface KeyOptions {
  readonly mode: 'live' | 'test';
  readonly expiresIn?: string;
}

const STORY: readonly Step[] = [
  { at: [-4, 8.2], do: 'createAccount', owner: 'lumen' },
  { at: [-4, 8.4], do: 'createAccount', owner: 'brightside' },
  { at: [-4, 8.6], do: 'publish', listing: 'lumen-notes' },
  { at: [-4, 9.3], do: 'publish', listing: 'lumen-photos' },
  { at: [-4, 10.1], do: 'publish', listing: 'brightside' },
  { at: [-3, 8.4], do: 'approve', listing: 'lumen-notes' },
  { at: [-3, 8.6], do: 'approve', listing: 'lumen-photos' },
  { at: [-3, 8.8], do: 'approve', listing: 'brightside' },
  { at: [-3, 9.1], do: 'createKey', owner: 'lumen', key: SERVER_KEY, mode: 'live' },
  { at: [-3, 9.3], do: 'createKey', owner: 'brightside', key: SERVER_KEY, mode: 'live' },
  { at: [12, 9.2], do: 'createKey', owner: 'lumen', key: 'staging', mode: 'test' },
  { at: [40, 13.6], do: 'createKey', owner: 'brightside', key: 'laptop', mode: 'test', expiresIn: '60d' },
  // Her redemption failed on the owner's side, and the owner asked the operator for a new claim.
  { at: [60, 10.4], do: 'replaceClaim', offer: 'trial' },
  { at: [80, 8.1], do: 'pause', offer: 'poster' },
  { at: [83, 9.5], do: 'rollKey', owner: 'lumen', key: SERVER_KEY, keepOld: '24h' },
  { at: [84, 14.2], do: 'publish', listing: 'lumen-sketch' },
  { at: [85, 11.7], do: 'createKey', owner: 'lumen', key: 'checkout page', mode: 'live' },
  { at: [85, 12.1], do: 'browserCall', owner: 'lumen', key: 'checkout page' },
  {
    at: [86, 9.9],
    do: 'requestChanges',
    listing: 'lumen-sketch',
    reason:
      'The page behind the redemption link asks for a card before it says what the offer is. Please show the offer first, then submit again.',
  },
  { at: [87, 15.3], do: 'publish', listing: 'brightside-fonts' },
  {
    at: [88, 8.8],
    do: 'changeLink',
    offer: 'credit',
    link: 'https://shop.lumen.example/books/credit?claim={claim}',
  },
];

export interface Stage {
  /** Its clock shows the time of the step. */
  readonly past: Context;
  readonly calls: CallLog;
  readonly cast: Cast;
  readonly end: EpochMs;
}

/** In order of time. */
export const planStory = (stage: Stage) =>
  STORY.map((step) => {
    const [day, hour] = step.at;
    return { at: dayStart(stage.end, day) + hour * HOUR_MS, step: () => perform(stage, step) };
  });

async function perform(stage: Stage, step: Step): Promise<unknown> {
  const { past, cast, calls } = stage;
  const operator = actorOf(cast, MARKET.operator.email);
  const owner = (name: string) => ({
    account: ownerId(cast, name),
    actor: actorOf(cast, MARKET.owners[name]!.email),
  });
  switch (step.do) {
    case 'createAccount': {
      const person = MARKET.owners[step.owner]!;
      const { id } = await createAccount(past, { ...person, actor: operator });
      return cast.accounts.set(person.email, id);
    }
    case 'createKey': {
      const { key: name, mode, expiresIn } = step;
      const made = await createKey(past, { ...owner(step.owner), name, mode, expiresIn });
      return cast.keys.set(`${step.owner} ${name}`, made);
    }
    case 'rollKey': {
      const old = keyOf(cast, step.owner, step.key);
      const { account: accountId, actor } = owner(step.owner);
      const made = await rollKey(past, { keyId: old.id, accountId, keepOld: step.keepOld, actor });
      return cast.keys.set(`${step.owner} ${step.key} (old)`, old).set(`${step.owner} ${step.key}`, made);
    }
    case 'browserCall': {
      const { key } = keyOf(cast, step.owner, step.key);
      return calls.fromBrowser({ key, origin: new URL(listingOf(NOTES).url).origin });
    }
    case 'publish':
      return publish(stage, step.listing, owner(listingOf(step.listing).owner));
    case 'approve':
      return approveListing(past, { listing: step.listing, actor: operator });
    case 'requestChanges':
      return requestChanges(past, { listing: step.listing, reason: step.reason, actor: operator });
    case 'changeLink': {
      const { actor } = owner(listingOf(offerNamed(step.offer).listing).owner);
      const offerId = cast.offers.get(step.offer)!;
      return editOffer(past, { offerId, redemption_link: step.link, actor });
    }
    case 'pause': {
      const { actor } = owner(listingOf(offerNamed(step.offer).listing).owner);
      return pauseOffer(past, { offerId: cast.offers.get(step.offer)!, actor });
    }
    case 'replaceClaim': {
      const claimantId = cast.accounts.get(MARKET.claimant.email)!;
      const claims = await readClaimsOf(past.db.read, claimantId, { after: null, limit: 10 });
      const claim = claims.find(({ offer_id }) => offer_id === cast.offers.get(step.offer))!;
      return replaceClaim(past, { accountId: claim.account_id, claimId: claim.id, actor: operator });
    }
  }
}

const actorOf = (cast: Cast, email: string) => `account:${cast.accounts.get(email)!}` as const;

/** Creates a listing with its offers and submits it. */
async function publish(
  { past, cast, end }: Stage,
  slug: string,
  { account, actor }: { readonly account: string; readonly actor: `account:${string}` },
): Promise<void> {
  const { owner: _, ...listing } = listingOf(slug);
  await createListing(past, { ...listing, account, actor });
  for (const offer of MARKET.offers.filter((each) => each.listing === slug)) {
    const { id } = await createOffer(past, { ...fieldsOf(offer, past, end), listing: slug, actor });
    cast.offers.set(offer.name, id);
  }
  await submitListing(past, { listing: slug, actor });
}

const fieldsOf = (
  { offer, kind, page, code, listing, endsOn, claimLimit }: DemoOffer,
  past: Context,
  end: number,
) => ({
  offer,
  kind,
  code,
  redemption_link: page === undefined ? null : `${listingOf(listing).url}${page}`,
  ends_at: endsOn === undefined ? null : dayIn(past.timeZone, toIso(dayStart(end, endsOn) - 1)),
  claim_limit: claimLimit === undefined ? null : String(claimLimit),
});
