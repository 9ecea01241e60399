import { type DailyCounts, dayText, type LabelCount } from '../../campaigns/count.ts';
import { LISTED_LISTINGS, type ListedListing } from '../../campaigns/queries.ts';
import { NO_LABEL_FILTER } from '../../claims/claim-filter.ts';
import { isLoopbackHost } from '../../network/network.ts';
import { amountOf } from '../../text/text.ts';
import type { Day } from '../../text/time-zone.ts';
import { Label } from '../../ui/breakable.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Chart, ShareBar } from '../../ui/chart.tsx';
import { CopyLine, Mono, QrCode } from '../../ui/code.tsx';
import { ClaimFigures } from '../../ui/facts.tsx';
import { TextField } from '../../ui/field.tsx';
import { FilterBar, pathWithQuery, Tabs } from '../../ui/filter-bar.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { EmptyState, Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { type Column, Pager, Table } from '../../ui/table.tsx';
import { Num, percentText } from '../../ui/time.tsx';
import {
  CAMPAIGNS_EXPORT_PATH,
  CAMPAIGNS_PATH,
  campaignsPath,
  NEW_LISTING_PATH,
  ownerClaimsPath,
} from '../paths.ts';
import { CAMPAIGN_DAYS, type Campaigns, type RatedLabel } from './campaigns.ts';

const LABELS_PAGE_SIZE = 50;

const EXAMPLE = (
  <>
    <Mono>spring_newsletter</Mono> · 120 claims · 84 redeemed · 70%
  </>
);

interface CampaignsPageProps {
  readonly listings: readonly ListedListing[];
  readonly campaigns: Campaigns;
  /** The label shown in the chart, from the query; all labels together if it is missing or unknown. */
  readonly shownLabel: string | undefined;
  readonly pageNumber: number;
  readonly share: Share;
  /** Without keys nothing is redeemed, so there is no rate. */
  readonly hasApiKeys: boolean;
}

