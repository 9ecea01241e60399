/** The front page: all apps as cards, with a featured row, filters, orders and a search. */
import { type Brand, headlineOf, leadOf } from '../brand/brand.ts';
import type { Category } from '../listings/category.ts';
import { KINDS, kindName } from '../offers/offer.ts';
import { amountOf, isolated } from '../text/text.ts';
import type { EpochMs } from '../text/time-text.ts';
import { ButtonLink } from '../ui/button.tsx';
import { FilterBar, Results, Tabs } from '../ui/filter-bar.tsx';
import { EmptyState } from '../ui/notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Pager } from '../ui/table.tsx';
import { numberText } from '../ui/time.tsx';
import { AppCard } from './app-card.tsx';
import { type ChangedView, isFront, type MarketView, marketParameters, marketPath } from './market-query.ts';
import { MARKET_PAGE, type MarketCard, type MarketCounts, type Sort } from './queries.ts';

/** A marketplace with so few apps shows them all together, without tools to search and filter. */
export const SMALL_MARKET = 6;
/** Offers on a card that has a row for itself. */
const OFFERS_OF_WIDE_CARD = 4;

export interface MarketPageProps {
  readonly brand: Pick<Brand, 'headline' | 'lead'>;
  readonly categories: readonly Category[];
  readonly view: MarketView;
  readonly counts: MarketCounts;
  /** Only on the front page as it opens; they are not among `listings`. */
  readonly featured: readonly MarketCard[];
  readonly listings: readonly MarketCard[];
  readonly now: EpochMs;
}

const PUBLISH_PATH = '/dashboard/listings/new';

export function MarketPage(props: MarketPageProps) {
  const { brand, view, counts, featured, listings } = props;
  const isPlain = isFront(view) && counts.all <= SMALL_MARKET;
  return (
    <>
      <PageHeader title={headlineOf(brand)} lead={leadOf(brand)} />
      {isPlain ? (
        <>
          {counts.all === 0 ? <NothingYet /> : <FewCards {...props} listings={[...featured, ...listings]} />}
          {counts.all > 0 && <Invitation />}
        </>
      ) : (
        <Browser {...props} />
      )}
    </>
  );
}

const NothingYet = () => (
  <EmptyState
    sentence="No apps are published here yet."
    action={<ButtonLink href={PUBLISH_PATH}>Publish your app</ButtonLink>}
  />
);

const Invitation = () => (
  <p class="invitation">
    Do you have an app? <a href={PUBLISH_PATH}>Publish it here</a> with an offer of your own.
  </p>
);

function Browser(props: MarketPageProps) {
  const { view, counts, featured } = props;
  return (
    <>
      <FilterBar
        action="/"
        results="market"
        isFiltered={view.search !== ''}
        hidden={marketHidden(view)}
        filters={[{ name: 'q', label: 'Search', value: view.search, placeholder: 'App or offer' }]}
      />
      <Results id="market">
        {featured.length > 0 && (
          <section class="section" aria-labelledby="featured">
            <h2 id="featured">Featured</h2>
            <div class={`tiles featured of-${featured.length}`}>
              {featured.map((listing, index) => (
                <Card
                  {...props}
                  listing={listing}
                  isWide={index === 0 && hasOwnRow(listing, featured.length)}
                />
              ))}
            </div>
          </section>
        )}
        <div class="market">
          <Filters {...props} />
          <section aria-labelledby="found">
            <div class="market-bar">
              <h2 id="found" dir="auto">
                {headingOf(view)}{' '}
                {!view.isUnknownCategory && <span class="count">{numberText(totalOf(view, counts))}</span>}
              </h2>
              <Sorts view={view} counts={counts} />
            </div>
            <Found {...props} />
          </section>
        </div>
      </Results>
    </>
  );
}

/** Filters stay while somebody searches; the order follows the words. */
function marketHidden(view: MarketView): Readonly<Record<string, string>> {
  const { kind, category } = marketParameters(view);
  return { ...(kind && { kind }), ...(category && { category }) };
}

/** What is listed, in a few words: for the heading and the title of the page. */
export function headingOf({ search, kind, category, isUnknownCategory }: MarketView): string {
  if (isUnknownCategory) return 'Unknown category';
  if (search !== '') return `“${isolated(search)}”`;
  const offers = kind === null ? null : `${kindName(kind)} offers`;
  if (category === null) return offers ?? 'All apps';
  return offers === null ? category.name : `${isolated(category.name)}: ${offers}`;
}

const totalOf = (view: MarketView, { found, ending }: MarketCounts): number =>
  view.sort === 'ending' ? ending : found;

const SORT_NAMES: Readonly<Record<Sort, string>> = {
  match: 'Best match',
  newest: 'Newest',
  popular: 'Popular',
  ending: 'Ending soon',
};

function Sorts({ view, counts }: Pick<MarketPageProps, 'view' | 'counts'>) {
  const sorts: readonly Sort[] = [
    ...(view.search === '' ? [] : (['match'] as const)),
    'newest',
    'popular',
    ...(counts.ending > 0 || view.sort === 'ending' ? (['ending'] as const) : []),
  ];
  return (
    <Tabs
      label="Order"
      tabs={sorts.map((sort) => ({
        label: SORT_NAMES[sort],
        href: marketPath(view, { sort }),
        isCurrent: sort === view.sort,
      }))}
    />
  );
}

