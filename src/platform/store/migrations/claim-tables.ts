/**
 * Claims and events are many, so their rows are compact: numbers instead of IDs, and no values that another row has.
 * The views `claims` and `events` expand them. On SQLite, claims are stored in order of creation; by token hash, every
 * redemption would change a random page. On PostgreSQL, every primary key includes the owner's account, for
 * distribution. The event log is partitioned by time.
 */
import { NOT_OF_CLAIMS } from '../partial-indexes.ts';
import type { ColumnTypes } from './migration.ts';

export const claimTables = (t: ColumnTypes): readonly string[] => [
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
    mode text not null,
    token_hash ${t.bytes} not null,
    via text,
    claimant_ref text,
    idempotency_hash ${t.bytes}
    ${t.sequenceKey('account_number, seq')}
    ${t.claimsPadding}
  ) ${t.claimsEnd}`,
  // The index starts with the hash, because hashes differ in their first bytes, so comparisons end early.
  'create unique index claims_by_token on claim_rows (token_hash, account_number)',
  // For lookups by IDs that come from files or URLs.
  `${t.uniqueIndex} claims_by_id on claim_rows (id)`,
  `create unique index claims_by_idempotency_key on claim_rows (account_number, mode, idempotency_hash)
    where idempotency_hash is not null`,
  `create unique index claims_by_claimant on claim_rows (account_number, offer_number, mode, claimant_ref)
    where claimant_ref is not null and replaced_at is null`,
  `create unique index claims_by_claimant_account on claim_rows (account_number, offer_number, mode, claimant_number)
    where claimant_number is not null and replaced_at is null`,
  'create index claims_of_claimant on claim_rows (claimant_number, seq) where claimant_number is not null',
  // For searches by claimant. Claims that were not replaced are in claims_by_claimant.
  `create index claims_replaced on claim_rows (account_number, claimant_ref)
    where claimant_ref is not null and replaced_at is not null`,
  // For lists of claims, newest first. The list for a listing or an account merges the entries of all its offers.
  `create index claims_by_offer on claim_rows (offer_number, mode, claimed_at${t.sequenceInIndex('seq')})`,
  // For lists filtered by a label, which may be rare among millions of claims.
  `create index claims_by_label on claim_rows (offer_number, mode, via, claimed_at${t.sequenceInIndex('seq')})`,
  `create table claim_references (
    account_number ${t.number} not null,
    claim_seq ${t.count} not null,
    reference text not null,
    primary key (account_number, claim_seq)
  ) ${t.tableEnd}`,
  'create index claims_by_reference on claim_references (account_number, reference, claim_seq)',
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
];

export const eventTables = (t: ColumnTypes): readonly string[] => [
  `create table event_rows (
    seq ${t.partitionedSequence},
    claim_seq ${t.count},
    at ${t.eventTime},
    account_number ${t.number} not null,
    type text not null,
    actor text,
    subject_id ${t.id},
    data ${t.json},
    trace text
  ) ${t.partitionedEnd}`,
  ...t.defaultPartition('event_rows'),
  ...t.sequenceIndex('events_by_seq', 'event_rows', 'seq'),
  // For the audit log, whose events are rare among millions of claim events.
  `create index events_audit on event_rows (seq) where ${NOT_OF_CLAIMS}`,
  `create index events_audit_by_account on event_rows (account_number, seq) where ${NOT_OF_CLAIMS}`,
  `create view events as
    select e.seq, e.account_number, a.id as account_id, e.type,
      ${t.eventTimeText(`case e.type when 'claim.redeemed' then ${t.timeText('c.redeemed_at')}
        else ${t.timeText('c.claimed_at')} end`)} as at,
      coalesce(e.actor, case e.type when 'claim.redeemed' then 'key:' || k.id else 'operator' end) as actor,
      coalesce(e.subject_id, ${t.idText('c.id')}) as subject_id,
      coalesce(e.data, case when e.type = 'claim.created' and c.is_imported = 1 then ${importedData(t)}
        else ${t.jsonObject("'offer_id', o.id, 'via', c.via")} end) as data,
      e.trace
    from event_rows e
      join accounts a on a.number = e.account_number
      left join claim_rows c on c.account_number = e.account_number and c.seq = e.claim_seq
      left join offers o on o.number = c.offer_number
      left join api_keys k on k.number = c.key_number`,
];

/**
 * With the times from the file. A redemption through the API (it has a key) came after the import, so it is omitted.
 */
const importedData = (t: ColumnTypes): string => {
  const redeemedAt = `case when c.key_number is null then ${t.timeInJson('c.redeemed_at')} end`;
  return t.jsonObject(
    `'offer_id', o.id, 'via', c.via, 'claimed_at', ${t.timeInJson('c.claimed_at')}, 'redeemed_at', ${redeemedAt}`,
  );
};

export const codeTables = (t: ColumnTypes): readonly string[] => [
  `create table offer_codes (
    seq ${t.sequence},
    account_number ${t.number} not null,
    offer_id ${t.id} not null,
    code_hash ${t.bytes} not null,
    code text not null,
    added_at ${t.time} not null,
    claim_id ${t.id},
    withheld_at ${t.time}
    ${t.sequenceKey('account_number, seq')}
  ) ${t.tableEnd}`,
  'create unique index offer_codes_by_hash on offer_codes (account_number, offer_id, code_hash)',
  // The available codes, in the order in which they are assigned to claims.
  `create index offer_codes_left on offer_codes (account_number, offer_id${t.sequenceInIndex('seq')})
    where claim_id is null and withheld_at is null`,
  'create index offer_codes_withheld on offer_codes (account_number, offer_id) where withheld_at is not null',
  'create unique index offer_codes_by_claim on offer_codes (account_number, claim_id) where claim_id is not null',
];
