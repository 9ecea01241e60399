import type { CheckableOffer } from '../../link-checks/queries.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { NameCell, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { linkCheckPath, OWN_LISTINGS_PATH } from '../paths.ts';

export const LinkChecksPage = (props: { offers: readonly CheckableOffer[]; hasApiKeys: boolean }) => (
  <>
    <PageHeader
      title="Link check"
      lead={
        <>
          Opens an offer’s link with a test claim, from this service and in your browser, and shows what your
          page does with the token. <a href="/docs/link-check">What it checks</a>
        </>
      }
    />
    {props.hasApiKeys ? <Offers offers={props.offers} /> : <NoKeys />}
  </>
);

const NoKeys = () => (
  <EmptyState
    sentence="The Starter plan has no API keys, and offers with a shared code need no integration to check."
    action={<ButtonLink href="/dashboard/settings/plan">Compare the plans</ButtonLink>}
  />
);

function Offers({ offers }: { offers: readonly CheckableOffer[] }) {
  if (offers.length === 0) {
    return (
      <EmptyState
        sentence="You have no offer with a live redemption link or a test link to check yet."
        link={['Go to your listings', OWN_LISTINGS_PATH]}
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
            <NameCell href={linkCheckPath(id)} name={offer} sub={listing_name} />
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
          header: 'Last checked',
          isNowrap: true,
          cell: ({ started_at }) =>
            started_at === null ? <span class="quiet-text">Never</span> : <Time at={started_at} />,
        },
      ]}
    />
  );
}
