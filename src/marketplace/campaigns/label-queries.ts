/** SQL that decides which labels are counted separately. */
import { sql } from 'kysely';
import type { Queryable, Transaction } from '../../platform/store/database.ts';
import { addLabels } from './aggregation-queries.ts';
import { LAUNCH_LABEL, NO_LABEL, OTHER_LABELS } from './label.ts';
import { COUNTS, rowsOf } from './queries.ts';

interface OfListing {
  readonly accountId: string;
  readonly listingId: string;
}

/** Labels without claims that the owner didn't register. `before`: only those without a visit since this day. */
export async function listUnknownLabels(
  db: Queryable,
  { accountId, listingId }: OfListing,
  before: string | null,
): Promise<string[]> {
  const of = await rowsOf(db, accountId, listingId);
  const isRecent = before === null ? sql`1 = 0` : sql`max(day) >= ${before}`;
  const { rows } = await sql<{ via: string }>`
    select via from (
      select via, claims, registered_at, '' as day from label_counts where ${of}
      union all
      select via, claims, null as registered_at, ${before ?? ''} as day from label_deltas where ${of}
      union all
      select via, 0 as claims, null as registered_at, day from label_days where ${of}
    ) parts
    where via not in (${NO_LABEL}, ${LAUNCH_LABEL}, ${OTHER_LABELS})
    group by via
    having sum(claims) = 0 and max(registered_at) is null and not (${isRecent})`.execute(db);
  return rows.map(({ via }) => via);
}

/** Merges the counts of these labels into the count of other labels. */
export async function mergeIntoOthers(
  tx: Transaction,
  { accountId, listingId }: OfListing,
  labels: readonly string[],
): Promise<void> {
  if (labels.length === 0) return;
  const of = sql`${await rowsOf(tx, accountId, listingId)} and via in (${sql.join(labels)})`;
  for (const [table, day] of [
    ['label_counts', sql`''`],
    ['label_days', sql.ref('day')],
    ['label_months', sql.ref('month')],
  ] as const) {
    const merged = sql`(select account_number, listing_id, ${sql.lit(OTHER_LABELS)} as via, ${day} as merged_day, ${COUNTS}
      from ${sql.table(table)} where ${of}) merged`;
    await addLabels(table, merged, sql`merged_day`).execute(tx);
    await sql`delete from ${sql.table(table)} where ${of}`.execute(tx);
  }
}

export async function countRegisteredLabels(
  db: Queryable,
  { accountId, listingId }: OfListing,
): Promise<number> {
  const of = await rowsOf(db, accountId, listingId);
  const { rows } = await sql<{ labels: number }>`
    select count(*) as labels from label_counts where ${of} and registered_at is not null`.execute(db);
  return rows[0]!.labels;
}

export async function putRegisteredLabel(
  tx: Transaction,
  { accountId, listingId }: OfListing,
  label: string,
  at: string,
): Promise<void> {
  await sql`
    insert into label_counts (account_number, listing_id, via, claims, redeemed, registered_at)
    select number, ${listingId}, ${label}, 0, 0, ${at} from accounts where id = ${accountId}
    on conflict (account_number, listing_id, via) do update
      set registered_at = coalesce(label_counts.registered_at, excluded.registered_at)`.execute(tx);
}
