/** The numbers on an owner's start page: the last days of all listings together. */
import { type DailyCounts, dailyCounts } from '../../campaigns/days.ts';
import type { Context } from '../../context.ts';
import type { DatabaseReader } from '../../store/database.ts';
import { type Day, lastDays } from '../../time-zone.ts';
import { countAccountClaims, sumAccountDays } from './count-queries.ts';

/** Days on the start page, today included. */
export const OVERVIEW_DAYS = 30;

export interface Overview extends DailyCounts {
  /** All live claims ever made. */
  readonly allClaims: number;
  /** Days of the marketplace, oldest first, without a gap. */
  readonly days: readonly Day[];
}

export async function readOverview(
  { db, now, timeZone }: Pick<Context, 'now' | 'timeZone'> & { readonly db: DatabaseReader },
  accountId: string,
): Promise<Overview> {
  const days = lastDays(timeZone, now(), OVERVIEW_DAYS);
  const [allClaims, counts] = await Promise.all([
    countAccountClaims(db.read, accountId),
    sumAccountDays(db.read, accountId, days),
  ]);
  return { allClaims, days, ...dailyCounts(days, counts) };
}
