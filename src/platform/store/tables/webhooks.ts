/** The `account_id` of the marketplace's endpoints, which all operators share. No account has this ID. */
export const MARKETPLACE_ID = '00000000-0000-0000-0000-000000000003';

export interface WebhookEndpointsTable {
  id: string;
  /** The owner, or `MARKETPLACE_ID`. */
  account_id: string;
  /** `standard`: signed JSON. Other formats: chat messages. */
  format: 'standard' | 'slack' | 'discord' | 'mattermost' | 'ntfy';
  /** For a chat format, only the non-secret part of the URL. */
  url: string;
  description: string | null;
  event_types: string;
  /** The signing secret or chat URL, encrypted with the secret key; `''` after the endpoint is deleted. */
  secret: string;
  secret_made_at: string;
  /** The previous secret. Deliveries are signed with both secrets until `old_secret_until`. */
  old_secret: string | null;
  old_secret_until: string | null;
  created_at: string;
  /** The person who set the URL, and the one who created the secret, or whoever enabled the endpoint after them. */
  url_set_by_id: string | null;
  secret_set_by_id: string | null;
  /** Time of the first failure since the last success. */
  failing_since: string | null;
  /** Requests wait until this time, because a response asked for it. */
  held_until: string | null;
  disabled_at: string | null;
  disabled_reason: 'manual' | 'gone' | 'failing' | 'member_gone' | null;
  /** If set, a background job deletes the endpoint's deliveries and then this row. */
  deleted_at: string | null;
  /** Deliveries have been created for the account's events up to this event number. */
  cursor: number;
}

/** The delivery of one event to one endpoint: pending, delivered or failed. */
export interface DeliveriesTable {
  id: string;
  account_id: string;
  endpoint_id: string;
  event_seq: number | null;
  /** The `webhook-id` header. All deliveries of an event have the same ID. */
  message_id: string;
  type: string;
  payload: string;
  created_at: string;
  attempts: number;
  /** When the next attempt is due; `null`: no attempt is scheduled. */
  next_at: string | null;
  delivered_at: string | null;
  failed_at: string | null;
  /** `trace` of the event, for the `traceparent` header. */
  trace: string | null;
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
  /** A sentence that says why there was no response. */
  failure: string | null;
  /** Origin and path to which the response redirects. */
  redirects_to: string | null;
}
