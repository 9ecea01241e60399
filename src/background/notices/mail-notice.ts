/** Queues notices as mail in the caller's transaction. Skips people who turned off that kind of notice. */
import type { Context } from '../../base/context.ts';
import { readListingNames } from '../../marketplace/listings/queries.ts';
import { countWaiting, readWaiting, type Waiting } from '../../marketplace/listings/queue-queries.ts';
import { readAccountNames } from '../../people/accounts/queries.ts';
import type { Mail, Mailer } from '../../people/mail/mail.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/text/durations.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { type Choices, isWanted, type NoticeKind, stopUrl } from './kinds.ts';
import type { Notice } from './letters.ts';
import { waitsForReview } from './operator-letters.ts';
import {
  type ClaimToMail,
  countNotices,
  lastNoticeAt,
  type Recipient,
  readMailSettings,
  readRecipients,
  takeNotice,
  writeChoices,
} from './queries.ts';

export interface NoticeServices {
  readonly context: Context;
  readonly mailer: Pick<Mailer, 'isReal' | 'keep' | 'start'>;
  readonly baseUrl: string;
}

/** Notices per person and kind in 24 hours. Further notices are dropped. Notices to claimants are not limited. */
export const MAX_NOTICES_A_DAY = 20;

export interface NoticeToMail {
  readonly kind: NoticeKind;
  /** Deduplication key: each person gets only one notice per `kind` and `about`. */
  readonly about: string;
  /** If set, the same notice may be sent again after this time. */
  readonly repeatMs?: number;
  readonly notice: Notice;
}

export async function mailNotice(
  services: NoticeServices,
  tx: Transaction,
  to: readonly string[] | 'operators',
  input: NoticeToMail,
): Promise<void> {
  for (const recipient of await readRecipients(tx, to)) await mailTo(services, tx, recipient, input);
}

async function mailTo(
  services: NoticeServices,
  tx: Transaction,
  recipient: Recipient,
  { kind, about, repeatMs, notice }: NoticeToMail,
): Promise<void> {
  if (!isWanted(recipient.choices, kind)) return;
  const now = services.context.now();
  const key = { accountId: recipient.id, kind, about };
  if ((await countNotices(tx, key, toIso(now - DAY_MS))) >= MAX_NOTICES_A_DAY) return;
  const before = repeatMs === undefined ? null : toIso(now - repeatMs);
  if (!(await takeNotice(tx, key, { at: toIso(now), before }))) return;
  await services.mailer.keep(tx, noticeMail(services, recipient, kind, notice));
}

/** Mails claimants who want it. The caller must advance its position in the event log in the same transaction. */
export async function mailClaimants(
  services: NoticeServices,
  tx: Transaction,
  kind: NoticeKind,
  claims: readonly ClaimToMail[],
  noticeOf: (claim: ClaimToMail) => Notice,
): Promise<void> {
  const people = await readRecipients(tx, [...new Set(claims.map(({ claimant_id }) => claimant_id))]);
  const byId = new Map(people.map((person) => [person.id, person]));
  const mails = claims.flatMap((claim) => {
    const person = byId.get(claim.claimant_id);
    if (person === undefined || !isWanted(person.choices, kind)) return [];
    return [noticeMail(services, person, kind, noticeOf(claim))];
  });
  await services.mailer.keep(tx, ...mails);
}

const noticeMail = (
  { context, baseUrl }: NoticeServices,
  { id, email }: Recipient,
  kind: NoticeKind,
  notice: Notice,
): Mail => ({ to: email, ...notice, stopUrl: stopUrl(context.secretBox, baseUrl, id, kind) });

/** Kinds that are missing from `changed` keep their setting. */
export const chooseNotices = (
  { db }: Pick<Context, 'db'>,
  accountId: string,
  changed: Choices,
): Promise<void> =>
  db.transaction(async (tx) => {
    const { choices } = await readMailSettings(tx, accountId);
    await writeChoices(tx, accountId, { ...choices, ...changed });
  });

const ITEMS_NAMED = 5;
/** Minimum time between two `review` mails to an operator, so that one mail covers many new items. */
const PAUSE_MS = 10 * MINUTE_MS;
/** Slightly less than a day, since the hourly job may run a little earlier than on the previous day. */
const DAILY_MS = DAY_MS - HOUR_MS / 2;

async function nameWaiting(tx: Transaction, items: readonly Waiting[]): Promise<readonly string[]> {
  const listings = items.flatMap(({ listingId }) => listingId ?? []);
  const accounts = items.flatMap(({ accountId }) => accountId ?? []);
  const rows = [...(await readListingNames(tx, listings)), ...(await readAccountNames(tx, accounts))];
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return [...new Set(items.map(({ listingId, accountId }) => names.get(listingId ?? accountId ?? '') ?? ''))];
}

/**
 * Queues a `review` mail for each operator who got none since the newest item arrived, unless they caused all of the new
 * items themselves. Queues `daily_review` daily.
 */
export async function mailReviewers(
  services: NoticeServices,
  tx: Transaction,
  actors: ReadonlySet<string> = new Set(),
): Promise<void> {
  const last = await readWaiting(tx, { way: 'desc', limit: ITEMS_NAMED });
  if (last.length === 0) return;
  const named = await nameWaiting(tx, last);
  const queue = {
    about: 'queue',
    notice: waitsForReview(services.baseUrl, await countWaiting(tx), named),
  };
  const now = services.context.now();
  for (const operator of await readRecipients(tx, 'operators')) {
    const keyOf = (kind: NoticeKind) => ({ accountId: operator.id, kind, about: queue.about });
    const mailedAt = (await lastNoticeAt(tx, keyOf('review'))) ?? '';
    const isOwn = actors.size === 1 && actors.has(`account:${operator.id}`);
    if (last[0]!.since > mailedAt && !isOwn) {
      await mailTo(services, tx, operator, { kind: 'review', repeatMs: PAUSE_MS, ...queue });
    }
    const dailyAt = (await lastNoticeAt(tx, keyOf('daily_review'))) ?? '';
    if (dailyAt < toIso(now - DAILY_MS)) {
      await mailTo(services, tx, operator, { kind: 'daily_review', repeatMs: DAILY_MS, ...queue });
    }
  }
}
