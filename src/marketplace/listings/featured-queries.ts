import type { Queryable, Transaction } from '../../platform/store/database.ts';

/** Featured listings in any state, in the order of the row. */
export const listFeatured = (db: Queryable) =>
  db
    .selectFrom('listings')
    .innerJoin('accounts', 'accounts.id', 'listings.account_id')
    .select([
      'listings.id',
      'listings.slug',
      'listings.name',
      'listings.state',
      'listings.featured',
      'accounts.suspended_at as owner_suspended_at',
    ])
    .where('listings.featured', 'is not', null)
    .orderBy('listings.featured')
    .orderBy('listings.id')
    .execute();

/** Ids of at most two front-page listings with this name. Two are enough to detect an ambiguous name. */
export async function findCardsNamed(db: Queryable, foldedName: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('cards')
    .select('listing_id')
    .where('name_text', '=', foldedName)
    .limit(2)
    .execute();
  return rows.map(({ listing_id }) => listing_id);
}

/** Number of listings on the front page, keyed by category id. */
export async function countByCategory(db: Queryable): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('cards')
    .select(({ fn }) => ['category', fn.countAll<number>().as('listings')])
    .where('category', 'is not', null)
    .groupBy('category')
    .execute();
  return new Map(rows.map(({ category, listings }) => [category!, listings]));
}

/** Keeps the listing's version, so that open forms stay valid and decisions can still be undone. */
export const setFeatured = (tx: Transaction, id: string, featured: number | null): Promise<unknown> =>
  tx.updateTable('listings').set({ featured }).where('id', '=', id).execute();
