/** SQL of campaign labels. The exact count of a label is the folded count plus the deltas not folded yet. */
import { sql } from 'kysely';
import type { Database, Queryable, Transaction } from '../store/database.ts';

/** A label as the tables hold it: '' stands for no label. */
export interface LabelTotal {
  readonly via: string;
  readonly claims: number;
  readonly redeemed: number;
}

/**
 * Both tables are summed in one statement, and so in one snapshot: a fold that runs meanwhile is seen as a whole
 * or not at all. Most claims first.
 */
export async function sumLabels(db: Queryable, accountId: string, listingId: string): Promise<LabelTotal[]> {
  const parts = db
    .selectFrom('label_counts')
    .select(['via', 'claims', 'redeemed'])
    .where('account_id', '=', accountId)
    .where('listing_id', '=', listingId)
    .unionAll(
      db
        .selectFrom('label_deltas')
        .select(['via', 'claims', 'redeemed'])
        .where('account_id', '=', accountId)
        .where('listing_id', '=', listingId),
    );
  const rows = await db
    .selectFrom(parts.as('parts'))
    .select(({ fn }) => ['via', fn.sum('claims').as('claims'), fn.sum('redeemed').as('redeemed')])
    .groupBy('via')
    .execute();
  return rows
    .map((row) => ({ via: row.via, claims: Number(row.claims), redeemed: Number(row.redeemed) }))
    .sort((a, b) => b.claims - a.claims || (a.via < b.via ? -1 : 1));
}

export interface LabelDelta {
  readonly accountId: string;
  readonly listingId: string;
  /** '' for no label. */
  readonly via: string;
  readonly claims: number;
  readonly redeemed: number;
}

/** Sums what one transaction does to the counts, so that it appends one delta a label. */
export function createDeltaSum(): { add(delta: LabelDelta): void; deltas(): LabelDelta[] } {
  const sums = new Map<string, LabelDelta>();
  return {
    add: (delta) => {
      const key = `${delta.listingId} ${delta.via}`;
      const before = sums.get(key);
      sums.set(
        key,
        before === undefined
          ? delta
          : {
              ...delta,
              claims: before.claims + delta.claims,
              redeemed: before.redeemed + delta.redeemed,
            },
      );
    },
    deltas: () => [...sums.values()],
  };
}

/** More than this many labels in one transaction go out in several statements. */
const DELTAS_PER_STATEMENT = 200;

/** `at`: when it happened, ISO 8601 UTC; its day is what the counts over time go by. */
export async function appendLabelDeltas(
  tx: Transaction,
  at: string,
  deltas: readonly LabelDelta[],
): Promise<void> {
  for (let start = 0; start < deltas.length; start += DELTAS_PER_STATEMENT) {
    await tx
      .insertInto('label_deltas')
      .values(
        deltas.slice(start, start + DELTAS_PER_STATEMENT).map((delta) => ({
          account_id: delta.accountId,
          listing_id: delta.listingId,
          via: delta.via,
          claims: delta.claims,
          redeemed: delta.redeemed,
          at,
        })),
      )
      .execute();
  }
}

/**
 * Moves up to `limit` deltas into the counts and tells how many it moved. Folds that run at the same time share
 * the work: on PostgreSQL each takes rows no other one holds and touches the counts in one order; on SQLite the
 * write transaction admits one.
 */
export function moveDeltasIntoCounts(
  tx: Transaction,
  engine: Database['engine'],
  limit: number,
): Promise<number> {
  return engine === 'postgres' ? movePostgres(tx, limit) : moveSqlite(tx, limit);
}

async function movePostgres(tx: Transaction, limit: number): Promise<number> {
  const result = await sql<{ moved: number | string }>`
    with taken as (
      select account_id, id from label_deltas order by account_id, id limit ${limit} for update skip locked
    ), moved as (
      delete from label_deltas d using taken t
      where d.account_id = t.account_id and d.id = t.id
      returning d.account_id, d.listing_id, d.via, d.claims, d.redeemed
    ), summed as (
      insert into label_counts (account_id, listing_id, via, claims, redeemed)
      select account_id, listing_id, via, sum(claims), sum(redeemed) from moved
      group by account_id, listing_id, via order by account_id, listing_id, via
      on conflict (account_id, listing_id, via) do update
        set claims = label_counts.claims + excluded.claims, redeemed = label_counts.redeemed + excluded.redeemed
    )
    select count(*) as moved from moved`.execute(tx);
  return Number(result.rows[0]?.moved ?? 0);
}

async function moveSqlite(tx: Transaction, limit: number): Promise<number> {
  const last = await sql<{ moved: number; id: number | null }>`
    select count(*) as moved, max(id) as id from (select id from label_deltas order by id limit ${limit})`.execute(
    tx,
  );
  const row = last.rows[0];
  if (row === undefined || row.id === null) return 0;
  // `where` is what tells SQLite's parser that the `on conflict` belongs to the insert.
  await sql`
    insert into label_counts (account_id, listing_id, via, claims, redeemed)
    select account_id, listing_id, via, sum(claims), sum(redeemed) from label_deltas where id <= ${row.id}
    group by account_id, listing_id, via
    on conflict (account_id, listing_id, via) do update
      set claims = claims + excluded.claims, redeemed = redeemed + excluded.redeemed`.execute(tx);
  await sql`delete from label_deltas where id <= ${row.id}`.execute(tx);
  return row.moved;
}
