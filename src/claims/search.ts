/** An owner's claims: searches, and a claim with its timeline. */
import { type AttemptOnClaim, readAttemptsOnToken } from '../attempts/queries.ts';
import type { DatabaseReader } from '../store/database.ts';
import { earlier, parseCursor, type TimePosition, writeCursor } from '../store/time-cursor.ts';
import { isUuid } from '../store/uuid.ts';
import type { ClaimFilter } from './claim-filter.ts';
import {
  type Branch,
  type FoundClaim,
  findBranches,
  findClaim,
  findClaimsOfClaimant,
  type ListedClaim,
  positionOf,
  type Range,
  type RedemptionFilter,
  scanClaims,
} from './search-queries.ts';

/** Claims on a page, unless the reader asks for another number. */
export const CLAIMS_PAGE_SIZE = 50;
export const MAX_CLAIMS_PAGE_SIZE = 100;
/** Most rows read for a page where no index answers the filter; the reader can then continue the search. */
export const SEARCHED_ROWS = 10_000;

export interface ClaimSearchResult {
  readonly claims: readonly ListedClaim[];
  /** Cursor of the next page; `null` when there is nothing further. */
  readonly next: string | null;
  /** Set when the page is not full but older claims remain: all claims since this time were searched. */
  readonly searchedUntil: string | null;
}

/** The part of the context that a search needs. */
export interface Reading {
  readonly db: DatabaseReader;
}

/** Newest first. A malformed cursor starts at the beginning. */
export async function searchClaims(
  context: Reading,
  input: {
    readonly accountId: string;
    readonly filter: ClaimFilter;
    readonly after?: string | undefined;
    readonly limit?: number;
    readonly searchedRows?: number;
  },
): Promise<ClaimSearchResult> {
  const { accountId, filter } = input;
  const limit = Math.min(input.limit ?? CLAIMS_PAGE_SIZE, MAX_CLAIMS_PAGE_SIZE);
  const after = parseCursor(input.after);
  const branches = await branchesOf(context, accountId, filter);
  if (branches.length === 0) return { claims: [], next: null, searchedUntil: null };
  if (filter.claimant !== undefined) {
    return pageOfClaimant(context, branches, filter, after, limit);
  }
  const range: Range = { ...rangeOf(filter), after, order: 'newest' };
  const bounds = { scanned: input.searchedRows ?? SEARCHED_ROWS, limit: limit + 1 };
  const scan = await scanClaims(context.db, branches, range, redemptionOf(filter), bounds);
  const claims = scan.claims.slice(0, limit);
  if (scan.claims.length > limit) {
    return { claims, next: writeCursor(positionOf(claims.at(-1)!)), searchedUntil: null };
  }
  return {
    claims,
    next: scan.end === null ? null : writeCursor(scan.end),
    searchedUntil: scan.end?.at ?? null,
  };
}

export const branchesOf = (context: Reading, accountId: string, filter: ClaimFilter): Promise<Branch[]> =>
  findBranches(context.db.read, accountId, filter);

export const rangeOf = (filter: ClaimFilter) => ({
  since: filter.since ?? null,
  until: earlierOf(filter.until ?? null, filter.redeemedUntil ?? null),
  via: filter.via,
});

/** No claim is redeemed before it is made, so a last time of redemption is one of claiming too. */
const earlierOf = (one: string | null, other: string | null): string | null =>
  one === null || (other !== null && other < one) ? other : one;

/** What the filter asks of the redemption; `undefined` for any claim. */
export function redemptionOf(filter: ClaimFilter): RedemptionFilter | undefined {
  const { state, redeemedSince = null, redeemedUntil = null } = filter;
  if (state === undefined && redeemedSince === null && redeemedUntil === null) return undefined;
  return { isRedeemed: state !== 'not_redeemed', since: redeemedSince, until: redeemedUntil };
}

/** An outside reference has few claims: all are read and filtered here. */
export async function claimsOfClaimant(
  context: Reading,
  branches: readonly Branch[],
  filter: ClaimFilter,
): Promise<readonly ListedClaim[]> {
  const { since, until, via } = rangeOf(filter);
  const redemption = redemptionOf(filter);
  const claims = await findClaimsOfClaimant(context.db.read, branches, filter.claimant ?? '');
  return claims.filter(
    (claim) =>
      (via === undefined || claim.via === via) &&
      (redemption === undefined || matchesRedemption(claim, redemption)) &&
      (since === null || claim.claimed_at >= since) &&
      (until === null || claim.claimed_at < until),
  );
}

const matchesRedemption = (
  { redeemed_at }: Pick<ListedClaim, 'redeemed_at'>,
  { isRedeemed, since, until }: RedemptionFilter,
): boolean =>
  redeemed_at === null
    ? !isRedeemed
    : isRedeemed && (since === null || redeemed_at >= since) && (until === null || redeemed_at < until);

