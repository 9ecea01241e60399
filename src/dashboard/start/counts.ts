/** The numbers on an owner's start page: the last days of all listings together. */
import { type DailyCounts, dailyCounts } from '../../campaigns/days.ts';
import type { Context } from '../../context.ts';
import type { DatabaseReader } from '../../store/database.ts';
import { type Day, lastDays } from '../../time-zone.ts';
import { countAccountClaims, countCodeClaims, sumAccountDays } from './count-queries.ts';

/** Days on the start page, today included. */
export const OVERVIEW_DAYS = 30;

export interface Overview extends DailyCounts {
  /** All live claims ever made. */
  readonly allClaims: number;
  /** Claims of these days on offers that give only a code. */
  readonly codeClaims: number;
  /** Days of the marketplace, oldest first, without a gap. */
  readonly days: readonly Day[];
}

export async function readOverview(
  { db, now, timeZone }: Pick<Context, 'now' | 'timeZone'> & { readonly db: DatabaseReader },
  accountId: string,
): Promise<Overview> {
  const days = lastDays(timeZone, now(), OVERVIEW_DAYS);
  const [allClaims, counts, codeClaims] = await Promise.all([
    countAccountClaims(db.read, accountId),
    sumAccountDays(db.read, accountId, days),
    countCodeClaims(db.read, db.engine, accountId, days[0]!.start),
  ]);
  return { allClaims, codeClaims, days, ...dailyCounts(days, counts) };
}
