import { newOfferPath, offerCodesPath, ownOfferPath } from '../../../base/paths.ts';
import type { OwnListing } from '../../../marketplace/listings/counted-queries.ts';
import { waitingLink } from '../../../marketplace/listings/review.ts';
import { isLow } from '../../../marketplace/offers/code.ts';
import { codesNeeded, isOpenWithCodes, kindName, shownState } from '../../../marketplace/offers/offer.ts';
import type { CountedOffer } from '../../../marketplace/offers/queries.ts';
import { t } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { Mono } from '../../ui/code.tsx';
import { EmptyState } from '../../ui/notice.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { NameCell, Table } from '../../ui/table.tsx';
import { ClaimsMade, Ticket } from '../../ui/ticket.tsx';
import { TimeWithZone } from '../../ui/time.tsx';

interface OfferTableProps {
  readonly listing: OwnListing;
  readonly offers: readonly CountedOffer[];
  /** How many people are on the waiting list, by offer ID. */
  readonly waitingPeople: ReadonlyMap<string, number>;
  readonly mayAddOffer: boolean;
  readonly now: number;
}

export function OfferTable({ listing, offers, waitingPeople, mayAddOffer, now }: OfferTableProps) {
  if (offers.length === 0) return <NoOffers listing={listing} mayAddOffer={mayAddOffer} />;
  return (
    <Table
      caption={t('Offers of {name}', { name: isolated(listing.name) })}
      rows={offers}
      columns={[
        {
          header: t('Offer'),
          isName: true,
          cell: ({ id, offer, kind }) => (
            <NameCell href={ownOfferPath(id)} name={offer} sub={kindName(kind)} />
          ),
        },
        {
          header: t('State'),
          cell: (offer) => (
            <>
              <OfferBadges listing={listing} offer={offer} now={now} />
              {offer.starts_at !== null && Date.parse(offer.starts_at) > now && (
                <span class="sub">
                  {t('Opens on {time}', { time: <TimeWithZone at={offer.starts_at} /> })}
                </span>
              )}
            </>
          ),
        },
        { header: t('Gives'), cell: (offer) => <Gives offer={offer} /> },
        {
          header: t('Ends'),
          isNowrap: true,
          cell: ({ ends_at }) =>
            ends_at === null ? (
              <span class="quiet-text nowrap">{t('no end')}</span>
            ) : (
              <TimeWithZone at={ends_at} />
            ),
        },
        {
          header: t('Claims'),
          isNumeric: true,
          cell: ({ id, claims, claim_limit }) => (
            <>
              <ClaimsMade claims={claims} limit={claim_limit} />
              <WaitingPeople people={waitingPeople.get(id)} />
            </>
          ),
        },
      ]}
    />
  );
}

const WaitingPeople = ({ people }: { people: number | undefined }) =>
  people === undefined ? null : (
    <span class="sub">{t('{people, plural, one {# person waits} other {# people wait}}', { people })}</span>
  );

export function OfferBadges(props: { listing: OwnListing; offer: CountedOffer; now: number }) {
  const { offer } = props;
  const state = shownState(offer, props.listing.state, props.now);
  const needsCodes = codesNeeded(offer) === 0 && offer.codes_given === 0 && isOpenWithCodes(offer, props.now);
  return (
    <span class="row">
      {(state !== 'over' || !needsCodes) && <StateBadge state={state} />}
      {needsCodes && (state === 'over' || state === 'scheduled') && <StateBadge state="needs_codes" />}
      {waitingLink(offer) !== null && state !== 'in_review' && <StateBadge state="in_review" />}
    </span>
  );
}

/** Hosts up to this length fit on one line of the column. */
const UNBROKEN_LENGTH = 24;

const Host = ({ host }: { host: string }) =>
  host.length > UNBROKEN_LENGTH ? <Breakable text={host} /> : <span class="nowrap">{host}</span>;

function Gives({ offer }: { offer: CountedOffer }) {
  const link = offer.redemption_link ?? offer.proposed_link;
  return (
    <>
      {link !== null && (
        <span>{t('Link to {breakable}', { breakable: <Host host={new URL(link).host} /> })}</span>
      )}
      {link !== null && offer.code !== null && ', '}
      {offer.code !== null && (
        <span>
          {link === null ? t('Code') : t('code')} <Mono>{offer.code}</Mono>
        </span>
      )}
      {offer.code_list !== null && (
        <span class="sub">
          <a href={offerCodesPath(offer.id)}>
            {t('{codesLeft, plural, one {# code} other {# codes}} left', { codesLeft: offer.codes_left })}
            {isLow(offer) && t(', add some')}
          </a>
        </span>
      )}
    </>
  );
}

const NoOffers = ({ listing, mayAddOffer }: Pick<OfferTableProps, 'listing' | 'mayAddOffer'>) => (
  <EmptyState
    sentence={t('An offer is what people claim: a discount, a trial or a gift.')}
    link={mayAddOffer && [t('Add an offer'), newOfferPath(listing.id)]}
    example={
      <Ticket
        kind={kindName('discount')}
        heading="h3"
        title={t('20% off the first year')}
        stub={t('People claim it here and arrive at your page with their claim.')}
      />
    }
  />
);
