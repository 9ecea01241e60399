import type { ColumnTypes, Migration } from './migration.ts';
import { webhookTables } from './webhook-tables.ts';

const NOT_OF_CLAIMS = "type <> 'claim.created' and type <> 'claim.redeemed'";

/**
 * Claims and their events are many, so their rows are compact: they name accounts, offers and keys by number and have no
 * value that another row has. The views `claims` and `events` show them with ids and times.
 *
 * On SQLite claims are stored in order of creation with a secondary index on the token hash: with the hash as the
 * clustering key each redemption dirties a random page. On PostgreSQL the owner's account is part of every key,
 * so that claims and events can be distributed by it. The log of events is followed across accounts, by its sequence.
 * Events and attempts are partitioned there by their time (`src/store/postgres/partitions.ts`).
 */
export const initialSchema: Migration = {
  version: 1,
  name: 'initial schema',
  statements: (t) => {
    return [
      `create table settings (
        name text primary key,
        value text not null
      ) ${t.tableEnd}`,
      `create table accounts (
        number ${t.ownNumber},
        id ${t.id} not null unique,
        email text not null unique,
        name text not null,
        plan text not null check (plan in ('starter', 'studio', 'everything')),
        operator_since ${t.time},
        suspended_at ${t.time},
        email_verified_at ${t.time},
        two_factor_at ${t.time},
        created_at ${t.time} not null
      ) ${t.tableEnd}`,
      ...signInTables(t),
      `create table listings (
        id ${t.id} primary key,
        account_id ${t.id} not null references accounts (id),
        slug text not null unique,
        name text not null,
        summary text,
        description text,
        url text not null,
        state text not null check (state in
          ('draft', 'pending', 'changes_requested', 'approved', 'rejected', 'withdrawn', 'suspended')),
        reason text,
        origin text,
        created_at ${t.time} not null,
        submitted_at ${t.time},
        decided_at ${t.time},
        proposed_url text,
        proposed_at ${t.time},
        declined_reason text,
        version ${t.count} not null,
        search_text text not null,
        last_live ${t.json},
        undo ${t.json}
      ) ${t.tableEnd}`,
      'create index listings_by_account on listings (account_id, id)',
      'create index listings_by_origin on listings (origin) where origin is not null',
      "create index listings_public on listings (decided_at, id) where state = 'approved'",
      "create index listings_pending on listings (submitted_at, id) where state = 'pending'",
      'create index listings_proposed on listings (proposed_at, id) where proposed_url is not null',
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
        kind text not null check (kind in ('discount', 'trial', 'credit', 'bonus', 'access', 'gift')),
        wording_number ${t.number} not null references offer_wordings (number),
        redemption_link text,
        code text,
        ends_at ${t.time},
        claim_limit ${t.count},
        paused_at ${t.time},
        created_at ${t.time} not null,
        proposed_link text,
        proposed_at ${t.time},
        declined_reason text,
        check (redemption_link is not null or code is not null or proposed_link is not null)
      ) ${t.tableEnd}`,
      'create index offers_proposed on offers (proposed_at, id) where proposed_link is not null',
      'create index offers_by_listing on offers (listing_id, kind)',
      'create index offers_by_account on offers (account_id, id)',
      `create table api_keys (
        number ${t.ownNumber},
        id ${t.id} not null unique,
        account_id ${t.id} not null references accounts (id),
        account_number ${t.number} not null references accounts (number),
        name text not null,
        mode text not null check (mode in ('live', 'test')),
        secret_hash ${t.bytes} not null unique,
        start text not null,
        created_at ${t.time} not null,
        expires_at ${t.time},
        revoked_at ${t.time},
        seen_in_browser_at ${t.time},
        rolled_to_id ${t.id}
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
        last_used_at ${t.time}
      ) ${t.tableEnd}`,
      'create index operator_keys_by_account on operator_keys (account_id)',
      `create table claim_rows (
        seq ${t.sequence},
        account_number ${t.number} not null,
        offer_number ${t.number} not null,
        claimed_at ${t.compactTime} not null,
        redeemed_at ${t.compactTime},
        replaced_at ${t.compactTime},
        key_number ${t.number},
        wording_number ${t.number},
        claimant_number ${t.number},
        is_imported ${t.flag} not null,
        id ${t.compactId} not null,
        mode text not null check (mode in ('live', 'test')),
        token_hash ${t.bytes} not null,
        via text,
        claimant_ref text,
        idempotency_hash ${t.bytes}
        ${t.sequenceKey('account_number, seq')}
        ${t.claimsRoom}
      ) ${t.claimsEnd}`,
      // The hash first: two entries differ in its first bytes, so comparing them is short.
      'create unique index claims_by_token on claim_rows (token_hash, account_number)',
      // Files and addresses name a claim by its id.
      `${t.uniqueIndex} claims_by_id on claim_rows (id)`,
      `create unique index claims_by_idempotency_key on claim_rows (account_number, mode, idempotency_hash)
        where idempotency_hash is not null`,
      `create unique index claims_by_claimant on claim_rows (account_number, offer_number, mode, claimant_ref)
        where claimant_ref is not null and replaced_at is null`,
      `create unique index claims_by_claimant_account on claim_rows (account_number, offer_number, mode, claimant_number)
        where claimant_number is not null and replaced_at is null`,
      'create index claims_of_claimant on claim_rows (claimant_number, seq) where claimant_number is not null',
      // For a search by claimant; the claims that were not replaced are in claims_by_claimant.
      `create index claims_replaced on claim_rows (account_number, claimant_ref)
        where claimant_ref is not null and replaced_at is not null`,
      // Lists, newest first: those of a listing or an account merge the entries of its offers. An offer has one account.
      `create index claims_by_offer on claim_rows (offer_number, mode, claimed_at${t.sequenceInIndex('seq')})`,
      // The same for one label, which may be rare among millions.
      `create index claims_by_label on claim_rows (offer_number, mode, via, claimed_at${t.sequenceInIndex('seq')})`,
      `create view claims as
        select c.seq, ${t.idText('c.id')} as id, c.account_number, a.id as account_id, o.listing_id, o.id as offer_id,
          c.mode, c.token_hash, case c.is_imported when 1 then 'imported' else 'derived' end as token_origin, c.via,
          c.claimant_ref, c.claimant_number, p.id as claimant_id, ${t.timeText('c.claimed_at')} as claimed_at,
          ${t.timeText('c.redeemed_at')} as redeemed_at, k.id as redeemed_by_key_id, c.idempotency_hash,
          w.offer as redeemed_offer, w.kind as redeemed_kind, ${t.timeText('c.replaced_at')} as replaced_at
        from claim_rows c
          join accounts a on a.number = c.account_number
          join offers o on o.number = c.offer_number
          left join accounts p on p.number = c.claimant_number
          left join api_keys k on k.number = c.key_number
          left join offer_wordings w on w.number = c.wording_number`,
      `create table offer_claims (
        account_number ${t.number} not null,
        offer_id ${t.id} not null,
        claims ${t.count} not null,
        primary key (account_number, offer_id)
      ) ${t.tableEnd}`,
      `create table claim_openings (
        account_number ${t.number} not null,
        claim_id ${t.id} not null,
        opened_at ${t.time} not null,
        primary key (account_number, claim_id)
      ) ${t.tableEnd}`,
      `create table label_counts (
        account_number ${t.number} not null,
        listing_id ${t.id} not null,
        via text not null,
        claims ${t.count} not null,
        redeemed ${t.count} not null,
        primary key (account_number, listing_id, via)
      ) ${t.tableEnd}`,
      `create table label_deltas (
        id ${t.sequence},
        account_number ${t.number} not null,
        listing_id ${t.id} not null,
        via text not null,
        claims ${t.count} not null,
        redeemed ${t.count} not null,
        at ${t.time} not null
        ${t.sequenceKey('account_number, id')}
      ) ${t.tableEnd}`,
      `create table label_days (
        account_number ${t.number} not null,
        listing_id ${t.id} not null,
        day text not null,
        via text not null,
        claims ${t.count} not null,
        redeemed ${t.count} not null,
        primary key (account_number, listing_id, day, via)
      ) ${t.tableEnd}`,
      `create table event_rows (
        seq ${t.partitionedSequence},
        claim_seq ${t.count},
        at ${t.eventTime},
        account_number ${t.number} not null,
        type text not null,
        actor text,
        subject_id ${t.id},
        data ${t.json}
      ) ${t.partitionedEnd}`,
      ...t.defaultPartition('event_rows'),
      ...t.sequenceIndex('events_by_seq', 'event_rows', 'seq'),
      // The audit log: what people did, found among the millions of events of claims.
      `create index events_audit on event_rows (seq) where ${NOT_OF_CLAIMS}`,
      `create index events_audit_by_account on event_rows (account_number, seq) where ${NOT_OF_CLAIMS}`,
      `create view events as
        select e.seq, e.account_number, a.id as account_id, e.type,
          ${t.eventTimeText(`case e.type when 'claim.redeemed' then ${t.timeText('c.redeemed_at')}
            else ${t.timeText('c.claimed_at')} end`)} as at,
          coalesce(e.actor, case e.type when 'claim.redeemed' then 'key:' || k.id else 'operator' end) as actor,
          coalesce(e.subject_id, ${t.idText('c.id')}) as subject_id,
          coalesce(e.data, case when e.type = 'claim.created' and c.is_imported = 1 then ${importedData(t)}
            else ${t.jsonObject("'offer_id', o.id, 'via', c.via")} end) as data
        from event_rows e
          join accounts a on a.number = e.account_number
          left join claim_rows c on c.account_number = e.account_number and c.seq = e.claim_seq
          left join offers o on o.number = c.offer_number
          left join api_keys k on k.number = c.key_number`,
      `create table attempts (
        id ${t.partitionedSequence},
        account_id ${t.id} not null,
        mode text not null check (mode in ('live', 'test')),
        at ${t.time} not null,
        request_id text not null,
        api_key_id ${t.id},
        status ${t.count} not null,
        outcome text not null,
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
      // Lists, newest first. None by token: its entries would be in random places, which made a flush five times as long.
      `create index attempts_by_account on attempts (account_id, mode, at${t.sequenceInIndex('id')})`,
      `create index attempts_by_cause on attempts (account_id, mode, cause, at${t.sequenceInIndex('id')})`,
      `create index attempts_by_key on attempts (account_id, mode, api_key_id, at${t.sequenceInIndex('id')})`,
      `create index attempts_by_offer on attempts (account_id, mode, offer_id, at${t.sequenceInIndex('id')})
        where offer_id is not null`,
      'create index attempts_by_request on attempts (account_id, request_id)',
      `create table check_ups (
        account_id ${t.id} not null,
        offer_id ${t.id} not null references offers (id),
        template text not null,
        claim_id ${t.id} not null,
        started_at ${t.time} not null,
        walked_at ${t.time},
        walk text not null,
        browser_claim_id ${t.id},
        opened_at ${t.time},
        opened_again_at ${t.time},
        primary key (account_id, offer_id)
      ) ${t.tableEnd}`,
      `create table first_verifications (
        account_id ${t.id} primary key,
        at ${t.time} not null,
        request_id text not null,
        api_key_id ${t.id},
        outcome text not null,
        token_last4 text,
        latency_us ${t.count} not null
      ) ${t.tableEnd}`,
      `create table attempts_dropped (
        account_id ${t.id} not null,
        mode text not null,
        minute ${t.time} not null,
        dropped ${t.count} not null,
        failures ${t.count} not null,
        primary key (account_id, mode, minute)
      ) ${t.tableEnd}`,
      `create table attempts_deleted (
        account_id ${t.id} not null,
        mode text not null,
        until ${t.time} not null,
        primary key (account_id, mode)
      ) ${t.tableEnd}`,
      `create table receipt_keys (
        kid text primary key,
        public_key text not null,
        private_key text,
        created_at ${t.time} not null
      ) ${t.tableEnd}`,
      // One key signs at a time.
      'create unique index receipt_keys_signing on receipt_keys ((private_key is not null)) where private_key is not null',
      ...webhookTables(t),
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
  },
};

/** What the event of an imported claim says: its times in the file. A redemption without a key was in the file. */
const importedData = (t: ColumnTypes): string => {
  const redeemedAt = `case when c.key_number is null then ${t.timeInJson('c.redeemed_at')} end`;
  return t.jsonObject(
    `'offer_id', o.id, 'via', c.via, 'claimed_at', ${t.timeInJson('c.claimed_at')}, 'redeemed_at', ${redeemedAt}`,
  );
};

/** Sessions, passwords, second factors, and what signing in needs for a while. */
const signInTables = (t: ColumnTypes): readonly string[] => [
  `create table sessions (
    id ${t.id} primary key,
    account_id ${t.id} not null references accounts (id),
    token_hash text not null unique,
    factors ${t.count} not null check (factors in (1, 2)),
    proven_at ${t.time} not null,
    created_at ${t.time} not null,
    last_seen_at ${t.time} not null,
    expires_at ${t.time} not null,
    idle_expires_at ${t.time} not null,
    ip text,
    user_agent text
  ) ${t.tableEnd}`,
  'create index sessions_by_account on sessions (account_id)',
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
  `create table sign_in_steps (
    secret_hash text primary key,
    account_id ${t.id} not null references accounts (id),
    how text,
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
    primary key (issuer, subject)
  ) ${t.tableEnd}`,
  'create index oidc_identities_by_account on oidc_identities (account_id)',
  `create table oidc_sign_ins (
    state_hash text primary key,
    browser_hash text not null,
    sealed text not null,
    expires_at ${t.time} not null
  ) ${t.tableEnd}`,
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
    created_at ${t.time} not null
  ) ${t.tableEnd}`,
  'create index mails_by_code on mails (code_hash) where code_hash is not null',
];
