/** The claims and the end of an offer. */
import type { Markup } from './markup.ts';
import { Num, Time } from './time.tsx';

/** The number of claims, and the limit if there is one. */
export const ClaimsMade = ({ claims, limit }: { claims: number; limit: number | null }): Markup => (
  <>
    <Num value={claims} />
    {limit !== null && (
      <>
        {' '}
        of <Num value={limit} />
      </>
    )}
  </>
);

/** `isDay`: the end was given as a day, which is the same day in every time zone. */
export const EndOfOffer = ({ at, isDay }: { at: string; isDay: boolean }): Markup => (
  <Time at={at} precision={isDay ? 'day' : 'minute'} />
);
