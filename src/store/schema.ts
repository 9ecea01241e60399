/**
 * The tables as the queries see them, the same on both engines. Times are ISO 8601 UTC strings with
 * milliseconds (TEXT on SQLite, timestamptz on PostgreSQL), ids are UUIDv7 strings, JSON columns hold
 * text. The owner's account id is part of every unique key and hot condition on claims and events, so
 * that they can be distributed by it.
 */
import type { Generated } from 'kysely';

export interface Schema {
  settings: SettingsTable;
  accounts: AccountsTable;
  listings: ListingsTable;
  offers: OffersTable;
  sessions: SessionsTable;
  passwords: PasswordsTable;
  two_factors: TwoFactorsTable;
  backup_codes: BackupCodesTable;
  passkeys: PasskeysTable;
  one_time_codes: OneTimeCodesTable;
  sign_in_steps: SignInStepsTable;
  oidc_identities: OidcIdentitiesTable;
  oidc_sign_ins: OidcSignInsTable;
  throttles: ThrottlesTable;
  mails: MailsTable;
  api_keys: ApiKeysTable;
  api_key_uses: ApiKeyUsesTable;
  operator_keys: OperatorKeysTable;
  claims: ClaimsTable;
  claim_openings: ClaimOpeningsTable;
  offer_claims: OfferClaimsTable;
  label_counts: LabelCountsTable;
  label_days: LabelDaysTable;
  label_deltas: LabelDeltasTable;
  events: EventsTable;
  attempts: AttemptsTable;
  attempts_dropped: AttemptsDroppedTable;
  attempts_deleted: AttemptsDeletedTable;
  check_ups: CheckUpsTable;
  first_verifications: FirstVerificationsTable;
  receipt_keys: ReceiptKeysTable;
  webhook_endpoints: WebhookEndpointsTable;
  webhook_secrets: WebhookSecretsTable;
  deliveries: DeliveriesTable;
  delivery_attempts: DeliveryAttemptsTable;
  event_cursors: EventCursorsTable;
  jobs: JobsTable;
}

/** The keys of receipts. */
export interface ReceiptKeysTable {
  /** RFC 7638 thumbprint. */
  kid: string;
  /** As it is published: a JSON Web Key. */
  public_key: string;
  /** A JSON Web Key, encrypted under a secret key; `null`: it signs no more. */
  private_key: string | null;
  created_at: string;
}

/** What a database remembers of its deployment, such as the fingerprint of the secret key. */
export interface SettingsTable {
  name: string;
  value: string;
}

export interface AccountsTable {
  id: string;
  /** Lower case; unique. */
  email: string;
  name: string;
  plan: 'starter' | 'studio' | 'everything';
  /** Set for operators. */
  operator_since: string | null;
  suspended_at: string | null;
  /** Since when the address is known to reach the person. */
  email_verified_at: string | null;
  /** Since when signing in asks for a second factor. */
  two_factor_at: string | null;
  created_at: string;
}

/** Open sessions. A session ends when its row is deleted. */
export interface SessionsTable {
  id: string;
  account_id: string;
  /** SHA-256 of the secret in the cookie, base64url. */
  token_hash: string;
  /** 2: the person proved a second factor too, or used a passkey. */
  factors: number;
  /** When the person last proved who they are. */
  proven_at: string;
  created_at: string;
  /** Written every few minutes at most. */
  last_seen_at: string;
  expires_at: string;
  /** The session ends then unless it is used before. */
  idle_expires_at: string;
  ip: string | null;
  user_agent: string | null;
}

export interface PasswordsTable {
  account_id: string;
  /** Argon2id with its parameters, in the PHC string format. */
  hash: string;
  created_at: string;
}

/** Authenticator apps; one that was not confirmed yet has a row too. */
export interface TwoFactorsTable {
  account_id: string;
  /** Encrypted with a key that is derived from the secret key. */
  secret: string;
  /** The time step of the code that was accepted last; codes up to it are refused. */
  last_step: number | null;
}

/** Codes that each replace the authenticator app once. */
export interface BackupCodesTable {
  account_id: string;
  /** SHA-256, base64url. */
  code_hash: string;
}

export interface PasskeysTable {
  id: string;
  account_id: string;
  name: string;
  /** Base64url, as the browser names it. */
  credential_id: string;
  public_key: Uint8Array;
  /** Signature counter; 0 where the authenticator keeps none. */
  counter: number;
  transports: string;
  created_at: string;
  last_used_at: string | null;
}

/** Codes that work once: for setting up, setting a password, confirming an address, signing in by link. */
export interface OneTimeCodesTable {
  /** SHA-256 of the code, base64url. */
  code_hash: string;
  purpose: string;
  account_id: string | null;
  /** The address to confirm, where it is about one. */
  email: string | null;
  created_at: string;
  expires_at: string;
}

