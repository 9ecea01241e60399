/** A check-up: a walk through the real link of an offer with a test claim, from here and then in the owner's browser. */
import type { PageFacts } from './page-facts.ts';

/** Longest time of a walk; one that has not ended by then was cut off by a restart. */
export const MAX_WALK_MS = 60_000;
/** Walks of an account. */
export const MAX_WALKS_PER_HOUR = 60;
/** How long the page of a check-up looks for what happens next. */
export const WATCHED_MS = 15 * 60_000;

/** One request to the owner's page. It keeps no address, since that has the token. */
export interface Visit {
  readonly method: 'GET' | 'HEAD';
  readonly at: string;
  readonly tookMs: number;
  /** Where redirects led. */
  readonly origin: string;
  readonly redirects: number;
  /** The first origin of a redirect that differs from the origin of the link; `null`: none did. */
  readonly leftTo: string | null;
  /** `null`: there was no answer. */
  readonly status: number | null;
  /** Why there was none, in a sentence. */
  readonly failure: string | null;
  /** `null`: not encrypted. */
  readonly tls: { readonly protocol: string; readonly validTo: string | null } | null;
  /** The claim was redeemed during or after this request, and not before. */
  readonly hasRedeemed: boolean;
}

/** What the walk has found; `null`: that part is not done yet. */
export interface Walk {
  readonly head: Visit | null;
  readonly get: Visit | null;
  /** `null` for a page that is no HTML, too. */
  readonly page: PageFacts | null;
}

export const NOTHING_FOUND: Walk = { head: null, get: null, page: null };

export type CheckedLink = 'live' | 'test';

export interface CheckUp {
  readonly accountId: string;
  readonly offerId: string;
  /** The redemption link or test link that is checked. */
  readonly template: string;
  /** Of the walk from here. */
  readonly claimId: string;
  readonly startedAt: string;
  /** `null`: the walk is under way. */
  readonly walkedAt: string | null;
  readonly walk: Walk;
  /** Of the browser, once it was opened there. */
  readonly browserClaimId: string | null;
  readonly openedAt: string | null;
  /** When it was opened with the same claim again, after its redemption. */
  readonly openedAgainAt: string | null;
}

/** Whether the service has not requested the link, since only the owner's browser reaches it. */
export const isOnlyInBrowser = ({ walkedAt, walk }: CheckUp): boolean =>
  walkedAt !== null && walk.head === null;

/** Whether the walk is still to be waited for. `nowMs`: milliseconds since the epoch. */
export const isWalking = ({ startedAt, walkedAt }: CheckUp, nowMs: number): boolean =>
  walkedAt === null && nowMs - Date.parse(startedAt) < MAX_WALK_MS;
