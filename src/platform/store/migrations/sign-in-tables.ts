import { OF_MAILED_CODES } from '../partial-indexes.ts';
import type { ColumnTypes } from './migration.ts';

export const signInTables = (t: ColumnTypes): readonly string[] => [
  `create table sessions (
    id ${t.id} primary key,
    account_id ${t.id} not null references accounts (id),
    token_hash text not null unique,
    factors ${t.count} not null,
    proven_at ${t.time} not null,
    created_at ${t.time} not null,
    last_seen_at ${t.time} not null,
    expires_at ${t.time} not null,
    idle_expires_at ${t.time} not null,
    ip text,
    user_agent text,
    works_in_id ${t.id},
    provider_session text
  ) ${t.tableEnd}`,
  'create index sessions_by_account on sessions (account_id)',
  'create index sessions_by_provider on sessions (provider_session) where provider_session is not null',
  `create table passwords (
    account_id ${t.id} primary key references accounts (id),
    hash text not null,
    created_at ${t.time} not null
  ) ${t.tableEnd}`,
  `create table two_factors (
    account_id ${t.id} primary key references accounts (id),
    secret text not null,
    last_step ${t.count}
  ) ${t.tableEnd}`,
  `create table backup_codes (
    account_id ${t.id} not null references accounts (id),
    code_hash text not null,
    primary key (account_id, code_hash)
  ) ${t.tableEnd}`,
  `create table passkeys (
    id ${t.id} primary key,
    account_id ${t.id} not null references accounts (id),
    name text not null,
    credential_id text not null unique,
    public_key ${t.bytes} not null,
    counter ${t.count} not null,
    transports text not null,
    created_at ${t.time} not null,
    last_used_at ${t.time}
  ) ${t.tableEnd}`,
  'create index passkeys_by_account on passkeys (account_id)',
  `create table one_time_codes (
    code_hash text primary key,
    purpose text not null,
    account_id ${t.id} references accounts (id),
    email text,
    created_at ${t.time} not null,
    expires_at ${t.time} not null
  ) ${t.tableEnd}`,
  'create index one_time_codes_by_account on one_time_codes (account_id)',
  `create index one_time_codes_mailed on one_time_codes (created_at) where ${OF_MAILED_CODES}`,
  `create table email_sign_ins (
    link_hash text primary key,
    email text not null,
    browser_hash text not null,
    is_known ${t.count} not null,
    code_hash text not null,
    next text not null,
    is_intended ${t.count} not null,
    tries ${t.count} not null,
    counted text not null,
    created_at ${t.time} not null,
    requested_at ${t.time} not null,
    expires_at ${t.time} not null,
    finished_at ${t.time}
  ) ${t.tableEnd}`,
  'create index email_sign_ins_by_browser on email_sign_ins (browser_hash)',
  'create index email_sign_ins_by_email on email_sign_ins (email)',
  `create table sign_in_steps (
    secret_hash text primary key,
    account_id ${t.id} not null references accounts (id),
    how text,
    provider_session text,
    tries ${t.count} not null,
    counted text not null,
    created_at ${t.time} not null,
    expires_at ${t.time} not null
  ) ${t.tableEnd}`,
  'create index sign_in_steps_by_account on sign_in_steps (account_id)',
  `create table oidc_identities (
    issuer text not null,
    subject text not null,
    account_id ${t.id} not null references accounts (id),
    created_at ${t.time} not null,
    operator_since ${t.time},
    primary key (issuer, subject)
  ) ${t.tableEnd}`,
  'create index oidc_identities_by_account on oidc_identities (account_id)',
  `create table oidc_sign_ins (
    state_hash text primary key,
    browser_hash text not null,
    sealed text not null,
    expires_at ${t.time} not null
  ) ${t.tableEnd}`,
  `create table memberships (
    account_id ${t.id} not null references accounts (id),
    member_id ${t.id} not null references accounts (id),
    role text not null,
    created_at ${t.time} not null,
    invited_by_id ${t.id},
    primary key (account_id, member_id)
  ) ${t.tableEnd}`,
  'create index memberships_by_member on memberships (member_id)',
  `create table invitations (
    id ${t.id} primary key,
    account_id ${t.id} references accounts (id),
    code_hash text not null unique,
    role text not null,
    email text,
    invited_by_id ${t.id},
    created_at ${t.time} not null,
    expires_at ${t.time} not null,
    mailed_at ${t.time},
    name text,
    plan text,
    note text,
    language text
  ) ${t.tableEnd}`,
  'create index invitations_by_account on invitations (account_id)',
  `create table invitation_refusals (
    mailbox_hash text primary key,
    created_at ${t.time} not null
  ) ${t.tableEnd}`,
  `create table access_links (
    id ${t.id} primary key,
    listing_id ${t.id},
    name text not null,
    code_hash text not null unique,
    max_people ${t.count} not null,
    created_by_id ${t.id},
    created_at ${t.time} not null,
    expires_at ${t.time} not null
  ) ${t.tableEnd}`,
  'create index access_links_by_listing on access_links (listing_id)',
  `create table access_grants (
    account_id ${t.id} not null references accounts (id),
    link_id ${t.id} not null,
    created_at ${t.time} not null,
    primary key (account_id, link_id)
  ) ${t.tableEnd}`,
  'create index access_grants_by_link on access_grants (link_id)',
  `create table throttles (
    key text primary key,
    points ${t.count} not null,
    expires_ms ${t.count} not null
  ) ${t.tableEnd}`,
  'create index throttles_by_expiry on throttles (expires_ms)',
  `create table mails (
    id ${t.id} primary key,
    recipient text not null,
    subject text not null,
    body text not null,
    code_hash text,
    created_at ${t.time} not null,
    next_at ${t.time},
    attempts ${t.count} not null,
    failure text,
    failed_at ${t.time},
    held_at ${t.time}
  ) ${t.tableEnd}`,
  `create table mail_settings (
    account_id ${t.id} primary key,
    choices text not null,
    refused_email text,
    refused_at ${t.time},
    refusal text
  ) ${t.tableEnd}`,
  'create index mail_settings_refused on mail_settings (refused_email) where refused_email is not null',
  `create table notices (
    account_id ${t.id} not null,
    kind text not null,
    about text not null,
    at ${t.time} not null,
    primary key (account_id, kind, about)
  ) ${t.tableEnd}`,
  'create index notices_by_time on notices (at)',
  'create index mails_by_recipient on mails (recipient, id)',
  'create index mails_due on mails ((code_hash is null), next_at, id) where next_at is not null',
  'create index mails_by_code on mails (code_hash) where code_hash is not null',
];
