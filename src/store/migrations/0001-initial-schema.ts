import { FAILED_CALLS, FAILING_ENDPOINTS } from '../partial-indexes.ts';
import { claimTables, codeTables, eventTables } from './claim-tables.ts';
import { countTables } from './count-tables.ts';
import type { ColumnTypes, Migration } from './migration.ts';
import { signInTables } from './sign-in-tables.ts';

const accountTables = (t: ColumnTypes): readonly string[] => [
  `create table accounts (
    number ${t.ownNumber},
    id ${t.id} not null unique,
    email text not null unique,
    mailbox text not null,
    name text not null,
    plan text not null,
    operator_since ${t.time},
    publisher_since ${t.time},
    suspended_at ${t.time},
    email_verified_at ${t.time},
    two_factor_at ${t.time},
    terms_version text,
    terms_accepted_at ${t.time},
    created_at ${t.time} not null,
    delete_at ${t.time},
    delete_reason text,
    deleted_at ${t.time}
  ) ${t.tableEnd}`,
  'create index accounts_by_mailbox on accounts (mailbox)',
  'create index accounts_suspended on accounts (id) where suspended_at is not null',
  'create index accounts_to_delete on accounts (delete_at) where delete_at is not null',
  `create table account_uses (
    account_id ${t.id} primary key,
    last_used_at ${t.time} not null
  ) ${t.tableEnd}`,
  `create table account_requests (
    id ${t.id} primary key,
    account_id ${t.id} not null,
    wish text not null,
    plan text,
    message text,
    asked_by_id ${t.id},
    created_at ${t.time} not null,
    declined_at ${t.time},
    reason text
  ) ${t.tableEnd}`,
  'create unique index account_requests_by_account on account_requests (account_id, wish)',
  'create index account_requests_open on account_requests (created_at, id) where declined_at is null',
  `create table mailbox_marks (
    account_number ${t.number} not null,
    offer_id ${t.id} not null,
    mark ${t.bytes} not null,
    primary key (account_number, offer_id, mark)
  ) ${t.tableEnd}`,
];

const listingTables = (t: ColumnTypes): readonly string[] => [
  `create table listings (
    id ${t.id} primary key,
    account_id ${t.id} not null references accounts (id),
    slug text not null unique,
    name text not null,
    summary text,
    description text,
    url text not null,
    category text,
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
    created_at ${t.time} not null,
    closed_at ${t.time}
  ) ${t.tableEnd}`,
  'create index reports_open on reports (listing_id, created_at) where closed_at is null',
  'create index reports_closed on reports (closed_at) where closed_at is not null',
];

/** What the front page sorts and filters by: narrow rows, so that a search reads few pages. */
const cardTables = (t: ColumnTypes): readonly string[] => [
  `create table cards (
    listing_id ${t.id} primary key,
    account_id ${t.id} not null,
    approved_at ${t.time} not null,
    category text,
    is_open ${t.flag} not null,
    kinds ${t.count} not null,
    ends_at ${t.time},
    popular ${t.count} not null default 0,
    name_text text not null,
    search_text text not null,
    changes_at ${t.time},
    is_limited ${t.flag} not null
  ) ${t.tableEnd}`,
  // With all columns that filters and counts need, so that these don't read the table.
  'create index cards_counts on cards (category, kinds, ends_at, account_id)',
  'create index cards_newest on cards (is_open, approved_at, listing_id, category, kinds, ends_at, account_id)',
  'create index cards_popular on cards (is_open, popular, approved_at, listing_id, category, kinds, account_id)',
  'create index cards_ending on cards (ends_at, listing_id, category, kinds, account_id) where ends_at is not null',
  'create index cards_changing on cards (changes_at) where changes_at is not null',
  'create index cards_limited on cards (listing_id) where is_limited = 1',
];