/** A sign-in whose first factor was right and whose second factor is not proved yet. */
export interface SignInStepsTable {
  /** SHA-256 of the secret in the cookie, base64url. */
  secret_hash: string;
  account_id: string;
  /** `null`: with the password. */
  how: 'oidc' | null;
  /** Codes that were tried. */
  tries: number;
  /** Keys of the counters that the password was counted in, JSON. */
  counted: string;
  created_at: string;
  expires_at: string;
}

/** People as the company's identity provider knows them. */
export interface OidcIdentitiesTable {
  account_id: string;
  issuer: string;
  subject: string;
  created_at: string;
}

/** Sign-ins that wait for the identity provider. */
export interface OidcSignInsTable {
  /** SHA-256 of the state in the address, base64url. */
  state_hash: string;
  /** SHA-256 of the secret in the cookie, base64url. */
  browser_hash: string;
  /** State, nonce, PKCE verifier and the page to continue at: encrypted JSON. */
  sealed: string;
  expires_at: string;
}

/** Attempts counted in a window, by what they are counted for. */
export interface ThrottlesTable {
  key: string;
  points: number;
  /** Milliseconds since the epoch. */
  expires_ms: number;
}

/** Mail that is kept since no SMTP server is set up: the operator's Outbox. */
export interface MailsTable {
  id: string;
  recipient: string;
  subject: string;
  body: string;
  /** SHA-256 of the code in the body, base64url; the body is emptied when the code stops working. */
  code_hash: string | null;
  created_at: string;
}

export interface ListingsTable {
  id: string;
  account_id: string;
  /** Unique over the whole marketplace. */
  slug: string;
  name: string;
  /** One line for lists. */
  summary: string | null;
  /** Plain text with line breaks. */
  description: string | null;
  url: string;
  state: 'draft' | 'pending' | 'changes_requested' | 'approved' | 'rejected' | 'withdrawn' | 'suspended';
  /** Why the operator decided as they did. */
  reason: string | null;
  /** Origin of `url`, pinned by approval. */
  origin: string | null;
  created_at: string;
  submitted_at: string | null;
  decided_at: string | null;
  /** A `url` of another origin than the pinned one, which waits for the operator while `url` stays live. */
  proposed_url: string | null;
  proposed_at: string | null;
  /** Why the operator declined `proposed_url`; unset while it waits. */
  declined_reason: string | null;
  /** Grows with each change of the listing or its offers. */
  version: number;
  /** Folded words of the listing and its live offers, for searching. */
  search_text: string;
  /** JSON of what the last withdrawal took offline, which a later review is compared with. */
  last_live: string | null;
  /** JSON of what a decision of the operator replaced, until the next change. */
  undo: string | null;
}

export interface OffersTable {
  id: string;
  account_id: string;
  listing_id: string;
  /** The text that names the offer. */
  offer: string;
  kind: 'discount' | 'trial' | 'credit' | 'bonus' | 'access' | 'gift';
  /** The link that is live, once its listing is. */
  redemption_link: string | null;
  /** The shared code for checkout. */
  code: string | null;
  ends_at: string | null;
  claim_limit: number | null;
  paused_at: string | null;
  created_at: string;
  /** A link of another origin than the pinned one, which waits for the operator while `redemption_link` stays live. */
  proposed_link: string | null;
  proposed_at: string | null;
  /** Why the operator declined `proposed_link`; unset while it waits. */
  declined_reason: string | null;
}

export interface ApiKeysTable {
  id: string;
  account_id: string;
  name: string;
  mode: 'live' | 'test';
  /** SHA-256 of the whole key. */
  secret_hash: Uint8Array;
  /** The first four characters after the prefix. */
  start: string;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  seen_in_browser_at: string | null;
  /** The key that replaces this one since a roll. */
  rolled_to_id: string | null;
}

/** Apart from `api_keys`, whose rows rarely change. */
export interface ApiKeyUsesTable {
  account_id: string;
  api_key_id: string;
  last_used_at: string;
}

export interface OperatorKeysTable {
  id: string;
  /** The operator in whose name it acts. */
  account_id: string;
  name: string;
  /** Separated by spaces. */
  scopes: string;
  /** SHA-256 of the whole key. */
  secret_hash: Uint8Array;
  /** The first four characters after the prefix. */
  start: string;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
}

export interface ClaimsTable {
  /** Creation order. */
  seq: Generated<number>;
  id: string;
  /** The owner of the listing. */
  account_id: string;
  listing_id: string;
  offer_id: string;
  mode: 'live' | 'test';
  /** SHA-256 of the claim token; unique per owner. */
  token_hash: Uint8Array;
  /** `derived`: the token is a keyed hash of the id and can be shown again. `imported`: it cannot. */
  token_origin: 'derived' | 'imported';
  via: string | null;
  /** An outside reference for the claimant. */
  claimant_ref: string | null;
  /** The claimant's account here, where they made the claim themselves. */
  claimant_id: string | null;
  claimed_at: string;
  redeemed_at: string | null;
  redeemed_by_key_id: string | null;
  /** SHA-256 of the Idempotency-Key that redeemed. */
  idempotency_hash: Uint8Array | null;
  /** Offer text and kind as the redemption answered them, kept with an Idempotency-Key so that a replay repeats it. */
  redeemed_offer: string | null;
  redeemed_kind: string | null;
  /** Set when the operator issued this claimant a new claim in its place. */
  replaced_at: string | null;
}

