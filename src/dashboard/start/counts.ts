/** The numbers on an owner's start page: the last days of all listings together. */
import type { Context } from '../../context.ts';
import { countAccountClaims, sumAccountDays } from './count-queries.ts';

/** Days on the start page, today included. */
export const OVERVIEW_DAYS = 30;

const DAY_MS = 86_400_000;

export interface Overview {
  /** All live claims ever made. */
  readonly allClaims: number;
  /** UTC days such as `2026-11-20`, oldest first, without a gap. */
  readonly days: readonly string[];
  /** Claims made on each day, and claims redeemed on each day. */
  readonly claims: readonly number[];
  readonly redeemed: readonly number[];
}

export async function readOverview(
  { db, now }: Pick<Context, 'db' | 'now'>,
  accountId: string,
): Promise<Overview> {
  const days = Array.from({ length: OVERVIEW_DAYS }, (_, at) =>
    new Date(now() - (OVERVIEW_DAYS - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  );
  const [allClaims, counts] = await Promise.all([
    countAccountClaims(db.read, accountId),
    sumAccountDays(db.read, db.engine, accountId, days[0]!),
  ]);
  const byDay = new Map(counts.map((count) => [count.day, count]));
  return {
    allClaims,
    days,
    claims: days.map((day) => byDay.get(day)?.claims ?? 0),
    redeemed: days.map((day) => byDay.get(day)?.redeemed ?? 0),
  };
}
