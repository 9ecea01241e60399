/** The offers of a listing as their owner sees them. */

import type { OwnListing } from '../../listings/counted-queries.ts';
import type { ListingState } from '../../listings/listing.ts';
import { isEndOfDay, kindName, limitsOf, offerStatus } from '../../offers/offer.ts';
import type { CountedOffer } from '../../offers/queries.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Mono } from '../../ui/code.tsx';
import type { Markup } from '../../ui/markup.ts';
import { EmptyState } from '../../ui/notice.tsx';
import { type State, StateBadge } from '../../ui/state-badge.tsx';
import { Table } from '../../ui/table.tsx';
import { Ticket } from '../../ui/ticket.tsx';
import { Num, Time } from '../../ui/time.tsx';
import { ownOfferPath } from '../offers/paths.ts';
import { newOfferPath } from './paths.ts';

export interface OfferTableProps {
  readonly listing: OwnListing;
  readonly offers: readonly CountedOffer[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export function OfferTable({ listing, offers, now }: OfferTableProps): Markup {
  if (offers.length === 0) return <NoOffers listing={listing} />;
  return (
    <Table
      caption={`Offers of ${listing.name}`}
      rows={offers}
      columns={[
        {
          header: 'Offer',
          isName: true,
          cell: ({ id, offer, kind }) => (
            <>
              <a href={ownOfferPath(id)}>{offer}</a>
              <span class="sub">{kindName(kind)}</span>
            </>
          ),
        },
        { header: 'State', cell: (offer) => <OfferBadges listing={listing} offer={offer} now={now} /> },
        { header: 'Gives', cell: (offer) => <Gives offer={offer} /> },
        {
          header: 'Claims',
          isNumeric: true,
          cell: (offer) => <ClaimsMade offer={offer} />,
        },
        {
          header: 'Ends',
          isNowrap: true,
          cell: ({ ends_at }) =>
            ends_at === null ? <span class="quiet-text">never</span> : <EndOfOffer at={ends_at} />,
        },
      ]}
    />
  );
}

/** How many claims an offer has, and of how many if it has a limit. */
export const ClaimsMade = ({ offer }: { offer: CountedOffer }): Markup => (
  <>
    <Num value={offer.claims} />
    {offer.claim_limit !== null && (
      <>
        {' '}
        of <Num value={offer.claim_limit} />
      </>
    )}
  </>
);

/** A day that was chosen stays that day in every zone. */
export const EndOfOffer = ({ at }: { at: string }): Markup => (
  <Time at={at} precision={isEndOfDay(at) ? 'day' : 'minute'} />
);

interface OfferStateProps {
  readonly listing: { readonly state: ListingState };
  readonly offer: CountedOffer;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What an offer is, and whether a change of it waits. */
export function OfferBadges(props: OfferStateProps): Markup {
  const { offer } = props;
  const state = shownState(props);
  const waits = offer.proposed_link !== null && offer.declined_reason === null;
  return (
    <span class="row">
      <StateBadge state={state} />
      {waits && state !== 'in_review' && <StateBadge state="in_review" />}
    </span>
  );
}

/** An offer that is open by itself takes no claims until its listing is approved. */
export function shownState({ listing, offer, now }: OfferStateProps): State {
  const { state } = offerStatus(limitsOf(offer), offer.claims, now);
  if (state !== 'open' || listing.state === 'approved') return state;
  return listing.state === 'rejected' || listing.state === 'suspended' ? 'closed' : 'opens';
}

function Gives({ offer }: { offer: CountedOffer }): Markup {
  const link = offer.redemption_link ?? offer.proposed_link;
  return (
    <>
      {link !== null && (
        <span>
          Link to <Breakable text={new URL(link).host} />
        </span>
      )}
      {link !== null && offer.code !== null && ', '}
      {offer.code !== null && (
        <span>
          {link === null ? 'Code' : 'code'} <Mono>{offer.code}</Mono>
        </span>
      )}
    </>
  );
}

const NoOffers = ({ listing }: { listing: OwnListing }): Markup => (
  <EmptyState
    sentence="An offer is what people claim: a discount, a trial, a gift."
    action={
      listing.state !== 'rejected' && (
        <ButtonLink href={newOfferPath(listing.id)} tone="primary">
          Add an offer
        </ButtonLink>
      )
    }
    example={
      <Ticket
        kind={`Discount · ${listing.name}`}
        heading="h3"
        title="20 % off the first year"
        stub="People claim it here and arrive at your page with their claim."
      />
    }
  />
);
