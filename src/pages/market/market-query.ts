/** Parses the URL parameters of the front page, and reads the data that the front page shows. */

import type { Context } from '../../base/context.ts';
import { pathWithQuery } from '../../base/paths.ts';
import { searchWords } from '../../marketplace/listings/card.ts';
import { readCategories } from '../../marketplace/listings/categories.ts';
import { type Category, categoryOf } from '../../marketplace/listings/category.ts';
import { KINDS, type Kind } from '../../marketplace/offers/offer.ts';
import type { ViewRights } from '../../people/visibility/visibility.ts';
import { withoutDirectionMarks } from '../../platform/text/text.ts';
import { countMarket, listFeaturedOnMarket, listMarket, SORTS, type Sort } from './queries.ts';

export const MARKET_PARAMETERS = ['q', 'kind', 'category', 'sort', 'page'] as const;

const MAX_PAGE = 9_999;

export interface MarketView {
  readonly search: string;
  readonly kind: Kind | null;
  readonly category: Category | null;
  /** Whether the URL names a category that is not on the operator's list. */
  readonly isUnknownCategory: boolean;
  readonly sort: Sort;
  readonly page: number;
}

function readMarketView(
  query: (name: (typeof MARKET_PARAMETERS)[number]) => string | undefined,
  categories: readonly Category[],
): MarketView {
  const search = withoutDirectionMarks(query('q') ?? '').trim();
  const categoryText = query('category')?.trim() || null;
  const category = categoryOf(categories, categoryText);
  const page = Number(/^\d{1,4}$/.exec(query('page') ?? '')?.[0] ?? 1);
  return {
    search,
    kind: KINDS.find((each) => each === query('kind')) ?? null,
    category,
    isUnknownCategory: categoryText !== null && category === null,
    sort: SORTS.find((sort) => sort === query('sort') && isOffered(sort, search)) ?? usualSort(search),
    page: Math.min(Math.max(page, 1), MAX_PAGE),
  };
}

/** Whether visitors can choose this order. `match` requires search words. */
export const isOffered = (sort: Sort, search: string): boolean =>
  sort !== 'match' || searchWords(search).length > 0;

const usualSort = (search: string): Sort => (isOffered('match', search) ? 'match' : 'newest');

export const isFront = (view: MarketView): boolean =>
  view.sort === 'newest' && view.page === 1 && !isFiltered(view);

export const isFiltered = ({ search, kind, category, isUnknownCategory }: MarketView): boolean =>
  search !== '' || kind !== null || category !== null || isUnknownCategory;

export type ChangedView = Partial<Omit<MarketView, 'isUnknownCategory'>>;

/** The page is 1 unless `change` contains `page`. */
export function marketParameters(view: MarketView, change: ChangedView = {}) {
  const { search, kind, category, sort, page } = { ...view, page: 1, ...change };
  return {
    q: search,
    kind,
    category: category?.id,
    sort: sort === usualSort(search) ? null : sort,
    page: page === 1 ? null : String(page),
  };
}

export const marketPath = (view: MarketView, change: ChangedView = {}): string =>
  pathWithQuery('/', marketParameters(view, change));

export type Market = Awaited<ReturnType<typeof readMarket>>;

/** `featured` is empty unless the view is the plain front page (`isFront`). `listings` excludes featured listings. */
export async function readMarket(
  context: Pick<Context, 'db' | 'now'>,
  rights: ViewRights,
  query: (name: (typeof MARKET_PARAMETERS)[number]) => string | undefined,
) {
  const { read } = context.db;
  const now = context.now();
  const categories = await readCategories(read);
  const view = readMarketView(query, categories);
  const filter = {
    rights,
    search: view.search,
    kind: view.kind ?? undefined,
    // No listing has the category '', so an unknown category finds nothing.
    category: view.isUnknownCategory ? '' : view.category?.id,
  };
  const [counts, featured] = await Promise.all([
    countMarket(read, { ...filter, now }),
    isFront(view) ? listFeaturedOnMarket(read, rights, now) : [],
  ]);
  const without = featured.map(({ id }) => id);
  const { sort, page } = view;
  const listings = await listMarket(read, { ...filter, sort, page, without, now });
  return { categories, view, counts, featured, listings, now };
}
