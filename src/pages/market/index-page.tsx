import { type Brand, headlineOf, leadOf } from '../../base/brand/brand.ts';
import { PUBLISH_PATH } from '../../base/paths.ts';
import { KIND_TEXTS, KINDS, kindName } from '../../marketplace/offers/offer.ts';
import { type Message, message, t } from '../../platform/languages/translate.ts';
import { isolated } from '../../platform/text/text.ts';
import { ButtonLink } from '../ui/button.tsx';
import { FilterBar, Results, Tabs } from '../ui/filter-bar.tsx';
import { EmptyState } from '../ui/notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { linkTo } from '../ui/site.tsx';
import { Steps } from '../ui/steps.tsx';
import { Pager } from '../ui/table.tsx';
import { numberText } from '../ui/time.tsx';
import { AppCard } from './app-card.tsx';
import {
  type ChangedView,
  isFront,
  isOffered,
  type Market,
  type MarketView,
  marketParameters,
  marketPath,
} from './market-query.ts';
import { MARKET_PAGE, type MarketCard, type MarketCounts, SORTS, type Sort } from './queries.ts';

/** With at most this many apps, the front page shows all of them without search and filters. */
const SMALL_MARKET = 6;

interface MarketPageProps extends Market {
  readonly brand: Pick<Brand, 'headline' | 'lead'>;
  /** Whether people can claim with their email address. */
  readonly isByMail: boolean;
}

export function MarketPage(props: MarketPageProps) {
  const { brand, view, counts, featured, listings } = props;
  const isPlain = isFront(view) && counts.all <= SMALL_MARKET;
  return (
    <>
      <PageHeader title={headlineOf(brand)} lead={isFront(view) && leadOf(brand)} />
      {!isPlain && <Browser {...props} />}
      {isPlain && counts.all === 0 && <NothingYet />}
      {isPlain && counts.all > 0 && (
        <>
          <FewCards {...props} listings={[...featured, ...listings]} />
          <HowItWorks isByMail={props.isByMail} />
        </>
      )}
      {isFront(view) && counts.all > 0 && <Invitation />}
    </>
  );
}

const NothingYet = () => (
  <EmptyState
    sentence={t('No apps are published here yet.')}
    action={<ButtonLink href={PUBLISH_PATH}>{t('Publish your app')}</ButtonLink>}
  />
);

