import type { Generated } from 'kysely';

export interface ListingsTable {
  id: string;
  account_id: string;
  slug: string;
  name: string;
  summary: string | null;
  description: string | null;
  url: string;
  /** ID of one of the operator's categories. It stays if the category is removed, but the listing then shows none. */
  category: string | null;
  /** The listing's position in the featured row of the front page, from 1; `null`: not featured. */
  featured: number | null;
  state: 'draft' | 'pending' | 'changes_requested' | 'approved' | 'rejected' | 'withdrawn' | 'suspended';
  reason: string | null;
  /** The approved origin of `url`. While the listing is live, a URL with a different origin has to be reviewed. */
  origin: string | null;
  created_at: string;
  submitted_at: string | null;
  decided_at: string | null;
  /** When an operator last approved it, rejected it or asked for changes; suspensions don't count. */
  reviewed_at: string | null;
  /** A URL with a different origin, pending review while `url` stays live. */
  proposed_url: string | null;
  proposed_at: string | null;
  /** Why the operator declined `proposed_url`; unset while it is pending. */
  declined_reason: string | null;
  /** Grows with each change to the listing or its offers. */
  version: number;
  /** JSON of the listing as it was before its last withdrawal; a later review shows what has changed since. */
  last_live: string | null;
  /** JSON of the requested changes and the version that the operator saw, until the next decision. */
  asked: string | null;
  reply: string | null;
  /** JSON of what the operator's last decision replaced, until the next change. */
  undo: string | null;
}

/** What the front page sorts and filters by: one row for each approved listing with a public offer. */
export interface CardsTable {
  listing_id: string;
  account_id: string;
  approved_at: string;
  category: string | null;
  /** 1: an offer can be claimed. May be a minute out of date, like other columns that depend on time or claims. */
  is_open: number;
  /** Kinds of the offers that are open or scheduled, as bits. */
  kinds: number;
  /** When the first of the open offers ends. */
  ends_at: string | null;
  /** Live claims of the last 30 days, counted every hour. */
  popular: Generated<number>;
  /** The listing's name, without case and accents (`fold` in `src/listings/card.ts`). */
  name_text: string;
  /** Words of the listing and its public offers, in the same form. */
  search_text: string;
  changes_at: string | null;
  /** 1: an offer closes once enough people have claimed it. */
  is_limited: number;
}

export interface LinkProbesTable {
  listing_id: string;
  version: number;
  at: string;
  answers: string;
}

export interface OfferWordingsTable {
  number: Generated<number>;
  offer_id: string;
  offer: string;
  kind: 'discount' | 'trial' | 'credit' | 'bonus' | 'access' | 'gift';
}

export interface OffersTable {
  /** Stored in compact rows instead of the ID. */
  number: Generated<number>;
  id: string;
  account_id: string;
  account_number: number;
  listing_id: string;
  offer: string;
  kind: 'discount' | 'trial' | 'credit' | 'bonus' | 'access' | 'gift';
  wording_number: number;
  /** The live link, shown once the listing is approved. */
  redemption_link: string | null;
  code: string | null;
  starts_at: string | null;
  ends_at: string | null;
  claim_limit: number | null;
  paused_at: string | null;
  created_at: string;
  /** A link with a different origin, pending review while `redemption_link` stays live. */
  proposed_link: string | null;
  proposed_at: string | null;
  /** Why the operator declined `proposed_link`; unset while it is pending. */
  declined_reason: string | null;
  /** Opened only with test claims, by the owner and by link checks; never reviewed. */
  test_link: string | null;
  /** What happens when the offer's code list is empty; `null`: the offer has no code list. */
  code_list: 'close' | 'shared_code' | null;
  /** The key that encrypts the offer's codes; the key itself is encrypted under a secret key. */
  code_key: string | null;
  shop_url: string | null;
  /** Who can claim it and how to use it, plain text with line breaks. */
  conditions: string | null;
}

/** What people reported about listings; closed reports are deleted after a while. */
export interface ReportsTable {
  id: string;
  listing_id: string;
  cause: string;
  words: string | null;
  /** `null`: the person was not signed in, or their account was deleted. */
  reporter_id: string | null;
  created_at: string;
  /** When an operator dismissed the report or suspended the listing. */
  closed_at: string | null;
}
