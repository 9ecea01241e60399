import { listingPath } from '../../base/paths.ts';
import { type Kind, kindName } from '../../marketplace/offers/offer.ts';
import { t } from '../../platform/languages/translate.ts';
import { DAY_MS } from '../../platform/text/durations.ts';
import { isolated } from '../../platform/text/text.ts';
import type { EpochMs } from '../../platform/text/time-text.ts';
import { tokenList } from '../ui/markup.ts';
import { DrawnCover, Monogram } from '../ui/monogram.tsx';
import { Picture } from '../ui/picture.tsx';
import { stateText } from '../ui/state-badge.tsx';
import { TimeWithZone } from '../ui/time.tsx';
import type { Market } from './market-query.ts';
import { Claimed, offersByState, Scarcity } from './offer-limits.tsx';
import type { MarketCard, PublicOffer } from './queries.ts';

const SOON_MS = 7 * DAY_MS;

const ICON_WIDTH = 44;
const COVER_WIDTH = 400;
const WIDE_COVER_WIDTH = 640;

const OFFERS_OF_WIDE_CARD = 4;

interface AppCardProps extends Pick<Market, 'categories' | 'now'> {
  readonly listing: MarketCard;
  /** Offers of this kind come first. */
  readonly kind?: Kind | null;
  /** Maximum number of offers shown. Ignored if `isWide`. */
  readonly offers?: number;
  readonly heading?: 'h2';
  /** Places the picture next to the text if there is room. For a card that fills a row. */
  readonly isWide?: boolean;
  /** Shows a button. The whole card leads to the same page, so the button is only for the eye. */
  readonly hasButton?: boolean;
}

export function AppCard(props: AppCardProps) {
  const { listing, kind = null, isWide = false, heading: Heading = 'h3' } = props;
  const amount = isWide ? OFFERS_OF_WIDE_CARD : (props.offers ?? 1);
  const category = props.categories.find(({ id }) => id === listing.category);
  const byKind = (offer: PublicOffer) => (kind === null || offer.kind === kind ? 0 : 1);
  // The sort is stable: offers of the same kind stay ordered by state.
  const sorted = offersByState(listing.offers).toSorted((a, b) => byKind(a) - byKind(b));
  const more = sorted.length - amount;
  const isSpent = sorted.every(({ state }) => state !== 'open' && state !== 'scheduled');
  return (
    <article class={tokenList('ticket upright app', isWide && 'wide', isSpent && 'spent')}>
      <div class="app-cover">
        <Cover listing={listing} isWide={isWide} />
      </div>
      <div class="ticket-body">
        <div class="app-head">
          <Face listing={listing} />
          <div>
            <Heading class="ticket-title">
              <a class="clamped" dir="auto" href={listingPath(listing.slug)}>
                {isolated(listing.name)}
              </a>
            </Heading>
            <p class="app-group" dir="auto">
              {category?.name ?? new URL(listing.url).host}
            </p>
          </div>
        </div>
        {listing.summary !== null && (
          <p class="clamped app-summary" dir="auto">
            {listing.summary}
          </p>
        )}
      </div>
      <div class="ticket-stub">
        <ul class="app-offers">
          {sorted.slice(0, amount).map((offer, index) => (
            <OfferLine offer={offer} now={props.now} more={index === amount - 1 ? more : 0} />
          ))}
        </ul>
        {props.hasButton && !isSpent && (
          <span class={tokenList('button', isWide && 'primary')} aria-hidden="true">
            {sorted.length === 1 ? t('See the offer') : t('See the offers')}
          </span>
        )}
      </div>
    </article>
  );
}

/** Has no text alternative, because the name is next to the picture. */
const Face = ({ listing: { name, pictures } }: { listing: MarketCard }) =>
  pictures.icon === undefined ? (
    <Monogram name={name} size={ICON_WIDTH} />
  ) : (
    <Picture files={pictures.icon.files} alt="" width={ICON_WIDTH} />
  );

const Cover = ({ listing: { name, pictures }, isWide }: { listing: MarketCard; isWide: boolean }) =>
  pictures.cover === undefined ? (
    <DrawnCover name={name} />
  ) : (
    <Picture files={pictures.cover.files} alt="" width={isWide ? WIDE_COVER_WIDTH : COVER_WIDTH} />
  );

/** `more`: the number of hidden offers to mention below this offer; 0 for no mention. */
function OfferLine({ offer, now, more }: { offer: PublicOffer; now: EpochMs; more: number }) {
  const { state, startsAt, endsAt } = offer;
  const isOpen = state === 'open';
  const isPlanned = state === 'scheduled' && startsAt !== null;
  const isSoon = isOpen && endsAt !== null && Date.parse(endsAt) - now < SOON_MS;
  return (
    <li class={isOpen || isPlanned ? undefined : 'closed'}>
      <span class="app-offer clamped" dir="auto">
        {isolated(offer.offer)}
      </span>
      <span class={isSoon ? 'note soon' : 'note'}>
        <span class="kind">{kindName(offer.kind)}</span>
        {isOpen ? (
          <Scarcity offer={offer} />
        ) : (
          <span class="note">
            {isPlanned ? t('Opens on {time}', { time: <TimeWithZone at={startsAt} /> }) : stateText(state)}
          </span>
        )}
        {isOpen && <Claimed offer={offer} />}
      </span>
      {more > 0 && (
        <span class="note">{t('{more, plural, one {# more offer} other {# more offers}}', { more })}</span>
      )}
    </li>
  );
}
