import {
  CAMPAIGNS_EXPORT_PATH,
  CAMPAIGNS_PATH,
  type CampaignsView,
  campaignsPath,
  NEW_LISTING_PATH,
  ownerClaimsPath,
  SHARE_CARD,
} from '../../../base/paths.ts';
import { NO_LABEL_FILTER } from '../../../claims/search/claim-filter.ts';
import { chartPoints } from '../../../marketplace/campaigns/chart-points.ts';
import { FUNNEL } from '../../../marketplace/campaigns/funnel.ts';
import { OTHER_LABELS } from '../../../marketplace/campaigns/label.ts';
import { LISTED_LISTINGS, type ListedListing } from '../../../marketplace/campaigns/queries.ts';
import { RANGES, type ShownRange } from '../../../marketplace/campaigns/range.ts';
import { t } from '../../../platform/languages/translate.ts';
import { Label } from '../../ui/breakable.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Section } from '../../ui/card.tsx';
import { Mono } from '../../ui/code.tsx';
import { CLAIMS_BY, CountChart, VISITS_BY } from '../../ui/count-chart.tsx';
import { DownloadButtons } from '../../ui/download-buttons.tsx';
import { FilterBar, Tabs } from '../../ui/filter-bar.tsx';
import { EmptyState, Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PeriodPicker } from '../../ui/period-picker.tsx';
import { type Column, Pager, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import type { Campaigns, FunnelOfLabel } from './campaigns.ts';
import { FUNNEL_STEPS, FunnelFigures, FunnelStep, hasCounts, isUncounted } from './funnel.tsx';
import { type Share, ShareLinkCard } from './share-link-card.tsx';

const LABELS_PAGE_SIZE = 50;

const Example = () => (
  <>
    {t('{mono} · 950 visitors · 120 claims · 102 arrived · 84 redeemed', {
      mono: <Mono>spring_newsletter</Mono>,
    })}
  </>
);

interface CampaignsPageProps {
  readonly listings: readonly ListedListing[];
  readonly campaigns: Campaigns;
  readonly range: ShownRange;
  readonly pageNumber: number;
  readonly share: Share;
  readonly hasApiKeys: boolean;
}

export function CampaignsPage(props: CampaignsPageProps) {
  const { listings, campaigns, share, hasApiKeys } = props;
  const { listing, total } = campaigns;
  const isQuiet = !hasCounts(total) && !hasCounts(total.before);
  return (
    <>
      <PageHeader
        title={t('Campaigns')}
        lead={t('What each share link brought in. A label is the text after “via=” in the link.')}
        actions={<ButtonLink href={`#${SHARE_CARD}`}>{t('New share link')}</ButtonLink>}
      />
      {listings.length > 1 && <ListingFilter {...props} />}
      <div id="campaigns" class="stack-loose">
        <div>
          <RangePicker {...props} />
          {isQuiet ? (
            <EmptyState
              sentence={t(
                'No visits or claims in this period. Share a link with a label, and its visits and claims are counted here.',
              )}
              example={<Example />}
            />
          ) : (
            <div class="stack">
              <FunnelFigures funnel={total} hasApiKeys={hasApiKeys} />
              <Compared {...campaigns} />
              <OverTime {...props} />
            </div>
          )}
        </div>
        {!isQuiet && <Labels {...props} />}
        <UnreadableLabels {...campaigns} />
        <ShareLinkCard listing={listing} share={share} />
      </div>
    </>
  );
}

export const NoListingPage = () => (
  <>
    <PageHeader title={t('Campaigns')} />
    <EmptyState
      sentence={t(
        'Campaigns show how many visits and claims each of your share links brings. Create a listing first.',
      )}
      link={[t('Create a listing'), NEW_LISTING_PATH]}
      example={<Example />}
    />
  </>
);

/** The current query parameters, without the chart's label and the table's page. */
function viewOf({ campaigns, range }: Pick<CampaignsPageProps, 'campaigns' | 'range'>): CampaignsView {
  const days = range.name === 'custom' ? campaigns.span : {};
  return { listing: campaigns.listing.slug, range: range.name, ...days };
}

function ListingFilter({ listings, campaigns, range }: CampaignsPageProps) {
  const { listing, page: _, ...hidden } = viewOf({ campaigns, range });
  return (
    <FilterBar
      action={CAMPAIGNS_PATH}
      results="campaigns"
      isFiltered={false}
      hidden={hidden}
      filters={[
        {
          name: 'listing',
          label:
            listings.length < LISTED_LISTINGS
              ? t('Listing')
              : t('Listing (the first {count} by name)', { count: LISTED_LISTINGS }),
          value: listing,
          choices: listings.map(({ slug, name }) => ({ value: slug, label: name })),
        },
      ]}
    />
  );
}

const RangePicker = ({ campaigns, range }: CampaignsPageProps) => (
  <PeriodPicker
    names={RANGES}
    range={range}
    action={CAMPAIGNS_PATH}
    results="campaigns"
    hidden={{ listing: campaigns.listing.slug }}
  />
);

function Compared({ span, days, total }: Campaigns) {
  const period = {
    time: <Time at={span.from} precision="day" />,
    time2: <Time at={span.to} precision="day" />,
    count: days.length,
  };
  return (
    <p class="hint">
      {hasCounts(total.before)
        ? t('{time} to {time2}, compared with the {count, plural, one {day} other {# days}} before.', period)
        : t('{time} to {time2}. There are no earlier numbers to compare with.', period)}{' '}
      {t('Each visit, claim and redemption is counted on the day it happens.')}{' '}
      {t('Referrers, countries and devices of visitors are not recorded.')}
    </p>
  );
}

const labelText = (via: string | null): string =>
  via === OTHER_LABELS ? t('Other labels') : (via ?? t('No label'));

const parameterOf = (via: string | null): string => via ?? NO_LABEL_FILTER;

function OverTime(props: CampaignsPageProps) {
  const { chart, charted } = props.campaigns;
  const view = viewOf(props);
  const label =
    chart.via === undefined
      ? null
      : chart.via === OTHER_LABELS
        ? t('Other labels')
        : (chart.via ?? t('no label'));
  const points = chartPoints(props.campaigns.days, chart.counts, props.campaigns.isOver);
  const isRedeemedHidden = isUncounted({
    count: 'redeemed',
    funnel: props.campaigns.total,
    hasApiKeys: props.hasApiKeys,
  });
  return (
    <section class="card">
      {charted.length > 1 && (
        <Tabs
          label={t('Over time')}
          scrolls
          tabs={[
            { label: t('All'), href: campaignsPath(view), isCurrent: chart.via === undefined },
            ...charted.map((via) => ({
              label: labelText(via),
              href: campaignsPath({ ...view, label: parameterOf(via) }),
              isCurrent: chart.via === via,
              isVerbatim: via !== null && via !== OTHER_LABELS,
            })),
          ]}
        />
      )}
      <div class="exchange">
        <CountChart
          {...points}
          title={withLabel(t(VISITS_BY[points.unit]), label)}
          counted={['visits', 'visitors']}
        />
        <CountChart
          {...points}
          title={withLabel(t(CLAIMS_BY[points.unit]), label)}
          counted={isRedeemedHidden ? ['claims'] : ['claims', 'redeemed']}
        />
      </div>
    </section>
  );
}

const withLabel = (title: string, label: string | null): string =>
  label === null ? title : `${title}: ${label}`;

function Labels(props: CampaignsPageProps) {
  const { campaigns, pageNumber, hasApiKeys } = props;
  const { listing } = campaigns;
  const pages = Math.max(1, Math.ceil(campaigns.labels.length / LABELS_PAGE_SIZE));
  const current = Math.min(pageNumber, pages);
  const labelsOfPage = campaigns.labels.slice((current - 1) * LABELS_PAGE_SIZE, current * LABELS_PAGE_SIZE);
  const view = viewOf(props);
  const via = campaigns.chart.via;
  const label = via === undefined ? undefined : parameterOf(via);
  const pathOf = (page: number) => campaignsPath({ ...view, label, page });
  const steps = FUNNEL.map(
    (count): Column<FunnelOfLabel> => ({
      header: FUNNEL_STEPS[count].name,
      isNumeric: true,
      isLine: true,
      cell: (funnel) => <FunnelStep {...{ count, funnel, hasApiKeys }} />,
    }),
  );
  return (
    <Section
      title={t('Labels')}
      action={
        <div class="row">
          <DownloadButtons
            formats={['csv']}
            pathOf={() => campaignsPath(view, CAMPAIGNS_EXPORT_PATH)}
            small
          />
        </div>
      }
    >
      <Table
        caption={t('Labels')}
        rows={labelsOfPage}
        columns={[
          {
            header: t('Label'),
            isName: true,
            cell: (label) => <LabelLink listing={listing} label={label} />,
          },
          ...steps,
        ]}
        pager={
          <Pager
            previous={current > 1 ? pathOf(current - 1) : null}
            next={current < pages ? pathOf(current + 1) : null}
            summary={t(
              'Live claims only, sorted by claims. Claims are a percentage of visitors; arrived and redeemed are percentages of the claims with a link.',
            )}
          />
        }
      />
    </Section>
  );
}

function UnreadableLabels({ unreadable }: Pick<Campaigns, 'unreadable'>) {
  if (unreadable.length === 0) return null;
  const sum = (count: 'claims' | 'visits') => unreadable.reduce((total, label) => total + label[count], 0);
  return (
    <Notice tone="warn" title={t('Invalid labels')}>
      <p>
        {t(
          'Since the listing was created, {sum, plural, one {# visit} other {# visits}} and {sum2, plural, one {# claim} other {# claims}} have arrived with an invalid label. They count as “No label”. Use the share links from this page: labels contain only lowercase letters, digits, - and _.',
          { sum: sum('visits'), sum2: sum('claims') },
        )}
      </p>
      <ul>
        {unreadable.map(({ found: label, claims, visits }) => (
          <li>
            {label === '' ? t('Others') : <Label text={label} />}:{' '}
            {t(
              '{visits, plural, one {# visit} other {# visits}}, {claims, plural, one {# claim} other {# claims}}',
              { visits, claims },
            )}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

const LabelLink = ({ listing, label }: { listing: ListedListing; label: Pick<FunnelOfLabel, 'via'> }) =>
  // Claims always have their own label.
  label.via === OTHER_LABELS ? (
    <span>{t('Other labels')}</span>
  ) : (
    <a href={ownerClaimsPath({ listing: listing.slug, via: parameterOf(label.via), mode: 'live' })}>
      {label.via === null ? t('No label') : <Label text={label.via} />}
    </a>
  );
