export interface WebhookEndpointsTable {
  id: string;
  account_id: string;
  /** `standard`: signed JSON. Others: messages for a chat. */
  format: 'standard' | 'slack' | 'discord' | 'mattermost' | 'ntfy';
  /** For a chat, only the part of the URL that is not secret. */
  url: string;
  description: string | null;
  event_types: string;
  /** Signing secret, or the URL of a chat, encrypted under the secret key; `''` once the endpoint is deleted. */
  secret: string;
  secret_made_at: string;
  /** The previous secret, which also signs until `old_secret_until`. */
  old_secret: string | null;
  old_secret_until: string | null;
  created_at: string;
  /** Time of the first failure since the last success. */
  failing_since: string | null;
  disabled_at: string | null;
  disabled_reason: 'manual' | 'gone' | 'failing' | null;
  /** Once set, a background job deletes the endpoint's deliveries, then the row. */
  deleted_at: string | null;
  /** The account's events up to this number have deliveries for this endpoint. */
  cursor: number;
}

/** One event for one endpoint: waiting, delivered or failed. */
export interface DeliveriesTable {
  id: string;
  account_id: string;
  endpoint_id: string;
  /** Number of the event; `null` for a test event. */
  event_seq: number | null;
  /** The `webhook-id` header, the same for an event at all endpoints. */
  message_id: string;
  type: string;
  payload: string;
  created_at: string;
  attempts: number;
  /** When the next request is due; `null`: no request is planned. */
  next_at: string | null;
  delivered_at: string | null;
  failed_at: string | null;
}

export interface DeliveryAttemptsTable {
  id: string;
  account_id: string;
  delivery_id: string;
  url: string;
  at: string;
  took_ms: number;
  status: number | null;
  answer_type: string | null;
  answer: string | null;
  /** Why there is no response, as a sentence. */
  failure: string | null;
}
