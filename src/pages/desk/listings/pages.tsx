import type { Context } from '../../../base/context.ts';
import {
  DESK_LINKS_PATH,
  DESK_LISTINGS_PATH,
  deskAccountPath,
  deskListingPath,
  listingPath,
  NEW_DESK_LISTING_PATH,
  NEW_LISTING_PATH,
} from '../../../base/paths.ts';
import { claimsByDay, dayText } from '../../../marketplace/campaigns/chart-points.ts';
import { sumClaimsOfListings } from '../../../marketplace/campaigns/period-queries.ts';
import { LISTING_STATES, publicStateOf } from '../../../marketplace/listings/listing.ts';
import { message, t } from '../../../platform/languages/translate.ts';
import { isolated, withoutDirectionMarks } from '../../../platform/text/text.ts';
import { type Day, lastDays } from '../../../platform/text/time-zone.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import { page } from '../../frame/pages.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { CURVE_DAYS, Curve } from '../../ui/chart.tsx';
import { CopyButton } from '../../ui/code.tsx';
import { choicesOf, type Filter } from '../../ui/filter-bar.tsx';
import { EmptyState } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { FilteredList, filterFields } from '../../ui/searched-list.tsx';
import { StateBadge, stateText } from '../../ui/state-badge.tsx';
import type { Column } from '../../ui/table.tsx';
import { Num } from '../../ui/time.tsx';
import { type ListingFilter, type ListingsPage, searchListings } from './queries.ts';

export function listingIndexPages(
  app: PageRouter,
  { db, now, marketplace }: Pick<Context, 'db' | 'now' | 'marketplace'>,
): void {
  app.get(DESK_LISTINGS_PATH, { for: 'operator' }, async (c) => {
    const filter = {
      search: withoutDirectionMarks(c.req.query('q') ?? '').trim(),
      state: LISTING_STATES.find((each) => each === c.req.query('state')),
    };
    const after = c.req.query('after');
    const results = await searchListings(db, { ...filter, after });
    const days = lastDays(marketplace.timeZone, now(), CURVE_DAYS);
    const claims = await sumClaimsOfListings(db.read, results.listings, { days, end: null });
    const { baseUrl } = c.get('site');
    return page(
      c,
      <ListingIndex {...{ results, filter, days, claims, baseUrl }} isFirst={after === undefined} />,
      {
        title: t('All listings'),
      },
    );
  });
}

interface ColumnData {
  /** The days of the curves. */
  readonly days: readonly Day[];
  readonly claims: Awaited<ReturnType<typeof sumClaimsOfListings>>;
  readonly baseUrl: string;
}

interface ListingIndexProps extends ColumnData {
  readonly results: ListingsPage;
  readonly filter: ListingFilter;
  readonly isFirst: boolean;
}

const ListingIndex = ({ results, filter, isFirst, ...data }: ListingIndexProps) => (
  <>
    <PageHeader
      title={t('Listings')}
      lead={t('The listings of all owners, drafts included, with the claims of the last {days} days.', {
        days: CURVE_DAYS,
      })}
      actions={
        <>
          <ButtonLink href={DESK_LINKS_PATH}>{t('Invitation links')}</ButtonLink>
          <ButtonLink href={NEW_DESK_LISTING_PATH}>{t('New listing')}</ButtonLink>
        </>
      }
    />
    <FilteredList
      action={DESK_LISTINGS_PATH}
      results="listings"
      filters={filtersOf(filter)}
      rows={results.listings}
      columns={columnsOf(data)}
      words={{
        caption: t('Matching listings'),
        none: t('No listings match.'),
        amount: (count) => t('{count, plural, one {# listing} other {# listings}}', { count }),
      }}
      next={results.next}
      isFirst={isFirst}
      instead={
        results.listings.length === 0 && isFirst && filter.search === '' && !filter.state && <NoListings />
      }
    />
  </>
);

function filtersOf({ search, state }: ListingFilter): readonly Filter[] {
  const filter = filterFields({ q: search, state });
  return [
    filter('q', t('Name, public address or website'), { placeholder: 'notes' }),
    filter('state', t('State'), { choices: choicesOf(message('Any state'), stateNames()) }),
  ];
}

const stateNames = () => Object.fromEntries(LISTING_STATES.map((state) => [state, stateText(state)]));

const NoListings = () => (
  <EmptyState
    sentence={t('No listings yet. Drafts will appear here too.')}
    action={<ButtonLink href={NEW_LISTING_PATH}>{t('Publish an app')}</ButtonLink>}
  />
);

const columnsOf = ({
  days,
  claims,
  baseUrl,
}: ColumnData): readonly Column<ListingsPage['listings'][number]>[] => [
  {
    header: t('Listing'),
    isName: true,
    isHalf: true,
    cell: ({ id, name, url }) => (
      <>
        <a href={deskListingPath(id)}>{isolated(name)}</a>
        <span class="sub">
          <Breakable text={new URL(url).host} />
        </span>
      </>
    ),
  },
  {
    header: t('State'),
    isFar: true,
    isPlain: true,
    cell: ({ state, owner_suspended_at }) => (
      <StateBadge state={publicStateOf(state, owner_suspended_at !== null)} />
    ),
  },
  {
    header: t('publisher|Owner'),
    cell: ({ account_id, owner }) => <a href={deskAccountPath(account_id)}>{owner}</a>,
  },
  {
    header: t('Claims'),
    isNumeric: true,
    isLine: true,
    cell: ({ id }) => {
      const values = claimsByDay(id, days, claims);
      return (
        <>
          <Num value={values.reduce((sum, value) => sum + value, 0)} />
          <Curve name={t('Claims')} days={days.map(dayText)} values={values} />
        </>
      );
    },
  },
  {
    header: t('Share link'),
    isActions: true,
    cell: ({ state, name, slug }) =>
      state === 'approved' && (
        <CopyButton text={baseUrl + listingPath(slug)} what={name} label={t('Copy link')} isQuiet />
      ),
  },
];
