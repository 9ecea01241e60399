/** The codes of offers that give each claim one of its own, part of the initial schema. */
import type { ColumnTypes } from './migration.ts';

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
  // The codes that are left, in the order in which claims get them.
  `create index offer_codes_left on offer_codes (account_number, offer_id${t.sequenceInIndex('seq')})
    where claim_id is null and withheld_at is null`,
  'create index offer_codes_withheld on offer_codes (account_number, offer_id) where withheld_at is not null',
  'create unique index offer_codes_by_claim on offer_codes (account_number, claim_id) where claim_id is not null',
];
