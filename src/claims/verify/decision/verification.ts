/** `decide` defines the outcome of every verification, for all database engines. */

import { type Plan, planHasApiKeys } from '../../../people/accounts/account.ts';
import { keyState, type Mode } from '../../../people/keys/key.ts';
import type { Trace } from '../../../platform/process/trace.ts';
import { DAY_MS } from '../../../platform/text/durations.ts';
import type { EpochMs } from '../../../platform/text/time-text.ts';

export const VERIFY_PATH = '/api/v1/marketplace/claims/verify';

export interface Verification {
  /** SHA-256 of the API key as sent. */
  readonly keyHash: Uint8Array;
  /**
   * `hashToken` of the token. `null`: only the key is checked, because there is no token to look up or the request will
   * be refused anyway.
   */
  readonly tokenHash: Uint8Array | null;
  readonly redeem: boolean;
  /** `shortHash` of the Idempotency-Key; `null` without the header or if `redeem` is false. */
  readonly idempotencyHash: Uint8Array | null;
  /** The owner's reference, stored with the redemption; `null` if omitted or if `redeem` is false. */
  readonly reference: string | null;
  /** `ApiCaller.networks` as the endpoint knows them: it has checked that the client is in one of these networks. */
  readonly networks: string | null;
  /** The trace of the request, stored with the event of a redemption; `null` if the request belongs to none. */
  readonly trace: Trace | null;
}

export type VerificationRefusal =
  | 'invalid_api_key'
  | 'plan_without_api_keys'
  | 'account_suspended'
  | 'idempotency_key_reused';

export interface ApiCaller {
  readonly accountId: string;
  readonly keyId: string;
  readonly mode: Mode;
  /** The networks from which the key may be used, as stored; `null`: all. */
  readonly networks: string | null;
}

export interface FoundResponse {
  readonly kind: 'found';
  readonly status: 'redeemed' | 'valid' | 'already_redeemed';
  /** Whether `body` replays the response to an earlier redemption with the same Idempotency-Key. */
  readonly replayed: boolean;
  /** The JSON response body. */
  readonly body: string;
  readonly offerId: string;
  readonly via: string | null;
  readonly caller: ApiCaller;
}

export type VerificationResponse =
  | { readonly kind: 'refused'; readonly code: VerificationRefusal; readonly caller: ApiCaller | null }
  /** The key is valid. No token was looked up. */
  | { readonly kind: 'authorized'; readonly caller: ApiCaller }
  | { readonly kind: 'not_found'; readonly caller: ApiCaller }
  /** No token was looked up, because `Verification.networks` differs from the key's networks. */
  | { readonly kind: 'networks_changed'; readonly caller: ApiCaller }
  | FoundResponse;

export interface CallerFacts {
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly plan: Plan;
  readonly suspended_at: string | null;
}

/** Returns `null` if the caller may verify. Expired and revoked keys get the same error as unknown keys. */
export function checkCaller(facts: CallerFacts, nowMs: number): VerificationRefusal | null {
  if (keyState(facts, nowMs) !== 'active') return 'invalid_api_key';
  if (!planHasApiKeys(facts.plan)) return 'plan_without_api_keys';
  return facts.suspended_at === null ? null : 'account_suspended';
}

/** Keeps `redeemed_at` from preceding `claimed_at` if the clock was set back. */
export const redemptionTime = (at: string, claimedAt: string): string => (at < claimedAt ? claimedAt : at);

/** How long a retry with the same Idempotency-Key replays the original response. */
export const REPLAY_WINDOW_MS = DAY_MS;

export interface ClaimFacts {
  readonly redeemedAt: string | null;
  /** `null`: not redeemed, or redeemed without an Idempotency-Key. */
  readonly idempotencyHash: Uint8Array | null;
}

