import { type RawBuilder, sql } from 'kysely';
import type { Queryable, Transaction } from '../../platform/store/database.ts';
import type { Period } from '../../platform/text/time-zone.ts';
import type { DatedCounts } from './funnel.ts';
import { deltasOf, readByDay } from './period-queries.ts';
import { COUNTS, SUMS } from './queries.ts';

/** Prefix of the keys in `settings`. */
export const CLOSED_DAYS = 'closed_days:';

/** Values of `part`: the counts of all days, of a day, and of deltas of a day. */
export const PART = { total: 0, day: 1, deltas: 2 } as const;

export type CountPart = DatedCounts & { readonly part: number };

/** All listings of an account, or one of them (`listingId`). */
export interface Counted {
  readonly account: number;
  readonly accountId: string;
  readonly listingId: string | null;
}

/**
 * Reads the counts of all days, of each day after `day`, and of the deltas in `waiting`, if given. One statement, because
 * an aggregation moves deltas into the other counts.
 */
export async function readCountParts(
  db: Queryable,
  { account, accountId, listingId }: Counted,
  day: string,
  waiting?: Period,
): Promise<readonly CountPart[]> {
  // The condition on `listing_id` makes the engine read one index range of days per listing.
  const listings =
    listingId === null
      ? sql`listing_id in (select id from listings where account_id = ${accountId})`
      : sql`listing_id = ${listingId}`;
  const of = sql`account_number = ${account} and ${listings}`;
  const read = async (deltas: RawBuilder<unknown>) => {
    const { rows } = await sql<CountPart>`
      select part, day, ${SUMS} from (
        select ${sql.lit(PART.total)} as part, '' as day, ${SUMS} from label_counts where ${of}
        union all
        select ${sql.lit(PART.day)}, day, ${SUMS} from label_days where ${of} and day > ${day} group by day
        ${deltas}
      ) parts group by part, day`.execute(db);
    return rows;
  };
  if (waiting === undefined) return await read(sql``);
  return await readByDay(waiting.days, (dayOfDelta) =>
    read(sql`union all
      select ${sql.lit(PART.deltas)}, ${dayOfDelta}, ${COUNTS} from label_deltas
      where ${of} and ${deltasOf(waiting)}`),
  );
}

/** The accounts with the most labels, counted per listing. */
export const listAccountsWithLabels = (db: Queryable, least: number, limit: number) =>
  listWithLabels(db, sql`account_number, null as "listingId"`, sql`account_number`, least, limit);

export const listListingsWithLabels = (db: Queryable, least: number, limit: number) =>
  listWithLabels(
    db,
    sql`account_number, listing_id as "listingId"`,
    sql`account_number, listing_id`,
    least,
    limit,
  );

async function listWithLabels(
  db: Queryable,
  columns: RawBuilder<unknown>,
  keys: RawBuilder<unknown>,
  least: number,
  limit: number,
): Promise<readonly Counted[]> {
  const { rows } = await sql<Counted>`
    select a.number as account, a.id as "accountId", "listingId" from (
      select ${columns}, count(*) as labels from label_counts
      group by ${keys} having count(*) >= ${least}
      order by count(*) desc, ${keys} limit ${limit}
    ) counted join accounts a on a.number = counted.account_number
    order by counted.labels desc, a.number, "listingId"`.execute(db);
  return rows;
}

/** Deletes the stored sums whose keys are not in `currentKeys`. */
export const deleteClosedDays = (tx: Transaction, currentKeys: readonly string[]): Promise<unknown> =>
  tx
    .deleteFrom('settings')
    .where('name', 'like', `${CLOSED_DAYS}%`)
    .$if(currentKeys.length > 0, (query) => query.where('name', 'not in', currentKeys))
    .execute();
