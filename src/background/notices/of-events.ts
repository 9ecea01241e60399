/** The transaction that queues an event's notices also advances the position in the log: exactly once. */
import {
  causes,
  DECISION_TYPES,
  type EventType,
  isDecision,
  NOTICED_TYPES,
  type NoticedChange,
  type NoticedType,
  type StoredEventData,
} from '../../base/events/catalogue.ts';
import { decisionFinalAt, findUndone } from '../../base/events/decision-queries.ts';
import type { EventRecord } from '../../base/events/queries.ts';
import type { ReadSettled } from '../../base/events/settled.ts';
import { codesOfClaims } from '../../claims/codes-of-claims.ts';
import { type Listing, readListingNames } from '../../marketplace/listings/queries.ts';
import { causeText } from '../../marketplace/listings/report.ts';
import { listClosedReports } from '../../marketplace/listings/report-queries.ts';
import { offerState } from '../../marketplace/offers/offer.ts';
import { listCountedOffers, readOfferNames } from '../../marketplace/offers/queries.ts';
import { isPlan, planHasApiKeys } from '../../people/accounts/account.ts';
import { readPolicy } from '../../people/accounts/policy.ts';
import { hasListing } from '../../people/accounts/queries.ts';
import { isKnownToPerson } from '../../people/invitations/queries.ts';
import { readIsForMembers } from '../../people/visibility/read-rights.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { moveSetting, readSetting, readSettings } from '../../platform/store/settings.ts';
import { DAY_MS, HOUR_MS } from '../../platform/text/durations.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { timeTextWithZone } from '../../platform/text/time-zone.ts';
import {
  approved,
  decided,
  linkDecided,
  nameApproved,
  nameDeclined,
  operatorChanged,
  ownerAsked,
  picturesDecided,
  planChanged,
  publishingAllowed,
  requestDeclined,
  submitted,
  suspensionLifted,
  textsDecided,
} from './decision-letters.ts';
import { keepClaimNotices, keepNotice, keepReviewNotices, type NoticeServices } from './keep.ts';
import {
  claimed,
  endpointDisabled,
  keyInBrowser,
  keysEnd,
  type NamedListing,
  type Notice,
  newOwner,
  ownerReplied,
  reportDecided,
} from './letters.ts';
import { readClaimsToMail, readEventsBetween, readRecipients } from './queries.ts';

export interface EventNoticeServices extends NoticeServices {
  readonly readSettled: ReadSettled;
}

/** Key in `settings`: the event number up to which notices have been queued. */
const CURSOR = 'notices_cursor';
/** Key in `settings`: the event number up to which notices about decisions have been queued. */
const DECISIONS_CURSOR = 'decision_notices_cursor';
/** Maximum age of an event that gets a notice. Events can be older after an outage or a time without a mail server. */
const MAX_AGE_MS = DAY_MS;
/** Maximum number of event numbers that one query scans. */
const NUMBERS_A_PAGE = 20_000;
/** Maximum number of events per transaction. */
const EVENTS_A_PAGE = 50;

export async function areNoticesDue({ context, mailer, readSettled }: EventNoticeServices): Promise<boolean> {
  if (!mailer.isReal) return false;
  const settled = await readSettled();
  if (settled === null) return false;
  const cursors = await readSettings(context.db.read, [CURSOR, DECISIONS_CURSOR]);
  return [CURSOR, DECISIONS_CURSOR].some((name) => settled.seq > Number(cursors.get(name) ?? -1));
}

/**
 * The first run only stores the current position, so past events get no notices. Decisions have a separate position,
 * because their notices wait until the decisions can no longer be undone.
 */
export async function writeNotices(services: EventNoticeServices, signal: AbortSignal): Promise<void> {
  const settled = await services.readSettled();
  if (settled === null) return;
  const upTo = settled.seq;
  await writePass(services, signal, {
    name: CURSOR,
    types: NOTICED_TYPES,
    upTo,
    choose: async (events) => ({ events: events.filter((event) => !isDecision(event)), isAtEnd: false }),
  });
  await writePass(services, signal, {
    name: DECISIONS_CURSOR,
    types: DECISION_TYPES,
    upTo,
    choose: (events) => chooseFinal(services, events),
  });
}

