/** The campaigns of a listing: numbers in total, over time and by label. */

import type { LabelCount } from '../../campaigns/count.ts';
import { dayText } from '../../campaigns/days.ts';
import { LISTED_LISTINGS, type ListedListing } from '../../campaigns/queries.ts';
import { NO_LABEL_FILTER } from '../../claims/claim-filter.ts';
import { amountOf } from '../../text/text.ts';
import { Label } from '../../ui/breakable.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Chart, ShareBar } from '../../ui/chart.tsx';
import { Mono } from '../../ui/code.tsx';
import { Figures } from '../../ui/facts.tsx';
import { FilterBar, Tabs } from '../../ui/filter-bar.tsx';
import type { Markup } from '../../ui/markup.ts';
import { EmptyState, Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { type Column, Pager, Table } from '../../ui/table.tsx';
import { Num, percentText } from '../../ui/time.tsx';
import { ownerClaimsPath } from '../claims/paths.ts';
import { CAMPAIGN_DAYS, type Campaigns, type RatedLabel } from './campaigns.ts';
import { CAMPAIGNS_PATH, campaignsExportPath, campaignsPath } from './paths.ts';
import { type Share, ShareLinkCard } from './share-card.tsx';

/** Labels on a page. */
const LABELS_PAGE_SIZE = 50;

export interface CampaignsPageProps {
  readonly listings: readonly ListedListing[];
  readonly campaigns: Campaigns;
  /** The label shown in the chart, as in the address; all together if it is missing or unknown. */
  readonly shownLabel: string | undefined;
  /** Page of the labels, from 1. */
  readonly pageNumber: number;
  readonly share: Share;
  /** Without keys nothing is redeemed, so there is no rate. */
  readonly hasApiKeys: boolean;
}

export function CampaignsPage(props: CampaignsPageProps): Markup {
  const { listings, campaigns, share } = props;
  const { listing } = campaigns;
  const { claims, redeemed, redeemable } = campaigns.total;
  return (
    <>
      <PageHeader
        title="Campaigns"
        lead="What each share link brought. A label is the text after “via=” in the link."
      />
      {listings.length > 1 && <ListingFilter listings={listings} slug={listing.slug} />}
      <div id="campaigns" class="columns">
        <div class="stack-loose">
          <Figures
            figures={[
              ['Claims', <Num value={claims} />],
              ['Redeemed', <Num value={redeemed} />],
              props.hasApiKeys && ['Rate', percentText(redeemed, redeemable)],
              ['Labels', <Num value={campaigns.labels.filter(({ via }) => via !== null).length} />],
            ]}
          />
          {claims === 0 ? (
            <EmptyState
              sentence="No offer of this listing has been claimed yet. Share a link with a label, and its claims are counted here."
              example={
                <>
                  <Mono>spring_newsletter</Mono> · 120 claims · 84 redeemed · 70%
                </>
              }
            />
          ) : (
            <>
              <OverTime {...props} />
              <Labels {...props} />
              <UnreadableLabels {...campaigns} />
            </>
          )}
        </div>
        <ShareLinkCard listing={listing} share={share} />
      </div>
    </>
  );
}

export const NoListingPage = (): Markup => (
  <>
    <PageHeader title="Campaigns" />
    <EmptyState
      sentence="Campaigns count the claims that each of your share links brings. First there must be a listing."
      action={
        <ButtonLink href="/dashboard/listings/new" tone="primary">
          Create a listing
        </ButtonLink>
      }
      example={
        <>
          <Mono>spring_newsletter</Mono> · 120 claims · 84 redeemed · 70%
        </>
      }
    />
  </>
);

const ListingFilter = ({ listings, slug }: { listings: readonly ListedListing[]; slug: string }): Markup => (
  <FilterBar
    action={CAMPAIGNS_PATH}
    results="campaigns"
    isFiltered={false}
    filters={[
      {
        name: 'listing',
        label:
          listings.length < LISTED_LISTINGS ? 'Listing' : `Listing (the first ${LISTED_LISTINGS} by name)`,
        value: slug,
        choices: listings.map((listing) => ({ value: listing.slug, label: listing.name })),
      },
    ]}
  />
);

/** A label as written in the address of the chart. */
const parameterOf = (via: string | null): string => via ?? NO_LABEL_FILTER;

function OverTime({ campaigns, shownLabel }: CampaignsPageProps): Markup {
  const { listing, dailyByLabel, days } = campaigns;
  const chosen = dailyByLabel.find(({ via }) => parameterOf(via) === shownLabel);
  const { claims, redeemed } = chosen ?? campaigns.daily;
  return (
    <section class="card">
      {dailyByLabel.length > 1 && (
        <Tabs
          label="Over time"
          tabs={[
            { label: 'All', href: campaignsPath({ listing: listing.slug }), isCurrent: chosen === undefined },
            ...dailyByLabel.map(({ via }) => ({
              label: via ?? 'No label',
              href: campaignsPath({ listing: listing.slug, label: parameterOf(via) }),
              isCurrent: chosen !== undefined && chosen.via === via,
            })),
          ]}
        />
      )}
      <Chart
        title={`The last ${CAMPAIGN_DAYS} days${chosen === undefined ? '' : `: ${chosen.via ?? 'no label'}`}`}
        days={days.map(dayText)}
        series={[
          { name: 'Claims', values: claims },
          { name: 'Redeemed', values: redeemed },
        ]}
      />
    </section>
  );
}

const RATE: Column<RatedLabel> = {
  header: 'Rate',
  isNumeric: true,
  cell: ({ redeemable, redeemed, rate }) => (
    <>
      {percentText(redeemed, redeemable)}
      <ShareBar share={rate} />
    </>
  ),
};

function Labels({ campaigns, shownLabel, pageNumber, hasApiKeys }: CampaignsPageProps): Markup {
  const { listing } = campaigns;
  const pages = Math.max(1, Math.ceil(campaigns.labels.length / LABELS_PAGE_SIZE));
  const current = Math.min(pageNumber, pages);
  const shown = campaigns.labels.slice((current - 1) * LABELS_PAGE_SIZE, current * LABELS_PAGE_SIZE);
  const pathOf = (page: number) => campaignsPath({ listing: listing.slug, label: shownLabel, page });
  return (
    <section class="section">
      <div class="spread">
        <h2>Labels</h2>
        <ButtonLink href={campaignsExportPath(listing.slug)} small download>
          Download CSV
        </ButtonLink>
      </div>
      <Table
        caption="Labels"
        rows={shown}
        columns={[
          { header: 'Label', isName: true, cell: (label) => <LabelLink listing={listing} label={label} /> },
          { header: 'Claims', isNumeric: true, cell: ({ claims }) => <Num value={claims} /> },
          { header: 'Redeemed', isNumeric: true, cell: ({ redeemed }) => <Num value={redeemed} /> },
          ...(hasApiKeys ? [RATE] : []),
        ]}
        pager={
          <Pager
            previous={current > 1 ? pathOf(current - 1) : null}
            next={current < pages ? pathOf(current + 1) : null}
            summary="Live claims only, most claims first."
          />
        }
      />
    </section>
  );
}

function UnreadableLabels({ unreadable }: Pick<Campaigns, 'unreadable'>): Markup | null {
  if (unreadable.length === 0) return null;
  const claims = unreadable.reduce((sum, label) => sum + label.claims, 0);
  return (
    <Notice tone="warn" title="Labels that cannot be read">
      <p>
        {amountOf(claims, 'claim')} came with a text that cannot be read as a label. They count as “No label”.
        Share the links that this page makes: labels have lowercase letters, digits, - and _.
      </p>
      <ul>
        {unreadable.map(({ found, claims }) => (
          <li>
            {found === '' ? 'Others' : <Label text={found} />}: <Num value={claims} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** Links to the claims with the label. */
const LabelLink = ({ listing, label }: { listing: ListedListing; label: LabelCount }): Markup => (
  <a href={ownerClaimsPath({ listing: listing.slug, via: parameterOf(label.via), mode: 'live' })}>
    {label.via === null ? 'No label' : <Label text={label.via} />}
  </a>
);
