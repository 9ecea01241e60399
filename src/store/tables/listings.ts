/** Listings and their offers. */
import type { Generated } from 'kysely';

export interface ListingTables {
  listings: ListingsTable;
  link_probes: LinkProbesTable;
  offers: OffersTable;
  offer_wordings: OfferWordingsTable;
}

export interface ListingsTable {
  id: string;
  account_id: string;
  /** Unique over the whole marketplace. */
  slug: string;
  name: string;
  /** One line for lists. */
  summary: string | null;
  /** Plain text with line breaks. */
  description: string | null;
  url: string;
  state: 'draft' | 'pending' | 'changes_requested' | 'approved' | 'rejected' | 'withdrawn' | 'suspended';
  /** Why the operator decided as they did. */
  reason: string | null;
  /** Origin of `url`, pinned by approval. */
  origin: string | null;
  created_at: string;
  submitted_at: string | null;
  decided_at: string | null;
  /** A `url` of another origin than the pinned one, which waits for the operator while `url` stays live. */
  proposed_url: string | null;
  proposed_at: string | null;
  /** Why the operator declined `proposed_url`; unset while it waits. */
  declined_reason: string | null;
  /** Grows with each change of the listing or its offers. */
  version: number;
  /** Folded words of the listing and its live offers, for searching. */
  search_text: string;
  /** JSON of what the last withdrawal took offline, which a later review is compared with. */
  last_live: string | null;
  /** JSON of the changes that the operator asked for, and the version that they saw; until the next decision. */
  asked: string | null;
  /** What the owner answered to that. */
  reply: string | null;
  /** JSON of what a decision of the operator replaced, until the next change. */
  undo: string | null;
}

/** What the last requests to the addresses of a listing found. */
export interface LinkProbesTable {
  listing_id: string;
  /** Of the listing. */
  version: number;
  at: string;
  /** JSON. */
  answers: string;
}

/** The texts that an offer has or had. */
export interface OfferWordingsTable {
  number: Generated<number>;
  offer_id: string;
  offer: string;
  kind: 'discount' | 'trial' | 'credit' | 'bonus' | 'access' | 'gift';
}

export interface OffersTable {
  /** The number that compact rows have in place of its id. */
  number: Generated<number>;
  id: string;
  account_id: string;
  /** Of the account: its claims are counted by it. */
  account_number: number;
  listing_id: string;
  /** The text that names the offer. */
  offer: string;
  kind: 'discount' | 'trial' | 'credit' | 'bonus' | 'access' | 'gift';
  /** The wording with this text and kind. */
  wording_number: number;
  /** The link that is live, once its listing is. */
  redemption_link: string | null;
  /** The shared code for checkout. */
  code: string | null;
  ends_at: string | null;
  claim_limit: number | null;
  paused_at: string | null;
  created_at: string;
  /** A link of another origin than the pinned one, which waits for the operator while `redemption_link` stays live. */
  proposed_link: string | null;
  proposed_at: string | null;
  /** Why the operator declined `proposed_link`; unset while it waits. */
  declined_reason: string | null;
  /** Opened by the owner only, with test claims; never reviewed. */
  test_link: string | null;
  /** What happens when its list of codes is empty; `null`: it has no list. */
  code_list: 'close' | 'shared_code' | null;
  /** The key of its codes, encrypted under a secret key. */
  code_key: string | null;
  /** Where people enter the code. */
  shop_url: string | null;
  /** Who may claim it and how, plain text with line breaks. */
  conditions: string | null;
}
