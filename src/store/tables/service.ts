/** What the service itself remembers. */

export interface ServiceTables {
  settings: SettingsTable;
  mails: MailsTable;
  jobs: JobsTable;
}

/** What a database remembers of its deployment, such as the fingerprint of the secret key. */
export interface SettingsTable {
  name: string;
  value: string;
}

/** Mail that is kept because no SMTP server is set up: the operator's Outbox. */
export interface MailsTable {
  id: string;
  recipient: string;
  subject: string;
  body: string;
  /** SHA-256 of the code in the body, base64url; the body is emptied when the code stops working. */
  code_hash: string | null;
  created_at: string;
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
