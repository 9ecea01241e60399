import type { Brand } from '../brand/brand.ts';
import { t } from '../languages/translate.ts';
import { KINDS, type Kind, kindName } from '../offers/offer.ts';
import { isolated } from '../text/text.ts';
import { ButtonLink } from '../ui/button.tsx';
import { FilterBar, pathWithQuery, Results, Tabs } from '../ui/filter-bar.tsx';
import { EmptyState } from '../ui/notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Pager } from '../ui/table.tsx';
import { Ticket } from '../ui/ticket.tsx';
import { Closed, Scarcity } from './offer-limits.tsx';
import { listingPath } from './paths.ts';
import type { MarketListing, PublicOffer } from './queries.ts';

/** Offers shown on a tile; the listing's page has all of them. */
const OFFERS_OF_TILE = 3;

interface MarketPageProps {
  readonly brand: Pick<Brand, 'headline' | 'lead'>;
  readonly listings: readonly MarketListing[];
  readonly next: string | null;
  readonly search: string;
  readonly kind: Kind | null;
  readonly isFirst: boolean;
}

export function MarketPage(props: MarketPageProps) {
  const { brand, listings, next, search, kind, isFirst } = props;
  const header = (
    <PageHeader
      title={brand.headline ?? t('Offers from apps worth trying')}
      lead={
        brand.lead ??
        t('Claim an offer here, then open the app to redeem it. Each claim can be redeemed only once.')
      }
    />
  );
  if (listings.length === 0 && search === '' && kind === null && isFirst) {
    return (
      <>
        {header}
        <EmptyState
          sentence={t('No apps are published here yet.')}
          action={<ButtonLink href="/dashboard/listings/new">{t('Publish your app')}</ButtonLink>}
        />
      </>
    );
  }
  return (
    <>
      {header}
      <FilterBar
        action="/"
        results="market"
        isFiltered={search !== ''}
        hidden={kind === null ? {} : { kind }}
        filters={[{ name: 'q', label: t('Search'), value: search, placeholder: t('App or offer') }]}
      />
      <Results id="market">
        <Tabs
          label={t('Kind of offer')}
          tabs={[null, ...KINDS].map((each) => ({
            label: each === null ? t('All') : kindName(each),
            href: marketPath(search, each),
            isCurrent: each === kind,
          }))}
        />
        {listings.length === 0 ? (
          <Nothing {...props} />
        ) : (
          <div class="tiles">
            {listings.map((listing) => (
              <ListingTile listing={listing} kind={kind} />
            ))}
          </div>
        )}
        <Pager
          previous={null}
          next={next === null ? null : marketPath(search, kind, next)}
          summary={isFirst ? undefined : <a href={marketPath(search, kind)}>{t('First page')}</a>}
        />
      </Results>
    </>
  );
}

const marketPath = (q: string, kind: Kind | null, after?: string): string =>
  pathWithQuery('/', { q, kind, after });

/** An app as a ticket, with its offers below the perforation. */
function ListingTile({ listing, kind }: { listing: MarketListing; kind: Kind | null }) {
  const byState = ({ state }: PublicOffer) => (state === 'open' ? 0 : state === 'scheduled' ? 1 : 2);
  const byKind = (offer: PublicOffer) => (kind === null || offer.kind === kind ? 0 : 1);
  // Offers of the chosen kind first; within each group, open ones first, then scheduled ones.
  const shown = listing.offers
    .toSorted((a, b) => byKind(a) - byKind(b) || byState(a) - byState(b))
    .slice(0, OFFERS_OF_TILE);
  const more = listing.offers.length - shown.length;
  return (
    <Ticket
      upright
      spent={listing.offers.every(({ state }) => state !== 'open' && state !== 'scheduled')}
      title={
        <a class="two-lines" dir="auto" href={listingPath({ slug: listing.slug, via: null })}>
          {isolated(listing.name)}
        </a>
      }
      meta={listing.summary ?? new URL(listing.url).host}
      stub={
        shown.length === 0 ? (
          <p>{t('No offers at the moment.')}</p>
        ) : (
          <ul class="offer-lines">
            {shown.map((offer) => (
              <OfferLine offer={offer} />
            ))}
            {more > 0 && (
              <li>
                <span class="note">
                  {t('{more, plural, one {One more offer} other {# more offers}}', { more })}
                </span>
              </li>
            )}
          </ul>
        )
      }
    />
  );
}

const OfferLine = ({ offer }: { offer: PublicOffer }) => (
  <li class={offer.state === 'open' || offer.state === 'scheduled' ? undefined : 'closed'}>
    <span class="kind">{kindName(offer.kind)}</span>
    <span class="two-lines" dir="auto">
      {isolated(offer.offer)}
    </span>
    {offer.state === 'open' ? (
      <Scarcity offer={offer} />
    ) : (
      <span class="note">
        {offer.state === 'over' && `${t('Over.')} `}
        <Closed offer={offer} />
      </span>
    )}
  </li>
);

function Nothing({ search, kind }: MarketPageProps) {
  return (
    <EmptyState
      sentence={
        search === ''
          ? t(
              '{kind, select, discount {No discount offers} trial {No trial offers} credit {No credit offers} bonus {No bonus offers} access {No access offers} gift {No gift offers} other {No apps}} at the moment.',
              { kind: kind ?? 'any' },
            )
          : t(
              '{kind, select, discount {No discount offers} trial {No trial offers} credit {No credit offers} bonus {No bonus offers} access {No access offers} gift {No gift offers} other {No apps}} match “{search}”.',
              { kind: kind ?? 'any', search: isolated(search) },
            )
      }
      action={<ButtonLink href="/">{t('Show all offers')}</ButtonLink>}
    />
  );
}
