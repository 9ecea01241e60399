/** The transaction that queues an event's notices also advances the position in the log: exactly once. */
import {
  causes,
  DECISION_TYPES,
  type EventType,
  isDecision,
  NOTICED_TYPES,
} from '../../base/events/catalogue.ts';
import { decisionFinalAt, findUndone } from '../../base/events/decision-queries.ts';
import type { EventRecord } from '../../base/events/queries.ts';
import type { ReadSettled } from '../../base/events/settled.ts';
import { codesOfClaims } from '../../claims/codes/codes-of-claims.ts';
import { readListingNames } from '../../marketplace/listings/queries.ts';
import { causeText } from '../../marketplace/listings/report.ts';
import { listClosedReports } from '../../marketplace/listings/report-queries.ts';
import { readPolicy } from '../../people/accounts/policy.ts';
import { hasListing } from '../../people/accounts/queries.ts';
import { isKnownToPerson } from '../../people/invitations/queries.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { moveSetting, readSetting, readSettings } from '../../platform/store/settings.ts';
import { DAY_MS, HOUR_MS } from '../../platform/text/durations.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { timeTextWithZone } from '../../platform/text/time-zone.ts';
import { claimed, type ReportOutcome, reportDecided } from './letters.ts';
import { mailClaimants, mailNotice, mailReviewers, type NoticeServices } from './mail-notice.ts';
import { newOwner, ownerReplied } from './operator-letters.ts';
import { ownersLetter } from './owners-letter.ts';
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
    choose: async (events) => ({ events: events.filter((event) => !isDecision(event)), waitsAt: null }),
  });
  await writePass(services, signal, {
    name: DECISIONS_CURSOR,
    types: DECISION_TYPES,
    upTo,
    choose: (events) => chooseFinal(services, events),
  });
}

interface Choice {
  readonly events: readonly EventRecord[];
  /** The number of the first event that must wait, with all later ones; `null`: none must. */
  readonly waitsAt: number | null;
}

/** Chooses decisions that were not undone, up to the first one that can still be undone. */
async function chooseFinal({ context }: NoticeServices, events: readonly EventRecord[]): Promise<Choice> {
  const decisions = events.filter(isDecision);
  const waiting = decisions.find(({ at }) => decisionFinalAt(at) > context.at());
  const final = decisions.filter(({ seq }) => waiting === undefined || seq < waiting.seq);
  const undone = await findUndone(context.db, final);
  return { events: final.filter(({ seq }) => !undone.has(seq)), waitsAt: waiting?.seq ?? null };
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
  let mustWait = false;
  const move = (tx: Transaction) => moveSetting(tx, name, stored, String(position));
  while (position < end && !mustWait && !signal.aborted) {
    const upTo = Math.min(end, position + NUMBERS_A_PAGE);
    const range = { after: position, upTo, limit: EVENTS_A_PAGE, isOfAccounts: true } as const;
    const events = await readEventsBetween(db, types, range);
    const oldest = toIso(context.now() - MAX_AGE_MS);
    position = events.length === EVENTS_A_PAGE ? events.at(-1)!.seq : upTo;
    if (events.length === 0) continue;
    const choice = await choose(events);
    if (choice.waitsAt !== null) {
      mustWait = true;
      position = choice.waitsAt - 1;
    }
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
      if (isForOperators) await mailNotice(services, tx, 'operators', { kind: 'health', ...subject, notice });
      else await mailNotice(services, tx, [event.accountId], { kind, ...subject, notice });
    }
    if (causes(event, 'owners')) await announceOwner(services, tx, event);
    if (isReply(event)) await passOnReply(services, tx, event);
    if (causes(event, 'reports')) await answerReporters(services, tx, event);
  }
  const ofReview = events.filter((event) => causes(event, 'review'));
  if (ofReview.length > 0) {
    await mailReviewers(services, tx, new Set(ofReview.map(({ actor }) => actor)));
  }
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
  await mailNotice(services, tx, 'operators', { kind: 'review', about: `event:${seq}`, notice });
}

const REPORT_OUTCOMES: Partial<Record<EventType, ReportOutcome>> = {
  'listing.suspended': 'suspended',
  'listing.reported': 'replaced',
};

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
      outcome: REPORT_OUTCOMES[type] ?? 'dismissed',
      when: () => timeTextWithZone(timeZone, created_at),
      cause: () => causeText(cause),
      words,
      contact: brand.contact,
    });
    await mailNotice(services, tx, [reporter_id], { kind: 'reports', about: `event:${seq}`, notice });
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
  await mailNotice(services, tx, others, { kind: 'owners', about: `owner:${accountId}`, notice });
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
  await mailClaimants(services, tx, 'claims', claims, (claim) => {
    const code = mailsCodes ? (codes.get(claim.id) ?? claim.code) : null;
    const shop = new URL(claim.redemption_link ?? claim.shop_url ?? claim.url).host;
    return claimed(baseUrl, { ...claim, code, shop });
  });
}
