import type { ColumnType, Generated } from 'kysely';

export type ReadOnly<T> = ColumnType<T, never, never>;

/** A time in a compact row: milliseconds on SQLite, ISO 8601 UTC on PostgreSQL. */
export type CompactTime = number | string;

/** An id in a compact row: 16 bytes on SQLite, a UUID as text on PostgreSQL. */
export type CompactId = Uint8Array | string;

/** The time of an event. SQLite stores `null` if this time equals the claim's `claimed_at` or `redeemed_at`. */
export type EventTime = string | null;

/** Used by writes and by reads that need an index. Other queries use the view `claims`. */
export interface ClaimRowsTable {
  seq: Generated<number>;
  account_number: number;
  offer_number: number;
  claimed_at: CompactTime;
  redeemed_at: CompactTime | null;
  /** When the operator replaced this claim with a new one for the claimant. */
  replaced_at: CompactTime | null;
  key_number: number | null;
  /** The offer's text and kind at redemption, for replays; `null` unless the call had an Idempotency-Key. */
  wording_number: number | null;
  /** The claimant's account, if the offer was claimed on this marketplace. */
  claimant_number: number | null;
  /** 0: the token is an HMAC of the id, so it can be shown again. 1: an imported token, stored only as a hash. */
  is_imported: number;
  id: CompactId;
  mode: 'live' | 'test';
  /** `hashToken` of the claim token; unique per owner. */
  token_hash: Uint8Array;
  via: string | null;
  /** An external marketplace's reference for the claimant. */
  claimant_ref: string | null;
  idempotency_hash: Uint8Array | null;
}

/** A view of `claim_rows` that converts compact IDs and times to the format of other tables. */
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
  /** The offer's text and kind at redemption (`wording_number`); `null` unless the call had an Idempotency-Key. */
  redeemed_offer: ReadOnly<string | null>;
  redeemed_kind: ReadOnly<string | null>;
  replaced_at: ReadOnly<string | null>;
}

/** When a claimant first followed the link to the owner's page. A separate table, to avoid updating claim rows. */
export interface ClaimOpeningsTable {
  account_number: number;
  claim_id: string;
  opened_at: string;
}

/** The owner's reference for a redemption. A separate table, to keep claim rows short. */
export interface ClaimReferencesTable {
  account_number: number;
  claim_seq: number;
  reference: string;
}

/** Counts of live claims and codes per offer, updated in the transaction that changes the claims or codes. */
export interface OfferClaimsTable {
  account_number: number;
  offer_id: string;
  claims: Generated<number>;
  /** Codes available to new claims. Codes withheld after a restore don't count. */
  codes_left: Generated<number>;
  codes_given: Generated<number>;
}

export interface LabelCounts {
  claims: number;
  redeemed: number;
  arrived: Generated<number>;
  /** Views of the listing's page. */
  visits: Generated<number>;
  /** People who viewed the listing's page, each counted once a day. */
  visitors: Generated<number>;
  /** Claims whose offer had no redemption link when they were made, so they can't be redeemed here. */
  code_claims: Generated<number>;
}

export interface LabelRow extends LabelCounts {
  account_number: number;
  listing_id: string;
  via: string;
}

/** Live claims and visits per listing and label, except changes in `LabelDeltasTable`. `via` is '' for no label. */
export interface LabelCountsTable extends LabelRow {
  /** When the owner created a share link with the label; `null`: only others have used the label. */
  registered_at: string | null;
}

/** The same counts per day, in the time zone that the marketplace had when a background job added the counts. */
export interface LabelDaysTable extends LabelRow {
  day: string;
}

/** The same counts per month. */
export interface LabelMonthsTable extends LabelRow {
  month: string;
}

/** Daily totals of the same counts over all listings. */
export interface MarketDaysTable extends LabelCounts {
  day: string;
}

/** Changes not yet added to `LabelCountsTable`. The exact count is the sum of both tables. `null` means 0. */
export interface LabelDeltasTable {
  id: Generated<number>;
  account_number: number;
  listing_id: string;
  via: string;
  claims: number;
  redeemed: number;
  at: string;
  arrived: number | null;
  visits: number | null;
  visitors: number | null;
  code_claims: number | null;
}

/** Claims and visits per invalid label. The row with `found` = '' sums all labels beyond `MAX_UNREADABLE`. */
export interface UnreadableLabelsTable {
  account_number: number;
  listing_id: string;
  found: string;
  claims: number;
  visits: number;
}

/** The salt for a day's visitor hashes, and the number of visitors. Unused on SQLite (see `visitor-queries.ts`). */
export interface VisitorDaysTable {
  day: string;
  salt: Uint8Array;
  visitors: number;
}

export interface VisitorsTable {
  day: string;
  hash: number;
}

/** Code lists: one code per claim. */
export interface OfferCodesTable {
  /** Codes are assigned to claims in this order. */
  seq: Generated<number>;
  account_number: number;
  offer_id: string;
  /** A hash of the code, keyed with the offer's code key. */
  code_hash: Uint8Array;
  /** Encrypted with the offer's code key. */
  code: string;
  added_at: string;
  /** The claim that got the code; `null`: no claim has it yet. */
  claim_id: string | null;
  /** Set by a restore: the code may have been assigned after the backup, so an operator must release it before use. */
  withheld_at: string | null;
}

export interface ReceiptKeysTable {
  /** RFC 7638 thumbprint. */
  kid: string;
  public_key: string;
  /** A JSON Web Key, encrypted with a secret key; `null`: the key no longer signs. */
  private_key: string | null;
  created_at: string;
}

/** Types of edit events. A later edit may replace the event with a new one that covers both edits. */
export const REPLACED_TYPES = [
  'account.renamed',
  'endpoint.changed',
  'listing.changed',
  'offer.changed',
] as const;

/** Stored events. An event about a claim omits values that can be read from the claim row. */
export interface EventRowsTable {
  seq: Generated<number>;
  claim_seq: number | null;
  at: EventTime;
  account_number: number;
  type: string;
  /** `null` means the API key that redeemed the claim (`claim.redeemed`) or the operator (`claim.created`). */
  actor: string | null;
  subject_id: string | null;
  /** `null`: computed from the claim. */
  data: string | null;
  /** Trace ID and flags of the request that caused the event (`Trace`), if it had a valid `traceparent` header. */
  trace: string | null;
}

/** A view of `event_rows` with the omitted values filled in from the claim. */
export interface EventsView {
  seq: ReadOnly<number>;
  account_number: ReadOnly<number>;
  account_id: ReadOnly<string>;
  type: ReadOnly<string>;
  at: ReadOnly<string>;
  /** An `Actor` (`src/base/events/queries.ts`), such as `operator` or `key:<id>`. */
  actor: ReadOnly<string>;
  /** ID of the account, listing, claim or other object that the event is about. */
  subject_id: ReadOnly<string>;
  data: ReadOnly<string>;
  trace: ReadOnly<string | null>;
}

/** Claims on a limited offer within five minutes, by network and by mail domain. Deleted after a day. */
export interface ClaimNetworksTable {
  account_number: number;
  offer_id: string;
  /** The start of the five minutes. */
  since: string;
  /** A keyed hash of the network, or of the mail domain, and the offer. */
  network: string;
  claims: number;
  /** The claims that count towards the share (`src/claims/networks/share.ts`). */
  counted: number;
}
