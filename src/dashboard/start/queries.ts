/** SQL that only the start page needs: counts over all listings and labels of an account. */
import { sql } from 'kysely';
import { dayOf } from '../../campaigns/queries.ts';
import type { Engine, Queryable } from '../../store/database.ts';
import { DIALECTS } from '../../store/dialects.ts';
import { readAccountNumber } from '../../store/numbers.ts';
import type { Day } from '../../text/time-zone.ts';

/** Counts by day, from the first of `days` on. Sums folded counts and deltas in one statement, and so in one snapshot. */
export async function sumAccountDays(
  db: Queryable,
  accountId: string,
  days: readonly Day[],
): Promise<{ day: string; claims: number; redeemed: number }[]> {
  const account = await readAccountNumber(db, accountId);
  // With the listings named, the engine reads only the requested days of each.
  const { rows } = await sql<{ day: string; claims: number; redeemed: number }>`
    select day, sum(claims) as claims, sum(redeemed) as redeemed from (
      select day, claims, redeemed from label_days
      where account_number = ${account} and day >= ${days[0]!.day}
        and listing_id in (select id from listings where account_id = ${accountId})
      union all
      select ${dayOf('at', days)} as day, claims, redeemed from label_deltas
      where account_number = ${account} and at >= ${days[0]!.start}
    ) parts group by day`.execute(db);
  return rows.map((row) => ({ day: row.day, claims: Number(row.claims), redeemed: Number(row.redeemed) }));
}

/** Live claims since a time whose offer gives only a code: a range of an index for each of these offers. */
export async function countCodeClaims(
  db: Queryable,
  engine: Engine,
  accountId: string,
  since: string,
): Promise<number> {
  const account = await readAccountNumber(db, accountId);
  const { claims } = await db
    .selectFrom('claim_rows')
    .select(({ fn }) => fn.countAll().as('claims'))
    .where('account_number', '=', account)
    .where('mode', '=', 'live')
    .where('claimed_at', '>=', DIALECTS[engine].compactTime(since))
    .where('offer_number', 'in', (eb) =>
      eb
        .selectFrom('offers')
        .select('offers.number')
        .where('offers.account_id', '=', accountId)
        .where('offers.redemption_link', 'is', null),
    )
    .executeTakeFirstOrThrow();
  return Number(claims);
}

export const hasListing = async (db: Queryable, accountId: string): Promise<boolean> =>
  (await db
    .selectFrom('listings')
    .select('id')
    .where('account_id', '=', accountId)
    .limit(1)
    .executeTakeFirst()) !== undefined;
