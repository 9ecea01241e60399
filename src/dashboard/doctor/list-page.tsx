/** The offers that can be examined. */
import { isolated } from '../../text.ts';
import { ButtonLink, PostButton } from '../../ui/button.tsx';
import type { Markup } from '../../ui/markup.ts';
import { EmptyState } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { checkUpPath } from './paths.ts';
import type { WalkableOffer } from './queries.ts';

export interface DoctorPageProps {
  readonly offers: readonly WalkableOffer[];
  readonly hasApiKeys: boolean;
}

export const DoctorPage = ({ offers, hasApiKeys }: DoctorPageProps): Markup => (
  <>
    <PageHeader
      title="Doctor"
      lead={
        <>
          Opens the link of an offer with a test claim, from here and in your browser, and says what your page
          does with the token. <a href="/docs/doctor">What it looks at</a>
        </>
      }
    />
    <Offers offers={offers} hasApiKeys={hasApiKeys} />
  </>
);

function Offers({ offers, hasApiKeys }: DoctorPageProps): Markup {
  if (!hasApiKeys) {
    return (
      <EmptyState
        sentence="The Starter plan has no API keys, so no page of yours asks about tokens. There is nothing to examine: offers with a shared code need no integration."
        action={<ButtonLink href="/dashboard/settings/plan">Compare the plans</ButtonLink>}
      />
    );
  }
  if (offers.length === 0) {
    return (
      <EmptyState
        sentence="No offer of yours has a live redemption link or a test link yet. Each that has one can be examined here."
        action={
          <ButtonLink href="/dashboard/listings" tone="primary">
            Go to your listings
          </ButtonLink>
        }
        example="https://notes.example.com/welcome?claim={claim}"
      />
    );
  }
  return (
    <Table
      caption="Offers with a redemption link"
      rows={offers}
      columns={[
        {
          header: 'Offer',
          isName: true,
          cell: ({ id, offer, listing_name }) => (
            <>
              <a href={checkUpPath(id)}>{offer}</a>
              <span class="sub">{isolated(listing_name)}</span>
            </>
          ),
        },
        {
          header: 'Leads to',
          cell: ({ link, hasTestLink }) => (
            <>
              {new URL(link).host}
              {hasTestLink && <span class="sub">Test link</span>}
            </>
          ),
        },
        {
          header: 'Last examined',
          isNowrap: true,
          cell: ({ started_at }) =>
            started_at === null ? <span class="quiet-text">never</span> : <Time at={started_at} />,
        },
        {
          header: 'Actions',
          isActions: true,
          cell: ({ id, offer }) => (
            <PostButton action={`${checkUpPath(id)}/start`} small label={`Examine ${offer}`}>
              Examine
            </PostButton>
          ),
        },
      ]}
    />
  );
}
