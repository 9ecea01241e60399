import type { Context } from '../../base/context.ts';
import type { Actor } from '../../base/events/queries.ts';
import { findAccount } from '../../people/accounts/queries.ts';
import { byNetwork, type Charge, type Limit } from '../../people/sign-in/limits/limits.ts';
import { countAttempt } from '../../people/sign-in/limits/throttle.ts';
import { invalid, nothingThere, type Refusal } from '../../platform/errors.ts';
import { type Message, message } from '../../platform/languages/translate.ts';
import { networkOf, widestNetworkOf } from '../../platform/network/network.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { idOfNew } from '../../platform/store/form-id.ts';
import { DAY_MS, HOUR_MS } from '../../platform/text/durations.ts';
import { optional, parseText } from '../../platform/text/text.ts';
import { type Iso, parseIso, TIME, toIso } from '../../platform/text/time-text.ts';
import { appendListingEvent, findListing, lockListing } from './queries.ts';
import { deleteOldQuestions, hasOldQuestions, withdrawQuestions } from './question-queries.ts';
import { decideStorage, MAX_REPORT_LENGTH, parseReportCause, REPORTS_KEPT_DAYS } from './report.ts';
import {
  closeReport,
  closeReports,
  deleteClosedReports,
  deleteReport,
  hasClosedReports,
  hasOpenReports,
  hasReport,
  insertReport,
  readOpenReports,
} from './report-queries.ts';

const refusal = (wait: Message): Message => message('Too many reports. Try again in {wait}.', { wait });
const REPORTS_BY_PERSON: Limit = { name: 'reports', attempts: 20, windowMs: DAY_MS, refusal };
/** For people who are not signed in, or have not confirmed their email address. */
const REPORTS_BY_NETWORK: Limit = { name: 'reports-network', attempts: 5, windowMs: HOUR_MS, refusal };

const CONFIRMED_REPORTS_BY_NETWORK: Limit = {
  name: 'reports-confirmed',
  attempts: 50,
  windowMs: HOUR_MS,
  refusal,
};

/** Returns `null` if there is no text, which only the cause `other` requires. */
export function parseReportWords(text: string | null, cause: string): string | null {
  const words = optional(text, (typed) => parseText(typed, message('The text'), MAX_REPORT_LENGTH));
  if (cause === 'other' && words === null) throw invalid(message('Say what is wrong.'));
  return words;
}

interface Report {
  readonly listing: string;
  readonly cause: string;
  readonly words: string | null;
  /** `null` if the person is not signed in. */
  readonly reporterId: string | null;
  /** An email address at which the operator may ask the reporter back. */
  readonly replyTo?: string | null;
  /** The client's IP address. Only a keyed hash of its network is stored, until the report is closed. */
  readonly address: string | null;
  /** The form's UUIDv7: a form that is sent again, also from another network, adds one report. */
  readonly formId?: string | undefined;
}

/** A person's newer report replaces their open one. Throws if it is not stored, so that nobody is thanked for it. */
export async function reportListing(context: Context, input: Report): Promise<void> {
  const { db } = context;
  const at = context.at();
  const cause = parseReportCause(input.cause);
  const words = parseReportWords(input.words, cause);
  const { reporterId, address } = input;
  const reporter = reporterId === null ? null : await findAccount(db.read, reporterId);
  const isConfirmed = reporter !== null && reporter.email_verified_at !== null;
  const ofPerson: readonly Charge[] = reporterId === null ? [] : [[REPORTS_BY_PERSON, reporterId]];
  const ofNetwork = byNetwork(isConfirmed ? CONFIRMED_REPORTS_BY_NETWORK : REPORTS_BY_NETWORK, address);
  await countAttempt(context, [...ofPerson, ...ofNetwork]);
  await db.transaction(async (tx) => {
    const listing = await lockListing(tx, db.engine, input.listing);
    if (listing.state !== 'approved') throw nothingThere();
    // Includes what the report says, so that a corrected report isn't mistaken for the earlier one.
    const id = idOfNew(context, `${listing.id} ${cause} ${words}`, input.formId);
    if (await hasReport(tx, id)) return;
    const report = {
      cause,
      words,
      reporter_id: reporterId,
      is_confirmed: isConfirmed ? 1 : 0,
      network: context.secretBox.hashOfSubject(`report ${listing.id} ${widestNetworkOf(networkOf(address))}`),
      created_at: at,
    };
    const open = await readOpenReports(tx, listing.id);
    const placement = decideStorage(open, report);
    if (placement === 'exists') return;
    const replaced = open.find(({ id }) => id === placement.replaces);
    if (replaced !== undefined) {
      const isOfOther = replaced.is_confirmed === 1 && replaced.reporter_id !== reporterId;
      // Somebody else with a confirmed address was told that they get an email. They get one with this event.
      await (isOfOther ? closeReport(tx, replaced.id, at) : deleteReport(tx, replaced.id));
    }
    await insertReport(tx, { id, listing_id: listing.id, reply_to: input.replyTo ?? null, ...report });
    // The owner can read this event, so it omits the reporter and the cause.
    await appendListingEvent(tx, listing, { at, actor: 'unknown' }, 'listing.reported', {});
  });
}

/**
 * `upTo`: the creation time of the newest report that the operator has seen. Returns whether any of these reports was
 * open.
 */
export async function dismissReports(
  context: Context,
  input: { readonly listing: string; readonly upTo: string; readonly actor: Actor },
): Promise<boolean> {
  const at = context.at();
  const upTo = parseUpTo(input.upTo);
  return await context.db.transaction(async (tx) => {
    const listing = await findListing(tx, input.listing);
    if (!(await closeReports(tx, { listingId: listing.id, upTo, at }))) return false;
    await withdrawQuestions(tx, listing.id);
    await appendListingEvent(tx, listing, { at, actor: input.actor }, 'listing.reports_dismissed', {});
    return true;
  });
}

function parseUpTo(text: string): Iso {
  const upTo = TIME.test(text) ? parseIso(text) : null;
  if (upTo === null)
    throw invalid(message('Open the listing again, then dismiss the reports that it shows.'));
  return toIso(upTo);
}

/** Refuses if another operator has closed the reports that the operator saw. */
export async function requireOpenReports(tx: Transaction, listingId: string, upTo: string): Promise<void> {
  if (!(await hasOpenReports(tx, { listingId, upTo: parseUpTo(upTo) }))) throw reportsAreClosed();
}

export const reportsAreClosed = (): Refusal =>
  invalid(message('These reports have already been dismissed or closed.'));

const keptSince = ({ now }: Pick<Context, 'now'>): string => toIso(now() - REPORTS_KEPT_DAYS * DAY_MS);

export const reportsNeedSweep = async (context: Pick<Context, 'db' | 'now'>): Promise<boolean> =>
  (await hasClosedReports(context.db.read, keptSince(context))) ||
  (await hasOldQuestions(context.db.read, keptSince(context)));

export const sweepReports = async (context: Pick<Context, 'db' | 'now'>): Promise<void> => {
  await context.db.transaction(async (tx) => {
    await deleteClosedReports(tx, keptSince(context));
    await deleteOldQuestions(tx, keptSince(context));
  });
};
