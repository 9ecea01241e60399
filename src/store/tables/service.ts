/** Single values by name, such as the fingerprint of the secret key or where a job continues. */
export interface SettingsTable {
  name: string;
  value: string;
}

/** The Outbox: mail that the mail server has not accepted yet. Without a mail server, all mail stays here. */
export interface MailsTable {
  id: string;
  recipient: string;
  subject: string;
  /** Encrypted with a key that is derived from the secret key; empty once the code in it has stopped working. */
  body: string;
  /** Hash of the code in the body, as in `one_time_codes`. */
  code_hash: string | null;
  created_at: string;
  /** When the next attempt is due. During an attempt: when another process may take over. `null`: no attempt is due. */
  next_at: string | null;
  attempts: number;
  failure: string | null;
  failed_at: string | null;
  /** Set by a restore: the mail is not sent until the operator releases it. */
  held_at: string | null;
}

/** Which mail a person wants, and whether it reaches them. No row: the defaults. */
export interface MailSettingsTable {
  account_id: string;
  /** JSON: kind of notice → whether the person wants it. A kind that is left out has its default. */
  choices: string;
  /** The address that the mail server refused; `null`: none. Irrelevant once the account has a different one. */
  refused_email: string | null;
  refused_at: string | null;
  refusal: string | null;
}

/** Notices that were mailed, so that none is repeated and nobody gets too many. */
export interface NoticesTable {
  account_id: string;
  kind: string;
  /** What it was about, such as `event:123`. */
  about: string;
  at: string;
}

/** Background jobs: the process that runs each one now, and the results. */
export interface JobsTable {
  name: string;
  interval_ms: number;
  /** ID of the process that runs it; `null` between runs. */
  holder: string | null;
  /** When that process's lease on the job ends; `null` between runs. */
  leased_until: string | null;
  started_at: string;
  finished_at: string | null;
  took_ms: number | null;
  failed_at: string | null;
  runs: number;
  failures: number;
}
