/** Webhook endpoints and what is sent to them. */

export interface WebhookTables {
  webhook_endpoints: WebhookEndpointsTable;
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
  /** What requests are signed with, encrypted under the secret key; `''` once the endpoint is deleted. */
  secret: string;
  secret_made_at: string;
  /** The secret before the last roll, which also signs until `old_secret_until`. */
  old_secret: string | null;
  old_secret_until: string | null;
  created_at: string;
  /** The time of the first failure after the last success. */
  failing_since: string | null;
  /** Since when nothing is sent. */
  disabled_at: string | null;
  disabled_reason: 'manual' | 'gone' | 'failing' | null;
  /** Its deliveries, and then the row itself, are deleted in the background. */
  deleted_at: string | null;
  /** Up to this number of the event log it has a delivery for each of its events. */
  cursor: number;
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