const Invitation = () => (
  <p class="invitation">
    {t('Do you have an app? <a>Publish it here</a> with an offer of your own.', {
      a: linkTo(PUBLISH_PATH),
    })}
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
        filters={[{ name: 'q', label: t('App or offer'), value: view.search }]}
      />
      <Results id="market">
        {featured.length > 0 && (
          <section class="section top-space" aria-labelledby="featured">
            <h2 id="featured">{t('Featured')}</h2>
            <div class={`tiles featured of-${featured.length}`}>
              {featured.map((listing, index) => (
                <AppCard
                  {...props}
                  kind={view.kind}
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
              {counts.matching > 0 && <Sorts view={view} counts={counts} />}
            </div>
            <ResultSection {...props} />
          </section>
        </div>
      </Results>
    </>
  );
}

/** A new search keeps the filters, but not the sort order. */
function marketHidden(view: MarketView): Readonly<Record<string, string>> {
  const { kind, category } = marketParameters(view);
  return { ...(kind && { kind }), ...(category && { category }) };
}

export function headingOf({ search, kind, category, isUnknownCategory }: MarketView): string {
  if (isUnknownCategory) return t('Unknown category');
  if (search !== '') return t('“{search}”', { search: isolated(search) });
  const offers = kind === null ? null : t(KIND_TEXTS[kind].heading);
  if (category === null) return offers ?? t('All apps');
  return offers === null ? category.name : `${isolated(category.name)}: ${offers}`;
}

const totalOf = (view: MarketView, { matching, ending }: MarketCounts): number =>
  view.sort === 'ending' ? ending : matching;

const SORT_NAMES: Readonly<Record<Sort, Message>> = {
  match: message('Best match'),
  newest: message('Newest'),
  popular: message('Popular'),
  ending: message('Ending soon'),
};

function Sorts({ view, counts }: Pick<MarketPageProps, 'view' | 'counts'>) {
  const sorts = SORTS.filter((sort) =>
    sort === 'ending' ? counts.ending > 0 || view.sort === 'ending' : isOffered(sort, view.search),
  );
  return (
    <Tabs
      label={t('Order')}
      tabs={sorts.map((sort) => ({
        label: t(SORT_NAMES[sort]),
        href: marketPath(view, { sort }),
        isCurrent: sort === view.sort,
      }))}
    />
  );
}

/** On a phone, the filters are collapsed until a category or a kind is chosen. */
function Filters({ categories, view, counts }: MarketPageProps) {
  const inCategories = categories.filter(({ id }) => counts.categories.has(id) || id === view.category?.id);
  const kinds = KINDS.filter((kind) => counts.kinds.get(kind) || kind === view.kind);
  if (inCategories.length === 0 && kinds.length < 2) return null;
  return (
    <details class="more fold market-filters" open={view.kind !== null || view.category !== null}>
      <summary>{t('Filters')}</summary>
      <div class="market-choices">
        {inCategories.length > 0 && (
          <Choices
            label={t('Categories')}
            view={view}
            choices={[
              { label: t('All'), change: { category: null }, isCurrent: view.category === null },
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
            label={t('Offers')}
            view={view}
            choices={[
              { label: t('All'), change: { kind: null }, isCurrent: view.kind === null },
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
          <a href={marketPath(props.view, change)} aria-current={isCurrent ? 'true' : undefined}>
            <span dir="auto">{label}</span>
            {count !== undefined && <span class="count">{numberText(count)}</span>}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

function ResultSection(props: MarketPageProps) {
  const { view, counts, featured, listings } = props;
  if (listings.length === 0) return <Nothing {...props} />;
  const pages = Math.ceil((totalOf(view, counts) - featured.length) / MARKET_PAGE);
  const to = (page: number) => marketPath(view, { page });
  return (
    <>
      <div class="tiles">
        {listings.map((listing) => (
          <AppCard {...props} kind={view.kind} listing={listing} />
        ))}
      </div>
      {view.sort === 'ending' && view.page >= pages && counts.matching > counts.ending && (
        <p class="note-line">
          {t(
            '{count, plural, one {# app has no open offer with an end date, so it is not listed here.} other {# apps have no open offer with an end date, so they are not listed here.}} <a>Show all</a>',
            {
              count: counts.matching - counts.ending,
              a: linkTo(marketPath(view, { sort: 'newest' })),
            },
          )}
        </p>
      )}
      <Pager
        previous={view.page > 1 ? to(view.page - 1) : null}
        next={view.page < pages ? to(view.page + 1) : null}
        summary={pages > 1 && t('Page {page, number} of {pages, number}', { page: view.page, pages })}
      />
    </>
  );
}

/** A small marketplace has room for two offers per card. */
const FewCards = (props: MarketPageProps) => (
  <div class={`tiles of-${props.listings.length}`}>
    {props.listings.map((listing) => (
      <AppCard
        {...props}
        listing={listing}
        heading="h2"
        offers={2}
        isWide={props.listings.length === 1}
        hasButton
      />
    ))}
  </div>
);

/** Visitors of a small marketplace have rarely claimed an offer before. */
const HowItWorks = ({ isByMail }: { isByMail: boolean }) => (
  <section class="section top-space" aria-labelledby="how">
    <h2 id="how">{t('How it works')}</h2>
    <Steps
      isAcross
      steps={[
        {
          state: 'open',
          title: t('Choose an offer'),
          body: t('Its page says what you get and where you redeem it.'),
        },
        {
          state: 'open',
          title: t('Claim it'),
          body: isByMail
            ? t('All you need is an email address. It takes half a minute.')
            : t('Sign in once. After that, one click is enough.'),
        },
        {
          state: 'open',
          title: t('Redeem it in the app'),
          body: t('Open the app from your claim, or enter the code at checkout.'),
        },
      ]}
    />
  </section>
);

/** The first featured app fills a row if it is the only one, or if it has a cover and exactly three others follow. */
const hasOwnRow = ({ pictures }: MarketCard, featured: number): boolean =>
  featured === 1 || (featured === 4 && pictures.cover !== undefined);

function Nothing(props: MarketPageProps) {
  const [sentence, path, label] = nothingIn(props);
  return <EmptyState sentence={sentence} action={<ButtonLink href={path}>{label}</ButtonLink>} />;
}

/** A sentence that says why the list is empty, and a link to other apps. */
function nothingIn({
  view,
  counts,
}: MarketPageProps): readonly [sentence: string, path: string, label: string] {
  const { search, kind, category, page } = view;
  if (totalOf(view, counts) > 0 && page > 1) {
    return [t('There is no page {page, number}.', { page }), marketPath(view), t('First page')];
  }
  if (view.isUnknownCategory) {
    return [t('This category doesn’t exist (any more).'), '/', t('Show all apps')];
  }
  if (view.sort === 'ending' && counts.matching > 0) {
    const newest = marketPath(view, { sort: 'newest' });
    return [t('No open offer here has an end date.'), newest, t('Show the newest')];
  }
  const about = {
    offers: kind === null ? message('after no|apps') : KIND_TEXTS[kind].none,
    search: isolated(search),
    category: isolated(category?.name ?? ''),
  };
  if (search !== '') {
    const sentence =
      category === null
        ? t('No {offers} match “{search}”. Try fewer or shorter words.', about)
        : t('No {offers} in {category} match “{search}”. Try fewer or shorter words.', about);
    return kind === null && category === null
      ? [sentence, '/', t('Show all apps')]
      : [sentence, marketPath(view, { kind: null, category: null }), t('Search all apps')];
  }
  const sentence =
    category === null
      ? t('No {offers} at the moment.', about)
      : t('No {offers} in {category} at the moment.', about);
  if (kind === null) return [sentence, '/', t('Show all apps')];
  const label = category === null ? t('Show all offers') : t('Show all offers in {category}', about);
  return [sentence, marketPath(view, { kind: null }), label];
}
