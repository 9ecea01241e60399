/**
 * The tables as queries see them on every engine. Times are ISO 8601 UTC with milliseconds, IDs are UUIDv7, JSON is
 * text. Compact rows (`claim_rows`, `event_rows`) store numbers, which the views `claims` and `events` convert to IDs.
 * An engine may partition claims and events by account, so unique keys of claims include it (except on SQLite).
 */
import type * as accounts from './tables/accounts.ts';
import type * as attempts from './tables/attempts.ts';
import type * as claims from './tables/claims.ts';
import type * as keys from './tables/keys.ts';
import type * as listings from './tables/listings.ts';
import type * as pictures from './tables/pictures.ts';
import type * as service from './tables/service.ts';
import type * as webhooks from './tables/webhooks.ts';

export interface Schema {
  accounts: accounts.AccountsTable;
  account_uses: accounts.AccountUsesTable;
  account_requests: accounts.AccountRequestsTable;
  mailbox_marks: accounts.MailboxMarksTable;
  sessions: accounts.SessionsTable;
  passwords: accounts.PasswordsTable;
  two_factors: accounts.TwoFactorsTable;
  backup_codes: accounts.BackupCodesTable;
  passkeys: accounts.PasskeysTable;
  one_time_codes: accounts.OneTimeCodesTable;
  email_sign_ins: accounts.EmailSignInsTable;
  sign_in_steps: accounts.SignInStepsTable;
  oidc_identities: accounts.OidcIdentitiesTable;
  oidc_sign_ins: accounts.OidcSignInsTable;
  memberships: accounts.MembershipsTable;
  invitations: accounts.InvitationsTable;
  access_links: accounts.AccessLinksTable;
  access_grants: accounts.AccessGrantsTable;
  invitation_refusals: accounts.InvitationRefusalsTable;
  throttles: accounts.ThrottlesTable;
  api_keys: keys.ApiKeysTable;
  api_key_uses: keys.ApiKeyUsesTable;
  operator_keys: keys.OperatorKeysTable;
  listings: listings.ListingsTable;
  cards: listings.CardsTable;
  link_probes: listings.LinkProbesTable;
  reports: listings.ReportsTable;
  listing_questions: listings.ListingQuestionsTable;
  offers: listings.OffersTable;
  offer_wordings: listings.OfferWordingsTable;
  waiting_people: listings.WaitingPeopleTable;
  pictures: pictures.PicturesTable;
  picture_files: pictures.PictureFilesTable;
  claim_rows: claims.ClaimRowsTable;
  claims: claims.ClaimsView;
  claim_networks: claims.ClaimNetworksTable;
  claim_openings: claims.ClaimOpeningsTable;
  claim_references: claims.ClaimReferencesTable;
  offer_claims: claims.OfferClaimsTable;
  label_counts: claims.LabelCountsTable;
  label_days: claims.LabelDaysTable;
  label_months: claims.LabelMonthsTable;
  label_deltas: claims.LabelDeltasTable;
  market_days: claims.MarketDaysTable;
  unreadable_labels: claims.UnreadableLabelsTable;
  visitor_days: claims.VisitorDaysTable;
  visitors: claims.VisitorsTable;
  offer_codes: claims.OfferCodesTable;
  receipt_keys: claims.ReceiptKeysTable;
  event_rows: claims.EventRowsTable;
  events: claims.EventsView;
  attempts: attempts.AttemptsTable;
  first_verifications: attempts.FirstVerificationsTable;
  unrecorded_calls: attempts.UnrecordedCallsTable;
  link_checks: attempts.LinkChecksTable;
  webhook_endpoints: webhooks.WebhookEndpointsTable;
  deliveries: webhooks.DeliveriesTable;
  delivery_attempts: webhooks.DeliveryAttemptsTable;
  settings: service.SettingsTable;
  mails: service.MailsTable;
  jobs: service.JobsTable;
  mail_settings: service.MailSettingsTable;
  notices: service.NoticesTable;
}
