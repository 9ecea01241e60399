/** Claims, their counts, and the keys of their receipts. */
import type { Generated } from 'kysely';
import type { CompactId, CompactTime, ReadOnly } from './columns.ts';

export interface ClaimTables {
  claim_rows: ClaimRowsTable;
  claims: ClaimsView;
  claim_openings: ClaimOpeningsTable;
  offer_claims: OfferClaimsTable;
  label_counts: LabelCountsTable;
  label_days: LabelDaysTable;
  label_deltas: LabelDeltasTable;
  unreadable_labels: UnreadableLabelsTable;
  receipt_keys: ReceiptKeysTable;
}

/**
 * A claim as it is stored: accounts, offers and keys by their numbers. It is written here, and read where an index is
 * needed; other queries read `claims`.
 */
export interface ClaimRowsTable {
  /** Creation order. */
  seq: Generated<number>;
  /** The owner of the listing. */
  account_number: number;
  offer_number: number;
  claimed_at: CompactTime;
  redeemed_at: CompactTime | null;
  /** Set when the operator issued this claimant a new claim in its place. */
  replaced_at: CompactTime | null;
  /** The API key that redeemed. */
  key_number: number | null;
  /** Offer text and kind as the redemption answered them, kept with an Idempotency-Key so that a replay repeats it. */
  wording_number: number | null;
  /** The claimant's account here, where they made the claim themselves. */
  claimant_number: number | null;
  /** 0: the token is a keyed hash of the id and can be shown again. 1: it was imported and cannot. */
  is_imported: number;
  id: CompactId;
  mode: 'live' | 'test';
  /** `hashToken` of the claim token; unique per owner. */
  token_hash: Uint8Array;
  via: string | null;
  /** An outside reference for the claimant. */
  claimant_ref: string | null;
  /** Hash of the Idempotency-Key that redeemed. */
  idempotency_hash: Uint8Array | null;
}

/** A view of `claim_rows` with ids and times as in other tables. Its own columns are the numbers, `seq` and `token_hash`. */
export interface ClaimsView {
  seq: ReadOnly<number>;
  id: ReadOnly<string>;
  account_number: ReadOnly<number>;
  account_id: ReadOnly<string>;
  listing_id: ReadOnly<string>;
  offer_id: ReadOnly<string>;
  mode: ReadOnly<'live' | 'test'>;
  token_hash: ReadOnly<Uint8Array>;
  token_origin: ReadOnly<'derived' | 'imported'>;
  via: ReadOnly<string | null>;
  claimant_ref: ReadOnly<string | null>;
  claimant_number: ReadOnly<number | null>;
  claimant_id: ReadOnly<string | null>;
  claimed_at: ReadOnly<string>;
  redeemed_at: ReadOnly<string | null>;
  redeemed_by_key_id: ReadOnly<string | null>;
  idempotency_hash: ReadOnly<Uint8Array | null>;
  /** Offer text and kind of the wording. */
  redeemed_offer: ReadOnly<string | null>;
  redeemed_kind: ReadOnly<string | null>;
  replaced_at: ReadOnly<string | null>;
}

/** When a claimant first went to the owner's page from here; apart from `claims`, so that those rows stay as they are. */
export interface ClaimOpeningsTable {
  /** The owner of the listing. */
  account_number: number;
  claim_id: string;
  opened_at: string;
}

/** How many live claims an offer has, to compare with its limit. A transaction that makes claims adds them here. */
export interface OfferClaimsTable {
  account_number: number;
  offer_id: string;
  claims: number;
}

/** Folded counts per listing and label, live claims only. `via` is '' for no label. */
export interface LabelCountsTable {
  account_number: number;
  listing_id: string;
  via: string;
  claims: number;
  redeemed: number;
}

/** The same counts by the day (`2026-11-20`, in the zone of the marketplace when they were folded) on which claims were made or imported here, and redeemed. */
export interface LabelDaysTable extends LabelCountsTable {
  day: string;
}

/** Not yet folded changes of the counts; the exact count is the sum of both tables. */
export interface LabelDeltasTable {
  id: Generated<number>;
  account_number: number;
  listing_id: string;
  via: string;
  claims: number;
  redeemed: number;
  at: string;
}

/** Claims that came with a label which cannot be read, by the label as it came; '' counts all that have no row. */
export interface UnreadableLabelsTable {
  account_number: number;
  listing_id: string;
  found: string;
  claims: number;
}

/** The keys of receipts. */
export interface ReceiptKeysTable {
  /** RFC 7638 thumbprint. */
  kid: string;
  /** As it is published: a JSON Web Key. */
  public_key: string;
  /** A JSON Web Key, encrypted under a secret key; `null`: it no longer signs. */
  private_key: string | null;
  created_at: string;
}
