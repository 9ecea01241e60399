/** Requests the links of listings that have something to review. The desk shows which links respond. */
import type { Context } from '../../base/context.ts';
import { OutgoingFailure } from '../../platform/network/outgoing-failure.ts';
import type { Outgoing } from '../../platform/network/outgoing-request.ts';
import { MINUTE_MS } from '../../platform/text/durations.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { listCountedOffers } from '../offers/queries.ts';
import { EXAMPLE_VALUES, fillRedemptionLink } from '../offers/redemption-link.ts';
import { findUnprobedListings, type LinkResponse, putLinkProbes } from './queue-queries.ts';
import { reviewLinks } from './review.ts';

const MAX_LINKS = 20;
const RESPONSE_MS = 10_000;
/** The minimum time between two probes of a listing, even if the listing changes more often. */
const REPEAT_MS = MINUTE_MS;
export const PROBE_INTERVAL_MS = 5_000;

const repeatBefore = ({ now }: Pick<Context, 'now'>): string => toIso(now() - REPEAT_MS);

export const linksNeedProbe = async (context: Pick<Context, 'db' | 'now'>): Promise<boolean> =>
  (await findUnprobedListings(context.db.read, repeatBefore(context), 1)).length > 0;

/** Maximum number of listings per run. The next run probes the remaining listings. */
const LISTINGS_A_RUN = 10;

export async function probeSubmittedLinks(
  context: Pick<Context, 'db' | 'now'>,
  outgoing: Pick<Outgoing, 'request'>,
  signal: AbortSignal,
): Promise<void> {
  const listings = await findUnprobedListings(context.db.read, repeatBefore(context), LISTINGS_A_RUN);
  for (const listing of listings) {
    if (signal.aborted) return;
    const offers = await listCountedOffers(context.db.read, [listing]);
    const links = [...new Set(reviewLinks(listing, offers).map(({ link }) => link))];
    const at = toIso(context.now());
    const responses = await Promise.all(
      links.slice(0, MAX_LINKS).map((link) => request(outgoing, link, signal)),
    );
    if (signal.aborted) return;
    await context.db.transaction((tx) =>
      putLinkProbes(tx, { listingId: listing.id, version: listing.version, at, responses }),
    );
  }
}

/** Doesn't follow redirects. Returns failures of the request instead of throwing them. */
async function request(
  outgoing: Pick<Outgoing, 'request'>,
  link: string,
  signal: AbortSignal,
): Promise<LinkResponse> {
  const url = new URL(fillRedemptionLink(link, EXAMPLE_VALUES));
  url.hash = '';
  const tooLong = AbortSignal.timeout(RESPONSE_MS);
  try {
    const { status } = await outgoing.request({
      method: 'GET',
      url: url.href,
      headers: { 'user-agent': 'Claimcheck-Links', accept: 'text/html,*/*;q=0.8' },
      maxBodyBytes: 1,
      signal: AbortSignal.any([signal, tooLong]),
    });
    return { link, status, failure: null };
  } catch (error) {
    if (error instanceof OutgoingFailure) return { link, status: null, failure: error.message };
    if (!signal.aborted && !tooLong.aborted) throw error;
    return { link, status: null, failure: `No response within ${RESPONSE_MS / 1_000} seconds.` };
  }
}
