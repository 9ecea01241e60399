/** Claims, their counts, and the keys of their receipts. */
import type { Generated } from 'kysely';

export interface ClaimTables {
  claims: ClaimsTable;
  claim_openings: ClaimOpeningsTable;
  offer_claims: OfferClaimsTable;
  label_counts: LabelCountsTable;
  label_days: LabelDaysTable;
  label_deltas: LabelDeltasTable;
  receipt_keys: ReceiptKeysTable;
}

export interface ClaimsTable {
  /** Creation order. */
  seq: Generated<number>;
  id: string;
  /** The owner of the listing. */
  account_id: string;
  listing_id: string;
  offer_id: string;
  mode: 'live' | 'test';
  /** SHA-256 of the claim token; unique per owner. */
  token_hash: Uint8Array;
  /** `derived`: the token is a keyed hash of the id and can be shown again. `imported`: it cannot. */
  token_origin: 'derived' | 'imported';
  via: string | null;
  /** An outside reference for the claimant. */
  claimant_ref: string | null;
  /** The claimant's account here, where they made the claim themselves. */
  claimant_id: string | null;
  claimed_at: string;
  redeemed_at: string | null;
  redeemed_by_key_id: string | null;
  /** SHA-256 of the Idempotency-Key that redeemed. */
  idempotency_hash: Uint8Array | null;
  /** Offer text and kind as the redemption answered them, kept with an Idempotency-Key so that a replay repeats it. */
  redeemed_offer: string | null;
  redeemed_kind: string | null;
  /** Set when the operator issued this claimant a new claim in its place. */
  replaced_at: string | null;
}

/** When a claimant first went to the owner's page from here; apart from `claims`, so that those rows stay as they are. */
export interface ClaimOpeningsTable {
  /** The owner of the listing. */
  account_id: string;
  claim_id: string;
  opened_at: string;
}

/** How many live claims an offer has, to compare with its limit. A transaction that makes claims adds them here. */
export interface OfferClaimsTable {
  account_id: string;
  offer_id: string;
  claims: number;
}

/** Folded counts per listing and label, live claims only. `via` is '' for no label. */
export interface LabelCountsTable {
  account_id: string;
  listing_id: string;
  via: string;
  claims: number;
  redeemed: number;
}

/** The same counts by the day (UTC, `2026-11-20`) on which claims were made or imported here, and redeemed. */
export interface LabelDaysTable extends LabelCountsTable {
  day: string;
}

/** Not yet folded changes of the counts; the exact count is the sum of both tables. */
export interface LabelDeltasTable {
  id: Generated<number>;
  account_id: string;
  listing_id: string;
  via: string;
  claims: number;
  redeemed: number;
  at: string;
}

/** The keys of receipts. */
export interface ReceiptKeysTable {
  /** RFC 7638 thumbprint. */
  kid: string;
  /** As it is published: a JSON Web Key. */
  public_key: string;
  /** A JSON Web Key, encrypted under a secret key; `null`: it signs no more. */
  private_key: string | null;
  created_at: string;
}
