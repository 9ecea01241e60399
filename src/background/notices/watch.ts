/** Hourly job for notices that no event triggers: offers that run out or end, weekly totals, reminders, problems. */
import { sumAllLabels } from '../../marketplace/campaigns/closed-days.ts';
import { isLow } from '../../marketplace/offers/code.ts';
import { isOpenWithCodes } from '../../marketplace/offers/offer.ts';
import { listOffersToWatch, type WatchedOffer } from '../../marketplace/offers/queries.ts';
import { readPolicy } from '../../people/accounts/policy.ts';
import { readMailPressure } from '../../people/sign-in/limits/mail-gate.ts';
import { moveSetting, readSetting } from '../../platform/store/settings.ts';
import { DAY_MS } from '../../platform/text/durations.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { lastDays, timeTextWithZone } from '../../platform/text/time-zone.ts';
import type { Check } from '../system/check.ts';
import { almostFull, codesLow, endsSoon, notUsedYet, weekOf } from './letters.ts';
import {
  mailClaimants,
  mailNotice,
  mailReviewers,
  type NoticeServices,
  type NoticeToMail,
} from './mail-notice.ts';
import type { EventNoticeServices } from './of-events.ts';
import { challengeBegan, unhealthy } from './operator-letters.ts';
import { deleteOldNotices, listAccountsWanting, readClaimsToMail, readEventsBetween } from './queries.ts';

interface WatchServices extends EventNoticeServices {
  readonly examine: () => Promise<readonly Check[]>;
}

const PAGE = 200;
const SOON_MS = 3 * DAY_MS;
/** Share of the claim limit at which an offer counts as almost full. */
const FULL_SHARE = 0.9;
const KEPT_MS = 400 * DAY_MS;
const WEEK_MS = 7 * DAY_MS;

/** Does nothing if there is no mail server. */
export async function watchForNotices(services: WatchServices, signal: AbortSignal): Promise<void> {
  const { context, mailer } = services;
  const { db } = context;
  if (!mailer.isReal) return;
  await db.transaction((tx) => deleteOldNotices(tx, toIso(context.now() - KEPT_MS)));
  await watchOffers(services, signal);
  await mailWeeks(services, signal);
  await remind(services, signal);
  await mailProblems(services);
  await db.transaction((tx) => mailReviewers(services, tx));
  mailer.start();
}

/** Runs every minute, because a challenge may last less than an hour. */
export async function watchUnusedMail(services: NoticeServices): Promise<void> {
  const { context, mailer, baseUrl } = services;
  if (!mailer.isReal) return;
  const { unused, used, needsChallenge } = await readMailPressure(context.db.read, context.now());
  if (!needsChallenge) return;
  const notice = challengeBegan(baseUrl, { unused, sent: unused + used });
  await context.db.transaction((tx) =>
    mailNotice(services, tx, 'operators', { kind: 'health', about: 'unused mail', repeatMs: DAY_MS, notice }),
  );
  mailer.start();
}

async function watchOffers(services: WatchServices, signal: AbortSignal): Promise<void> {
  const { db, now } = services.context;
  let after: string | undefined;
  while (!signal.aborted) {
    const soon = toIso(now() + SOON_MS);
    const offers = await listOffersToWatch(db.read, { after, limit: PAGE, at: toIso(now()), soon });
    const notices = offers.flatMap((offer) =>
      noticesOf(services, offer).map((notice) => ({ offer, notice })),
    );
    if (notices.length > 0) {
      await db.transaction(async (tx) => {
        for (const { offer, notice } of notices) await mailNotice(services, tx, [offer.account_id], notice);
      });
    }
    if (offers.length < PAGE) return;
    after = offers.at(-1)!.id;
  }
}

