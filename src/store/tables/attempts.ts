/** The request log, and the check-ups of the doctor. */
import type { Generated } from 'kysely';

export interface AttemptTables {
  attempts: AttemptsTable;
  first_verifications: FirstVerificationsTable;
  attempts_dropped: AttemptsDroppedTable;
  attempts_deleted: AttemptsDeletedTable;
  check_ups: CheckUpsTable;
}

/** The request log of verifications. */
export interface AttemptsTable {
  id: Generated<number>;
  account_id: string;
  /** Of the key; `live` where none was sent. */
  mode: 'live' | 'test';
  at: string;
  request_id: string;
  api_key_id: string | null;
  /** HTTP status of the answer. */
  status: number;
  /** The outcome's `status` or the problem's `code`. */
  outcome: string;
  /** A `Cause`: why the outcome is what it is. */
  cause: string;
  /** The problem's `detail`; `null` for an outcome. */
  detail: string | null;
  /** `null`: the body was not read. */
  redeem: number | null;
  token_last4: string | null;
  /** `hashToken` of a token that a claim could have. */
  token_hash: Uint8Array | null;
  /** Of the claim that was found. */
  offer_id: string | null;
  via: string | null;
  /** The end of the Idempotency-Key. */
  idempotency_last4: string | null;
  /** From the first byte of the request to the answer. */
  latency_us: number;
  ip: string | null;
  /** The beginning of the User-Agent header. */
  user_agent: string | null;
  /** Origin of a refused browser call. */
  origin: string | null;
  /** Method and path; `null` for a POST to verify. */
  request_line: string | null;
}

/** The first verification of an account that found a claim, kept after the request log has deleted it. */
export interface FirstVerificationsTable {
  account_id: string;
  at: string;
  request_id: string;
  api_key_id: string | null;
  /** The outcome's `status`. */
  outcome: string;
  token_last4: string | null;
  latency_us: number;
}

/** How many attempts of a minute were not kept. */
export interface AttemptsDroppedTable {
  account_id: string;
  mode: 'live' | 'test';
  minute: string;
  dropped: number;
  /** How many of them were failures. */
  failures: number;
}

/** Accounts with more attempts of a mode than are kept: those up to `until` were deleted before their time. */
export interface AttemptsDeletedTable {
  account_id: string;
  mode: 'live' | 'test';
  until: string;
}

/** The latest check-up of each offer. */
export interface CheckUpsTable {
  account_id: string;
  offer_id: string;
  /** The redemption link that was walked, with its placeholder. */
  template: string;
  claim_id: string;
  started_at: string;
  /** `null`: the walk is under way. */
  walked_at: string | null;
  /** JSON of a `Walk`. */
  walk: string;
  browser_claim_id: string | null;
  opened_at: string | null;
  opened_again_at: string | null;
}
