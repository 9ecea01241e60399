import { LOW_ON_CODES } from '../partial-indexes.ts';
import type { ColumnTypes } from './migration.ts';

const labelColumns = (t: ColumnTypes): string => `claims ${t.count} not null,
    redeemed ${t.count} not null,
    arrived ${t.count} not null default 0,
    visits ${t.count} not null default 0,
    visitors ${t.count} not null default 0,
    code_claims ${t.count} not null default 0`;

export const countTables = (t: ColumnTypes): readonly string[] => [
  `create table offer_claims (
    account_number ${t.number} not null,
    offer_id ${t.id} not null,
    claims ${t.count} not null default 0,
    codes_left ${t.count} not null default 0,
    codes_given ${t.count} not null default 0,
    primary key (account_number, offer_id)
  ) ${t.tableEnd}`,
  // For the desk's list of offers that are running out of codes.
  `create index offer_claims_low on offer_claims (account_number, offer_id) where ${LOW_ON_CODES}`,
  `create table claim_openings (
    account_number ${t.number} not null,
    claim_id ${t.id} not null,
    opened_at ${t.time} not null,
    primary key (account_number, claim_id)
  ) ${t.tableEnd}`,
  // By network and period, for limited offers. `network`: a keyed hash.
  `create table claim_networks (
    account_number ${t.number} not null,
    offer_id ${t.id} not null,
    since ${t.time} not null,
    network text not null,
    claims ${t.count} not null,
    counted ${t.count} not null,
    primary key (account_number, offer_id, since, network)
  ) ${t.tableEnd}`,
  'create index claim_networks_by_since on claim_networks (since)',
  `create table label_counts (
    account_number ${t.number} not null,
    listing_id ${t.id} not null,
    via text not null,
    ${labelColumns(t)},
    registered_at ${t.time},
    primary key (account_number, listing_id, via)
  ) ${t.tableEnd}`,
  `create table label_deltas (
    id ${t.sequence},
    account_number ${t.number} not null,
    listing_id ${t.id} not null,
    via text not null,
    claims ${t.count} not null,
    redeemed ${t.count} not null,
    at ${t.time} not null,
    arrived ${t.count},
    visits ${t.count},
    visitors ${t.count},
    code_claims ${t.count}
    ${t.sequenceKey('account_number, id')}
  ) ${t.tableEnd}`,
  `create table label_days (
    account_number ${t.number} not null,
    listing_id ${t.id} not null,
    day text not null,
    via text not null,
    ${labelColumns(t)},
    primary key (account_number, listing_id, day, via)
  ) ${t.tableEnd}`,
  `create table label_months (
    account_number ${t.number} not null,
    listing_id ${t.id} not null,
    month text not null,
    via text not null,
    ${labelColumns(t)},
    primary key (account_number, listing_id, month, via)
  ) ${t.tableEnd}`,
  `create table market_days (
    day text primary key,
    ${labelColumns(t)}
  ) ${t.tableEnd}`,
  `create table unreadable_labels (
    account_number ${t.number} not null,
    listing_id ${t.id} not null,
    found text not null,
    claims ${t.count} not null,
    visits ${t.count} not null,
    primary key (account_number, listing_id, found)
  ) ${t.tableEnd}`,
  ...t.ofServers([
    `create unlogged table visitor_days (
      day text primary key,
      salt bytea not null,
      visitors bigint not null
    )`,
    `create unlogged table visitors (
      day text not null,
      hash bigint not null,
      primary key (day, hash)
    )`,
  ]),
];
