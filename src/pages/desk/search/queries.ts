import { readListingNames } from '../../../marketplace/listings/queries.ts';
import { readOfferNames } from '../../../marketplace/offers/queries.ts';
import type { Queryable } from '../../../platform/store/database.ts';
import { isUuid } from '../../../platform/store/uuid.ts';

/** `null` if the text isn't an ID. */
export async function readById(db: Queryable, text: string) {
  if (!isUuid(text)) return null;
  const id = text.toLowerCase();
  const [account, [listing], [offer], apiKey, operatorKey] = await Promise.all([
    db.selectFrom('accounts').select(['id', 'name', 'email']).where('id', '=', id).executeTakeFirst(),
    readListingNames(db, [id]),
    readOfferNames(db, [id]),
    db
      .selectFrom('api_keys')
      .select(['name', 'start', 'mode', 'account_id'])
      .where('id', '=', id)
      .executeTakeFirst(),
    db.selectFrom('operator_keys').select(['name', 'start']).where('id', '=', id).executeTakeFirst(),
  ]);
  return { account, listing, offer, apiKey, operatorKey };
}

export const findListingNamed = (db: Queryable, [column, value]: readonly ['id' | 'slug', string]) =>
  db.selectFrom('listings').select(['id', 'name', 'slug']).where(column, '=', value).executeTakeFirst();