function noticesOf({ context, baseUrl }: WatchServices, offer: WatchedOffer): readonly NoticeToMail[] {
  const { id, claims, claim_limit: limit, codes_left: left, codes_given: given, ends_at: end } = offer;
  const now = context.now();
  const named = { id, offer: offer.offer, listing: offer.listing, baseUrl };
  const kind = 'supply';
  const notices: NoticeToMail[] = [];
  if (offer.code_list !== null && isLow(offer) && isOpenWithCodes(offer, now)) {
    // `about` contains the total number of codes. Adding codes changes `about`, so the next shortage is mailed too.
    notices.push({ kind, about: `codes:${id}:${left + given}`, notice: codesLow(named, left) });
  }
  if (end !== null && Date.parse(end) > now && Date.parse(end) <= now + SOON_MS) {
    const words = () => timeTextWithZone(context.marketplace.timeZone, end);
    notices.push({ kind, about: `end:${id}:${end}`, notice: endsSoon(named, words) });
  }
  if (limit !== null && claims >= FULL_SHARE * limit) {
    notices.push({ kind, about: `full:${id}:${limit}`, notice: almostFull(named, claims, limit) });
  }
  return notices;
}

async function mailWeeks(services: WatchServices, signal: AbortSignal): Promise<void> {
  const { context, baseUrl } = services;
  const { db } = context;
  const [today, ...before] = lastDays(context.marketplace.timeZone, context.now(), 8).toReversed();
  if (new Date(today!.day).getUTCDay() !== 1) return;
  const days = before.toReversed();
  let after: string | undefined;
  while (!signal.aborted) {
    const accounts = await listAccountsWanting(db.read, 'week', { after, limit: PAGE });
    for (const accountId of accounts) {
      const week = await sumAllLabels(db.read, { accountId }, { days, end: today!.start });
      const sum = (count: 'claims' | 'redeemed') => week.reduce((total, row) => total + row[count], 0);
      const notice = weekOf(baseUrl, sum('claims'), sum('redeemed'));
      await db.transaction((tx) =>
        mailNotice(services, tx, [accountId], { kind: 'week', about: `week:${today!.day}`, notice }),
      );
    }
    if (accounts.length < PAGE) return;
    after = accounts.at(-1)!;
  }
}

/** Key in `settings`: number of the last event that was checked for reminders. */
const REMINDERS_CURSOR = 'reminders_cursor';

/** One per claim, if it is unredeemed after `remindAfterDays` days and its offer has a redemption link. */
async function remind(services: WatchServices, signal: AbortSignal): Promise<void> {
  const { context, baseUrl } = services;
  const { db } = context;
  const { remindAfterDays } = await readPolicy(db.read);
  const settled = await services.readSettled();
  if (settled === null) return;
  let stored = await readSetting(db.read, REMINDERS_CURSOR);
  // Claims get no reminder if they were created before the operator turned on reminders.
  let cursor = stored === null || remindAfterDays === null ? settled.seq : Number(stored);
  const oldest = toIso(context.now() - (remindAfterDays ?? 0) * DAY_MS);
  let isDone = false;
  while (!signal.aborted && !isDone) {
    const upTo = settled.seq;
    const page = await readEventsBetween(db, ['claim.created'], { after: cursor, upTo, limit: PAGE });
    const old = page.filter(({ at }) => at <= oldest);
    isDone = page.length < PAGE || old.length < page.length;
    const ids = old.map(({ subjectId }) => subjectId);
    const to = old.at(-1)?.seq ?? cursor;
    if (String(to) === stored) return;
    const isMoved = await db.transaction(async (tx) => {
      if (!(await moveSetting(tx, REMINDERS_CURSOR, stored, String(to)))) return false;
      const claims = (await readClaimsToMail(tx, db.engine, ids)).filter(
        (claim) => claim.redeemed_at === null && claim.redemption_link !== null,
      );
      await mailClaimants(services, tx, 'reminders', claims, (claim) => notUsedYet(baseUrl, claim));
      return true;
    });
    if (!isMoved) return;
    cursor = to;
    stored = String(to);
  }
}

async function mailProblems(services: WatchServices): Promise<void> {
  const { context, baseUrl } = services;
  for (const { check, ok, detail } of await services.examine()) {
    if (ok) continue;
    const notice = unhealthy(baseUrl, check, detail);
    await context.db.transaction((tx) =>
      mailNotice(services, tx, 'operators', { kind: 'health', about: check, repeatMs: WEEK_MS, notice }),
    );
  }
}
