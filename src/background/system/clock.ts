/**
 * What happens when the clock of the machine jumps. After it was set back, times in the future must not delay work.
 * After it was set forward, nothing may be deleted before its time: a wrong clock is usually noticed within hours.
 */
import type { Context } from '../../base/context.ts';
import { UNDO_MS } from '../../people/accounts/account.ts';
import { message } from '../../platform/languages/translate.ts';
import type { Database } from '../../platform/store/database.ts';
import { readSetting, writeSetting } from '../../platform/store/settings.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/text/durations.ts';
import { type EpochMs, toIso } from '../../platform/text/time-text.ts';
import { type Check, examined, failed, noted, passed } from './check.ts';
import { type Bounds, type CorrectedTime, correct, findAhead, readNewestTimes } from './clock-queries.ts';

/** The clocks of several processes may differ this much. */
export const CLOCK_SKEW_MS = 5 * MINUTE_MS;
const ROWS_A_TRANSACTION = 500;

/** A failed delivery waits up to 24 hours, and up to a fifth more. */
const MAX_RETRY_MS = 30 * HOUR_MS;

const delaying = (
  table: CorrectedTime['table'],
  key: string,
  column: string,
  more: Partial<CorrectedTime> = {},
): CorrectedTime => ({ table, key, column, maxAheadMs: CLOCK_SKEW_MS, toMs: 0, ...more });

const retried = { maxAheadMs: MAX_RETRY_MS, createdColumn: 'created_at' } as const;

/**
 * Times that delay work until they have passed. An earlier time does no harm, even if the clock is wrong now. Each new
 * column with the time of the next attempt, or of the last one if it delays the next, needs an entry.
 */
const DELAYING_TIMES: readonly CorrectedTime[] = [
  delaying('mails', 'id', 'next_at', retried),
  // Sending is retried for a day after the mail was created.
  delaying('mails', 'id', 'created_at'),
  delaying('deliveries', 'id', 'next_at', retried),
  delaying('webhook_endpoints', 'id', 'held_until', { maxAheadMs: HOUR_MS + CLOCK_SKEW_MS, toMs: null }),
  delaying('webhook_endpoints', 'id', 'failing_since'),
  delaying('account_requests', 'account_id', 'declined_at'),
  delaying('notices', 'account_id', 'at'),
  delaying('mail_settings', 'account_id', 'refused_at'),
  delaying('link_probes', 'listing_id', 'at'),
  delaying('link_checks', 'offer_id', 'started_at'),
  delaying('jobs', 'name', 'started_at'),
  delaying('jobs', 'name', 'finished_at'),
  delaying('jobs', 'name', 'failed_at'),
  delaying('jobs', 'name', 'leased_until', { toMs: null }),
];

const issued = { maxAheadMs: 30 * DAY_MS, createdColumn: 'created_at' } as const;

/** Ends of codes that are valid for minutes. The codes of a clock that was ahead would be valid for too long. */
const CODE_ENDS: readonly CorrectedTime[] = [
  delaying('one_time_codes', 'code_hash', 'expires_at', issued),
  delaying('email_sign_ins', 'link_hash', 'expires_at', issued),
  delaying('sign_in_steps', 'secret_hash', 'expires_at', issued),
];

/** Times after which a right begins or something is deleted: compared with the time that deletions trust. */
const GRANTING_TIMES: readonly CorrectedTime[] = [
  delaying('accounts', 'id', 'created_at', { maxAheadMs: DAY_MS }),
  delaying('accounts', 'id', 'standing_since', { maxAheadMs: DAY_MS }),
  delaying('accounts', 'id', 'delete_at', { maxAheadMs: UNDO_MS + DAY_MS, toMs: UNDO_MS }),
  delaying('account_uses', 'account_id', 'last_used_at'),
  delaying('api_key_uses', 'api_key_id', 'last_used_at'),
  delaying('operator_keys', 'id', 'last_used_at'),
  delaying('sessions', 'id', 'last_seen_at'),
  delaying('reports', 'id', 'closed_at'),
];

/** Corrects times that a clock wrote which was ahead. Safe to run in several processes. */
export async function correctTimes({ db, now }: Pick<Context, 'db' | 'now'>): Promise<void> {
  for (const time of [...DELAYING_TIMES, ...CODE_ENDS]) await correctAll(db, time, now());
  const trustedMs = Math.max(now(), (await readTrustedMs(db)) ?? 0);
  for (const time of GRANTING_TIMES) await correctAll(db, time, trustedMs);
}

