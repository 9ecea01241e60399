/** The tables of webhooks, part of the initial schema. */
import type { ColumnTypes } from './migration.ts';

/** Endpoints of owners, and the events that go to them. */
export const webhookTables = (t: ColumnTypes): readonly string[] => [
  `create table webhook_endpoints (
    id ${t.id} primary key,
    account_id ${t.id} not null references accounts (id),
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
  // An event goes to an endpoint once, however often the log is read.
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
