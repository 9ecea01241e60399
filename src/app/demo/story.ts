/** The actions of the demo's people: a function for each kind of action, and the schedule of all actions. */

import type { Brand } from '../../base/brand/brand.ts';
import type { Context } from '../../base/context.ts';
import { changeBrand, changePlans } from '../../base/settings/change-brand.ts';
import { readClaimsOf } from '../../claims/claimants/queries.ts';
import { replaceClaim } from '../../claims/creation/issue.ts';
import { createListing } from '../../marketplace/listings/create.ts';
import { approvePictures } from '../../marketplace/listings/decide-proposal.ts';
import { approveListing, requestChanges, submitListing } from '../../marketplace/listings/decisions.ts';
import { addPicture } from '../../marketplace/listings/pictures.ts';
import { findListing } from '../../marketplace/listings/queries.ts';
import { reportListing } from '../../marketplace/listings/reports.ts';
import { addCodes } from '../../marketplace/offers/codes.ts';
import { createOffer } from '../../marketplace/offers/create.ts';
import { editOffer, pauseOffer } from '../../marketplace/offers/edit.ts';
import type { PictureKind } from '../../marketplace/pictures/picture.ts';
import { joinWithAccount } from '../../marketplace/waiting-list/join.ts';
import { askForPlan } from '../../people/accounts/requests.ts';
import { createKey } from '../../people/keys/create.ts';
import { rollKey } from '../../people/keys/end.ts';
import { acceptAccessLink, createAccessLink } from '../../people/visibility/access-link.ts';
import { HOUR_MS } from '../../platform/text/durations.ts';
import { type EpochMs, toIso } from '../../platform/text/time-text.ts';
import { dayIn } from '../../platform/text/time-zone.ts';
import { CLUB, listingOf, NOTES } from './apps.ts';
import type { CallLog } from './calls.ts';
import { dayStart } from './days.ts';
import {
  CLAIMANT,
  COLLEAGUE,
  DEMO_PLANS,
  INVITED,
  INVITED_OWNERS,
  OPERATOR,
  OWNERS,
  type Person,
} from './market.ts';
import { type DemoOffer, OFFERS, offerNamed } from './offers.ts';
import { type Cast, keyOf, ownerId, SERVER_KEY, signUp } from './people.ts';
import { DEMO_PICTURES, type DemoFiles, DRAWN_APPS } from './pictures.ts';
import { addColleague, type createDemoEndpoint, inviteColleague, inviteToPublish } from './team.ts';

export interface Stage {
  /** Context whose clock is set to the time of the current step. */
  readonly past: Context;
  readonly calls: CallLog;
  readonly cast: Cast;
  readonly endpoint: ReturnType<typeof createDemoEndpoint>;
  readonly pictures: Promise<DemoFiles>;
  readonly end: EpochMs;
}

const actorOf = ({ cast }: Stage, { email }: Person) => `account:${cast.accounts.get(email)!}` as const;
const operatorOf = (stage: Stage) => actorOf(stage, OPERATOR);
const ownerOf = (stage: Stage, name: string) => actorOf(stage, OWNERS[name]!);

const ownAccount = (stage: Stage, owner: string) => ({
  accountId: ownerId(stage.cast, owner),
  actor: ownerOf(stage, owner),
});

const openAccount = (stage: Stage, owner: string) =>
  signUp(stage, OWNERS[owner]!, { plan: OWNERS[owner]!.plan, actor: operatorOf(stage) });

async function makeKey(stage: Stage, owner: string, name: string, mode: 'live' | 'test', expiresIn?: string) {
  const { past, cast } = stage;
  const key = { account: ownerId(cast, owner), name, mode, expiresIn, actor: ownerOf(stage, owner) };
  cast.keys.set(`${owner} ${name}`, await createKey(past, key));
}

async function rollServerKey(stage: Stage, owner: string) {
  const { past, cast } = stage;
  const old = keyOf(cast, owner);
  const rolled = await rollKey(past, { ...ownAccount(stage, owner), keyId: old.id, keepOld: '24h' });
  cast.keys.set(`${owner} ${SERVER_KEY} (old)`, old).set(`${owner} ${SERVER_KEY}`, rolled);
}