export function CampaignsPage(props: CampaignsPageProps) {
  const { listings, campaigns, share } = props;
  const { listing } = campaigns;
  return (
    <>
      <PageHeader
        title="Campaigns"
        lead="What each share link brought in. A label is the text after “via=” in the link."
      />
      {listings.length > 1 && <ListingFilter listings={listings} slug={listing.slug} />}
      <div id="campaigns" class="columns">
        <div class="stack-loose">
          <ClaimFigures
            {...campaigns.total}
            redeemable={props.hasApiKeys ? campaigns.total.redeemable : null}
            more={['Labels', campaigns.labels.filter(({ via }) => via !== null).length]}
          />
          {campaigns.total.claims === 0 ? (
            <EmptyState
              sentence="No offer of this listing has been claimed yet. Share a link with a label, and its claims are counted here."
              example={EXAMPLE}
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

export const NoListingPage = () => (
  <>
    <PageHeader title="Campaigns" />
    <EmptyState
      sentence="Campaigns count the claims that each of your share links brings. Create a listing first."
      link={['Create a listing', NEW_LISTING_PATH]}
      example={EXAMPLE}
    />
  </>
);

const ListingFilter = ({ listings, slug }: { listings: readonly ListedListing[]; slug: string }) => (
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

const parameterOf = (via: string | null): string => via ?? NO_LABEL_FILTER;

function OverTime({ campaigns, shownLabel }: CampaignsPageProps) {
  const { listing, dailyByLabel, days } = campaigns;
  const chosen = dailyByLabel.find(({ via }) => parameterOf(via) === shownLabel);
  return (
    <section class="card">
      {dailyByLabel.length > 1 && (
        <Tabs
          label="Over time"
          tabs={[
            { label: 'All', href: campaignsPath(listing.slug), isCurrent: chosen === undefined },
            ...dailyByLabel.map(({ via }) => ({
              label: via ?? 'No label',
              href: campaignsPath(listing.slug, parameterOf(via)),
              isCurrent: chosen !== undefined && chosen.via === via,
            })),
          ]}
        />
      )}
      <ClaimChart
        title={`The last ${CAMPAIGN_DAYS} days${chosen === undefined ? '' : `: ${chosen.via ?? 'no label'}`}`}
        days={days}
        counts={chosen ?? campaigns.daily}
      />
    </section>
  );
}

export const ClaimChart = (props: { title: string; days: readonly Day[]; counts: DailyCounts }) => (
  <Chart
    title={props.title}
    days={props.days.map(dayText)}
    series={[
      { name: 'Claims', values: props.counts.claims },
      { name: 'Redeemed', values: props.counts.redeemed },
    ]}
  />
);

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

function Labels({ campaigns, shownLabel, pageNumber, hasApiKeys }: CampaignsPageProps) {
  const { listing } = campaigns;
  const pages = Math.max(1, Math.ceil(campaigns.labels.length / LABELS_PAGE_SIZE));
  const current = Math.min(pageNumber, pages);
  const shown = campaigns.labels.slice((current - 1) * LABELS_PAGE_SIZE, current * LABELS_PAGE_SIZE);
  const pathOf = (page: number) => campaignsPath(listing.slug, shownLabel, page);
  return (
    <section class="section">
      <div class="spread">
        <h2>Labels</h2>
        <ButtonLink href={pathWithQuery(CAMPAIGNS_EXPORT_PATH, { listing: listing.slug })} small download>
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

function UnreadableLabels({ unreadable }: Pick<Campaigns, 'unreadable'>) {
  if (unreadable.length === 0) return null;
  const claims = unreadable.reduce((sum, label) => sum + label.claims, 0);
  return (
    <Notice tone="warn" title="Invalid labels">
      <p>
        {amountOf(claims, 'claim')} arrived with an invalid label. {claims === 1 ? 'It counts' : 'They count'}{' '}
        as “No label”. Use the share links from this page: labels have only lowercase letters, digits, - and
        _.
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

const LabelLink = ({ listing, label }: { listing: ListedListing; label: LabelCount }) => (
  <a href={ownerClaimsPath({ listing: listing.slug, via: parameterOf(label.via), mode: 'live' })}>
    {label.via === null ? 'No label' : <Label text={label.via} />}
  </a>
);

export interface Share {
  /** With the label in its field `share`. */
  readonly form: FormState;
  readonly link: string | null;
  /** A valid label similar to the typed one, if that has a problem. */
  readonly proposal: string | null;
}

const CARD = 'share';

function ShareLinkCard({ listing, share }: { listing: ListedListing; share: Share }) {
  const label = share.form.text('share');
  return (
    <aside class="card" id={CARD} aria-labelledby={`${CARD}-title`}>
      <h2 id={`${CARD}-title`}>Share link</h2>
      <div class="stack">
        <form
          class="stack"
          method="get"
          action={`${CAMPAIGNS_PATH}#${CARD}`}
          hx-get={CAMPAIGNS_PATH}
          hx-trigger="change, submit"
          hx-target={`#${CARD}`}
          hx-select={`#${CARD}`}
          hx-swap="outerHTML"
          hx-sync="this:replace"
        >
          <input type="hidden" name="listing" value={listing.slug} />
          <TextField
            form={share.form}
            idPrefix={CARD}
            name="share"
            label="Label"
            hint="Where you share the link, such as spring_newsletter. Lowercase letters, digits, - and _."
            optional
            mono
          />
          <div>
            <Button>Create link</Button>
          </div>
        </form>
        {share.proposal !== null && (
          <p>
            <a
              href={`${pathWithQuery(CAMPAIGNS_PATH, { listing: listing.slug, share: share.proposal })}#${CARD}`}
            >
              Use <Mono>{share.proposal}</Mono>
            </a>
          </p>
        )}
        {share.link !== null && (
          <>
            <CopyLine text={share.link} what="the share link" />
            <QrCode
              text={share.link}
              label={`QR code of ${share.link}`}
              caption={label === '' ? 'Without a label' : `Counted as ${label}`}
            />
          </>
        )}
        {share.link !== null && isLoopbackHost(new URL(share.link).hostname) && (
          <Notice tone="warn">
            The link works only on this computer, because it leads to {new URL(share.link).host}. Before
            others can open it, the operator must set BASE_URL to a public URL.
          </Notice>
        )}
        {listing.state !== 'approved' && (
          <Notice tone="warn">
            The listing is not live, so the link shows nothing until it is approved.
          </Notice>
        )}
      </div>
    </aside>
  );
}
