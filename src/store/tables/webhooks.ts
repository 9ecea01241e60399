/** Webhook endpoints and what is sent to them. */

export interface WebhookTables {
  webhook_endpoints: WebhookEndpointsTable;
  webhook_secrets: WebhookSecretsTable;
  deliveries: DeliveriesTable;
  delivery_attempts: DeliveryAttemptsTable;
}

/** Addresses that events of an account are sent to. */
export interface WebhookEndpointsTable {
  id: string;
  account_id: string;
  url: string;
  description: string | null;
  /** JSON array of event types. */
  event_types: string;
  /** How requests are signed. */
  scheme: 'hmac' | 'ed25519';
  created_at: string;
  /** The time of the first failure after the last success. */
  failing_since: string | null;
  /** Since when nothing is sent. */
  disabled_at: string | null;
  disabled_reason: 'by_hand' | 'gone' | 'failing' | null;
  /** Its deliveries, and then the row itself, are deleted in the background. */
  deleted_at: string | null;
  /** It has a delivery for each of its events up to this number of the log; `null`: up to the cursor of all endpoints. */
  follows_from: number | null;
}

/** What requests to an endpoint are signed with; an old one stays for a while after a roll. */
export interface WebhookSecretsTable {
  id: string;
  account_id: string;
  endpoint_id: string;
  /** Encrypted with a key that is derived from the secret key. */
  sealed: string;
  /** What the owner verifies with, where it is no secret. */
  public_key: string | null;
  created_at: string;
  expires_at: string | null;
}

/** An event on its way to one endpoint, and later the record of it. It waits, was delivered, or has failed. */
export interface DeliveriesTable {
  id: string;
  account_id: string;
  endpoint_id: string;
  /** Number of the event; `null` for a test event. */
  event_seq: number | null;
  /** The `webhook-id` header, the same for an event at all endpoints. */
  message_id: string;
  type: string;
  /** The body, byte for byte. */
  payload: string;
  created_at: string;
  /** Requests that were made. */
  attempts: number;
  /** When the next request is due; `null`: none is. */
  next_at: string | null;
  delivered_at: string | null;
  failed_at: string | null;
}

/** One request of a delivery and its answer. */
export interface DeliveryAttemptsTable {
  id: string;
  account_id: string;
  delivery_id: string;
  /** Where it went. */
  url: string;
  at: string;
  took_ms: number;
  /** HTTP status; `null` without an answer. */
  status: number | null;
  /** Content type of the answer. */
  answer_type: string | null;
  /** The beginning of the answer. */
  answer: string | null;
  /** Why there is no answer, a sentence. */
  failure: string | null;
}
