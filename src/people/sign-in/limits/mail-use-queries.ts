/** How many mails that strangers can cause were sent and used in the last hour. */
import { sql } from 'kysely';
import type { Queryable, Transaction } from '../../../platform/store/database.ts';
import { OF_MAILED_CODES } from '../../../platform/store/partial-indexes.ts';
import { HOUR_MS, MINUTE_MS } from '../../../platform/text/durations.ts';
import { toIso } from '../../../platform/text/time-text.ts';

export const MAIL_USE_MS = HOUR_MS;
/** Bounds the cost of a count. */
const MAX_UNUSED = 100_000;

/** Key in `throttles` of the mails whose code was used in one minute. */
const keyOf = (minute: number): string => `used-mails:${minute}`;

export async function addUsedMails(tx: Transaction, atMs: number, mails: number): Promise<void> {
  const minute = Math.floor(atMs / MINUTE_MS);
  await tx
    .insertInto('throttles')
    .values({ key: keyOf(minute), points: mails, expires_ms: (minute + 1) * MINUTE_MS + MAIL_USE_MS })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({ points: sql<number>`throttles.points + ${mails}` }),
    )
    .execute();
}

export interface MailUse {
  /** Mails whose code was neither used nor replaced. */
  readonly unused: number;
  readonly used: number;
}

/** The codes of mails stay in the table for an hour, unless they are used. */
export async function readMailUse(db: Queryable, nowMs: number): Promise<MailUse> {
  const newest = Math.floor(nowMs / MINUTE_MS);
  const keys = Array.from({ length: MAIL_USE_MS / MINUTE_MS + 1 }, (_, ago) => keyOf(newest - ago));
  const recent = db
    .selectFrom('one_time_codes')
    .select('created_at')
    .where(sql<boolean>`${sql.raw(OF_MAILED_CODES)}`)
    .where('created_at', '>', toIso(nowMs - MAIL_USE_MS))
    // Later times come from a clock that was ahead.
    .where('created_at', '<', toIso(nowMs + MAIL_USE_MS))
    .limit(MAX_UNUSED)
    .as('recent');
  const [unused, used] = await Promise.all([
    db
      .selectFrom(recent)
      .select(({ fn }) => fn.countAll<number>().as('mails'))
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('throttles')
      .select(({ fn }) => fn.sum<number | null>('points').as('mails'))
      .where('key', 'in', keys)
      .executeTakeFirstOrThrow(),
  ]);
  return { unused: Number(unused.mails), used: Number(used.mails ?? 0) };
}
