import type { Generated } from 'kysely';

export interface ListingsTable {
  id: string;
  account_id: string;
  slug: string;
  name: string;
  summary: string | null;
  description: string | null;
  url: string;
  /** ID of one of the operator's categories. Kept if the operator removes the category; the listing then shows none. */
  category: string | null;
  /** Who may see the listing and claim its offers; `null`: everyone. */
  visibility: 'members' | null;
  /** Position in the front page's row of featured listings, starting at 1; `null`: not featured. */
  featured: number | null;
  state: 'draft' | 'pending' | 'changes_requested' | 'approved' | 'rejected' | 'withdrawn' | 'suspended';
  reason: string | null;
  /** The approved origin of `url`. While the listing is live, a URL with a different origin must be reviewed. */
  origin: string | null;
  created_at: string;
  submitted_at: string | null;
  decided_at: string | null;
  /** When an operator last approved the listing, rejected it or requested changes. Suspensions don't count. */
  reviewed_at: string | null;
  /** A URL with a different origin, pending review while `url` stays live. */
  proposed_url: string | null;
  proposed_at: string | null;
  /** Why the operator declined `proposed_url`; `null` while the review is pending. */
  declined_reason: string | null;
  /** JSON of texts that wait for review, and of approved texts that the owner has replaced (`TextChanges`). */
  text_changes: string | null;
  /** Since when an operator has changed texts to review; `null`: there are none. */
  texts_changed_at: string | null;
  /** Incremented by each change to the listing or its offers. */
  version: number;
  /** JSON of the listing at its last withdrawal. The next review shows the changes since then. */
  last_live: string | null;
  /** JSON: the operator's request for changes, and the listing as the operator saw it. Kept until the next decision. */
  asked: string | null;
  reply: string | null;
  /** JSON of the values that the operator's last decision replaced. Kept until the listing's next change. */
  undo: string | null;
}

/**
 * Columns by which the front page sorts and filters. One row per approved listing with a public offer. Values that
 * depend on the time or on claims may be up to a minute stale (`popular`: up to an hour).
 */
export interface CardsTable {
  listing_id: string;
  account_id: string;
  approved_at: string;
  category: string | null;
  /** 1: an offer can be claimed. */
  is_open: number;
  /** 1: only members of the marketplace may see the listing. */
  for_members: number;
  /** Bit mask of the kinds of open and scheduled offers (`kindBit`). */
  kinds: number;
  /** The earliest end of an open offer. */
  ends_at: string | null;
  /** Number of live claims in the last 30 days, updated every hour. */
  popular: Generated<number>;
  /** The listing's name in lower case and without accents (`foldCase` in `src/marketplace/listings/card.ts`). */
  name_text: string;
  /** Text of the listing and its public offers, normalized like `name_text`. */
  search_text: string;
  changes_at: string | null;
  /** 1: an offer has a claim limit, or closes when its codes run out. */
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
  kind: OffersTable['kind'];
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
  /** Why the operator declined `proposed_link`; `null` while the review is pending. */
  declined_reason: string | null;
  /** Used only by the owner's test claims and by link checks. Never reviewed. */
  test_link: string | null;
  /** What happens when the offer's code list is empty; `null`: the offer has no code list. */
  code_list: 'close' | 'shared_code' | null;
  /** The key that encrypts the offer's codes. The key itself is encrypted with a secret key. */
  code_key: string | null;
  shop_url: string | null;
  /** Who can claim the offer and how to use it. Plain text with line breaks. */
  conditions: string | null;
  /** When the offer was added to a live listing and began to wait for review; `null`: it isn't hidden. */
  hidden_since: string | null;
}

/**
 * People who want one email when an offer can be claimed. A person without a confirmed address must confirm it first.
 * The row is deleted when the email is stored.
 */
export interface WaitingPeopleTable {
  /** In order of joining. */
  id: string;
  offer_id: string;
  email: string;
  /** `mailboxOf` the address: a person is on the list once. */
  mailbox: string;
  created_at: string;
  /** `null`: the link in the confirmation email was not used yet. */
  confirmed_at: string | null;
  expires_at: string;
}

/** People's reports about listings. A job deletes closed reports after a retention period. */
export interface ReportsTable {
  id: string;
  listing_id: string;
  cause: string;
  words: string | null;
  /** `null`: the reporter was not signed in, or their account was deleted. */
  reporter_id: string | null;
  /** An email address that the reporter left for questions. Nothing is sent to it. */
  reply_to: string | null;
  /** 1: the reporter was signed in and had confirmed their email address. */
  is_confirmed: number;
  /** A keyed hash of the reporter's network and the listing, until the report is closed. */
  network: string | null;
  created_at: string;
  /** When an operator dismissed the report or suspended the listing. */
  closed_at: string | null;
}

/** Questions of operators to the owners of live listings. */
export interface ListingQuestionsTable {
  id: string;
  listing_id: string;
  question: string;
  asked_at: string;
  reply: string | null;
  replied_at: string | null;
}