async function pageOfClaimant(
  context: Reading,
  branches: readonly Branch[],
  filter: ClaimFilter,
  after: TimePosition | null,
  limit: number,
): Promise<ClaimSearchResult> {
  const all = await claimsOfClaimant(context, branches, filter);
  const left = all.filter(
    ({ claimed_at, seq }) =>
      after === null || claimed_at < after.at || (claimed_at === after.at && seq < after.seq),
  );
  const claims = left.slice(0, limit);
  return {
    claims,
    next: left.length > limit ? writeCursor(positionOf(claims.at(-1)!)) : null,
    searchedUntil: null,
  };
}

/** Whether a text is a cursor, as `next` gives one. */
export const isClaimCursor = (text: string): boolean => parseCursor(text) !== null;

export interface ClaimHistoryEntry {
  readonly at: string;
  /** `repeated`: a retry with the same Idempotency-Key got the answer of the redemption again. */
  readonly what: 'claimed' | 'opened' | 'verified' | 'redeemed' | 'repeated' | 'replaced';
  /** The outcome of a verification; `null` for other entries. */
  readonly outcome: string | null;
  /** Name and first characters of the API key. */
  readonly key: { readonly id: string; readonly name: string; readonly start: string } | null;
  readonly requestId: string | null;
}

export interface ClaimDetail extends ListedClaim {
  readonly listing_name: string;
  /** How the claim was made. */
  readonly origin: 'person' | 'operator' | 'import';
  readonly openedAt: string | null;
  readonly timeline: readonly ClaimHistoryEntry[];
  /** `null`: the timeline has all calls; otherwise those after this time were not looked through. */
  readonly lookedUntil: string | null;
}

/** How many calls of the account, from the claim on, are searched for those about it. */
const CALLS_LOOKED_THROUGH = 20_000;
/** By how much the clock of a process that answers a call may be behind that of one that makes a claim. */
const CLOCKS_APART_MS = 60_000;

/** One claim of the account's listings; `null` where it has none with this id. */
export async function findOwnerClaim(
  context: Reading,
  input: { readonly accountId: string; readonly id: string; readonly lookedThrough?: number },
): Promise<ClaimDetail | null> {
  const id = input.id.toLowerCase();
  const claim = isUuid(id) ? await findClaim(context.db, input.accountId, { id }) : undefined;
  if (claim === undefined) return null;
  const { attempts, lookedUntil } = await readAttemptsOnToken(
    context.db.read,
    input.accountId,
    claim.token_hash,
    earlier(claim.claimed_at, CLOCKS_APART_MS),
    input.lookedThrough ?? CALLS_LOOKED_THROUGH,
  );
  const {
    token_hash: _,
    account_id: __,
    listing_id: ___,
    token_origin,
    claimant_id,
    opened_at,
    ...listed
  } = claim;
  return {
    ...listed,
    origin: token_origin === 'imported' ? 'import' : claimant_id === null ? 'operator' : 'person',
    openedAt: opened_at,
    timeline: timelineOf(claim, attempts),
    lookedUntil,
  };
}

function timelineOf(claim: FoundClaim, attempts: readonly AttemptOnClaim[]): ClaimHistoryEntry[] {
  const entry = (at: string, what: ClaimHistoryEntry['what']): ClaimHistoryEntry => ({
    at,
    what,
    outcome: null,
    key: null,
    requestId: null,
  });
  const entries = [entry(claim.claimed_at, 'claimed')];
  if (claim.opened_at !== null) entries.push(entry(claim.opened_at, 'opened'));
  if (claim.replaced_at !== null) entries.push(entry(claim.replaced_at, 'replaced'));
  // The claim itself records its redemption.
  const redemption = attempts.find(({ cause }) => cause === 'redeemed');
  if (claim.redeemed_at !== null) {
    const { redeemed_by_key_id: id, redeemed_by_key_name: name, redeemed_by_key_start: start } = claim;
    entries.push({
      ...entry(claim.redeemed_at, 'redeemed'),
      key: id === null || name === null || start === null ? null : { id, name, start },
      requestId: redemption?.request_id ?? null,
    });
  }
  for (const attempt of attempts) {
    if (attempt === redemption) continue;
    const { api_key_id: id, key_name: name, key_start: start } = attempt;
    entries.push({
      at: attempt.at,
      what: attempt.cause === 'repeated' ? 'repeated' : 'verified',
      outcome: attempt.outcome,
      key: id === null || name === null || start === null ? null : { id, name, start },
      requestId: attempt.request_id,
    });
  }
  return entries.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}
