/** The numbers on an owner's start page: the last days of all listings together. */
import { type DailyCounts, dailyCounts, lastDays } from '../../campaigns/days.ts';
import type { Context } from '../../context.ts';
import type { DatabaseReader } from '../../store/database.ts';
import { countAccountClaims, sumAccountDays } from './count-queries.ts';

/** Days on the start page, today included. */
export const OVERVIEW_DAYS = 30;

export interface Overview extends DailyCounts {
  /** All live claims ever made. */
  readonly allClaims: number;
  /** UTC days such as `2026-11-20`, oldest first, without a gap. */
  readonly days: readonly string[];
}

export async function readOverview(
  { db, now }: Pick<Context, 'now'> & { readonly db: DatabaseReader },
  accountId: string,
): Promise<Overview> {
  const days = lastDays(now(), OVERVIEW_DAYS);
  const [allClaims, counts] = await Promise.all([
    countAccountClaims(db.read, accountId),
    sumAccountDays(db.read, db.engine, accountId, days[0]!),
  ]);
  return { allClaims, days, ...dailyCounts(days, counts) };
}
