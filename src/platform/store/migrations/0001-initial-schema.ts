import { FAILED_CALLS, FAILING_ENDPOINTS } from '../partial-indexes.ts';
import { claimTables, codeTables, eventTables } from './claim-tables.ts';
import { countTables } from './count-tables.ts';
import { cardTables, listingTables, offerTables, pictureTables } from './listing-tables.ts';
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
    standing_since ${t.time},
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
    name text,
    former_name text,
    message text,
    asked_by_id ${t.id},
    created_at ${t.time} not null,
    approved_at ${t.time},
    declined_at ${t.time},
    reason text
  ) ${t.tableEnd}`,
  'create unique index account_requests_by_account on account_requests (account_id, wish)',
  'create index account_requests_open on account_requests (created_at, id) where declined_at is null and approved_at is null',
  `create table mailbox_marks (
    account_number ${t.number} not null,
    offer_id ${t.id} not null,
    mark ${t.bytes} not null,
    primary key (account_number, offer_id, mark)
  ) ${t.tableEnd}`,
];

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
    networks text,
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
    networks text,
    created_at ${t.time} not null,
    expires_at ${t.time},
    revoked_at ${t.time},
    rolled_to_id ${t.id},
    last_used_at ${t.time},
    refused_at ${t.time},
    refused_ip text
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
  // For lists, newest first. No index includes the token, because random insertions made flushes five times as slow.
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

const webhookTables = (t: ColumnTypes): readonly string[] => [
  // Not a foreign key: the marketplace's own endpoints have no account (`MARKETPLACE_ID`).
  `create table webhook_endpoints (
    id ${t.id} primary key,
    account_id ${t.id} not null,
    format text not null,
    url text not null,
    description text,
    event_types ${t.json} not null,
    secret text not null,
    secret_made_at ${t.time} not null,
    old_secret text,
    old_secret_until ${t.time},
    created_at ${t.time} not null,
    url_set_by_id ${t.id},
    secret_set_by_id ${t.id},
    failing_since ${t.time},
    held_until ${t.time},
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
    trace text,
    primary key (account_id, id)
  ) ${t.tableEnd}`,
  // One delivery per event and endpoint, even if an event is read repeatedly.
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
    redirects_to text,
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
  // At most one key can sign.
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
  compatibleWith: 1,
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
