/** The claims and the end of an offer. */
import { useContext } from 'hono/jsx';
import { isEndOfDay } from '../text/time-zone.ts';
import type { Markup } from './markup.ts';
import { Num, Time, TimeZone } from './time.tsx';

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

/** The last day of an offer, or its end where that is a time of day. */
export const EndOfOffer = ({ at }: { at: string }): Markup => (
  <Time at={at} precision={isEndOfDay(useContext(TimeZone), at) ? 'day' : 'minute'} />
);
