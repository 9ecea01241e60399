/** Other apps with open offers, for pages that would otherwise be a dead end. */

import type { Context } from '../../base/context.ts';
import { readCategories } from '../../marketplace/listings/categories.ts';
import { readStrangerRights } from '../../people/visibility/read-rights.ts';
import type { ViewRights } from '../../people/visibility/visibility.ts';
import { t } from '../../platform/languages/translate.ts';
import { FilterBar } from '../ui/filter-bar.tsx';
import type { Markup } from '../ui/markup.ts';
import { AppCard } from './app-card.tsx';
import { listMarket, type MarketCard, readVisibleVersions } from './queries.ts';

const SHOWN_APPS = 3;
/** More than are shown, so that a page can exclude its own app and prefer its category. */
const READ_APPS = 24;
const FRESH_MS = 1_000;

export interface OpenApps {
  readonly categories: Awaited<ReturnType<typeof readCategories>>;
  readonly listings: readonly MarketCard[];
  readonly now: number;
}

/** Without `rights`, the apps that people without a session may see. */
export type ReadOpenApps = (rights?: ViewRights) => Promise<OpenApps>;

/**
 * Popular apps come first. The apps are read at most once per second, however many pages show them. Listings that are
 * only for some members are left out.
 */
export function createOpenApps({ db, now }: Pick<Context, 'db' | 'now'>): ReadOpenApps {
  const latest = new Map<boolean, { readonly at: number; readonly apps: Promise<OpenApps> }>();
  const read = async (rights: ViewRights): Promise<OpenApps> => {
    const at = now();
    const [categories, listings] = await Promise.all([
      readCategories(db.read),
      listMarket(db.read, { rights, sort: 'popular', page: 1, size: READ_APPS, now: at }),
    ]);
    const isOpen = ({ offers }: MarketCard) => offers.some(({ state }) => state === 'open');
    return { categories, listings: listings.filter(isOpen), now: at };
  };
  const readLatest = (rights: ViewRights): Promise<OpenApps> => {
    const at = performance.now();
    const existing = latest.get(rights.all);
    if (existing !== undefined && at - existing.at < FRESH_MS) return existing.apps;
    const apps = read(rights);
    latest.set(rights.all, { at, apps });
    return apps;
  };
  return async (viewerRights) => {
    const { all, unrestricted } = viewerRights ?? (await readStrangerRights(db.read));
    const rights: ViewRights = { all, unrestricted, listings: [], accounts: [] };
    const apps = await readLatest(rights);
    // Hiding a listing, an offer or the marketplace takes effect immediately, also if another process did it.
    const ids = apps.listings.map(({ id }) => id);
    const versions = await readVisibleVersions(db.read, rights, ids);
    return { ...apps, listings: apps.listings.filter(({ id, version }) => versions.get(id) === version) };
  };
}

interface MoreAppsProps {
  readonly apps: OpenApps;
  /** The app shown on the page. Other apps of its owner come first, then apps in its category. */
  readonly besides: Pick<MarketCard, 'id'> & Partial<Pick<MarketCard, 'account_id' | 'category'>>;
}

export function MoreApps({ apps, besides: { id, account_id, category } }: MoreAppsProps): Markup | null {
  const rank = (listing: MarketCard) =>
    (listing.account_id === account_id ? 0 : 2) + (category != null && listing.category === category ? 0 : 1);
  const others = apps.listings
    .filter((listing) => listing.id !== id)
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, SHOWN_APPS);
  if (others.length === 0) return null;
  return (
    <section class="section top-space" aria-labelledby="more-apps">
      <h2 id="more-apps">{t('More apps')}</h2>
      <Tiles {...apps} listings={others} />
    </section>
  );
}

/** Below the message that a page doesn't exist. */
export function OpenOffers(apps: OpenApps): Markup {
  const listings = apps.listings.slice(0, SHOWN_APPS);
  return (
    <>
      {listings.length > 0 && (
        <section class="section top-space" aria-labelledby="open-offers">
          <h2 id="open-offers">{t('Open offers')}</h2>
          <FilterBar
            action="/"
            results={null}
            isFiltered={false}
            filters={[{ name: 'q', label: t('App or offer'), value: '' }]}
          />
          <Tiles {...apps} listings={listings} />
        </section>
      )}
    </>
  );
}

const Tiles = ({ listings, ...props }: OpenApps): Markup => (
  <div class={`tiles of-${listings.length}`}>
    {listings.map((listing) => (
      <AppCard {...props} listing={listing} isWide={listings.length === 1} />
    ))}
  </div>
);
