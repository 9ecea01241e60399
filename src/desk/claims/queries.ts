import { MAX_CODE_LENGTH } from '../../offers/fields.ts';
import type { Queryable } from '../../store/database.ts';

const MAX_OFFERS_FOUND = 20;

export type OfferWithCode = Awaited<ReturnType<typeof findOffersByCode>>[number];

/** The offers with this shared code, newest first. There is no index on codes, since a marketplace has few offers. */
export async function findOffersByCode(db: Queryable, code: string) {
  if (code === '' || code.length > MAX_CODE_LENGTH || !code.isWellFormed()) return [];
  return db
    .selectFrom('offers')
    .innerJoin('listings', 'listings.id', 'offers.listing_id')
    .innerJoin('accounts', 'accounts.id', 'listings.account_id')
    .select([
      'offers.id',
      'offers.offer',
      'listings.name as listing',
      'offers.listing_id',
      'accounts.name as owner',
    ])
    .where(({ fn }) => fn<string>('lower', ['offers.code']), '=', code.toLowerCase())
    .orderBy('offers.id', 'desc')
    .limit(MAX_OFFERS_FOUND)
    .execute();
}