const sendKeyFromBrowser = ({ calls, cast }: Stage, owner: string, name: string) =>
  calls.fromBrowser({ key: keyOf(cast, owner, name).key, origin: listingOf(NOTES).url });

const OPENING_HOUR = 9;

async function publishAll(stage: Stage, ...slugs: readonly string[]) {
  for (const slug of slugs) await publish(stage, slug);
}

async function publish(stage: Stage, slug: string) {
  const { past, cast } = stage;
  const { owner, ...listing } = listingOf(slug);
  const actor = ownerOf(stage, owner);
  await createListing(past, { ...listing, account: ownerId(cast, owner), actor });
  for (const offer of OFFERS.filter((each) => each.listing === slug)) {
    const { id } = await createOffer(past, { ...fieldsOf(offer, stage), listing: slug, actor });
    cast.offers.set(offer.name, id);
    if (offer.codes !== undefined)
      await addCodes(past, { offerId: id, actor, lines: codesOf(offer.name, offer.codes) });
  }
  await submitListing(past, { listing: slug, actor });
}

/** Returns codes such as `CALENDAR-0DA6Z`. */
const codesOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    line: index + 1,
    text: `${name}-${((index + 1) * CODE_STEP).toString(36).padStart(5, '0')}`.toUpperCase(),
  }));

/** A large prime, so that the codes don't look sequential. */
const CODE_STEP = 619_739;

const fieldsOf = (
  { offer, kind, page, code, codes, listing, opensOn, endsOn, claimLimit }: DemoOffer,
  stage: Stage,
) => ({
  offer,
  kind,
  code,
  code_list: codes === undefined ? null : 'close',
  redemption_link: page === undefined ? null : `${listingOf(listing).url}${page}`,
  starts_at: opensOn === undefined ? null : toIso(dayStart(stage.end, opensOn) + OPENING_HOUR * HOUR_MS),
  ends_at:
    endsOn === undefined
      ? null
      : dayIn(stage.past.marketplace.timeZone, toIso(dayStart(stage.end, endsOn) - 1)),
  claim_limit: claimLimit === undefined ? null : String(claimLimit),
});

async function approve(stage: Stage, ...listings: readonly string[]) {
  for (const listing of listings) await approveListing(stage.past, { listing, actor: operatorOf(stage) });
}

const askForChanges = (stage: Stage, listing: string, reason: string) =>
  requestChanges(stage.past, { listing, reason, actor: operatorOf(stage) });

const ownOffer = (stage: Stage, name: string) => ({
  offerId: stage.cast.offers.get(name)!,
  actor: ownerOf(stage, listingOf(offerNamed(name).listing).owner),
});

const changeLink = (stage: Stage, offer: string, link: string) =>
  editOffer(stage.past, { ...ownOffer(stage, offer), redemption_link: link });

const pause = (stage: Stage, offer: string) => pauseOffer(stage.past, ownOffer(stage, offer));

async function addPictures(stage: Stage, slug: string, kinds: readonly PictureKind[]) {
  const files = await stage.pictures;
  const by = { actor: ownerOf(stage, listingOf(slug).owner) };
  for (const [index, { of, kind }] of DEMO_PICTURES.entries()) {
    const listing = kind === 'offer' ? offerNamed(of).listing : of;
    if (files === null || listing !== slug || !kinds.includes(kind)) continue;
    const target =
      kind === 'icon' || kind === 'cover'
        ? { listing: slug, kind }
        : { offerId: stage.cast.offers.get(of)!, kind: 'offer' as const };
    await addPicture(stage.past, { ...target, ...by, files: files[index]! });
  }
}

async function approveAllPictures(stage: Stage, ...listings: readonly string[]) {
  if ((await stage.pictures) === null) return;
  for (const listing of listings) await approvePictures(stage.past, { listing, actor: operatorOf(stage) });
}

