import type { ColumnType, Generated } from 'kysely';

export type ReadOnly<T> = ColumnType<T, never, never>;

/** A time in a compact row: milliseconds on SQLite, ISO 8601 UTC on PostgreSQL. */
export type CompactTime = number | string;

/** An id in a compact row: 16 bytes on SQLite, a UUID as text on PostgreSQL. */
export type CompactId = Uint8Array | string;

/** The time of an event. `null` on SQLite if it equals the time of the claim or of its redemption. */
export type EventTime = string | null;

/** Writes use this table, as do reads that need an index; other queries use the view `claims`. */
export interface ClaimRowsTable {
  seq: Generated<number>;
  account_number: number;
  offer_number: number;
  claimed_at: CompactTime;
  redeemed_at: CompactTime | null;
  /** When the operator issued the claimant a new claim in place of this one. */
  replaced_at: CompactTime | null;
  key_number: number | null;
  /** The offer's text and kind at redemption, for replays. Stored only if the call had an Idempotency-Key. */
  wording_number: number | null;
  /** The claimant's account, if they claimed the offer on this marketplace. */
  claimant_number: number | null;
  /** 0: the token is a keyed hash of the id and can be shown again. 1: it was imported and can't be shown again. */
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

/** A view of `claim_rows` with IDs and times as in other tables, plus the numbers, `seq` and `token_hash`. */
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
  /** Text and kind of the offer at redemption (`wording_number`); `null` unless the call had an Idempotency-Key. */
  redeemed_offer: ReadOnly<string | null>;
  redeemed_kind: ReadOnly<string | null>;
  replaced_at: ReadOnly<string | null>;
}

/** When a claimant first followed the link to the owner's page. A separate table, so that claims needn't be updated. */
export interface ClaimOpeningsTable {
  account_number: number;
  claim_id: string;
  opened_at: string;
}

/** The owner's reference for a redemption. A separate table, so that claim rows stay short. */
export interface ClaimReferencesTable {
  account_number: number;
  claim_seq: number;
  reference: string;
}

/** Live claims and codes per offer. Updated in the transaction of the change. */
export interface OfferClaimsTable {
  account_number: number;
  offer_id: string;
  claims: Generated<number>;
  /** Codes that new claims can still get, not counting codes that are withheld after a restore. */
  codes_left: Generated<number>;
  codes_given: Generated<number>;
}

export interface LabelCounts {
  claims: number;
  redeemed: number;
  arrived: Generated<number>;
  /** Views of the listing's page, and the people who viewed it. Each person is counted once a day. */
  visits: Generated<number>;
  visitors: Generated<number>;
}

/** Live claims per listing and label, without the recent changes in `LabelDeltasTable`. `via` is '' for no label. */
export interface LabelCountsTable extends LabelCounts {
  account_number: number;
  listing_id: string;
  via: string;
}

/** The same counts per day. Days are in the time zone that the marketplace had when the job added the counts. */
export interface LabelDaysTable extends LabelCountsTable {
  day: string;
}

/** The same counts per month, each the sum of the month's days. */
export interface LabelMonthsTable extends LabelCountsTable {
  month: string;
}

/** The same counts per day, for all listings together. */
export interface MarketDaysTable extends LabelCounts {
  day: string;
}

/** Changes that are not in `LabelCountsTable` yet; the exact count is the sum of both. `null` is 0. */
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
}

/** Claims and visits with an invalid label, as received. The row with '' counts labels beyond `MAX_UNREADABLE`. */
export interface UnreadableLabelsTable {
  account_number: number;
  listing_id: string;
  found: string;
  claims: number;
  visits: number;
}

/** The salt of a day's visitors, and how many were counted. Not on SQLite, see `src/campaigns/visitor-queries.ts`. */
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
  /** Order in which claims are given the codes. */
  seq: Generated<number>;
  account_number: number;
  offer_id: string;
  /** A hash of the code under the key of the offer's codes. */
  code_hash: Uint8Array;
  /** Encrypted under the key of the offer's codes. */
  code: string;
  added_at: string;
  /** The claim that was given the code; `null`: it is still available. */
  claim_id: string | null;
  /** Set by a restore: the code may have been given out since the backup, so an operator must release it first. */
  withheld_at: string | null;
}

export interface ReceiptKeysTable {
  /** RFC 7638 thumbprint. */
  kid: string;
  public_key: string;
  /** A JSON Web Key, encrypted under a secret key; `null`: the key no longer signs. */
  private_key: string | null;
  created_at: string;
}

/** Types of edit events. A further edit may replace the last event with one that covers both and has a new number. */
export const REPLACED_TYPES = [
  'account.renamed',
  'endpoint.changed',
  'listing.changed',
  'offer.changed',
] as const;

/** A stored event. A claim's event leaves out what the claim row has. */
export interface EventRowsTable {
  seq: Generated<number>;
  claim_seq: number | null;
  /** `null`, on SQLite only: the time of the claim or of its redemption. */
  at: EventTime;
  account_number: number;
  type: string;
  /** `null`: for a redemption, the API key that redeemed the claim; for a claim's creation, the operator. */
  actor: string | null;
  subject_id: string | null;
  /** `null`: computed from the claim. */
  data: string | null;
}

/** A view of `event_rows` with the omitted values filled in from the claim. */
export interface EventsView {
  seq: ReadOnly<number>;
  account_number: ReadOnly<number>;
  account_id: ReadOnly<string>;
  type: ReadOnly<string>;
  at: ReadOnly<string>;
  /** Who did it: an `Actor` (`src/events/queries.ts`), such as `operator` or `key:<id>`. */
  actor: ReadOnly<string>;
  /** Id of what the event is about, such as an account, a listing or a claim. */
  subject_id: ReadOnly<string>;
  data: ReadOnly<string>;
}
