/** Tells operators what waits for review. */
import { countWaiting, readLastWaiting } from '../listings/queue-queries.ts';
import type { Transaction } from '../store/database.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../text/durations.ts';
import { toIso } from '../text/time-text.ts';
import { keepFor, type NoticeServices } from './keep.ts';
import { waitsForReview } from './letters.ts';
import { lastNoticeAt, readListingNames, readRecipients } from './queries.ts';

/** Listings that one mail names. */
const NAMED = 5;
/** Between two mails to one operator, so that a crowd of new listings is one mail. */
const PAUSE_MS = 10 * MINUTE_MS;
/** A day, less the time by which the hourly job may be early. */
const DAILY_MS = DAY_MS - HOUR_MS / 2;

/** Mails operators if something was submitted since their last mail, and those who want one a day if anything waits. */
export async function keepReviewNotices(services: NoticeServices, tx: Transaction): Promise<void> {
  const last = await readLastWaiting(tx, NAMED);
  if (last.length === 0) return;
  const ids = last.map(({ listingId }) => listingId);
  const names = new Map((await readListingNames(tx, ids)).map(({ id, name }) => [id, name]));
  const named = [...new Set(ids.map((id) => names.get(id) ?? ''))];
  const notice = waitsForReview(services.baseUrl, await countWaiting(tx), named);
  const now = services.context.now();
  for (const operator of await readRecipients(tx, 'operators')) {
    const mailedAt = (await lastNoticeAt(tx, operator.id, 'review')) ?? '';
    if (last[0]!.since > mailedAt) {
      await keepFor(services, tx, operator, { kind: 'review', about: 'queue', repeatMs: PAUSE_MS, notice });
    }
    const dailyAt = (await lastNoticeAt(tx, operator.id, 'daily_review')) ?? '';
    if (dailyAt < toIso(now - DAILY_MS)) {
      await keepFor(services, tx, operator, {
        kind: 'daily_review',
        about: 'queue',
        repeatMs: DAILY_MS,
        notice,
      });
    }
  }
}
