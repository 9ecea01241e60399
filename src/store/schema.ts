/**
 * The tables as the queries see them, the same on every engine. Times are ISO 8601 UTC strings with
 * milliseconds (TEXT on SQLite, timestamptz on PostgreSQL), ids are UUIDv7 strings, JSON columns hold
 * text. Compact rows (`claim_rows`, `event_rows`) have numbers in place of ids; the views `claims` and
 * `events` present them as ordinary tables. The owner's account is part of every unique key and hot
 * condition on claims and events, so that the tables can be distributed by account.
 */
import type { AccountTables } from './tables/accounts.ts';
import type { AttemptTables } from './tables/attempts.ts';
import type { ClaimTables } from './tables/claims.ts';
import type { CodeTables } from './tables/codes.ts';
import type { EventTables } from './tables/events.ts';
import type { KeyTables } from './tables/keys.ts';
import type { ListingTables } from './tables/listings.ts';
import type { ServiceTables } from './tables/service.ts';
import type { WebhookTables } from './tables/webhooks.ts';

export interface Schema
  extends AccountTables,
    KeyTables,
    ListingTables,
    ClaimTables,
    CodeTables,
    EventTables,
    AttemptTables,
    WebhookTables,
    ServiceTables {}
