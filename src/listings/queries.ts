/** The SQL of listings. */
import type { Selectable } from 'kysely';
import { invalid } from '../errors.ts';
import type { Queryable, Transaction } from '../store/database.ts';
import type { ListingsTable } from '../store/schema.ts';
import { isUuid } from '../store/uuid.ts';
import { quote } from '../text.ts';
import type { ListingState } from './listing.ts';

export type Listing = Selectable<ListingsTable>;

/** `null` where the slug is taken, by a transaction under way too. */
export async function insertListing(tx: Transaction, listing: Listing): Promise<Listing | null> {
  const row = await tx
    .insertInto('listings')
    .values(listing)
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** The listing with this slug or id, whosever it is: for the operator. Throws a refusal where there is none. */
export async function findListing(db: Queryable, reference: string): Promise<Listing> {
  const column = isUuid(reference) ? 'id' : 'slug';
  const row = await db.selectFrom('listings').selectAll().where(column, '=', reference).executeTakeFirst();
  if (row === undefined) throw invalid(`There is no listing with the slug or id ${quote(reference)}.`);
  return row;
}

/** A listing and whose it is. */
export type OwnedListing = Listing & { readonly email: string };

/** All listings in order of creation, with the e-mail address of their owner. */
export const listListings = (db: Queryable): Promise<OwnedListing[]> =>
  db
    .selectFrom('listings')
    .innerJoin('accounts', 'accounts.id', 'listings.account_id')
    .selectAll('listings')
    .select('accounts.email')
    .orderBy('listings.id')
    .execute();

/** Writes a new state where the old one is still `from`; `null` where someone else moved the listing meanwhile. */
export async function updateListingState(
  tx: Transaction,
  listing: Pick<Listing, 'id' | 'account_id'>,
  from: ListingState,
  change: Partial<Pick<Listing, 'state' | 'reason' | 'origin' | 'submitted_at' | 'decided_at'>>,
): Promise<Listing | null> {
  const row = await tx
    .updateTable('listings')
    .set(change)
    .where('id', '=', listing.id)
    .where('account_id', '=', listing.account_id)
    .where('state', '=', from)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}
