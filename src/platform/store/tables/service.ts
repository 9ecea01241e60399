/** Key-value pairs, such as the fingerprint of the secret key or the position at which a job resumes. */
export interface SettingsTable {
  name: string;
  value: string;
}

/** Mail that the mail server has not accepted yet, shown in the Outbox. Without a mail server, all mail stays here. */
export interface MailsTable {
  id: string;
  recipient: string;
  subject: string;
  /** Encrypted with a key derived from the secret key. Emptied when the code in the body stops working. */
  body: string;
  /** Hash of the code in the body, equal to `code_hash` in `one_time_codes`. */
  code_hash: string | null;
  created_at: string;
  /** When the next attempt is due; during an attempt, when the lease expires. `null`: no attempt is scheduled. */
  next_at: string | null;
  attempts: number;
  failure: string | null;
  failed_at: string | null;
  /** Set by a restore: the mail is not sent until the operator releases it. */
  held_at: string | null;
}

/** A person's choice of notices, and the address that the mail server rejected. Without a row, the defaults apply. */
export interface MailSettingsTable {
  account_id: string;
  /** JSON: kind of notice → whether the person wants it. Missing kinds have their default. */
  choices: string;
  /** The address that the mail server rejected. Ignored if the account's address has changed since. */
  refused_email: string | null;
  refused_at: string | null;
  refusal: string | null;
}

/** Notices that were mailed. Used to prevent duplicates and to limit the mail that each person gets. */
export interface NoticesTable {
  account_id: string;
  kind: string;
  /** The subject of the notice, such as `event:123`. */
  about: string;
  at: string;
}

/** Background jobs: current lease and results. */
export interface JobsTable {
  name: string;
  interval_ms: number;
  /** ID of the process that is running the job; `null` between runs. */
  holder: string | null;
  /** When the holder's lease expires; `null` between runs. */
  leased_until: string | null;
  started_at: string;
  finished_at: string | null;
  took_ms: number | null;
  failed_at: string | null;
  runs: number;
  failures: number;
}
