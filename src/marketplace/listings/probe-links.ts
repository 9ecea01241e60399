/**
 * Requests the links of listings that have something to review. The desk shows which links respond. Anyone can submit a
 * listing with links to somebody else's servers, so the links of all listings cause few requests to each domain.
 */
import type { Context } from '../../base/context.ts';
import { registrableDomainOf } from '../../people/accounts/mail-domains.ts';
import { OutgoingFailure } from '../../platform/network/outgoing-failure.ts';
import type { Outgoing } from '../../platform/network/outgoing-request.ts';
import { MINUTE_MS } from '../../platform/text/durations.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { listCountedOffers } from '../offers/queries.ts';
import { EXAMPLE_VALUES, fillRedemptionLink } from '../offers/redemption-link.ts';
import { findUnprobedListings, type LinkResponse, putLinkProbes, readLinkProbes } from './queue-queries.ts';
import { reviewLinks } from './review.ts';

const MAX_LINKS = 20;
const RESPONSE_MS = 10_000;
/** The minimum time between two probes of a listing, even if the listing changes more often. */
const REPEAT_MS = MINUTE_MS;
export const PROBE_INTERVAL_MS = 5_000;
/** Requests to a domain within `REPEAT_MS`, with all its subdomains. At least `MAX_LINKS`, so that listings make progress. */
const MAX_REQUESTS_TO_DOMAIN = MAX_LINKS;
/** No listing has this version. The listing is probed again after `REPEAT_MS`, like one that has changed. */
const UNFINISHED_VERSION = 0;

const repeatBefore = ({ now }: Pick<Context, 'now'>): string => toIso(now() - REPEAT_MS);

export const linksNeedProbe = async (context: Pick<Context, 'db' | 'now'>): Promise<boolean> =>
  (await findUnprobedListings(context.db.read, repeatBefore(context), 1)).length > 0;

/** Maximum number of listings per run. The next run probes the remaining listings. */
const LISTINGS_A_RUN = 10;

/** Counts in memory, because the job runs in one process at a time. */
export function createDomainLimit({ now }: Pick<Context, 'now'>) {
  const requests = new Map<string, { count: number; readonly sinceMs: number }>();
  /** Counts a request. False: the domain gets no more requests for now. */
  return (link: string): boolean => {
    for (const [domain, { sinceMs }] of requests) {
      if (Math.abs(now() - sinceMs) >= REPEAT_MS) requests.delete(domain);
    }
    const domain = registrableDomainOf(new URL(fillRedemptionLink(link, EXAMPLE_VALUES)).hostname);
    const ofDomain = requests.getOrInsertComputed(domain, () => ({ count: 0, sinceMs: now() }));
    ofDomain.count += 1;
    return ofDomain.count <= MAX_REQUESTS_TO_DOMAIN;
  };
}

type DomainLimit = ReturnType<typeof createDomainLimit>;

export async function probeSubmittedLinks(
  context: Pick<Context, 'db' | 'now'>,
  outgoing: Pick<Outgoing, 'request'>,
  signal: AbortSignal,
  mayRequest: DomainLimit,
): Promise<void> {
  const listings = await findUnprobedListings(context.db.read, repeatBefore(context), LISTINGS_A_RUN);
  const earlier = await readLinkProbes(
    context.db.read,
    listings.map(({ id }) => id),
  );
  for (const listing of listings) {
    if (signal.aborted) return;
    const offers = await listCountedOffers(context.db.read, [listing]);
    const links = [...new Set(reviewLinks(listing, offers).map(({ link }) => link))].slice(0, MAX_LINKS);
    const before = earlier.get(listing.id);
    const isUnfinished = before?.version === UNFINISHED_VERSION;
    const done = isUnfinished ? before.responses.filter(({ link }) => links.includes(link)) : [];
    const left = links.filter((link) => !done.some((response) => response.link === link));
    const allowed = left.filter(mayRequest);
    const at = toIso(context.now());
    const responses = await Promise.all(allowed.map((link) => request(outgoing, link, signal)));
    if (signal.aborted) return;
    const version = allowed.length === left.length ? listing.version : UNFINISHED_VERSION;
    const probes = { listingId: listing.id, version, at, responses: [...done, ...responses] };
    await context.db.transaction((tx) => putLinkProbes(tx, probes));
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
