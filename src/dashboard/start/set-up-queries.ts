/** The SQL of setting up: how far the things of an account have come. */
import type { Queryable } from '../../store/database.ts';

export const readListingStates = (db: Queryable, accountId: string) =>
  db
    .selectFrom('listings')
    .select(['id', 'slug', 'name', 'state'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();

export const readOfferLinks = (db: Queryable, accountId: string) =>
  db
    .selectFrom('offers')
    .innerJoin('listings', 'listings.id', 'offers.listing_id')
    .select(['offers.id', 'offers.listing_id', 'offers.redemption_link'])
    .where('listings.account_id', '=', accountId)
    .orderBy('offers.id')
    .execute();

export const findFirstVerification = (db: Queryable, accountId: string) =>
  db.selectFrom('first_verifications').selectAll().where('account_id', '=', accountId).executeTakeFirst();