async function correctAll(db: Database, time: CorrectedTime, nowMs: EpochMs): Promise<void> {
  const { toMs, maxAheadMs } = time;
  const bounds: Bounds = {
    to: toMs === null ? null : toIso(nowMs + toMs),
    ahead: toIso(nowMs + CLOCK_SKEW_MS),
    latest: toIso(nowMs + maxAheadMs),
  };
  for (let more = true; more; ) {
    const keys = await findAhead(db.read, time, bounds, ROWS_A_TRANSACTION);
    if (keys.length > 0) await db.transaction((tx) => correct(tx, time, bounds, keys));
    more = keys.length === ROWS_A_TRANSACTION;
  }
}

/** Key in `settings`: the time that deletions trust, ISO 8601 UTC. It follows the clock, but only slowly. */
const DELETION_CLOCK = 'deletion_clock';
/** How far the deletion clock moves in each run of its job, every hour. */
const STEP_MS = DAY_MS;
/** While the clock is behind, the deletion clock follows it by a day an hour, so times up to this far ahead may be right. */
const CERTAIN_MS = 30 * DAY_MS;
/** The deletion clock is this much behind between two runs. */
const SLACK_MS = 2 * HOUR_MS;

const readTrustedMs = async ({ read }: Pick<Database, 'read'>): Promise<EpochMs | null> => {
  const at = await readSetting(read, DELETION_CLOCK);
  return at === null ? null : Date.parse(at);
};

/** Moves by at most a day: a clock that is a year ahead for an hour deletes what is due within a day. */
export async function moveDeletionClock({ db, now }: Pick<Context, 'db' | 'now'>): Promise<void> {
  const trustedMs = (await readTrustedMs(db)) ?? now();
  const nextMs = Math.max(trustedMs - STEP_MS, Math.min(now(), trustedMs + STEP_MS));
  await db.transaction((tx) => writeSetting(tx, DELETION_CLOCK, toIso(nextMs)));
}

/** Returns the context with the time that deletions trust, and the time after which a stored time must be wrong. */
export async function forDeletions<C extends Pick<Context, 'db' | 'now'>>(
  context: C,
): Promise<{ readonly context: C; readonly futureMs: EpochMs }> {
  const { db, now } = context;
  const trustedMs = await readTrustedMs(db);
  const limitMs = trustedMs === null ? Number.POSITIVE_INFINITY : trustedMs + SLACK_MS;
  return {
    context: { ...context, now: () => Math.min(now(), limitMs) },
    futureMs: Math.max(now(), trustedMs ?? 0) + CERTAIN_MS,
  };
}

/** False while the deletion clock catches up, because the service was off for days or the clock has jumped. */
export async function isClockTrusted({ db, now }: Pick<Context, 'db' | 'now'>): Promise<boolean> {
  const trustedMs = await readTrustedMs(db);
  return trustedMs === null || now() <= trustedMs + SLACK_MS;
}

export const examineClock = (db: Database, nowMs: EpochMs): Promise<readonly Check[]> =>
  examined('clock', async () => {
    const { job, event } = await readNewestTimes(db.read);
    const newest = [job, event].reduce((one, other) => ((other ?? '') > (one ?? '') ? other : one), null);
    if (newest !== null && Date.parse(newest) > nowMs + CLOCK_SKEW_MS) {
      return failed(
        'clock',
        message(
          'the database has a time in the future, {newest}; now it is {now}. The clock was ahead when this time was stored, or is behind now: set it, for example with NTP',
          { newest, now: toIso(nowMs) },
        ),
      );
    }
    const trustedMs = await readTrustedMs(db);
    const behindMs = trustedMs === null ? 0 : nowMs - trustedMs;
    if (behindMs > STEP_MS) {
      return noted(
        'clock',
        message(
          'the clock is {days, plural, one {# day} other {# days}} ahead of the time when the service last ran. If the clock is right, nothing needs to be done: deletions of old data catch up by a day every hour',
          { days: Math.ceil(behindMs / DAY_MS) },
        ),
      );
    }
    return passed('clock', message('no stored time is in the future'));
  });
