/** SQL of the desk's search: what has an id or a public address. */
import { KEY_PREFIXES } from '../../keys/key.ts';
import type { Queryable } from '../../store/database.ts';
import { isUuid } from '../../store/uuid.ts';
import { accountPath, deskListingPath, OPERATOR_KEYS_PATH } from '../paths.ts';
import type { Hit } from './find.ts';

/** What has this id; `null`: the text is no id. */
export async function findByIds(db: Queryable, text: string): Promise<readonly Hit[] | null> {
  if (!isUuid(text)) return null;
  const id = text.toLowerCase();
  const [account, listing, offer, apiKey, operatorKey] = await Promise.all([
    db.selectFrom('accounts').select(['name', 'email']).where('id', '=', id).executeTakeFirst(),
    db.selectFrom('listings').select(['name', 'slug']).where('id', '=', id).executeTakeFirst(),
    db
      .selectFrom('offers')
      .innerJoin('listings', 'listings.id', 'offers.listing_id')
      .select(['offers.offer', 'offers.listing_id', 'listings.name'])
      .where('offers.id', '=', id)
      .executeTakeFirst(),
    db
      .selectFrom('api_keys')
      .select(['name', 'start', 'mode', 'account_id'])
      .where('id', '=', id)
      .executeTakeFirst(),
    db.selectFrom('operator_keys').select(['name', 'start']).where('id', '=', id).executeTakeFirst(),
  ]);
  return [
    ...(account ? [hit('Accounts', account.name, account.email, accountPath(id))] : []),
    ...(listing ? [hit('Listings', listing.name, listing.slug, deskListingPath(id))] : []),
    ...(offer ? [hit('Offers', offer.offer, offer.name, deskListingPath(offer.listing_id))] : []),
    ...(apiKey
      ? [
          hit(
            'API keys',
            apiKey.name,
            `${KEY_PREFIXES[apiKey.mode]}${apiKey.start}…`,
            `${accountPath(apiKey.account_id)}#keys`,
          ),
        ]
      : []),
    ...(operatorKey
      ? [
          hit(
            'Operator keys',
            operatorKey.name,
            `${KEY_PREFIXES.operator}${operatorKey.start}…`,
            OPERATOR_KEYS_PATH,
          ),
        ]
      : []),
  ];
}

const hit = (kind: Hit['kind'], name: string, about: string, href: string): Hit => ({
  kind,
  name,
  about,
  href,
});

export async function findListingIdBySlug(
  db: Queryable,
  [column, value]: readonly ['id' | 'slug', string],
): Promise<Hit | null> {
  const row = await db
    .selectFrom('listings')
    .select(['id', 'name', 'slug'])
    .where(column, '=', value)
    .executeTakeFirst();
  return row === undefined ? null : hit('Listings', row.name, row.slug, deskListingPath(row.id));
}
