/** Deletes expired rows: sessions, codes, unfinished sign-ins, invitations, counters and old mail. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../base/context.ts';
import { DAY_MS } from '../../platform/text/durations.ts';
import { LAST_MS, toIso } from '../../platform/text/time-text.ts';
import { expiringTables } from './sweep-queries.ts';

/** Rows per transaction: few enough to delay a redemption by only milliseconds. */
const ROWS_A_PORTION = 500;
/** Default retention of unsent mail, in days. */
export const MAIL_KEPT_DAYS = 7;
/** Pause between two transactions, so that other writers can proceed. */
const PAUSE_MS = 25;

/** Safe to run concurrently in several processes. */
export async function sweepSignIn(
  { db, now }: Pick<Context, 'db' | 'now'>,
  options: {
    readonly mailKeptMs?: number;
    /** Rows that were created after this time come from a clock that was ahead. */
    readonly futureMs?: number;
    readonly signal?: AbortSignal;
    readonly rowsAPortion?: number;
  } = {},
): Promise<void> {
  const { mailKeptMs = MAIL_KEPT_DAYS * DAY_MS, signal, rowsAPortion = ROWS_A_PORTION } = options;
  const at = toIso(now());
  const future = toIso(options.futureMs ?? LAST_MS);
  for (const { find, remove } of expiringTables({ mailKeptMs, future })) {
    while (signal?.aborted !== true) {
      const keys = await find(db.read, at, rowsAPortion);
      if (keys.length > 0) await db.transaction((tx) => remove(tx, at, keys));
      if (keys.length < rowsAPortion) break;
      await sleep(PAUSE_MS);
    }
  }
}