/** The operator replaces the claimant's redeemed claim, as an operator would after a failure on the owner's side. */
async function replaceClaimOn(stage: Stage, offer: string) {
  const { past, cast } = stage;
  const claimantId = cast.accounts.get(CLAIMANT.email)!;
  const claims = await readClaimsOf(past.db.read, claimantId, { after: null, limit: 10 });
  const { account_id, id } = claims.find(({ offer_id }) => offer_id === cast.offers.get(offer))!;
  await replaceClaim(past, { accountId: account_id, claimId: id, actor: operatorOf(stage) });
}

async function addMember(stage: Stage, owner: string, { email, name }: Person) {
  const personId = await signUp(stage, { email, name }, { actor: 'self' });
  await addColleague(stage.past, ownAccount(stage, owner), { email, personId });
}

const invite = (stage: Stage, owner: string, email: string) =>
  inviteColleague(stage.past, ownAccount(stage, owner), email);

const byOperator = (stage: Stage) => ({
  accountId: stage.cast.accounts.get(OPERATOR.email)!,
  actor: operatorOf(stage),
});

const inviteOwner = (stage: Stage, person: Person) => inviteToPublish(stage.past, byOperator(stage), person);

/** The owner makes a link for the members of a club, and the claimant uses it. */
async function openToClub(stage: Stage, slug: string) {
  const { past, cast } = stage;
  const { owner } = listingOf(slug);
  const { id: listingId } = await findListing(past.db.read, slug);
  const link = { ...ownAccount(stage, owner), listingId, name: 'Photo club Porto', people: 40, days: 90 };
  const { code } = await createAccessLink(past, link);
  await acceptAccessLink(past, { code, personId: cast.accounts.get(CLAIMANT.email)! });
}

const addEndpoint = (stage: Stage, owner: string) => stage.endpoint.add(ownAccount(stage, owner));
const deliver = (stage: Stage) => stage.endpoint.deliver();
const stopEndpoint = (stage: Stage, owner: string) => stage.endpoint.disable(ownAccount(stage, owner));

const ask = (stage: Stage, owner: string, plan: string, message: string) =>
  askForPlan(stage.past, { ...ownAccount(stage, owner), plan, message });

const report = (stage: Stage, listing: string, cause: string, words: string) =>
  reportListing(stage.past, {
    listing,
    cause,
    words,
    reporterId: stage.cast.accounts.get(CLAIMANT.email)!,
    address: null,
  });

async function setUpMarket(stage: Stage) {
  const { accountId: operatorId, actor } = byOperator(stage);
  await changePlans(stage.past, { plans: DEMO_PLANS, operatorId, actor });
  const brand = (stored: Brand): Brand => ({ ...stored, hasLanguageSwitch: true });
  await changeBrand(stage.past, { brand, operatorId, actor });
}

/** The claimant and the newest other people wait for an offer that isn't open yet. */
async function waitFor(stage: Stage, offer: string, people: number) {
  const { accounts, offers } = stage.cast;
  const offerId = offers.get(offer)!;
  for (const accountId of [accounts.get(CLAIMANT.email)!, ...[...accounts.values()].slice(-people)]) {
    await joinWithAccount(stage.past, { offerId, accountId });
  }
}

/** Schedules an action. `day`: 0 is the first day with claims. `hour`: in UTC. */
const at =
  <Rest extends unknown[]>(
    day: number,
    hour: number,
    act: (stage: Stage, ...rest: Rest) => Promise<unknown>,
    ...rest: Rest
  ) =>
  (stage: Stage) => ({
    at: dayStart(stage.end, day) + hour * HOUR_MS,
    step: () => act(stage, ...rest),
  });

