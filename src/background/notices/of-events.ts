/**
 * Queues the notices about each event exactly once: the transaction that queues them also advances the stored position
 * in the event log.
 */
import {
  DECISION_EVENT_TYPES,
  decisionFinalAt,
  findUndone,
  isDecision,
} from '../../base/events/decision-queries.ts';
import type { EventRecord, EventType } from '../../base/events/queries.ts';
import type { ReadSettled } from '../../base/events/settled.ts';
import { codesOfClaims } from '../../claims/codes-of-claims.ts';
import { isPlan, planHasApiKeys } from '../../people/accounts/account.ts';
import { readPolicy } from '../../people/accounts/policy.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { moveSetting, readSetting, readSettings } from '../../platform/store/settings.ts';
import { DAY_MS, HOUR_MS } from '../../platform/text/durations.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { timeTextWithZone } from '../../platform/text/time-zone.ts';
import type { DisabledReason } from '../webhooks/endpoint.ts';
import {
  approved,
  decided,
  linkDecided,
  nameApproved,
  nameDeclined,
  operatorChanged,
  picturesDecided,
  planChanged,
  publishingAllowed,
  requestDeclined,
  submitted,
  textsDecided,
} from './decision-letters.ts';
import { keepClaimNotices, keepNotice, keepReviewNotices, type NoticeServices } from './keep.ts';
import type { NoticeKind } from './kinds.ts';
import {
  claimed,
  endpointDisabled,
  keyInBrowser,
  keysEnd,
  type NamedListing,
  type Notice,
  newOwner,
} from './letters.ts';
import {
  hasListing,
  readClaimsToMail,
  readEventsBetween,
  readListingNames,
  readOfferName,
  readRecipients,
} from './queries.ts';

export interface EventNoticeServices extends NoticeServices {
  readonly readSettled: ReadSettled;
}

/** Key in `settings`: the event number up to which notices have been queued. */
const PLACE = 'notices_place';
/** Key in `settings`: the event number up to which notices about decisions have been queued. */
const DECISIONS_PLACE = 'decision_notices_place';
/** Maximum age of an event that gets a notice. Events can be older after an outage or a time without a mail server. */
const MAX_AGE_MS = DAY_MS;
/** Maximum number of event numbers that one query scans. */
const NUMBERS_A_PAGE = 20_000;
/** Maximum number of events per transaction. */
const EVENTS_A_PAGE = 50;

const NOTED: readonly EventType[] = [
  'account.asked',
  'account.plan_changed',
  'account.publishing_allowed',
  'account.request_declined',
  'claim.created',
  'endpoint.disabled',
  'key.seen_in_browser',
  'listing.approved',
  'listing.changed',
  'listing.changes_requested',
  'listing.created',
  'listing.rejected',
  'listing.reported',
  'listing.submitted',
  'listing.suspended',
  'member.left',
  'member.suspended',
  'offer.changed',
];

