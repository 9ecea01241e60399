import type { DatabaseReader } from '../../platform/store/database.ts';
import {
  earlier,
  type PageInput,
  parseCursor,
  readPage,
  type SearchPage,
} from '../../platform/store/scan.ts';
import { isUuid } from '../../platform/store/uuid.ts';
import { MINUTE_MS } from '../../platform/text/durations.ts';
import { outcomeOf } from '../attempts/cause.ts';
import { type ListedAttempt, searchToken } from '../attempts/search-queries.ts';
import { isClaimantRef } from '../claim.ts';
import { type ClaimKey, type DetailedClaim, findClaim, type ListedClaim } from '../queries.ts';
import { readShortId } from '../short-id.ts';
import { hashToken, MAX_TOKEN_LENGTH } from '../token.ts';
import type { ClaimFilter } from './claim-filter.ts';
import { listIdsWithReference, listIdsWithShortId } from './lookup-queries.ts';
import { findClaimList } from './search-queries.ts';

export const CLAIMS_PAGE_SIZE = 50;
export const MAX_CLAIMS_PAGE_SIZE = 100;

export interface Reading {
  readonly db: DatabaseReader;
}

/** Newest first. */
export async function searchClaims(
  { db }: Reading,
  input: { readonly accountId: string; readonly filter: ClaimFilter } & Partial<PageInput>,
): Promise<SearchPage<ListedClaim>> {
  const { accountId, filter, after, scanned } = input;
  const limit = Math.min(input.limit ?? CLAIMS_PAGE_SIZE, MAX_CLAIMS_PAGE_SIZE);
  return await readPage(db, await findClaimList(db, accountId, filter, 'newest'), { after, limit, scanned });
}

export const isClaimCursor = (text: string): boolean => parseCursor(text) !== null;

export interface ClaimHistoryEntry {
  readonly at: string;
  /** `repeated`: a retry with the same Idempotency-Key got the same response. */
  readonly what: 'claimed' | 'opened' | 'verified' | 'redeemed' | 'repeated' | 'replaced';
  /** The outcome of a verification; `null` for other entries. */
  readonly outcome: string | null;
  readonly key: { readonly id: string; readonly name: string; readonly start: string } | null;
  readonly requestId: string | null;
}

export interface ClaimDetail extends ListedClaim {
  readonly listing_name: string;
  readonly origin: 'person' | 'operator' | 'import';
  readonly openedAt: string | null;
  readonly timeline: readonly ClaimHistoryEntry[];
  /** Time of the last searched call if the search stopped before the newest call; otherwise `null`. */
  readonly lookedUntil: string | null;
}

/** Maximum number of calls searched for a claim's token. The search starts `CLOCKS_APART_MS` before `claimed_at`. */
const CALLS_LOOKED_THROUGH = 20_000;
/** Maximum clock skew between the process that created the claim and a process that recorded a call. */
const CLOCKS_APART_MS = MINUTE_MS;

export async function findOwnerClaim(
  context: Reading,
  input: { readonly accountId: string; readonly id: string; readonly lookedThrough?: number },
): Promise<ClaimDetail | null> {
  const claim = await findClaim(context.db, input.accountId, { id: input.id });
  if (claim === undefined) return null;
  const {
    rows: attempts,
    next,
    searchedUntil,
  } = await searchToken(context.db, input.accountId, {
    hash: claim.token_hash,
    since: earlier(claim.claimed_at, CLOCKS_APART_MS),
    scanned: input.lookedThrough ?? CALLS_LOOKED_THROUGH,
  });
  const { claimant_id, opened_at, token_origin } = claim;
  return {
    ...claim,
    origin: token_origin === 'imported' ? 'import' : claimant_id === null ? 'operator' : 'person',
    openedAt: opened_at,
    timeline: timelineOf(claim, attempts),
    // If there are more calls than fit on a page, the search stopped at the last call of the page.
    lookedUntil: searchedUntil ?? (next === null ? null : attempts.at(-1)!.at),
  };
}