/** Categories and kinds with the number of their apps. On a phone they are folded until one is chosen. */
function Filters({ categories, view, counts }: MarketPageProps) {
  const inCategories = categories.filter(({ id }) => counts.categories.has(id) || id === view.category?.id);
  const kinds = KINDS.filter((kind) => counts.kinds.get(kind) || kind === view.kind);
  if (inCategories.length === 0 && kinds.length < 2) return null;
  return (
    <details class="more fold market-filters" open={view.kind !== null || view.category !== null}>
      <summary>Filters</summary>
      <div class="market-choices">
        {inCategories.length > 0 && (
          <Choices
            label="Categories"
            view={view}
            choices={[
              { label: 'All', change: { category: null }, isCurrent: view.category === null },
              ...inCategories.map((category) => ({
                label: category.name,
                count: counts.categories.get(category.id) ?? 0,
                change: { category },
                isCurrent: category.id === view.category?.id,
              })),
            ]}
          />
        )}
        {kinds.length > 1 && (
          <Choices
            label="Offers"
            view={view}
            choices={[
              { label: 'All', change: { kind: null }, isCurrent: view.kind === null },
              ...kinds.map((kind) => ({
                label: kindName(kind),
                count: counts.kinds.get(kind) ?? 0,
                change: { kind },
                isCurrent: kind === view.kind,
              })),
            ]}
          />
        )}
      </div>
    </details>
  );
}

interface Choice {
  readonly label: string;
  readonly count?: number;
  readonly change: ChangedView;
  readonly isCurrent: boolean;
}

const Choices = (props: { label: string; view: MarketView; choices: readonly Choice[] }) => (
  <nav aria-label={props.label}>
    <p class="facets-label">{props.label}</p>
    <ul class="facets">
      {props.choices.map(({ label, count, change, isCurrent }) => (
        <li>
          <a href={marketPath(props.view, change)} aria-current={isCurrent ? 'true' : undefined} dir="auto">
            <span>{label}</span>
            {count !== undefined && <span class="count">{numberText(count)}</span>}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

function Found(props: MarketPageProps) {
  const { view, counts, featured, listings } = props;
  if (listings.length === 0) return <Nothing {...props} />;
  const pages = Math.ceil((totalOf(view, counts) - featured.length) / MARKET_PAGE);
  const to = (page: number) => marketPath(view, { page });
  return (
    <>
      <Cards {...props} />
      {view.sort === 'ending' && view.page >= pages && counts.found > counts.ending && (
        <p class="note-line">
          {amountOf(counts.found - counts.ending, 'app')} without an end date{' '}
          {counts.found - counts.ending === 1 ? 'is' : 'are'} not listed here.{' '}
          <a href={marketPath(view, { sort: 'newest' })}>Show all</a>
        </p>
      )}
      <Pager
        previous={view.page > 1 ? to(view.page - 1) : null}
        next={view.page < pages ? to(view.page + 1) : null}
        summary={pages > 1 && `Page ${numberText(view.page)} of ${numberText(pages)}`}
      />
    </>
  );
}

const Cards = (props: MarketPageProps) => (
  <div class="tiles">
    {props.listings.map((listing) => (
      <Card {...props} listing={listing} />
    ))}
  </div>
);

/** With two offers each, since there is room; a single app has the page for itself. */
const FewCards = (props: MarketPageProps) => (
  <div class={`tiles of-${props.listings.length}`}>
    {props.listings.map((listing) => (
      <Card {...props} listing={listing} heading="h2" offers={2} isWide={props.listings.length === 1} />
    ))}
  </div>
);

/** A featured app whose cover is worth a row, where the others fill theirs. */
const hasOwnRow = ({ pictures }: MarketCard, featured: number): boolean =>
  featured === 1 || (featured === 4 && pictures.cover !== undefined);

interface CardProps extends MarketPageProps {
  readonly listing: MarketCard;
  readonly heading?: 'h2';
  readonly offers?: number;
  readonly isWide?: boolean;
}

const Card = ({ listing, categories, view, now, heading, offers = 1, isWide = false }: CardProps) => (
  <AppCard
    listing={listing}
    category={categories.find(({ id }) => id === listing.category)?.name ?? null}
    kind={view.kind}
    now={now}
    heading={heading}
    offers={isWide ? OFFERS_OF_WIDE_CARD : offers}
    isWide={isWide}
  />
);

/** Why nothing is listed, and where to go next. */
function Nothing({ view, counts }: MarketPageProps) {
  const { search, kind, category, page, sort } = view;
  const first = totalOf(view, counts) > 0 && page > 1;
  if (first)
    return <Empty says={`There is no page ${numberText(page)}.`} to={marketPath(view)} word="First page" />;
  if (view.isUnknownCategory)
    return <Empty says="This category doesn’t exist (any more)." to="/" word="Show all apps" />;
  if (sort === 'ending' && counts.found > 0) {
    return (
      <Empty
        says="No offer here has an end date."
        to={marketPath(view, { sort: 'newest' })}
        word="Show the newest"
      />
    );
  }
  const where = category === null ? '' : ` in ${isolated(category.name)}`;
  const what = kind === null ? 'No apps' : `No ${kind} offers`;
  if (search === '') {
    const to = kind === null ? '/' : marketPath(view, { kind: null });
    return (
      <Empty
        says={`${what}${where} at the moment.`}
        to={to}
        word={kind === null ? 'Show all apps' : `Show all offers${where}`}
      />
    );
  }
  const isNarrow = kind !== null || category !== null;
  return (
    <Empty
      says={`${what}${where} match “${isolated(search)}”. Try fewer or shorter words.`}
      to={isNarrow ? marketPath(view, { kind: null, category: null }) : '/'}
      word={isNarrow ? 'Search all apps' : 'Show all apps'}
    />
  );
}

const Empty = ({ says, to, word }: { says: string; to: string; word: string }) => (
  <EmptyState sentence={says} action={<ButtonLink href={to}>{word}</ButtonLink>} />
);
