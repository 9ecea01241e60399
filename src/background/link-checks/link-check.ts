/** A link check: an offer's link is opened with a test claim, first by the service and then in the owner's browser. */
import type { Selectable } from 'kysely';
import { fillRedemptionLink } from '../../marketplace/offers/redemption-link.ts';
import type { TlsFacts } from '../../platform/network/outgoing-request.ts';
import type { LinkChecksTable } from '../../platform/store/tables/attempts.ts';
import { MINUTE_MS } from '../../platform/text/durations.ts';

export const MAX_LINK_CHECKS_PER_HOUR = 60;
/** Of all accounts together, and with all subdomains, so that many accounts can't flood a host through this service. */
export const MAX_LINK_CHECKS_OF_DOMAIN = 300;

/** After this time, unfinished visits count as interrupted, for example by a restart. */
export const MAX_VISITS_MS = MINUTE_MS;

/** `live`: the offer's redemption link. `test`: the offer's test link. */
export type CheckedLink = 'live' | 'test';

export type LinkCheck = Selectable<LinkChecksTable>;

/** A request by the service to the link, including redirects. Contains no URLs, because URLs contain the token. */
export interface Visit {
  readonly method: 'HEAD' | 'GET';
  readonly at: string;
  readonly tookMs: number;
  /** The origin of the last URL that was requested. */
  readonly origin: string;
  readonly redirects: number;
  /** The target origin of the first redirect that leaves the link's origin; `null` if no redirect does. */
  readonly leftTo: string | null;
  /** `null` if there was no response. */
  readonly status: number | null;
  readonly failure: string | null;
  readonly tls: TlsFacts | null;
  readonly hasRedeemed: boolean;
}

export interface Visits {
  readonly head: Visit;
  readonly get: Visit;
}

/** Test claims have no campaign label. */
export const linkWithTestClaim = (
  { link, offer_id }: Pick<LinkCheck, 'link' | 'offer_id'>,
  token: string,
): string => fillRedemptionLink(link, { claim: token, via: null, offer: offer_id });

/** `null` if the visits are under way or were interrupted, or if only the owner's browser opens the link. */
export const visitsOf = ({ visits }: Pick<LinkCheck, 'visits'>): Visits | null =>
  visits === null ? null : (JSON.parse(visits) as Visits);

/** The service never requests a test link on a private host; only the owner's browser opens it. */
export const isOnlyInBrowser = ({ visited_at, visits }: LinkCheck): boolean =>
  visited_at !== null && visits === null;

export const isUnderWay = ({ started_at, visited_at }: LinkCheck, nowMs: number): boolean =>
  // A time in the future comes from a clock that was ahead.
  visited_at === null && Math.abs(nowMs - Date.parse(started_at)) < MAX_VISITS_MS;
