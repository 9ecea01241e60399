/** Reads of an owner's request log: pages of calls, and failures by their cause. */
import type { Context } from '../context.ts';
import { HOUR_MS } from '../durations.ts';
import type { DatabaseReader } from '../store/database.ts';
import { parseCursor, writeCursor } from '../store/time-cursor.ts';
import { toIso } from '../time-text.ts';
import type { AttemptFilter } from './attempt-filter.ts';
import type { Whose } from './queries.ts';
import {
  type FailureGroup,
  groupFailures,
  type ListedAttempt,
  positionOf,
  scanAttempts,
} from './search-queries.ts';
import { expiry, type RequestLogLimits } from './sweep.ts';

/** Calls on a page. */
export const ATTEMPTS_PAGE_SIZE = 50;
/** Most rows read for a page where no index answers the filter; the reader can then go on. */
const SEARCHED_ROWS = 10_000;

export interface AttemptPage {
  /** Newest first. */
  readonly attempts: readonly ListedAttempt[];
  /** Cursor of the next page; `null` when there is nothing further. */
  readonly next: string | null;
  /** Set when the page is not full but older calls remain: all calls since this time were looked through. */
  readonly searchedUntil: string | null;
}

/** A malformed cursor starts at the beginning. */
export async function searchAttempts(
  { db }: { readonly db: DatabaseReader },
  input: {
    readonly whose: Whose;
    readonly filter: AttemptFilter;
    readonly after?: string | undefined;
    readonly limit?: number;
    readonly searchedRows?: number;
  },
): Promise<AttemptPage> {
  const { whose, filter, limit = ATTEMPTS_PAGE_SIZE } = input;
  const bounds = { scanned: input.searchedRows ?? SEARCHED_ROWS, limit: limit + 1 };
  const scan = await scanAttempts(db, whose, filter, parseCursor(input.after), bounds);
  const attempts = scan.attempts.slice(0, limit);
  if (scan.attempts.length > limit) {
    return { attempts, next: writeCursor(positionOf(attempts.at(-1)!)), searchedUntil: null };
  }
  return {
    attempts,
    next: scan.end === null ? null : writeCursor(scan.end),
    searchedUntil: scan.end?.at ?? null,
  };
}

/** Failures of a cause that are counted; a larger number is shown as more than these. */
export const COUNTED_FAILURES = 10_000;

/** The failures of an account and mode in the last `hours` or (`null`) in the whole log, the newest cause first. */
export async function readFailures(
  { db, now }: Pick<Context, 'now'> & { readonly db: DatabaseReader },
  { days }: RequestLogLimits,
  input: { readonly whose: Whose; readonly hours: number | null },
): Promise<{ readonly since: string; readonly groups: readonly FailureGroup[] }> {
  const since = input.hours === null ? expiry(now(), days) : toIso(now() - input.hours * HOUR_MS);
  const groups = await groupFailures(db.read, input.whose, since, COUNTED_FAILURES + 1);
  return { since, groups: groups.sort((a, b) => (a.last_at > b.last_at ? -1 : 1)) };
}