/** `isAtEnd`: the events after the last one of `events` must wait; `nextSeq` is the number of the first of them. */
type Choice =
  | { readonly events: readonly EventRecord[]; readonly isAtEnd: false }
  | { readonly events: readonly EventRecord[]; readonly isAtEnd: true; readonly nextSeq: number };

/** Chooses decisions that were not undone, up to the first one that can still be undone. */
async function chooseFinal({ context }: NoticeServices, events: readonly EventRecord[]): Promise<Choice> {
  const decisions = events.filter(isDecision);
  const waiting = decisions.find(({ at }) => decisionFinalAt(at) > context.at());
  const final = decisions.filter(({ seq }) => waiting === undefined || seq < waiting.seq);
  const undone = await findUndone(context.db, final);
  const chosen = final.filter(({ seq }) => !undone.has(seq));
  return waiting === undefined
    ? { events: chosen, isAtEnd: false }
    : { events: chosen, isAtEnd: true, nextSeq: waiting.seq };
}

interface Pass {
  /** Key in `settings`. */
  readonly name: string;
  readonly types: readonly EventType[];
  readonly upTo: number;
  readonly choose: (events: readonly EventRecord[]) => Promise<Choice>;
}

async function writePass(
  services: EventNoticeServices,
  signal: AbortSignal,
  { name, types, upTo: end, choose }: Pass,
): Promise<void> {
  const { context, mailer } = services;
  const { db } = context;
  let stored = await readSetting(db.read, name);
  let position = Number(stored ?? end);
  let isAtEnd = false;
  const move = (tx: Transaction) => moveSetting(tx, name, stored, String(position));
  while (position < end && !isAtEnd && !signal.aborted) {
    const upTo = Math.min(end, position + NUMBERS_A_PAGE);
    const range = { after: position, upTo, limit: EVENTS_A_PAGE, isOfAccounts: true } as const;
    const events = await readEventsBetween(db, types, range);
    const oldest = toIso(context.now() - MAX_AGE_MS);
    position = events.length === EVENTS_A_PAGE ? events.at(-1)!.seq : upTo;
    if (events.length === 0) continue;
    const choice = await choose(events);
    isAtEnd = choice.isAtEnd;
    if (choice.isAtEnd) position = choice.nextSeq - 1;
    if (String(position) === stored) return;
    const isMoved = await db.transaction(async (tx) => {
      // If two runs race, only one of them advances the position, so nothing is mailed twice.
      if (!(await move(tx))) return false;
      const fresh = choice.events.filter(({ at }) => at >= oldest);
      await mailEvents(services, tx, fresh);
      return true;
    });
    if (!isMoved) return;
    stored = String(position);
    mailer.start();
  }
  if (stored !== String(position)) await db.transaction(move);
}

async function mailEvents(
  services: EventNoticeServices,
  tx: Transaction,
  events: readonly EventRecord[],
): Promise<void> {
  const claimIds = events.filter((event) => causes(event, 'claims')).map(({ subjectId }) => subjectId);
  await mailClaims(services, tx, claimIds);
  for (const event of events) {
    for (const kind of ['decisions', 'problems'] as const) {
      if (!causes(event, kind)) continue;
      const letter = await ownersLetter({ services, tx }, event);
      if (letter === null) continue;
      // The first mail to the owner of a listing that an operator prepares is the invitation.
      const times = { at: event.at, now: services.context.at() };
      if (kind === 'decisions' && !(await isKnownToPerson(tx, event.accountId, times))) continue;
      const { notice, ofOperator, isForOperators } = letter;
      const subject =
        ofOperator === undefined ? { about: `event:${event.seq}` } : { about: ofOperator, repeatMs: HOUR_MS };
      if (isForOperators) await keepNotice(services, tx, 'operators', { kind: 'health', ...subject, notice });
      else await keepNotice(services, tx, [event.accountId], { kind, ...subject, notice });
    }
    if (causes(event, 'owners')) await announceOwner(services, tx, event);
    if (isReply(event)) await passOnReply(services, tx, event);
    if (causes(event, 'reports')) await answerReporters(services, tx, event);
  }
  const ofReview = events.filter((event) => causes(event, 'review'));
  if (ofReview.length > 0) {
    await keepReviewNotices(services, tx, new Set(ofReview.map(({ actor }) => actor)));
  }
}

