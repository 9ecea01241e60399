import type { Generated } from 'kysely';

export interface AttemptsTable {
  id: Generated<number>;
  account_id: string;
  /** The key's mode; `live` if there was no key. */
  mode: 'live' | 'test';
  at: string;
  request_id: string;
  api_key_id: string | null;
  /** A `Cause`, which determines the outcome. */
  cause: string;
  /** `detail` of the error response; `null` if the response was not an error. */
  detail: string | null;
  redeem: number | null;
  token_last4: string | null;
  /** `hashToken` of the token; `null` if the token is malformed or the call was rejected before its body was read. */
  token_hash: Uint8Array | null;
  offer_id: string | null;
  via: string | null;
  idempotency_last4: string | null;
  /** Time from receiving the request's headers to responding; 0 for calls with a `request_line`. */
  latency_us: number;
  ip: string | null;
  user_agent: string | null;
  /** `Origin` header of a rejected browser call. */
  origin: string | null;
  /** Method and path of a call that came from a browser or used the wrong method; otherwise `null`. */
  request_line: string | null;
}

/** The first call of each account and outcome that found a claim. Outlives the call in the request log. */
export interface FirstVerificationsTable {
  account_id: string;
  at: string;
  request_id: string;
  api_key_id: string | null;
  outcome: string;
  token_last4: string | null;
  latency_us: number;
}

/** Number of calls that were not written to the request log, per account. */
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
  /** The test claim whose token the service uses to open the link. */
  claim_id: string;
  started_at: string;
  visited_at: string | null;
  visits: string | null;
  /** The test claim whose token the owner uses to open the link in a browser. */
  browser_claim_id: string | null;
  opened_at: string | null;
  /** When the owner first opened the link after `browser_claim_id` was redeemed. */
  reopened_at: string | null;
}
