/** The SQL of offers. */
import type { Selectable } from 'kysely';
import { invalid } from '../errors.ts';
import type { Queryable, Transaction } from '../store/database.ts';
import type { OffersTable } from '../store/schema.ts';
import { isUuid } from '../store/uuid.ts';
import { quote } from '../text.ts';

export type Offer = Selectable<OffersTable>;

export async function insertOffer(tx: Transaction, offer: Offer): Promise<void> {
  await tx.insertInto('offers').values(offer).execute();
}

/** The offer with this id, whosever it is: for the operator. Throws a refusal where there is none. */
export async function findOffer(db: Queryable, id: string): Promise<Offer> {
  const row = isUuid(id)
    ? await db.selectFrom('offers').selectAll().where('id', '=', id).executeTakeFirst()
    : undefined;
  if (row === undefined) throw invalid(`There is no offer with the id ${quote(id)}.`);
  return row;
}

/** The offers of a listing in order of creation. */
export const listOffers = (
  db: Queryable,
  listing: { readonly id: string; readonly account_id: string },
): Promise<Offer[]> =>
  db
    .selectFrom('offers')
    .selectAll()
    .where('listing_id', '=', listing.id)
    .where('account_id', '=', listing.account_id)
    .orderBy('id')
    .execute();