/** `ofOperator`: the same for all changes to a listing, so that its owner gets one such notice an hour. */
interface Letter {
  readonly notice: Notice;
  /** The letter is about the marketplace, not about the account of the event. */
  readonly isForOperators?: true;
  readonly ofOperator?: string;
}

interface Writing {
  readonly services: NoticeServices;
  readonly tx: Transaction;
}

type OwnersType = NoticedType<'decisions' | 'problems'>;
/** Returns `null` if the owner gets no notice. */
type Write<T extends OwnersType> = (
  writing: Writing,
  event: EventRecord<T>,
) => Letter | null | Promise<Letter | null>;

async function ownersLetter(writing: Writing, event: EventRecord): Promise<Letter | null> {
  if (!Object.hasOwn(LETTERS, event.type)) return null;
  const write = LETTERS[event.type as OwnersType] as Write<OwnersType>;
  return await write(writing, event as EventRecord<OwnersType>);
}

/** There is no letter if the listing was deleted after the event. */
async function ofListing(
  { services, tx }: Writing,
  id: string,
  write: (listing: NamedListing & Pick<Listing, 'visibility'>) => Letter | Promise<Letter>,
): Promise<Letter | null> {
  const [listing] = await readListingNames(tx, [id]);
  return listing === undefined ? null : await write({ ...listing, baseUrl: services.baseUrl });
}

const ofDecision =
  (decision: Parameters<typeof decided>[1]) =>
  (writing: Writing, { subjectId, data }: EventRecord<`listing.${typeof decision}`>) =>
    ofListing(writing, subjectId, (listing) => ({ notice: decided(listing, decision, data.reason || null) }));

const operatorLetter = (listing: NamedListing, offer: string | null, isNew: boolean): Letter => ({
  notice: operatorChanged(listing, offer, isNew),
  ofOperator: `operator:${listing.id}`,
});

