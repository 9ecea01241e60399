import { sql } from 'kysely';
import type { ListingState } from '../../../marketplace/listings/listing.ts';
import { type Database, takePage } from '../../../platform/store/database.ts';
import { DIALECTS } from '../../../platform/store/dialects.ts';
import { containing, searchText } from '../../../platform/store/search-text.ts';
import { isUuid } from '../../../platform/store/uuid.ts';
import { foldCase } from '../../../platform/text/fold-case.ts';

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
  db: Pick<Database, 'engine' | 'read'>,
  input: ListingFilter & { readonly after?: string | undefined },
) {
  const search = searchText(input.search, MAX_SEARCH_LENGTH);
  const after = input.after !== undefined && isUuid(input.after) ? input.after.toLowerCase() : null;
  let query = db.read
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
    const hasName = DIALECTS[db.engine].containsFolded(sql.ref('listings.name'), foldCase(search));
    query = query.where(
      sql<boolean>`(${hasName} or listings.slug like ${pattern} escape '\\'
        or lower(listings.url) like ${pattern} escape '\\')`,
    );
  }
  const newest = query.orderBy('listings.id', 'desc');
  const { rows, nextAfter } = await takePage(LISTINGS_PAGE, (limit) => newest.limit(limit).execute());
  return { listings: rows, next: nextAfter?.id ?? null };
}
