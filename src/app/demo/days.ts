/** Plans the demo's claims: who claims which offer, and when each claim is opened and redeemed. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/text/durations.ts';
import { DEMO_DAYS } from './apps.ts';
import { CLAIMANT, type DemoLabel, LABELS, type Person } from './market.ts';
import { type DemoOffer, OFFERS, offerNamed } from './offers.ts';
import { type Chance, createChance, createPeople, poisson } from './people.ts';

/** Returns UTC milliseconds since the epoch. The demo has days 0 to 89; earlier days are negative. */
export const dayStart = (end: number, day: number): number =>
  Math.floor(end / DAY_MS) * DAY_MS - (DEMO_DAYS - 1 - day) * DAY_MS;

interface Use {
  /** `null` if the claim is not opened before the end of the demo. */
  readonly openedAt: number | null;
  /** `null` if the claim is not redeemed before the end of the demo. */
  readonly redeemedAt: number | null;
}

export interface PlannedClaim extends Use {
  /** When the claim is made. All times in this file are in milliseconds since the epoch. */
  readonly at: number;
  readonly offer: DemoOffer;
  readonly via: string | null;
  /** A person with an account here, or an external marketplace's reference for a person. */
  readonly claimant: Person | { readonly reference: string };
}

const SEED = 20_261;
/** Scales the numbers of claims in `offers.ts`, because each takes a millisecond of the start. */
const VOLUME = 0.6;
/** Claims per day at the beginning of the demo, relative to claims per day at its end. */
const START_SHARE = 0.45;
const WEEKEND_SHARE = 0.55;
/** Hour (UTC) of the earliest claims. The latest are `WAKING_HOURS` later, and most are around the middle. */
const FIRST_HOUR = 5;
const WAKING_HOURS = 18;
/** Share of claims by people who have already claimed another offer. */
const RETURNING = 0.4;
/** Share of the unlabelled claims on the offer `trial` that are issued for an external marketplace. */
const OUTSIDE = 0.4;
/** Share of opened claims that are opened days later, up to `LATEST_DAYS`; the others within minutes. */
const LATER = 0.15;
const LATEST_DAYS = 6;
/** Share of unredeemed claims whose claimant opens the owner's page. */
const ONLY_LOOK = 0.4;

/** Returns all claims before `end`, in order. Apart from the dates, they depend only on its weekday and time. */
export function planClaims(end: number): readonly PlannedClaim[] {
  const chance = createChance(SEED);
  const claims: PlannedClaim[] = claimsOfNora(end);
  const nextPerson = createPeople(chance);
  const people: { readonly person: Person; readonly claimed: Set<DemoOffer> }[] = [];
  const findPerson = (offer: DemoOffer): Person => {
    if (chance() < RETURNING) {
      const returning = people[Math.floor(chance() * people.length)];
      if (returning !== undefined && !returning.claimed.has(offer)) {
        returning.claimed.add(offer);
        return returning.person;
      }
    }
    const person = nextPerson();
    people.push({ person, claimed: new Set([offer]) });
    return person;
  };
  let outside = 10_400;
  for (let day = 0; day < DEMO_DAYS; day += 1) {
    for (const { at, offer, label } of plannedOnDay(end, day, chance)) {
      const isOutside = offer.name === 'trial' && label.via === null && chance() < OUTSIDE;
      if (isOutside) outside += 1 + Math.floor(chance() * 9);
      const claimant = isOutside ? { reference: `deck-${outside}` } : findPerson(offer);
      const use = planUse(offer, label, at, chance);
      // Claims after `end` are planned but dropped, so that the other claims don't depend on the time of day of `end`.
      if (at < end) claims.push({ at, offer, via: label.via, claimant, ...before(end, use) });
    }
  }
  return claims.sort((a, b) => a.at - b.at);
}

interface Intent {
  readonly at: number;
  readonly offer: DemoOffer;
  readonly label: DemoLabel;
}

function plannedOnDay(end: number, day: number, chance: Chance): readonly Intent[] {
  const start = dayStart(end, day);
  const weekday = new Date(start).getUTCDay();
  const season =
    (START_SHARE + ((1 - START_SHARE) * day) / DEMO_DAYS) *
    (weekday === 0 || weekday === 6 ? WEEKEND_SHARE : 1);
  const offers = OFFERS.filter(
    ({ opensOn = 0, endsOn, pausedOn }) => day >= opensOn && day < (endsOn ?? pausedOn ?? DEMO_DAYS),
  );
  const intents = offers.flatMap((offer) =>
    LABELS.filter(({ listings }) => listings.includes(offer.listing)).flatMap((label) => {
      const count = poisson(chance, VOLUME * offer.claimsADay * season * label.weight(day, weekday));
      return Array.from({ length: count }, () => ({ at: start + timeOfDay(chance), offer, label }));
    }),
  );
  return intents.sort((a, b) => a.at - b.at);
}

const timeOfDay = (chance: Chance): number =>
  Math.floor((FIRST_HOUR + (WAKING_HOURS * (chance() + chance())) / 2) * HOUR_MS);

function planUse(offer: DemoOffer, label: DemoLabel, at: number, chance: Chance): Use {
  const redeems = chance() < label.redeemed * offer.redeemed;
  const looks = chance() < ONLY_LOOK;
  const isLater = chance() < LATER;
  const wait = isLater ? chance() * LATEST_DAYS * DAY_MS : 20_000 + chance() ** 3 * 40 * MINUTE_MS;
  const thinks = 15_000 + chance() ** 2 * 8 * MINUTE_MS;
  if (offer.page === undefined || !(redeems || looks)) return { openedAt: null, redeemedAt: null };
  const openedAt = Math.floor(at + wait);
  return { openedAt, redeemedAt: redeems ? Math.floor(openedAt + thinks) : null };
}

const before = (end: number, { openedAt, redeemedAt }: Use): Use => ({
  openedAt: openedAt !== null && openedAt < end ? openedAt : null,
  redeemedAt: redeemedAt !== null && redeemedAt < end ? redeemedAt : null,
});

/**
 * Nora has a claim in each state. She leaves the offer `credit` unclaimed, so that someone who tries the demo as Nora
 * can claim it. `story.ts` replaces her claim on the offer `trial`.
 */
function claimsOfNora(end: number): PlannedClaim[] {
  const evening = (day: number) => dayStart(end, day) + 18.3 * HOUR_MS;
  /** `opened`, `redeemed`: minutes after the claim. */
  const claims: readonly [string, at: number, via: string | null, opened?: number, redeemed?: number][] = [
    ['album', evening(22), 'partner-blog', 2, 3],
    ['trial', evening(51), 'launch_week', 1, 4],
    ['poster', evening(72), null],
    ['discount', evening(86), 'podcast', 6],
    ['access', end - 2.2 * HOUR_MS, 'newsletter', 1, 2],
  ];
  return claims.map(([name, at, via, opened, redeemed]) => ({
    at,
    via,
    offer: offerNamed(name),
    claimant: CLAIMANT,
    openedAt: opened === undefined ? null : at + opened * MINUTE_MS,
    redeemedAt: redeemed === undefined ? null : at + redeemed * MINUTE_MS,
  }));
}
