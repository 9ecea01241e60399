/** Searches an owner's request log: pages of calls, and failures by cause. */
import type { Context } from '../context.ts';
import type { DatabaseReader } from '../store/database.ts';
import { type PageInput, readPage, type SearchPage } from '../store/scan.ts';
import { HOUR_MS } from '../text/durations.ts';
import { toIso } from '../text/time-text.ts';
import type { AttemptFilter } from './attempt-filter.ts';
import type { Whose } from './queries.ts';
import { attemptList, type FailureGroup, groupFailures, type ListedAttempt } from './search-queries.ts';
import { expiry, type RequestLogLimits } from './sweep.ts';

const ATTEMPTS_PAGE_SIZE = 50;

export const searchAttempts = (
  { db }: { readonly db: DatabaseReader },
  { whose, filter, limit = ATTEMPTS_PAGE_SIZE, ...page }: AttemptSearch,
): Promise<SearchPage<ListedAttempt>> => readPage(db, attemptList(whose, filter), { ...page, limit });

export interface AttemptSearch extends Partial<PageInput> {
  readonly whose: Whose;
  readonly filter: AttemptFilter;
}

/** Failures of a cause are counted up to this number. */
export const COUNTED_FAILURES = 10_000;

/** Failures of an account and mode within `hours` or (`null`) the whole log, by cause, newest first. */
export async function readFailures(
  { db, now }: Pick<Context, 'now'> & { readonly db: DatabaseReader },
  { days }: RequestLogLimits,
  input: { readonly whose: Whose; readonly hours: number | null },
): Promise<{ readonly since: string; readonly groups: readonly FailureGroup[] }> {
  const since = input.hours === null ? expiry(now(), days) : toIso(now() - input.hours * HOUR_MS);
  const groups = await groupFailures(db.read, input.whose, since, COUNTED_FAILURES + 1);
  return { since, groups: groups.sort((a, b) => (a.last_at > b.last_at ? -1 : 1)) };
}
