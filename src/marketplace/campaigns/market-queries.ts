import { type RawBuilder, sql } from 'kysely';
import type { DatabaseReader, Queryable } from '../../platform/store/database.ts';
import type { Period } from '../../platform/text/time-zone.ts';
import type { Counts, DatedCounts } from './funnel.ts';
import { countRowsOf, deltasOf, readByDay } from './period-queries.ts';
import { COUNTS, countLiveClaims, SUMS } from './queries.ts';

/** Reads counts and deltas in one statement, so that a concurrent aggregation can't cause double or missing counts. */
export async function sumMarketDays(db: Queryable, period: Period): Promise<readonly DatedCounts[]> {
  const { days } = period;
  return await readByDay(days, async (day) => {
    // The `with` clause makes a distributed database collect the deltas before it combines them with `market_days`.
    const { rows } = await sql<DatedCounts>`
      with waiting as materialized (
        select ${day} as day, ${SUMS} from label_deltas where ${deltasOf(period)} group by 1
      )
      select day, ${SUMS} from (
        select day, ${COUNTS} from market_days where day >= ${days[0]!.day} and day <= ${days.at(-1)!.day}
        union all
        select day, ${COUNTS} from waiting
      ) parts group by day order by day`.execute(db);
    return rows;
  });
}

/** Returns the totals over all days and listings. */
export async function sumMarket(db: Queryable): Promise<Counts> {
  const { rows } = await sql<Counts>`
    with waiting as materialized (select ${SUMS} from label_deltas)
    select ${SUMS} from (select ${COUNTS} from market_days union all select ${COUNTS} from waiting) parts`.execute(
    db,
  );
  return rows[0]!;
}

/** Each row includes the account, so that a distributed database can aggregate the rows of each account locally. */
function partsOfAll(period: Period): RawBuilder<unknown> {
  const counts = countRowsOf(period.days).map(
    ({ table, isInPart, counts }) => sql`
      select d.account_number, d.listing_id, d.via, ${counts}
      from listings l join accounts a on a.id = l.account_id
        join ${table} on d.account_number = a.number and d.listing_id = l.id and ${isInPart}`,
  );
  return sql`${sql.join(counts, sql` union all `)}
    union all
    select account_number, listing_id, via, ${COUNTS} from label_deltas where ${deltasOf(period)}`;
}

export async function rankListings(
  db: Queryable,
  period: Period,
  limit: number,
): Promise<readonly (Counts & { readonly listing_id: string })[]> {
  const { rows } = await sql<Counts & { readonly listing_id: string }>`
    select listing_id, ${SUMS} from (${partsOfAll(period)}) parts
    group by account_number, listing_id having sum(claims) > 0 order by sum(claims) desc, listing_id limit ${limit}`.execute(
    db,
  );
  return rows;
}

export async function rankLabels(
  db: Queryable,
  period: Period,
  limit: number,
): Promise<readonly (Counts & { readonly via: string })[]> {
  const { rows } = await sql<Counts & { readonly via: string }>`
    select via, ${SUMS} from (${partsOfAll(period)}) parts
    where via <> '' group by via having sum(claims) > 0 order by sum(claims) desc, via limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** `claims`: the listing's total, which is a single offer's too. Otherwise, reads one index range per offer. */
export async function countOfferClaims(
  reader: Pick<DatabaseReader, 'engine' | 'read'>,
  { listing_id, claims: claimsOfListing }: { readonly listing_id: string; readonly claims: number },
  period: Period,
): Promise<readonly { readonly offer_id: string; readonly claims: number }[]> {
  const offers = await reader.read
    .selectFrom('offers')
    .select(['id', 'number', 'account_number'])
    .where('listing_id', '=', listing_id)
    .execute();
  if (offers.length === 1) return [{ offer_id: offers[0]!.id, claims: claimsOfListing }];
  return await Promise.all(
    offers.map(async ({ id, number, account_number }) => {
      const { claims } = await countLiveClaims(reader, account_number, period)
        .where('offer_number', '=', number)
        .executeTakeFirstOrThrow();
      return { offer_id: id, claims };
    }),
  );
}
