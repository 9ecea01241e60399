import { sql } from 'kysely';
import type { ListingState } from '../../../marketplace/listings/listing.ts';
import { type Queryable, takePage } from '../../../platform/store/database.ts';
import { containing, searchText } from '../../../platform/store/search-text.ts';
import { isUuid } from '../../../platform/store/uuid.ts';

const LISTINGS_PAGE = 50;
const MAX_SEARCH_LENGTH = 100;

export interface ListingFilter {
  readonly search: string;
  readonly state?: ListingState | undefined;
}

/** `next`: cursor of the next page; `null` on the last page. */
export type ListingsPage = Awaited<ReturnType<typeof searchListings>>;

/** Newest first. A malformed cursor is ignored. */
export async function searchListings(
  db: Queryable,
  input: ListingFilter & { readonly after?: string | undefined },
) {
  const search = searchText(input.search, MAX_SEARCH_LENGTH);
  const after = input.after !== undefined && isUuid(input.after) ? input.after.toLowerCase() : null;
  let query = db
    .selectFrom('listings')
    .innerJoin('accounts', 'accounts.id', 'listings.account_id')
    .select([
      'listings.id',
      'listings.slug',
      'listings.name',
      'listings.url',
      'listings.state',
      'listings.created_at',
      'listings.account_id',
      'accounts.name as owner',
      'accounts.suspended_at as owner_suspended_at',
    ]);
  if (after !== null) query = query.where('listings.id', '<', after);
  if (input.state !== undefined) query = query.where('listings.state', '=', input.state);
  if (search !== '') {
    const pattern = containing(search.toLowerCase());
    query = query.where(
      sql<boolean>`(lower(listings.name) like ${pattern} escape '\\' or listings.slug like ${pattern} escape '\\'
        or lower(listings.url) like ${pattern} escape '\\')`,
    );
  }
  const newest = query.orderBy('listings.id', 'desc');
  const { rows, nextAfter } = await takePage(LISTINGS_PAGE, (limit) => newest.limit(limit).execute());
  return { listings: rows, next: nextAfter?.id ?? null };
}
