/** SQL for access links and for the people who used them. */
import { type Selectable, sql } from 'kysely';
import {
  countOf,
  isFound,
  type Queryable,
  type Transaction,
  takePage,
} from '../../platform/store/database.ts';
import type { AccessGrantsTable, AccessLinksTable } from '../../platform/store/tables/accounts.ts';

export const insertAccessLink = (tx: Transaction, link: Selectable<AccessLinksTable>): Promise<unknown> =>
  tx.insertInto('access_links').values(link).execute();

export const findAccessLink = (db: Queryable, id: string) =>
  db.selectFrom('access_links').select(['id', 'listing_id']).where('id', '=', id).executeTakeFirst();

export const findListingOfLinks = (db: Queryable, listingId: string) =>
  db.selectFrom('listings').select(['account_id', 'slug']).where('id', '=', listingId).executeTakeFirst();

/** A link that an open link's code belongs to. */
export const findLinkByCode = (db: Queryable, codeHashes: readonly string[], at: string) =>
  db
    .selectFrom('access_links')
    .leftJoin('listings', 'listings.id', 'access_links.listing_id')
    .leftJoin('accounts as owner', 'owner.id', 'listings.account_id')
    .select(['access_links.id', 'access_links.max_people', 'access_links.created_at'])
    .select(['listings.slug', 'owner.name as owner'])
    .where('access_links.code_hash', 'in', codeHashes)
    .where('access_links.expires_at', '>', at)
    .executeTakeFirst();

const linksOf = (db: Queryable, listingId: string | null) =>
  db.selectFrom('access_links').where('access_links.listing_id', listingId === null ? 'is' : '=', listingId);

export const countOpenLinks = (db: Queryable, listingId: string | null, at: string): Promise<number> =>
  countOf(linksOf(db, listingId).where('access_links.expires_at', '>', at));

/** `people`: how many people have used the link. */
const LISTED_COLUMNS = [
  'access_links.id',
  'access_links.name',
  'access_links.max_people',
  'access_links.created_at',
  'access_links.expires_at',
  sql<number>`(select count(*) from access_grants where access_grants.link_id = access_links.id)`.as(
    'people',
  ),
] as const;

export type ListedLink = Awaited<ReturnType<typeof listAccessLinks>>[number];

/** Also links that have expired, because their people are still members. Newest first. */
export const listAccessLinks = (db: Queryable, listingId: string | null) =>
  linksOf(db, listingId).select(LISTED_COLUMNS).orderBy('access_links.id', 'desc').execute();

const LINKS_PAGE = 50;

export type OwnersLink = Awaited<ReturnType<typeof listOwnersLinks>>['links'][number];

const ownersLinks = (db: Queryable) =>
  db
    .selectFrom('access_links')
    .innerJoin('listings', 'listings.id', 'access_links.listing_id')
    .innerJoin('accounts', 'accounts.id', 'listings.account_id')
    .select(LISTED_COLUMNS)
    .select(['listings.id as listing_id', 'listings.name as listing'])
    .select(['listings.account_id', 'accounts.name as owner']);

/** The links of all listings, for operators. Newest first. `after`: the id of the last link of the previous page. */
export async function listOwnersLinks(db: Queryable, after: string | null) {
  const newest = ownersLinks(db)
    .$if(after !== null, (links) => links.where('access_links.id', '<', after!))
    .orderBy('access_links.id', 'desc');
  const { rows, nextAfter } = await takePage(LINKS_PAGE, (limit) => newest.limit(limit).execute());
  return { links: rows, next: nextAfter?.id ?? null };
}

export const findOwnersLink = (db: Queryable, id: string): Promise<OwnersLink | undefined> =>
  ownersLinks(db).where('access_links.id', '=', id).executeTakeFirst();

/** Returns false if the listing, or the marketplace, has no such link. */
export async function deleteAccessLink(
  tx: Transaction,
  listingId: string | null,
  id: string,
): Promise<boolean> {
  const isDeleted = await isFound(
    tx
      .deleteFrom('access_links')
      .where('id', '=', id)
      .where('listing_id', listingId === null ? 'is' : '=', listingId)
      .returning('id'),
  );
  if (isDeleted) await tx.deleteFrom('access_grants').where('link_id', '=', id).execute();
  return isDeleted;
}

/** Nobody else can use the listing's links. The people who used them keep their access. */
export const expireLinksOf = (tx: Transaction, listingId: string, at: string): Promise<unknown> =>
  tx
    .updateTable('access_links')
    .set({ expires_at: at })
    .where('listing_id', '=', listingId)
    .where('expires_at', '>', at)
    .execute();

export async function deleteLinksOfListings(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .deleteFrom('access_grants')
    .where('link_id', 'in', (eb) =>
      eb.selectFrom('access_links').select('access_links.id').where('listing_id', 'in', ids),
    )
    .execute();
  await tx.deleteFrom('access_links').where('listing_id', 'in', ids).execute();
}

export const hasGrant = (db: Queryable, personId: string, linkId: string): Promise<boolean> =>
  isFound(
    db
      .selectFrom('access_grants')
      .select('link_id')
      .where('account_id', '=', personId)
      .where('link_id', '=', linkId),
  );

export const countGrantsOfLink = (db: Queryable, linkId: string): Promise<number> =>
  countOf(db.selectFrom('access_grants').where('link_id', '=', linkId));

export const countGrantsOfPerson = (db: Queryable, personId: string): Promise<number> =>
  countOf(db.selectFrom('access_grants').where('account_id', '=', personId));

export const insertGrant = (tx: Transaction, grant: Selectable<AccessGrantsTable>): Promise<unknown> =>
  tx.insertInto('access_grants').values(grant).execute();