export async function areNoticesDue({ context, mailer, readSettled }: EventNoticeServices): Promise<boolean> {
  if (!mailer.isReal) return false;
  const settled = await readSettled();
  if (settled === null) return false;
  const places = await readSettings(context.db.read, [PLACE, DECISIONS_PLACE]);
  return [PLACE, DECISIONS_PLACE].some((name) => settled.seq > Number(places.get(name) ?? -1));
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
    name: PLACE,
    types: NOTED,
    upTo,
    choose: async (events) => ({ events: events.filter((event) => !isDecision(event)), isAtEnd: false }),
  });
  await writePass(services, signal, {
    name: DECISIONS_PLACE,
    types: DECISION_EVENT_TYPES,
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
    const events = await readEventsBetween(db, types, { after: position, upTo, limit: EVENTS_A_PAGE });
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
  const claimIds = events.filter(({ type }) => type === 'claim.created').map(({ subjectId }) => subjectId);
  await mailClaims(services, tx, claimIds);
  for (const event of events) {
    const about = `event:${event.seq}`;
    const ofOwner = await ownersNotice(services, tx, event);
    if (ofOwner !== null) {
      const [kind, notice, ofOperator] = ofOwner;
      const known = ofOperator === undefined ? { about } : { about: ofOperator, repeatMs: HOUR_MS };
      await keepNotice(services, tx, [event.accountId], { kind, ...known, notice });
    }
    if (event.type === 'listing.created') await announceOwner(services, tx, event);
  }
  if (events.some(isForReview)) await keepReviewNotices(services, tx);
}

const isForReview = ({ type, data }: EventRecord): boolean =>
  type === 'listing.submitted' ||
  type === 'listing.reported' ||
  type === 'account.asked' ||
  (type === 'listing.changed' && 'to' in data) ||
  data['waits'] === true ||
  data['isListed'] === true;

const textOf = (data: EventRecord['data'], name: string): string | null => {
  const value = data[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

type OfListing = (listing: NamedListing, data: EventRecord['data']) => Notice;

const OF_LISTINGS: { readonly [type in EventType]?: OfListing } = {
  'listing.submitted': submitted,
  'listing.approved': (listing, data) => approved(listing, data['from'] === 'suspended'),
  'listing.changes_requested': (listing, data) =>
    decided(listing, 'changes_requested', textOf(data, 'reason')),
  'listing.rejected': (listing, data) => decided(listing, 'rejected', textOf(data, 'reason')),
  'listing.suspended': (listing, data) => decided(listing, 'suspended', textOf(data, 'reason')),
};

/**
 * Returns `null` if the owner gets no notice. `ofOperator`: the `about` of a notice about an operator's change. The
 * value is the same for all changes to a listing, so the owner gets at most one such notice per listing and hour.
 */
async function ownersNotice(
  services: NoticeServices,
  tx: Transaction,
  event: EventRecord,
): Promise<readonly [kind: NoticeKind, notice: Notice, ofOperator?: string] | null> {
  const { baseUrl } = services;
  const { type, data, subjectId } = event;
  const ofAccount = accountNotice(services, event);
  if (ofAccount !== null) return ['decisions', ofAccount];
  if (type === 'key.seen_in_browser') return ['problems', keyInBrowser(baseUrl, textOf(data, 'origin'))];
  if (type === 'endpoint.disabled') {
    const site = textOf(data, 'origin') ?? '';
    const reason = (textOf(data, 'reason') ?? 'manual') as DisabledReason;
    // The owner disabled the endpoint, or removed the person who set it up.
    if (reason === 'manual' || event.actor === `account:${event.accountId}`) return null;
    return ['problems', endpointDisabled(baseUrl, { id: subjectId, site, reason })];
  }
  if (type === 'member.left' || type === 'member.suspended') {
    const [keys, until] = [Number(data['keys'] ?? 0), textOf(data, 'keys_end_at')];
    if (keys === 0 || until === null) return null;
    const when = () => timeTextWithZone(services.context.marketplace.timeZone, until);
    return ['problems', keysEnd(baseUrl, { keys, when })];
  }
  const ofListing = OF_LISTINGS[type as EventType];
  const isByOperator = data['by'] === 'operator';
  const change = type === 'listing.changed' || type === 'offer.changed' ? textOf(data, 'change') : null;
  // The operator also created the listing, and the owner gets a notice about the creation.
  if (type === 'listing.submitted' && isByOperator) return null;
  const isWanted = ofListing !== undefined || isByOperator || (change !== null && OWNERS_WANT.test(change));
  if (!isWanted) return null;
  const offer = type === 'offer.changed' ? await readOfferName(tx, subjectId) : undefined;
  const [listing] = await readListingNames(tx, [offer?.listing_id ?? subjectId]);
  // The listing was deleted after the event.
  if (listing === undefined) return null;
  const named = { ...listing, baseUrl };
  if (ofListing !== undefined) return ['decisions', ofListing(named, data)];
  if (isByOperator) {
    const isNew = type === 'listing.created' || change === 'created';
    return ['decisions', operatorChanged(named, offer?.offer ?? null, isNew), `operator:${listing.id}`];
  }
  const declined = change!.endsWith('declined') ? { reason: textOf(data, 'reason') ?? '' } : null;
  if (change!.startsWith('pictures')) return ['decisions', picturesDecided(named, declined)];
  if (change!.startsWith('texts')) return ['decisions', textsDecided(named, declined)];
  return ['decisions', linkDecided(named, offer?.offer ?? null, declined)];
}

/**
 * Returns the notice about a new plan, permission to publish, an approved name or a declined request. Returns `null` for
 * other events, and if the owner changed the plan.
 */
function accountNotice(
  { baseUrl, context: { marketplace } }: NoticeServices,
  { type, data, actor, accountId }: EventRecord,
): Notice | null {
  const plan = textOf(data, type === 'account.plan_changed' ? 'to' : 'plan');
  const name = plan !== null && isPlan(plan) ? marketplace.plans[plan].name : plan;
  switch (type) {
    case 'account.plan_changed': {
      if (name === null || actor === `account:${accountId}`) return null;
      return planChanged(baseUrl, name, plan !== null && isPlan(plan) && planHasApiKeys(plan));
    }
    case 'account.publishing_allowed':
      return publishingAllowed(baseUrl);
    case 'account.renamed':
      return nameApproved(baseUrl, textOf(data, 'to') ?? '');
    case 'account.request_declined': {
      const reason = textOf(data, 'reason') ?? '';
      return data['wish'] === 'name'
        ? nameDeclined(baseUrl, textOf(data, 'name') ?? '', reason)
        : requestDeclined(baseUrl, name, reason);
    }
    default:
      return null;
  }
}

const OWNERS_WANT = /^(?:url|link|texts|pictures)_(?:approved|declined)$/;

async function announceOwner(services: NoticeServices, tx: Transaction, event: EventRecord): Promise<void> {
  const { accountId, subjectId } = event;
  const [listing] = await readListingNames(tx, [subjectId]);
  if (listing === undefined || (await hasListing(tx, accountId, subjectId))) return;
  const [owner] = await readRecipients(tx, [accountId]);
  if (owner === undefined) return;
  const notice = newOwner({ ...listing, baseUrl: services.baseUrl }, accountId, owner.name);
  await keepNotice(services, tx, 'operators', { kind: 'owners', about: `owner:${accountId}`, notice });
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