const LETTERS: { readonly [T in OwnersType]: Write<T> } = {
  'account.plan_changed': ({ services }, { data: { to }, actor, accountId }) => {
    if (!to || actor === `account:${accountId}`) return null;
    const hasKeys = isPlan(to) && planHasApiKeys(to);
    return { notice: planChanged(services.baseUrl, planNameOf(services, to), hasKeys) };
  },
  'account.publishing_allowed': ({ services }) => ({ notice: publishingAllowed(services.baseUrl) }),
  'account.renamed': ({ services }, { data }) => ({ notice: nameApproved(services.baseUrl, data.to ?? '') }),
  'account.request_declined': ({ services }, { data: { wish, plan, name, reason } }) => ({
    notice:
      wish === 'name'
        ? nameDeclined(services.baseUrl, name ?? '', reason ?? '')
        : requestDeclined(services.baseUrl, plan ? planNameOf(services, plan) : null, reason ?? ''),
  }),
  'endpoint.disabled': ({ services: { baseUrl } }, { subjectId: id, data, actor, accountId }) => {
    const { origin, reason } = data;
    const isMarketplaces = data.marketplace === true;
    if (!reason || reason === 'manual') return null;
    // The owner disabled the endpoint, or removed the person who set it up.
    if (!isMarketplaces && actor === `account:${accountId}`) return null;
    const notice = endpointDisabled(baseUrl, { id, site: origin ?? '', reason, isMarketplaces });
    return { notice, ...(isMarketplaces && { isForOperators: true as const }) };
  },
  'key.seen_in_browser': ({ services }, { data }) => ({
    notice: keyInBrowser(services.baseUrl, data.origin || null),
  }),
  'member.left': ofEndedKeys,
  'member.suspended': ofEndedKeys,
  'listing.created': (writing, { subjectId }) =>
    ofListing(writing, subjectId, (listing) => operatorLetter(listing, null, true)),
  'listing.submitted': (writing, { subjectId }) =>
    ofListing(writing, subjectId, (listing) => ({ notice: submitted(listing) })),
  'listing.approved': async (writing, { subjectId, accountId, data }) => {
    const { marketplace, now } = writing.services.context;
    if (data.from === 'suspended') {
      return await ofListing(writing, subjectId, async (listing) => ({
        notice: suspensionLifted(listing, await readIsForMembers(writing.tx, listing)),
      }));
    }
    const offers = await listCountedOffers(writing.tx, [{ id: subjectId, account_id: accountId }]);
    const open = offers.find((offer) => offerState(offer, now()) === 'open');
    return await ofListing(writing, subjectId, async (listing) => ({
      notice: approved(listing, {
        marketplace: marketplace.brand.name,
        offer: open?.offer ?? null,
        isForMembers: await readIsForMembers(writing.tx, listing),
      }),
    }));
  },
  'listing.changes_requested': ofDecision('changes_requested'),
  'listing.question_asked': (writing, { subjectId, data }) =>
    ofListing(writing, subjectId, (listing) => ({ notice: ownerAsked(listing, data.question ?? '') })),
  'listing.rejected': ofDecision('rejected'),
  'listing.suspended': ofDecision('suspended'),
  'listing.changed': (writing, { subjectId, data }) => {
    const write = LETTERS_OF_LISTING_CHANGES[data.change as NoticedChange<'listing.changed', 'decisions'>];
    return ofListing(writing, subjectId, (listing) => write(listing, declinedBy(data)));
  },
  'offer.changed': async (writing, { subjectId, data }) => {
    const [offer] = await readOfferNames(writing.tx, [subjectId]);
    if (offer === undefined) return null;
    if (data.by === 'operator') {
      return await ofListing(writing, offer.listing_id, (listing) =>
        operatorLetter(listing, offer.offer, data.change === 'created'),
      );
    }
    const write = LETTERS_OF_OFFER_CHANGES[data.change as NoticedChange<'offer.changed', 'decisions'>];
    return await ofListing(writing, offer.listing_id, (listing) =>
      write(listing, declinedBy(data), offer.offer),
    );
  },
};

interface Declined {
  readonly reason: string;
}

const declinedBy = (data: StoredEventData<'listing.changed' | 'offer.changed'>): Declined => ({
  reason: ('reason' in data && data.reason) || '',
});

/** Every change that mails a decision needs a letter. `declined`: only for a decision against the change. */
type LettersOfChanges<T extends 'listing.changed' | 'offer.changed', Of extends readonly unknown[]> = {
  readonly [C in NoticedChange<T, 'decisions'>]: (
    listing: NamedListing,
    declined: Declined,
    ...of: Of
  ) => Letter;
};

const LETTERS_OF_OFFER_CHANGES: LettersOfChanges<'offer.changed', [offer: string]> = {
  link_approved: (listing, _, offer) => ({ notice: linkDecided(listing, offer, null) }),
  link_declined: (listing, declined, offer) => ({ notice: linkDecided(listing, offer, declined) }),
};

const LETTERS_OF_LISTING_CHANGES: LettersOfChanges<'listing.changed', []> = {
  edited: (listing) => operatorLetter(listing, null, false),
  url_approved: (listing) => ({ notice: linkDecided(listing, null, null) }),
  url_declined: (listing, declined) => ({ notice: linkDecided(listing, null, declined) }),
  pictures_approved: (listing) => ({ notice: picturesDecided(listing, null) }),
  pictures_declined: (listing, declined) => ({ notice: picturesDecided(listing, declined) }),
  texts_approved: (listing) => ({ notice: textsDecided(listing, null) }),
  texts_declined: (listing, declined) => ({ notice: textsDecided(listing, declined) }),
};

