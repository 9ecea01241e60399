/** What a claimant reads of an offer's limits. */
import type { Markup } from '../ui/markup.ts';
import { Num, numberText, Time } from '../ui/time.tsx';
import type { PublicOffer } from './market-queries.ts';

/** From this share of a limit on, how many claims are left is worth saying. */
const SCARCE_FROM = 0.5;

/** Why an offer takes no claims, as a short sentence; nothing while it is open. */
export function Closed({ offer }: { offer: PublicOffer }): Markup | null {
  if (offer.status.state === 'open') return null;
  if (offer.status.state === 'paused') return <>Paused by its owner: it takes no claims for now.</>;
  if (offer.claimLimit !== null && offer.claims >= offer.claimLimit) {
    return <>Over: {allTaken(offer.claimLimit)}</>;
  }
  return offer.endsAt === null ? (
    <>Takes no claims for now.</>
  ) : (
    <>
      Over: it ended on <Time at={offer.endsAt} />.
    </>
  );
}

const allTaken = (limit: number): string =>
  limit === 1 ? 'its only claim has been made.' : `all ${numberText(limit)} claims have been made.`;

/** What may soon be gone: an end, a limit that is near. */
export function Scarcity({ offer }: { offer: PublicOffer }): Markup | null {
  const { endsAt, claims, claimLimit } = offer;
  const isScarce = claimLimit !== null && claims >= claimLimit * SCARCE_FROM;
  if (endsAt === null && !isScarce) return null;
  return (
    <span class="note">
      {endsAt !== null && (
        <>
          Until <Time at={endsAt} />
        </>
      )}
      {endsAt !== null && isScarce && ' · '}
      {isScarce && (
        <>
          <Num value={claimLimit - claims} /> of {numberText(claimLimit)} left
        </>
      )}
    </span>
  );
}
