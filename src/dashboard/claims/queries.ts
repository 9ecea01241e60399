/** SQL of what an owner's list of claims can be filtered by. */
import type { Queryable } from '../../store/database.ts';

export interface FilterListing {
  readonly slug: string;
  readonly name: string;
  readonly offers: readonly { readonly id: string; readonly offer: string }[];
}

/** The listings of an account by name, with their offers in order of creation. */
export async function listFilterListings(db: Queryable, accountId: string): Promise<FilterListing[]> {
  const [listings, offers] = await Promise.all([
    db
      .selectFrom('listings')
      .select(['id', 'slug', 'name'])
      .where('account_id', '=', accountId)
      .orderBy('name')
      .orderBy('id')
      .execute(),
    db
      .selectFrom('offers')
      .select(['id', 'listing_id', 'offer'])
      .where('account_id', '=', accountId)
      .orderBy('id')
      .execute(),
  ]);
  const ofListing = Map.groupBy(offers, (offer) => offer.listing_id);
  return listings.map(({ id, slug, name }) => ({ slug, name, offers: ofListing.get(id) ?? [] }));
}

/** Labels that a list suggests: those with the most claims. */
const SUGGESTED_LABELS = 30;

/** The labels an account's claims most often have, as of the last fold. */
export async function suggestLabels(db: Queryable, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('label_counts')
    .select(({ fn }) => ['via', fn.sum('claims').as('claims')])
    .where('account_id', '=', accountId)
    .where('via', '<>', '')
    .groupBy('via')
    .orderBy('claims', 'desc')
    .limit(SUGGESTED_LABELS)
    .execute();
  return rows.map(({ via }) => via);
}
