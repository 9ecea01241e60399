import type { Context } from '../context.ts';
import { readCategories } from '../listings/categories.ts';
import { isFront, readMarketView } from './market-query.ts';
import { countMarket, listFeaturedOnMarket, listMarket, type MarketFilter } from './queries.ts';

export async function readMarket(
  context: Pick<Context, 'db' | 'now'>,
  query: Parameters<typeof readMarketView>[0],
) {
  const { read } = context.db;
  const now = context.now();
  const categories = await readCategories(read);
  const view = readMarketView(query, categories);
  const filter: MarketFilter = {
    search: view.search,
    kind: view.kind ?? undefined,
    // No listing has an empty category, so an unknown category finds nothing.
    category: view.isUnknownCategory ? '' : view.category?.id,
  };
  const [counts, featured] = await Promise.all([
    countMarket(read, { ...filter, now }),
    isFront(view) ? listFeaturedOnMarket(read, now) : [],
  ]);
  const without = featured.map(({ id }) => id);
  const { sort, page } = view;
  const listings = await listMarket(read, { ...filter, sort, page, without, now });
  return { categories, view, counts, featured, listings, now };
}
