import type { Generated } from 'kysely';

export interface AttemptsTable {
  id: Generated<number>;
  account_id: string;
  /** The key's mode; `live` if there was no key. */
  mode: 'live' | 'test';
  at: string;
  request_id: string;
  api_key_id: string | null;
  /** A `Cause`, from which the outcome follows. */
  cause: string;
  /** `detail` of the error response; `null` if the response was not an error. */
  detail: string | null;
  redeem: number | null;
  token_last4: string | null;
  /** `hashToken` of the token; `null` if the token is malformed, or the call was refused before it was read. */
  token_hash: Uint8Array | null;
  offer_id: string | null;
  via: string | null;
  idempotency_last4: string | null;
  /** From the arrival of the request's headers to the response; 0 for calls with a `request_line`. */
  latency_us: number;
  ip: string | null;
  user_agent: string | null;
  /** Origin of a refused browser call. */
  origin: string | null;
  /** Method and path of a call from a browser or with a wrong method; `null`: a POST to the verify operation. */
  request_line: string | null;
}

/**
 * The first call of each account with each outcome, counting only calls that found a claim. Stays after the call's
 * entry in the request log is deleted.
 */
export interface FirstVerificationsTable {
  account_id: string;
  at: string;
  request_id: string;
  api_key_id: string | null;
  outcome: string;
  token_last4: string | null;
  latency_us: number;
}

/** Calls that the request log left out, by account. */
export interface UnrecordedCallsTable {
  account_id: string;
  calls: number;
  last_at: string;
}

export interface LinkChecksTable {
  account_id: string;
  offer_id: string;
  /** The redemption link or test link, with its placeholder. */
  link: string;
  /** The test claim with which the service opens the link. */
  claim_id: string;
  started_at: string;
  visited_at: string | null;
  visits: string | null;
  /** The test claim with which the owner opens the link. */
  browser_claim_id: string | null;
  opened_at: string | null;
  /** When the owner opened the link again, after the claim was redeemed. */
  reopened_at: string | null;
}
