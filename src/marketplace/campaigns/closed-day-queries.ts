import { sql } from 'kysely';
import type { Queryable, Transaction } from '../../platform/store/database.ts';
import type { Period } from '../../platform/text/time-zone.ts';
import type { DatedCounts } from './funnel.ts';
import { deltasOf } from './period-queries.ts';
import { COUNTS, dayOf, SUMS } from './queries.ts';

/** Prefix of the keys in `settings`. */
export const CLOSED_DAYS = 'closed_days:';

/** Values of `part`: the counts of all days, of a day, and of deltas of a day. */
export const PART = { total: 0, day: 1, deltas: 2 } as const;

export type CountPart = DatedCounts & { readonly part: number };

/**
 * Reads the account's counts: of all days, of each day after `day`, and of the deltas in `waiting`, if given. One
 * statement, because an aggregation moves deltas into the other counts.
 */
export async function readCountParts(
  db: Queryable,
  { account, accountId }: { readonly account: number; readonly accountId: string },
  day: string,
  waiting?: Period,
): Promise<readonly CountPart[]> {
  // The condition on `listing_id` makes the engine read one index range of days per listing.
  const of = sql`account_number = ${account} and listing_id in (select id from listings where account_id = ${accountId})`;
  const deltas =
    waiting === undefined
      ? sql``
      : sql`union all
        select ${sql.lit(PART.deltas)}, ${dayOf('at', waiting.days)}, ${COUNTS} from label_deltas
        where ${of} and ${deltasOf(waiting)}`;
  const { rows } = await sql<CountPart>`
    select part, day, ${SUMS} from (
      select ${sql.lit(PART.total)} as part, '' as day, ${SUMS} from label_counts where ${of}
      union all
      select ${sql.lit(PART.day)}, day, ${SUMS} from label_days where ${of} and day > ${day} group by day
      ${deltas}
    ) parts group by part, day`.execute(db);
  return rows;
}

/** The accounts with the most labels, counted per listing. */
export async function listAccountsWithLabels(
  db: Queryable,
  least: number,
  limit: number,
): Promise<readonly { readonly number: number; readonly id: string }[]> {
  const { rows } = await sql<{ number: number; id: string }>`
    select a.number, a.id from (
      select account_number, count(*) as labels from label_counts
      group by account_number having count(*) >= ${least}
      order by count(*) desc, account_number limit ${limit}
    ) counted join accounts a on a.number = counted.account_number
    order by counted.labels desc, a.number`.execute(db);
  return rows;
}

/** Deletes the stored sums whose keys are not in `currentKeys`. */
export const deleteClosedDays = (tx: Transaction, currentKeys: readonly string[]): Promise<unknown> =>
  tx
    .deleteFrom('settings')
    .where('name', 'like', `${CLOSED_DAYS}%`)
    .$if(currentKeys.length > 0, (query) => query.where('name', 'not in', currentKeys))
    .execute();
