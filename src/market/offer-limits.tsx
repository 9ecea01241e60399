/** What limits an offer, in words for claimants: its conditions, its end and the claims left. */

import { LOW_STOCK } from '../offers/code.ts';
import { ALL_CODES_GIVEN, allClaimsMade } from '../offers/offer.ts';
import { capital } from '../text/text.ts';
import { EndOfOffer, StartOfOffer } from '../ui/ticket.tsx';
import { Num, numberText } from '../ui/time.tsx';
import type { PublicOffer } from './queries.ts';

/** The page says how many claims are left once this share of the limit is used. */
const SCARCE_FROM = 0.5;

export const Conditions = ({ text }: { text: string }) => (
  <div class="small-text">
    <strong>Conditions</strong>
    <p class="plain-text" dir="auto">
      {text}
    </p>
  </div>
);

/** Why an offer takes no claims, in a sentence; `null` while it is open. */
export function Closed({ offer }: { offer: PublicOffer }) {
  const { state, claims, claimLimit, startsAt, endsAt } = offer;
  if (state === 'open') return null;
  if (state === 'scheduled' && startsAt !== null) {
    return (
      <>
        Opens on <StartOfOffer at={startsAt} />.
      </>
    );
  }
  if (state === 'paused') return <>The owner has paused this offer.</>;
  if (claimLimit !== null && claims >= claimLimit) {
    return <>{capital(allClaimsMade(claimLimit, numberText(claimLimit)))}.</>;
  }
  if (offer.codesLeft === 0) return <>{ALL_CODES_GIVEN}</>;
  return endsAt === null ? (
    <>It can’t be claimed at the moment.</>
  ) : (
    <>
      It ended on <EndOfOffer at={endsAt} />.
    </>
  );
}

/** The claims left, if the limit or the end of the code list is near; otherwise `null`. */
export function scarceClaims({ claims, claimLimit, codesLeft }: PublicOffer): number | null {
  const left = Math.min(
    claimLimit !== null && claims >= claimLimit * SCARCE_FROM
      ? claimLimit - claims
      : Number.POSITIVE_INFINITY,
    codesLeft !== null && codesLeft <= LOW_STOCK ? codesLeft : Number.POSITIVE_INFINITY,
  );
  return Number.isFinite(left) ? left : null;
}

/** The end date, and the claims left if they are few. */
export function Scarcity({ offer }: { offer: PublicOffer }) {
  const { endsAt, claims, claimLimit } = offer;
  const left = scarceClaims(offer);
  if (endsAt === null && left === null) return null;
  return (
    <span class="note">
      {endsAt !== null && (
        <>
          Until <EndOfOffer at={endsAt} />
        </>
      )}
      {endsAt !== null && left !== null && ' · '}
      {left !== null && (
        <>
          <Num value={left} />
          {claimLimit === claims + left && ` of ${numberText(claimLimit)}`} left
        </>
      )}
    </span>
  );
}
