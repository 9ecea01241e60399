/**
 * The tables as queries see them, the same on every engine. Times are ISO 8601 UTC strings with milliseconds, IDs are
 * UUIDv7 strings, JSON columns are text. Compact rows (`claim_rows`, `event_rows`) have numbers instead of IDs; the
 * views `claims` and `events` expand them. Every unique key and hot condition on claims and events includes the owner's
 * account, so that the tables can be distributed by account.
 */
import type { AccountTables } from './tables/accounts.ts';
import type { AttemptTables } from './tables/attempts.ts';
import type { ClaimTables } from './tables/claims.ts';
import type { KeyTables } from './tables/keys.ts';
import type { ListingTables } from './tables/listings.ts';
import type { ServiceTables } from './tables/service.ts';
import type { WebhookTables } from './tables/webhooks.ts';

export interface Schema
  extends AccountTables,
    KeyTables,
    ListingTables,
    ClaimTables,
    AttemptTables,
    WebhookTables,
    ServiceTables {}