function timelineOf(claim: DetailedClaim, attempts: readonly ListedAttempt[]): ClaimHistoryEntry[] {
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
  // The redemption comes from the claim itself; the call only adds the request id.
  const redemption = attempts.find(({ cause }) => cause === 'redeemed');
  if (claim.redeemed_at !== null) {
    const { redeemed_by_key_id: id, redeemed_by_key_name: name, redeemed_by_key_start: start } = claim;
    entries.push({
      ...entry(claim.redeemed_at, 'redeemed'),
      key: keyOf(id, name, start),
      requestId: redemption?.request_id ?? null,
    });
  }
  for (const attempt of attempts) {
    if (attempt === redemption) continue;
    const { api_key_id: id, key_name: name, key_start: start } = attempt;
    entries.push({
      at: attempt.at,
      what: attempt.cause === 'repeated' ? 'repeated' : 'verified',
      outcome: outcomeOf(attempt.cause),
      key: keyOf(id, name, start),
      requestId: attempt.request_id,
    });
  }
  return entries.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

const keyOf = (id: string | null, name: string | null, start: string | null): ClaimHistoryEntry['key'] =>
  id === null || name === null || start === null ? null : { id, name, start };

/** How many query values of a pasted link are tried as tokens. */
const MAX_LINK_VALUES = 10;

/** Returns the keys in lookup order. A UUID is looked up as a token first, because an imported token may be a UUID. */
export function claimKeysOf(text: string): readonly ClaimKey[] {
  const trimmed = text.trim();
  const link = isLink(trimmed) ? URL.parse(trimmed) : null;
  if (link !== null) return keysOfLink(link);
  return [...tokenKey(trimmed), ...idKey(trimmed)];
}

export const isLink = (text: string): boolean => /^https?:\/\//i.test(text);

/** Redemption links have the token in the query; links to a claim's page have the claim's id in the path. */
function keysOfLink(link: URL): readonly ClaimKey[] {
  const tokens = [...link.searchParams.values()].slice(0, MAX_LINK_VALUES).flatMap(tokenKey);
  return [...tokens, ...idKey(link.pathname.split('/').at(-1) ?? '')];
}

const idKey = (text: string): readonly ClaimKey[] => (isUuid(text) ? [{ id: text.toLowerCase() }] : []);

const tokenKey = (text: string): readonly ClaimKey[] =>
  text !== '' && text.length <= MAX_TOKEN_LENGTH && text.isWellFormed()
    ? [{ tokenHash: hashToken(text) }]
    : [];

export async function findClaimNamed(
  { db }: Reading,
  { accountId, text }: { readonly accountId: string | null; readonly text: string },
): Promise<DetailedClaim | null> {
  for (const key of claimKeysOf(text)) {
    const claim = await findClaim(db, accountId, key);
    if (claim !== undefined) return claim;
  }
  return null;
}

/** Empty if `text` is not a short ID. Searches all accounts if `accountId` is `null`. */
export async function findClaimsByShortId(
  { db }: Reading,
  {
    accountId,
    text,
    limit,
  }: { readonly accountId: string | null; readonly text: string; readonly limit: number },
): Promise<readonly DetailedClaim[]> {
  const shortId = readShortId(text);
  if (shortId === null) return [];
  return await findEach(db, accountId, await listIdsWithShortId(db, accountId, shortId, limit));
}

/** Searches the references of owners and of external marketplaces, in all accounts. */
export async function findClaimsByReference(
  { db }: Reading,
  { text, limit }: { readonly text: string; readonly limit: number },
): Promise<readonly DetailedClaim[]> {
  return isClaimantRef(text)
    ? await findEach(db, null, (await listIdsWithReference(db, text, limit)).slice(0, limit))
    : [];
}

async function findEach(
  db: DatabaseReader,
  accountId: string | null,
  ids: readonly string[],
): Promise<readonly DetailedClaim[]> {
  const claims = await Promise.all(ids.map((id) => findClaim(db, accountId, { id })));
  return claims.filter((claim) => claim !== undefined);
}