/** When a claimant first went to the owner's page from here; apart from `claims`, so that those rows stay as they are. */
export interface ClaimOpeningsTable {
  /** The owner of the listing. */
  account_id: string;
  claim_id: string;
  opened_at: string;
}

/** How many live claims an offer has, to compare with its limit. A transaction that makes claims adds them here. */
export interface OfferClaimsTable {
  account_id: string;
  offer_id: string;
  claims: number;
}

/** Folded counts per listing and label, live claims only. `via` is '' for no label. */
export interface LabelCountsTable {
  account_id: string;
  listing_id: string;
  via: string;
  claims: number;
  redeemed: number;
}

/** The same counts by the day (UTC, `2026-11-20`) on which claims were made or imported here, and redeemed. */
export interface LabelDaysTable extends LabelCountsTable {
  day: string;
}

/** Not yet folded changes of the counts; the exact count is the sum of both tables. */
export interface LabelDeltasTable {
  id: Generated<number>;
  account_id: string;
  listing_id: string;
  via: string;
  claims: number;
  redeemed: number;
  at: string;
}

export interface EventsTable {
  seq: Generated<number>;
  account_id: string;
  type: string;
  at: string;
  /** Who did it: `operator`, `key:<id>`, `account:<id>`. */
  actor: string;
  /** Id of the account, listing, offer, key or claim that the event is about. */
  subject_id: string;
  /** JSON object; never a secret or a whole token. */
  data: string;
}

/** The request log of verifications. */
export interface AttemptsTable {
  id: Generated<number>;
  account_id: string;
  /** Of the key; `live` where none was sent. */
  mode: 'live' | 'test';
  at: string;
  request_id: string;
  api_key_id: string | null;
  /** HTTP status of the answer. */
  status: number;
  /** The outcome's `status` or the problem's `code`. */
  outcome: string;
  /** A `Cause`: why the outcome is what it is. */
  cause: string;
  /** The problem's `detail`; `null` for an outcome. */
  detail: string | null;
  /** `null`: the body was not read. */
  redeem: number | null;
  token_last4: string | null;
  /** SHA-256 of a token that a claim could have. */
  token_hash: Uint8Array | null;
  /** Of the claim that was found. */
  offer_id: string | null;
  via: string | null;
  /** The end of the Idempotency-Key. */
  idempotency_last4: string | null;
  /** From the first byte of the request to the answer. */
  latency_us: number;
  ip: string | null;
  /** The beginning of the User-Agent header. */
  user_agent: string | null;
  /** Origin of a refused browser call. */
  origin: string | null;
  /** Method and path; `null` for a POST to verify. */
  request_line: string | null;
}

/** The first verification of an account that found a claim, kept after the request log has deleted it. */
export interface FirstVerificationsTable {
  account_id: string;
  at: string;
  request_id: string;
  api_key_id: string | null;
  /** The outcome's `status`. */
  outcome: string;
  token_last4: string | null;
  latency_us: number;
}

/** How many attempts of a minute were not kept. */
export interface AttemptsDroppedTable {
  account_id: string;
  mode: 'live' | 'test';
  minute: string;
  dropped: number;
  /** How many of them were failures. */
  failures: number;
}

/** Accounts with more attempts of a mode than are kept: those up to `until` were deleted before their time. */
export interface AttemptsDeletedTable {
  account_id: string;
  mode: 'live' | 'test';
  until: string;
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
  /** The first of the failures that no success has followed. */
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

/** How far readers have followed the log of events. */
export interface EventCursorsTable {
  name: string;
  seq: number;
}

/** The latest check-up of each offer. */
export interface CheckUpsTable {
  account_id: string;
  offer_id: string;
  /** The redemption link that was walked, with its placeholder. */
  template: string;
  claim_id: string;
  started_at: string;
  /** `null`: the walk is under way. */
  walked_at: string | null;
  /** JSON of a `Walk`. */
  walk: string;
  browser_claim_id: string | null;
  opened_at: string | null;
  opened_again_at: string | null;
}

/** Background jobs: the process that runs each one now, and the results of its runs. */
export interface JobsTable {
  name: string;
  interval_ms: number;
  /** Id of the process that runs it; `null` between runs. */
  holder: string | null;
  leased_until: string | null;
  started_at: string;
  /** When it last succeeded. */
  finished_at: string | null;
  took_ms: number | null;
  failed_at: string | null;
  runs: number;
  failures: number;
}
