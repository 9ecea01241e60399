import { byNetwork, type Limit } from '../accounts/limits.ts';
import { countAttempt } from '../accounts/throttle.ts';
import type { Context } from '../context.ts';
import { invalid, nothingThere } from '../errors.ts';
import type { Actor } from '../events/queries.ts';
import { type Message, message } from '../languages/translate.ts';
import { uuidv7 } from '../store/uuid.ts';
import { DAY_MS, HOUR_MS } from '../text/durations.ts';
import { optional, parseText } from '../text/text.ts';
import { parseIso, TIME, toIso } from '../text/time-text.ts';
import { appendListingEvent, findListing, lockListing } from './queries.ts';
import { MAX_OPEN_REPORTS, MAX_REPORT_LENGTH, parseReportCause, REPORTS_KEPT_DAYS } from './report.ts';
import {
  closeReports,
  deleteClosedReports,
  hasClosedReports,
  insertReport,
  readOpenReporters,
} from './report-queries.ts';

const refusal = (wait: Message): Message => message('Too many reports. Try again in {wait}.', { wait });
const REPORTS_BY_PERSON: Limit = { name: 'reports', attempts: 20, windowMs: DAY_MS, refusal };
/** For people who are not signed in. */
export const REPORTS_BY_NETWORK: Limit = { name: 'reports-network', attempts: 5, windowMs: HOUR_MS, refusal };

const parseReportWords = (text: string): string => parseText(text, message('The text'), MAX_REPORT_LENGTH);

interface Report {
  readonly listing: string;
  readonly cause: string;
  readonly words: string;
  /** `null` if the person is not signed in. */
  readonly reporterId: string | null;
  /** The client's IP address, for the rate limit of people who are not signed in. Not stored with the report. */
  readonly address: string | null;
}

/**
 * Only operators see who reported the listing. Ignores the report if the same signed-in person has an open report about
 * the listing, or if the listing has `MAX_OPEN_REPORTS` open reports.
 */
export async function reportListing(context: Context, input: Report): Promise<void> {
  const { db } = context;
  const at = context.at();
  const cause = parseReportCause(input.cause);
  const words = optional(input.words, parseReportWords);
  if (cause === 'other' && words === null) throw invalid(message('Say what is wrong.'));
  const { reporterId } = input;
  await countAttempt(
    context,
    reporterId === null ? byNetwork(REPORTS_BY_NETWORK, input.address) : [[REPORTS_BY_PERSON, reporterId]],
  );
  const id = uuidv7(context);
  await db.transaction(async (tx) => {
    const listing = await lockListing(tx, db.engine, input.listing);
    if (listing.state !== 'approved') throw nothingThere();
    const open = await readOpenReporters(tx, listing.id);
    const isKnown = reporterId !== null && open.some(({ reporter_id }) => reporter_id === reporterId);
    if (isKnown || open.length >= MAX_OPEN_REPORTS) return;
    const report = { id, listing_id: listing.id, cause, words, reporter_id: reporterId, created_at: at };
    await insertReport(tx, report);
    // The owner can read this event, so it omits the reporter and the cause.
    await appendListingEvent(tx, listing, { at, actor: 'unknown' }, 'listing.reported', {});
  });
}

/** `upTo`: the creation time of the newest report that the operator has seen. */
export async function dismissReports(
  context: Context,
  input: { readonly listing: string; readonly upTo: string; readonly actor: Actor },
): Promise<void> {
  const at = context.at();
  const upTo = TIME.test(input.upTo) ? parseIso(input.upTo) : null;
  if (upTo === null) throw invalid('Open the listing again, then dismiss the reports that it shows.');
  await context.db.transaction(async (tx) => {
    const listing = await findListing(tx, input.listing);
    if (!(await closeReports(tx, { listingId: listing.id, upTo: toIso(upTo), at }))) return;
    await appendListingEvent(tx, listing, { at, actor: input.actor }, 'listing.reports_dismissed', {});
  });
}

const keptSince = ({ now }: Pick<Context, 'now'>): string => toIso(now() - REPORTS_KEPT_DAYS * DAY_MS);

export const reportsNeedSweep = (context: Pick<Context, 'db' | 'now'>): Promise<boolean> =>
  hasClosedReports(context.db.read, keptSince(context));

export const sweepReports = async (context: Pick<Context, 'db' | 'now'>): Promise<void> => {
  await context.db.transaction((tx) => deleteClosedReports(tx, keptSince(context)));
};