const STORY = [
  at(-4, 8.1, setUpMarket),
  at(-4, 8.2, openAccount, 'lumen'),
  at(-4, 8.4, openAccount, 'brightside'),
  at(-4, 8.6, publish, 'lumen-notes'),
  at(-4, 9.3, publish, 'lumen-photos'),
  at(-4, 10.1, publish, 'brightside'),
  at(-3, 8.4, approve, 'lumen-notes', 'lumen-photos', 'brightside'),
  at(-3, 9.1, makeKey, 'lumen', SERVER_KEY, 'live'),
  at(-3, 9.3, makeKey, 'brightside', SERVER_KEY, 'live'),
  ...(['nordlys', 'polder', 'quince'] as const).flatMap((owner, index) => [
    at(-3, 9.5 + index, openAccount, owner),
    at(-3, 9.6 + index, makeKey, owner, SERVER_KEY, 'live'),
  ]),
  at(-2, 8.2, publishAll, 'marginalia', 'night-sky', 'vokabel'),
  at(-2, 9.7, publishAll, 'contact-sheet', 'footnote'),
  at(-2, 11.4, publishAll, 'quire', 'morning-post', 'swatchbook'),
  at(-2, 15.1, approve, 'marginalia', 'contact-sheet', 'quire', 'footnote', 'swatchbook'),
  at(-1, 7.8, publishAll, 'tessera', 'chord-garden', 'field-guide'),
  at(-1, 9.2, approve, 'night-sky', 'morning-post', 'tessera', 'chord-garden', 'vokabel', 'field-guide'),
  at(12, 9.2, makeKey, 'lumen', 'staging', 'test'),
  at(40, 13.6, makeKey, 'brightside', 'laptop', 'test', '60d'),
  at(52, 8.9, addMember, 'lumen', COLLEAGUE),
  at(60, 10.4, replaceClaimOn, 'trial'),
  at(75, 9.4, invite, 'lumen', INVITED[0]),
  at(76, 10.2, inviteOwner, INVITED_OWNERS[0]!),
  at(78, 9.1, publish, CLUB),
  at(79, 8.8, approve, CLUB),
  at(79, 12.3, openToClub, CLUB),
  at(80, 8.1, pause, 'poster'),
  at(82, 15.2, addEndpoint, 'lumen'),
  at(83, 9.5, rollServerKey, 'lumen'),
  at(83, 9.501, deliver),
  at(83, 9.52, deliver),
  at(84, 14.2, publish, 'lumen-sketch'),
  at(84, 14.201, deliver),
  at(85, 11.7, makeKey, 'lumen', 'checkout page', 'live'),
  at(85, 11.701, deliver),
  at(85, 12.1, sendKeyFromBrowser, 'lumen', 'checkout page'),
  at(85, 12.101, deliver),
  at(
    86,
    9.9,
    askForChanges,
    'lumen-sketch',
    'The page behind the redemption link asks for a card before it says what the offer is. Please show the offer first, then submit again.',
  ),
  at(86, 9.901, deliver),
  at(86, 10.2, addPictures, 'lumen-notes', ['icon', 'cover']),
  at(86, 10.4, addPictures, 'lumen-photos', ['icon', 'cover', 'offer']),
  at(86, 13.1, addPictures, 'brightside', ['icon']),
  ...DRAWN_APPS.map((slug, index) => at(86, 13.2 + index / 10, addPictures, slug, ['icon', 'cover'])),
  at(87, 8.9, approveAllPictures, 'lumen-notes', 'lumen-photos', 'brightside', ...DRAWN_APPS),
  at(87, 15.3, publish, 'brightside-fonts'),
  at(87, 15.5, addPictures, 'brightside-fonts', ['icon']),
  at(87, 16.1, ask, 'brightside', 'everything', 'We have two more apps to publish this spring.'),
  at(88, 7.4, waitFor, 'calendar', 23),
  at(88, 7.9, addPictures, 'brightside', ['cover']),
  at(88, 7.95, report, 'lumen-photos', 'broken', 'The page says that the offer ended last week.'),
  at(88, 8.8, changeLink, 'credit', 'https://shop.lumen.example/books/credit?claim={claim}'),
  at(88, 8.801, deliver),
  at(88, 9.2, stopEndpoint, 'lumen'),
  at(88, 9.6, invite, 'lumen', INVITED[1]),
  at(88, 10.1, inviteOwner, INVITED_OWNERS[1]!),
];

export const planStory = (stage: Stage) => STORY.map((step) => step(stage));
