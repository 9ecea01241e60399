import { ALL_CODES_GIVEN } from '../../marketplace/offers/offer.ts';
import { t } from '../../platform/languages/translate.ts';
import { Paragraph } from '../ui/breakable.tsx';
import { Num, TimeWithZone } from '../ui/time.tsx';
import { type PublicOffer, scarceClaims } from './queries.ts';

/** Open offers first, then scheduled offers, then the others. Keeps the order within each group. */
export const offersByState = (offers: readonly PublicOffer[]): readonly PublicOffer[] =>
  offers.toSorted((a, b) => rankOf(a) - rankOf(b));

const rankOf = ({ state }: PublicOffer): number => (state === 'open' ? 0 : state === 'scheduled' ? 1 : 2);

export const Conditions = ({ text }: { text: string }) => (
  <div class="small-text">
    <strong>{t('Conditions')}</strong>
    <Paragraph>{text}</Paragraph>
  </div>
);

/** A sentence that says why an offer can't be claimed; `null` if the offer is open. */
export function Closed({ offer }: { offer: PublicOffer }) {
  const { state, claims, claimLimit, startsAt, endsAt } = offer;
  if (state === 'open') return null;
  if (state === 'scheduled' && startsAt !== null) {
    return t('Opens on {day}.', { day: <TimeWithZone at={startsAt} /> });
  }
  if (state === 'paused') return t('The app has paused this offer.');
  if (claimLimit !== null && claims >= claimLimit) {
    return t(
      '{limit, plural, =1 {Its only claim has been made.} other {All of its # claims have been made.}}',
      { limit: claimLimit },
    );
  }
  if (offer.codesLeft === 0) return t(ALL_CODES_GIVEN);
  return endsAt === null
    ? t('It can’t be claimed at the moment.')
    : t('It ended on {day}.', { day: <TimeWithZone at={endsAt} /> });
}

/** Whether `Scarcity` shows anything. */
export const isScarce = (offer: PublicOffer): boolean =>
  offer.endsAt !== null || scarceClaims(offer) !== null;

/** A smaller number would keep people from claiming. */
const CLAIMED_FROM = 20;

/** How many people have claimed the offer; nothing if they are few, or if the page says how many claims are left. */
export function Claimed({ offer }: { offer: PublicOffer }) {
  if (offer.claims < CLAIMED_FROM || scarceClaims(offer) !== null) return null;
  return <span class="note">{t('{count} claimed', { count: <Num value={offer.claims} /> })}</span>;
}

export function Scarcity({ offer }: { offer: PublicOffer }) {
  const { endsAt, claims, claimLimit } = offer;
  const left = scarceClaims(offer);
  if (endsAt === null && left === null) return null;
  return (
    <span class="note">
      {endsAt !== null && t('Until {day}', { day: <TimeWithZone at={endsAt} /> })}
      {endsAt !== null && left !== null && ' · '}
      {left !== null &&
        (claimLimit === claims + left
          ? t('{left} of {limit, number} left', { left: <Num value={left} />, limit: claimLimit })
          : t('{left} left', { left: <Num value={left} /> }))}
    </span>
  );
}
