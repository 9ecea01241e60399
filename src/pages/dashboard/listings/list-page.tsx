import type { TooMany } from '../../../base/brand/plans.ts';
import { listingPath, NEW_LISTING_PATH, OWN_LISTINGS_PATH, ownListingPath } from '../../../base/paths.ts';
import { claimsByDay, dayText } from '../../../marketplace/campaigns/chart-points.ts';
import type { sumClaimsOfListings } from '../../../marketplace/campaigns/period-queries.ts';
import type { listOwnListings, OwnListing } from '../../../marketplace/listings/counted-queries.ts';
import type { Question } from '../../../marketplace/listings/question-queries.ts';
import type { ShownPictures } from '../../../marketplace/pictures/queries.ts';
import { t } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import type { Day } from '../../../platform/text/time-zone.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { CURVE_DAYS, Curve } from '../../ui/chart.tsx';
import { CopyButton } from '../../ui/code.tsx';
import { EmptyState } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Face } from '../../ui/picture.tsx';
import { Badge, StateBadge } from '../../ui/state-badge.tsx';
import { type Column, Pager, Table } from '../../ui/table.tsx';
import { Ticket } from '../../ui/ticket.tsx';
import { Num } from '../../ui/time.tsx';
import type { Viewer } from '../../ui/viewer.ts';
import { funnelOfClaims } from '../campaigns/campaigns.ts';
import { RedeemedCell } from '../campaigns/funnel.tsx';
import { PublishingNotice, TooManyNotice, type Unpublishable } from '../publishing.tsx';

interface Creation {
  readonly unpublishable: Unpublishable;
  readonly tooMany: TooMany | null;
  readonly role: Viewer['role'];
}

interface OwnerListProps extends Creation, Awaited<ReturnType<typeof listOwnListings>> {
  readonly pictures: ReadonlyMap<string, ShownPictures>;
  /** The operator's newest question about each listing. */
  readonly questions: ReadonlyMap<string, Question>;
  readonly days: readonly Day[];
  readonly claims: Awaited<ReturnType<typeof sumClaimsOfListings>>;
  readonly baseUrl: string;
  readonly isFirstPage: boolean;
  readonly hasApiKeys: boolean;
}

export function OwnerList(props: OwnerListProps) {
  const { listings, next, unpublishable, tooMany } = props;
  const mayCreate = unpublishable === null && tooMany === null;
  return (
    <>
      <PageHeader
        title={t('Listings')}
        lead={t('Your apps on the marketplace, and those you are preparing.')}
        actions={
          listings.length > 0 &&
          mayCreate && (
            <ButtonLink href={NEW_LISTING_PATH} tone="primary">
              {t('New listing')}
            </ButtonLink>
          )
        }
      />
      {!mayCreate && (
        <div class="stack end-space">
          <CreationNotices {...props} />
        </div>
      )}
      {listings.length === 0 ? (
        <NoListings mayCreate={mayCreate} />
      ) : (
        <Table
          caption={t('Your listings')}
          rows={listings}
          columns={columnsOf(props)}
          pager={
            <Pager
              previous={props.isFirstPage ? null : OWN_LISTINGS_PATH}
              next={next === null ? null : `${OWN_LISTINGS_PATH}?after=${next}`}
              summary={t(
                'Claims and redemptions include all live claims so far. The percentage is of the claims with a link; the curve shows the claims of the last {days} days.',
                { days: CURVE_DAYS },
              )}
            />
          }
        />
      )}
    </>
  );
}

function columnsOf({
  pictures,
  questions,
  hasApiKeys,
  days,
  claims,
  baseUrl,
}: OwnerListProps): readonly Column<OwnListing>[] {
  const curveDays = days.map(dayText);
  return [
    {
      header: t('Listing'),
      isName: true,
      cell: ({ id, name, slug }) => (
        <div class="faced">
          <Face name={name} icon={pictures.get(id)?.icon?.files ?? null} size={32} />
          <div>
            <a href={ownListingPath(id)}>{isolated(name)}</a>
            <span class="sub">
              <bdi dir="ltr">{listingPath(slug)}</bdi>
            </span>
          </div>
        </div>
      ),
    },
    {
      header: t('State'),
      cell: (listing) => (
        <span class="row">
          <StateBadge state={listing.state} />
          <WaitingBadge listing={listing} />
          {questions.get(listing.id)?.replied_at === null && (
            <Badge tone="warn">{t('Question from the operator')}</Badge>
          )}
        </span>
      ),
      isPlain: true,
      isLine: true,
    },
    {
      header: t('Offers'),
      isNumeric: true,
      isHalf: true,
      cell: ({ offers }) => <Num value={offers} />,
    },
    {
      header: t('Claims'),
      isNumeric: true,
      isHalf: true,
      cell: (listing) => (
        <>
          <Num value={listing.claims} />
          <Curve name={t('Claims')} days={curveDays} values={claimsByDay(listing.id, days, claims)} />
        </>
      ),
    },
    {
      header: t('Redeemed'),
      isNumeric: true,
      isLine: true,
      cell: (listing) => <RedeemedCell funnel={funnelOfClaims(listing)} hasApiKeys={hasApiKeys} />,
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
}

/** Explains why the account can't create a listing. Only owners get a link to the plans. */
export const CreationNotices = ({ unpublishable, tooMany, role }: Creation) => (
  <>
    <PublishingNotice unpublishable={unpublishable} />
    <TooManyNotice tooMany={tooMany} isOwner={role === 'owner'} />
  </>
);

export const WaitingBadge = ({ listing }: { listing: OwnListing }) =>
  listing.state === 'approved' && listing.waiting > 0 ? (
    <Badge tone="warn">{t('Change in review')}</Badge>
  ) : null;

const NoListings = ({ mayCreate }: { mayCreate: boolean }) => (
  <EmptyState
    sentence={t('A listing is your app on the marketplace, with the offers that people claim there.')}
    link={mayCreate && [t('Publish an app'), NEW_LISTING_PATH]}
    example={
      <Ticket
        title={t('Fieldnotes')}
        meta={t('Notes for people who work outdoors.')}
        stub={<StateBadge state="approved" />}
      />
    }
  />
);
