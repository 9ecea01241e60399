/** Deletes expired rows: sessions, codes, unfinished sign-ins, invitations, counters and old mail. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { DAY_MS } from '../text/durations.ts';
import { toIso } from '../text/time-text.ts';
import { expiringTables } from './sign-in-queries.ts';

/** Rows per transaction: few enough that a redemption waits only milliseconds. */
const ROWS_A_PORTION = 500;
/** How long unsent mail is kept for the operator, by default. */
export const MAIL_KEPT_DAYS = 7;
/** Pause between two portions, so that other writes get their turn. */
const PAUSE_MS = 25;

/** Any number of processes can do this at the same time. */
export async function sweepSignIn(
  { db, now }: Pick<Context, 'db' | 'now'>,
  options: {
    readonly mailKeptMs?: number;
    readonly signal?: AbortSignal;
    readonly rowsAPortion?: number;
  } = {},
): Promise<void> {
  const { mailKeptMs = MAIL_KEPT_DAYS * DAY_MS, signal, rowsAPortion = ROWS_A_PORTION } = options;
  const at = toIso(now());
  for (const { find, remove } of expiringTables(mailKeptMs)) {
    while (signal?.aborted !== true) {
      const keys = await find(db.read, at, rowsAPortion);
      if (keys.length > 0) await db.transaction((tx) => remove(tx, at, keys));
      if (keys.length < rowsAPortion) break;
      await sleep(PAUSE_MS);
    }
  }
}