const planNameOf = ({ context: { marketplace } }: NoticeServices, plan: string): string =>
  isPlan(plan) ? marketplace.plans[plan].name : plan;

function ofEndedKeys(
  { services: { baseUrl, context } }: Writing,
  { data: { keys, keys_end_at } }: EventRecord<'member.left' | 'member.suspended'>,
): Letter | null {
  if (!keys || !keys_end_at) return null;
  const when = () => timeTextWithZone(context.marketplace.timeZone, keys_end_at);
  return { notice: keysEnd(baseUrl, { keys, when }) };
}

const isReply = (event: EventRecord): event is EventRecord<'listing.question_answered'> =>
  event.type === 'listing.question_answered';

/** The reports are in the queue already, so the mail about new items would not mention the reply. */
async function passOnReply(
  services: NoticeServices,
  tx: Transaction,
  { seq, subjectId, data }: EventRecord<'listing.question_answered'>,
): Promise<void> {
  const [listing] = await readListingNames(tx, [subjectId]);
  if (listing === undefined) return;
  const notice = ownerReplied({ ...listing, baseUrl: services.baseUrl }, data.reply ?? '');
  await keepNotice(services, tx, 'operators', { kind: 'review', about: `event:${seq}`, notice });
}

/** The reports that the event closed have its time. */
async function answerReporters(
  services: NoticeServices,
  tx: Transaction,
  { seq, subjectId, at, type }: EventRecord,
): Promise<void> {
  const reports = await listClosedReports(tx, { listingId: subjectId, closedAt: at });
  const [listing] = reports.length === 0 ? [] : await readListingNames(tx, [subjectId]);
  if (listing === undefined) return;
  const { brand, timeZone } = services.context.marketplace;
  for (const { reporter_id, cause, words, created_at } of reports) {
    const notice = reportDecided(listing, {
      isSuspended: type === 'listing.suspended',
      when: () => timeTextWithZone(timeZone, created_at),
      cause: () => causeText(cause),
      words,
      contact: brand.contact,
    });
    await keepNotice(services, tx, [reporter_id], { kind: 'reports', about: `event:${seq}`, notice });
  }
}

async function announceOwner(services: NoticeServices, tx: Transaction, event: EventRecord): Promise<void> {
  const { accountId, subjectId, actor } = event;
  const [listing] = await readListingNames(tx, [subjectId]);
  if (listing === undefined || (await hasListing(tx, accountId, subjectId))) return;
  const [owner] = await readRecipients(tx, [accountId]);
  if (owner === undefined) return;
  const notice = newOwner({ ...listing, baseUrl: services.baseUrl }, accountId, owner.name);
  const operators = await readRecipients(tx, 'operators');
  const others = operators.filter(({ id }) => actor !== `account:${id}`).map(({ id }) => id);
  await keepNotice(services, tx, others, { kind: 'owners', about: `owner:${accountId}`, notice });
}

async function mailClaims(
  services: EventNoticeServices,
  tx: Transaction,
  ids: readonly string[],
): Promise<void> {
  const { context, baseUrl } = services;
  const claims = await readClaimsToMail(tx, context.db.engine, ids);
  if (claims.length === 0) return;
  const { mailsCodes } = await readPolicy(tx);
  const codes = mailsCodes ? await codesOfClaims(context, tx, claims) : new Map<string, string>();
  await keepClaimNotices(services, tx, 'claims', claims, (claim) => {
    const code = mailsCodes ? (codes.get(claim.id) ?? claim.code) : null;
    const shop = new URL(claim.redemption_link ?? claim.shop_url ?? claim.url).host;
    return claimed(baseUrl, { ...claim, code, shop });
  });
}