interface DecisionInput {
  /** `null`: the token matches no claim of the caller's account and mode. */
  readonly claim: ClaimFacts | null;
  readonly redeem: boolean;
  readonly idempotencyHash: Uint8Array | null;
  /** Whether this Idempotency-Key has redeemed another claim of the account and mode, at any time. */
  readonly keyHasRedeemedAnother: boolean;
  readonly nowMs: EpochMs;
}

/**
 * `redeem`: redeem the claim, unless another request redeems the claim first. `replay`: send the redemption's response
 * again.
 */
export type Decision =
  | 'not_found'
  | 'valid'
  | 'redeem'
  | 'already_redeemed'
  | 'replay'
  | 'idempotency_key_reused';

export function decide({
  claim,
  redeem,
  idempotencyHash,
  keyHasRedeemedAnother,
  nowMs,
}: DecisionInput): Decision {
  if (claim === null) return 'not_found';
  if (!redeem) return claim.redeemedAt === null ? 'valid' : 'already_redeemed';
  if (idempotencyHash !== null && keyHasRedeemedAnother) return 'idempotency_key_reused';
  if (claim.redeemedAt === null) return 'redeem';
  const ownRedemption =
    idempotencyHash !== null &&
    claim.idempotencyHash !== null &&
    equal(idempotencyHash, claim.idempotencyHash);
  return ownRedemption && nowMs - Date.parse(claim.redeemedAt) < REPLAY_WINDOW_MS
    ? 'replay'
    : 'already_redeemed';
}

const equal = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;

/** Times are ISO 8601 UTC with milliseconds. */
export interface ClaimMembers {
  readonly status: 'redeemed' | 'valid' | 'already_redeemed';
  readonly offerId: string;
  readonly offer: string;
  readonly kind: string;
  readonly listing: string;
  readonly via: string | null;
  readonly claimedAt: string;
  readonly redeemedAt: string | null;
}

/** Response body for unknown tokens and for other owners' tokens. */
export const NOT_FOUND_BODY = '{"status":"not_found"}';

/** Writes the members in the documented order. Only the offer is free text, so other values are not escaped. */
export const renderClaim = (claim: ClaimMembers): string =>
  `{"status":"${claim.status}","offer_id":"${claim.offerId}","offer":${JSON.stringify(claim.offer)},` +
  `"kind":"${claim.kind}","listing":"${claim.listing}","via":${quoted(claim.via)},` +
  `"claimed_at":"${claim.claimedAt}","redeemed_at":${quoted(claim.redeemedAt)}}`;

const quoted = (plain: string | null): string => (plain === null ? 'null' : `"${plain}"`);

export interface ClaimInResponse extends Omit<ClaimMembers, 'status'> {
  /** The offer and kind in the redemption's response, for replays. `null` without an Idempotency-Key. */
  readonly redeemedOffer: string | null;
  readonly redeemedKind: string | null;
}

export type FoundDecision = Exclude<Decision, 'not_found' | 'idempotency_key_reused'>;

const statusOf = (decision: FoundDecision): FoundResponse['status'] =>
  decision === 'redeem' || decision === 'replay' ? 'redeemed' : decision;

export function bodyOf(decision: FoundDecision, claim: ClaimInResponse): string {
  const { offerId, listing, via, claimedAt, redeemedAt } = claim;
  // A replay returns offer and kind as of the redemption, even if the owner has changed them since.
  const isReplay = decision === 'replay';
  const offer = isReplay ? (claim.redeemedOffer ?? claim.offer) : claim.offer;
  const kind = isReplay ? (claim.redeemedKind ?? claim.kind) : claim.kind;
  const status = statusOf(decision);
  return renderClaim({ status, offerId, offer, kind, listing, via, claimedAt, redeemedAt });
}

export const foundResponse = (
  decision: FoundDecision,
  body: string,
  offerId: string,
  via: string | null,
  caller: ApiCaller,
): FoundResponse => ({
  kind: 'found',
  status: statusOf(decision),
  replayed: decision === 'replay',
  body,
  offerId,
  via,
  caller,
});
