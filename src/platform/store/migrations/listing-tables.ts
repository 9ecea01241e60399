import type { ColumnTypes } from './migration.ts';

export const listingTables = (t: ColumnTypes): readonly string[] => [
  `create table listings (
    id ${t.id} primary key,
    account_id ${t.id} not null references accounts (id),
    slug text not null unique,
    name text not null,
    summary text,
    description text,
    url text not null,
    category text,
    visibility text,
    featured ${t.count},
    state text not null,
    reason text,
    origin text,
    created_at ${t.time} not null,
    submitted_at ${t.time},
    decided_at ${t.time},
    reviewed_at ${t.time},
    proposed_url text,
    proposed_at ${t.time},
    declined_reason text,
    text_changes ${t.json},
    texts_changed_at ${t.time},
    version ${t.count} not null,
    last_live ${t.json},
    asked ${t.json},
    reply text,
    undo ${t.json}
  ) ${t.tableEnd}`,
  'create index listings_by_account on listings (account_id, id)',
  'create index listings_by_origin on listings (origin) where origin is not null',
  "create index listings_public on listings (decided_at, id) where state = 'approved'",
  'create index listings_featured on listings (featured) where featured is not null',
  "create index listings_pending on listings (submitted_at, id) where state = 'pending'",
  'create index listings_reviewed on listings (reviewed_at, submitted_at) where reviewed_at is not null',
  'create index listings_proposed on listings (proposed_at, id) where proposed_url is not null',
  'create index listings_texts_changed on listings (texts_changed_at, id) where texts_changed_at is not null',
  `create table link_probes (
    listing_id ${t.id} primary key,
    version ${t.count} not null,
    at ${t.time} not null,
    answers text not null
  ) ${t.tableEnd}`,
  `create table reports (
    id ${t.id} primary key,
    listing_id ${t.id} not null,
    cause text not null,
    words text,
    reporter_id ${t.id},
    reply_to text,
    is_confirmed ${t.flag} not null,
    network text,
    created_at ${t.time} not null,
    closed_at ${t.time}
  ) ${t.tableEnd}`,
  'create index reports_open on reports (listing_id, created_at) where closed_at is null',
  'create index reports_closed on reports (closed_at) where closed_at is not null',
  `create table listing_questions (
    id ${t.id} primary key,
    listing_id ${t.id} not null,
    question text not null,
    asked_at ${t.time} not null,
    reply text,
    replied_at ${t.time}
  ) ${t.tableEnd}`,
  // A listing has at most one question without a reply.
  'create unique index listing_questions_open on listing_questions (listing_id) where replied_at is null',
  'create index listing_questions_by_listing on listing_questions (listing_id, asked_at)',
];

/** The columns by which the front page sorts and filters. Rows are small, so that a search reads few database pages. */
export const cardTables = (t: ColumnTypes): readonly string[] => [
  `create table cards (
    listing_id ${t.id} primary key,
    account_id ${t.id} not null,
    approved_at ${t.time} not null,
    category text,
    is_open ${t.flag} not null,
    for_members ${t.flag} not null,
    kinds ${t.count} not null,
    ends_at ${t.time},
    popular ${t.count} not null default 0,
    name_text text not null,
    search_text text not null,
    changes_at ${t.time},
    is_limited ${t.flag} not null
  ) ${t.tableEnd}`,
  // Covering indexes for filters and counts.
  'create index cards_counts on cards (category, kinds, ends_at, account_id, for_members)',
  'create index cards_newest on cards (is_open, approved_at, listing_id, category, kinds, ends_at, account_id, for_members)',
  'create index cards_popular on cards (is_open, popular, approved_at, listing_id, category, kinds, account_id, for_members)',
  'create index cards_ending on cards (ends_at, listing_id, category, kinds, account_id, for_members) where ends_at is not null',
  'create index cards_changing on cards (changes_at) where changes_at is not null',
  'create index cards_limited on cards (listing_id) where is_limited = 1',
];

export const offerTables = (t: ColumnTypes): readonly string[] => [
  `create table offer_wordings (
    number ${t.ownNumber},
    offer_id ${t.id} not null,
    offer text not null,
    kind text not null
  ) ${t.tableEnd}`,
  'create unique index offer_wordings_by_text on offer_wordings (offer_id, kind, offer)',
  `create table offers (
    number ${t.ownNumber},
    id ${t.id} not null unique,
    account_id ${t.id} not null references accounts (id),
    account_number ${t.number} not null references accounts (number),
    listing_id ${t.id} not null references listings (id),
    offer text not null,
    kind text not null,
    wording_number ${t.number} not null references offer_wordings (number),
    redemption_link text,
    code text,
    starts_at ${t.time},
    ends_at ${t.time},
    claim_limit ${t.count},
    paused_at ${t.time},
    created_at ${t.time} not null,
    proposed_link text,
    proposed_at ${t.time},
    declined_reason text,
    test_link text,
    code_list text,
    code_key text,
    shop_url text,
    conditions text,
    hidden_since ${t.time},
    check (redemption_link is not null or code is not null or proposed_link is not null or code_list is not null)
  ) ${t.tableEnd}`,
  'create index offers_proposed on offers (proposed_at, id) where proposed_link is not null',
  'create index offers_by_listing on offers (listing_id, kind)',
  'create index offers_by_account on offers (account_id, id)',
  `create table waiting_people (
    id ${t.id} primary key,
    offer_id ${t.id} not null,
    email text not null,
    mailbox text not null,
    created_at ${t.time} not null,
    confirmed_at ${t.time},
    expires_at ${t.time} not null
  ) ${t.tableEnd}`,
  'create unique index waiting_people_by_offer on waiting_people (offer_id, mailbox)',
  'create index waiting_people_confirmed on waiting_people (offer_id, id) where confirmed_at is not null',
  'create index waiting_people_by_mailbox on waiting_people (mailbox)',
  'create index waiting_people_by_expiry on waiting_people (expires_at)',
];

/** Pictures are stored in the database, so that every process can serve them and backups include them. */
export const pictureTables = (t: ColumnTypes): readonly string[] => [
  `create table pictures (
    id ${t.id} primary key,
    account_id ${t.id} references accounts (id),
    listing_id ${t.id},
    subject_id ${t.id} not null,
    kind text not null,
    files ${t.json} not null,
    bytes ${t.count} not null,
    created_at ${t.time} not null,
    proposed_at ${t.time},
    declined_reason text,
    replaced_at ${t.time}
  ) ${t.tableEnd}`,
  'create unique index pictures_shown on pictures (subject_id, kind) where replaced_at is null and proposed_at is null',
  'create unique index pictures_proposed on pictures (subject_id, kind) where proposed_at is not null',
  'create index pictures_waiting on pictures (proposed_at) where proposed_at is not null and declined_reason is null',
  'create index pictures_by_listing on pictures (listing_id)',
  'create index pictures_by_account on pictures (account_id)',
  'create index pictures_replaced on pictures (replaced_at) where replaced_at is not null',
  `create table picture_files (
    name text not null,
    picture_id ${t.id} not null references pictures (id) on delete cascade,
    data ${t.bytes} not null,
    primary key (name, picture_id)
  ) ${t.tableEnd}`,
  'create index picture_files_by_picture on picture_files (picture_id)',
];