const offerTables = (t: ColumnTypes): readonly string[] => [
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
    check (redemption_link is not null or code is not null or proposed_link is not null or code_list is not null)
  ) ${t.tableEnd}`,
  'create index offers_proposed on offers (proposed_at, id) where proposed_link is not null',
  'create index offers_by_listing on offers (listing_id, kind)',
  'create index offers_by_account on offers (account_id, id)',
];

/** Kept in the database, so that every process serves them and backups have them. */
const pictureTables = (t: ColumnTypes): readonly string[] => [
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

/** API keys and operator keys. */
const keyTables = (t: ColumnTypes): readonly string[] => [
  `create table api_keys (
    number ${t.ownNumber},
    id ${t.id} not null unique,
    account_id ${t.id} not null references accounts (id),
    account_number ${t.number} not null references accounts (number),
    name text not null,
    mode text not null,
    secret_hash ${t.bytes} not null unique,
    start text not null,
    created_at ${t.time} not null,
    expires_at ${t.time},
    revoked_at ${t.time},
    seen_in_browser_at ${t.time},
    rolled_to_id ${t.id},
    created_by_id ${t.id}
  ) ${t.tableEnd}`,
  'create index api_keys_by_account on api_keys (account_id)',
  `create table api_key_uses (
    account_id ${t.id} not null,
    api_key_id ${t.id} not null,
    last_used_at ${t.time} not null,
    primary key (account_id, api_key_id)
  ) ${t.tableEnd}`,
  `create table operator_keys (
    id ${t.id} primary key,
    account_id ${t.id} not null references accounts (id),
    name text not null,
    scopes text not null,
    secret_hash ${t.bytes} not null unique,
    start text not null,
    created_at ${t.time} not null,
    expires_at ${t.time},
    revoked_at ${t.time},
    rolled_to_id ${t.id},
    last_used_at ${t.time}
  ) ${t.tableEnd}`,
  'create index operator_keys_by_account on operator_keys (account_id)',
];

/** The request log and link checks. */
const attemptTables = (t: ColumnTypes): readonly string[] => [
  `create table attempts (
    id ${t.partitionedSequence},
    account_id ${t.id} not null,
    mode text not null,
    at ${t.time} not null,
    request_id text not null,
    api_key_id ${t.id},
    cause text not null,
    detail text,
    redeem ${t.count},
    token_last4 text,
    token_hash ${t.bytes},
    offer_id ${t.id},
    via text,
    idempotency_last4 text,
    latency_us ${t.count} not null,
    ip text,
    user_agent text,
    origin text,
    request_line text
    ${t.sequenceKey('account_id, id, at')}
  ) ${t.partitionedEnd}`,
  ...t.defaultPartition('attempts'),
  'create index attempts_by_time on attempts (at)',
  // Lists, newest first. No index includes the token: entries in random places made a flush five times as long.
  `create index attempts_by_account on attempts (account_id, mode, at${t.sequenceInIndex('id')})`,
  `create index attempts_by_cause on attempts (account_id, mode, cause, at${t.sequenceInIndex('id')})`,
  `create index attempts_by_key on attempts (account_id, mode, api_key_id, at${t.sequenceInIndex('id')})`,
  `create index attempts_by_offer on attempts (account_id, mode, offer_id, at${t.sequenceInIndex('id')})
    where offer_id is not null`,
  'create index attempts_by_request on attempts (request_id, account_id)',
  `create index attempts_failed on attempts (at) where ${FAILED_CALLS}`,
  `create table link_checks (
    account_id ${t.id} not null,
    offer_id ${t.id} not null references offers (id),
    link text not null,
    claim_id ${t.id} not null,
    started_at ${t.time} not null,
    visited_at ${t.time},
    visits text,
    browser_claim_id ${t.id},
    opened_at ${t.time},
    reopened_at ${t.time},
    primary key (account_id, offer_id)
  ) ${t.tableEnd}`,
  `create table first_verifications (
    account_id ${t.id} not null,
    at ${t.time} not null,
    request_id text not null,
    api_key_id ${t.id},
    outcome text not null,
    token_last4 text,
    latency_us ${t.count} not null,
    primary key (account_id, outcome)
  ) ${t.tableEnd}`,
  `create table unrecorded_calls (
    account_id ${t.id} primary key,
    calls ${t.count} not null,
    last_at ${t.time} not null
  ) ${t.tableEnd}`,
];

/** Endpoints of owners, and the events that go to them. */
export const webhookTables = (t: ColumnTypes): readonly string[] => [
  `create table webhook_endpoints (
    id ${t.id} primary key,
    account_id ${t.id} not null references accounts (id),
    format text not null,
    url text not null,
    description text,
    event_types ${t.json} not null,
    secret text not null,
    secret_made_at ${t.time} not null,
    old_secret text,
    old_secret_until ${t.time},
    created_at ${t.time} not null,
    failing_since ${t.time},
    disabled_at ${t.time},
    disabled_reason text,
    deleted_at ${t.time},
    cursor ${t.count} not null
  ) ${t.tableEnd}`,
  'create index webhook_endpoints_by_account on webhook_endpoints (account_id, id)',
  `create index webhook_endpoints_failing on webhook_endpoints (account_id, id) where ${FAILING_ENDPOINTS}`,
  `create table deliveries (
    id ${t.id} not null,
    account_id ${t.id} not null,
    endpoint_id ${t.id} not null references webhook_endpoints (id),
    event_seq ${t.count},
    message_id text not null,
    type text not null,
    payload text not null,
    created_at ${t.time} not null,
    attempts ${t.count} not null,
    next_at ${t.time},
    delivered_at ${t.time},
    failed_at ${t.time},
    primary key (account_id, id)
  ) ${t.tableEnd}`,
  // An event is sent to an endpoint once, however often the log is read.
  'create unique index deliveries_by_event on deliveries (account_id, endpoint_id, event_seq)',
  'create index deliveries_by_endpoint on deliveries (endpoint_id, id)',
  'create index deliveries_waiting on deliveries (endpoint_id, next_at) where next_at is not null',
  'create index deliveries_failed on deliveries (endpoint_id, created_at) where failed_at is not null',
  `create table delivery_attempts (
    id ${t.id} not null,
    account_id ${t.id} not null,
    delivery_id ${t.id} not null,
    url text not null,
    at ${t.time} not null,
    took_ms ${t.count} not null,
    status ${t.count},
    answer_type text,
    answer text,
    failure text,
    primary key (account_id, delivery_id, id),
    foreign key (account_id, delivery_id) references deliveries (account_id, id)
  ) ${t.tableEnd}`,
];

const serviceTables = (t: ColumnTypes): readonly string[] => [
  `create table settings (
    name text primary key,
    value text not null
  ) ${t.tableEnd}`,
  `create table receipt_keys (
    kid text primary key,
    public_key text not null,
    private_key text,
    created_at ${t.time} not null
  ) ${t.tableEnd}`,
  // Only one key signs.
  'create unique index receipt_keys_signing on receipt_keys ((private_key is not null)) where private_key is not null',
  `create table jobs (
    name text primary key,
    interval_ms ${t.count} not null,
    holder ${t.id},
    leased_until ${t.time},
    started_at ${t.time} not null,
    finished_at ${t.time},
    took_ms ${t.count},
    failed_at ${t.time},
    runs ${t.count} not null,
    failures ${t.count} not null
  ) ${t.tableEnd}`,
];

export const initialSchema: Migration = {
  version: 1,
  name: 'initial schema',
  statements: (t) => [
    ...accountTables(t),
    ...signInTables(t),
    ...listingTables(t),
    ...offerTables(t),
    ...cardTables(t),
    ...pictureTables(t),
    ...keyTables(t),
    ...claimTables(t),
    ...codeTables(t),
    ...countTables(t),
    ...eventTables(t),
    ...attemptTables(t),
    ...webhookTables(t),
    ...serviceTables(t),
  ],
};
