/** Accounts and how people sign in to them. */

import type { Generated } from 'kysely';

export interface AccountsTable {
  /** Stored in compact rows instead of the ID. */
  number: Generated<number>;
  id: string;
  /** Lower case; unique. */
  email: string;
  /** What the spellings of a mailbox have in common (`mailboxOf`). */
  mailbox: string;
  name: string;
  plan: 'starter' | 'studio' | 'everything';
  /** Set for operators. */
  operator_since: string | null;
  /** When an operator allowed the account to publish, which the policy may require. */
  publisher_since: string | null;
  suspended_at: string | null;
  /** When the email address was confirmed. */
  email_verified_at: string | null;
  two_factor_at: string | null;
  /** The terms that were accepted last (`termsVersion` in `src/brand/brand.ts`), and when. */
  terms_version: string | null;
  terms_accepted_at: string | null;
  created_at: string;
  /**
   * When the account is due to be deleted; kept until the deletion is complete. `null`: no deletion is planned, or it
   * is complete.
   */
  delete_at: string | null;
  /**
   * `asked`: its holder or an operator asked for it. `unused`: not used for too long; signing in cancels the deletion.
   */
  delete_reason: 'asked' | 'unused' | null;
  /** When it was deleted. The row stays, without personal data, since claims, listings and events refer to it. */
  deleted_at: string | null;
}

/** Kept out of `accounts`, whose rows rarely change. */
export interface AccountUsesTable {
  account_id: string;
  last_used_at: string;
}

/** What accounts ask of the operator: one row for each wish, deleted when it is granted. */
export interface AccountRequestsTable {
  id: string;
  account_id: string;
  wish: 'plan' | 'publish';
  /** The plan that is asked for, if one is. */
  plan: 'starter' | 'studio' | 'everything' | null;
  message: string | null;
  /** The person, who may be a member of the account. */
  asked_by_id: string | null;
  created_at: string;
  /** `null`: it waits for the operator. */
  declined_at: string | null;
  /** Why it was declined. */
  reason: string | null;
}

/** Claims of deleted accounts, so that nobody claims an offer a second time with a new account. */
export interface MailboxMarksTable {
  /** The owner of the listing. */
  account_number: number;
  offer_id: string;
  /** A keyed hash of the offer and the mailbox. */
  mark: Uint8Array;
}

/** Open sessions. A session ends when its row is deleted. */
export interface SessionsTable {
  id: string;
  account_id: string;
  /** SHA-256 of the secret in the cookie, base64url. */
  token_hash: string;
  /** 2: signed in with a second factor or a passkey. */
  factors: number;
  /** When the person last authenticated. */
  proven_at: string;
  created_at: string;
  /** Updated at most once every few minutes. */
  last_seen_at: string;
  expires_at: string;
  /** The session ends then unless it is used before. */
  idle_expires_at: string;
  ip: string | null;
  user_agent: string | null;
  /** The account whose dashboard the person has open, as its member; `null`: their own. */
  works_in_id: string | null;
}

/** Other people who work in an account. Its own person is always an owner and has no row. */
export interface MembershipsTable {
  account_id: string;
  /** The person's account. */
  member_id: string;
  role: 'owner' | 'member';
  created_at: string;
  /** `null`: on the command line. */
  invited_by_id: string | null;
}

/** Open invitations to an account. Using one deletes it. */
export interface InvitationsTable {
  id: string;
  account_id: string;
  /** As in `one_time_codes`. */
  code_hash: string;
  role: 'owner' | 'member';
  /** Whom it is for; `null`: whoever has the link. */
  email: string | null;
  invited_by_id: string;
  created_at: string;
  expires_at: string;
}

export interface PasswordsTable {
  account_id: string;
  /** Argon2id with its parameters, in the PHC string format. */
  hash: string;
  created_at: string;
}

/** Authenticator apps, including unconfirmed ones. */
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
  /** Signature counter; 0 if the authenticator has none. */
  counter: number;
  transports: string;
  created_at: string;
  last_used_at: string | null;
}

/** One-time codes: to set up, to set a password, to confirm an email address, to sign in by link. */
export interface OneTimeCodesTable {
  /** SHA-256 of the code, base64url. */
  code_hash: string;
  purpose: string;
  account_id: string | null;
  /** The email address to confirm, if any. */
  email: string | null;
  created_at: string;
  expires_at: string;
}

/** Pending sign-ins by email: the email contains a code and a link. */
export interface EmailSignInsTable {
  /**
   * Hash of the code in the link, as in `one_time_codes`. If no email was sent, it is the hash of a code that nobody
   * has.
   */
  link_hash: string;
  email: string;
  /** SHA-256 of the secret in the cookie of the browser that asked, base64url. */
  browser_hash: string;
  /** Hash of the digits for that browser, under the secret key. */
  code_hash: string;
  /** Path to continue at. */
  next: string;
  /** 1: the person has already asked for the action at `next`, so it needs no further click. */
  is_intended: number;
  tries: number;
  /** Keys of the counters that the request was counted in, JSON. */
  counted: string;
  created_at: string;
  expires_at: string;
  /** When the code or the link was used. */
  finished_at: string | null;
}

/** A sign-in whose first factor was accepted and whose second is pending. */
export interface SignInStepsTable {
  /** SHA-256 of the secret in the cookie, base64url. */
  secret_hash: string;
  account_id: string;
  /** `null`: with the password. */
  how: 'oidc' | 'email' | null;
  tries: number;
  /** Keys of the counters that the password was counted in, JSON. */
  counted: string;
  created_at: string;
  expires_at: string;
}

/** Identities at the company's identity provider. */
export interface OidcIdentitiesTable {
  account_id: string;
  issuer: string;
  subject: string;
  created_at: string;
}

/** Sign-ins in progress at the identity provider. */
export interface OidcSignInsTable {
  /** SHA-256 of the `state` parameter, base64url. */
  state_hash: string;
  /** SHA-256 of the secret in the cookie, base64url. */
  browser_hash: string;
  /** State, nonce, PKCE verifier and the page to return to: encrypted JSON. */
  sealed: string;
  expires_at: string;
}

/** Counters of rate-limited attempts. */
export interface ThrottlesTable {
  key: string;
  points: number;
  expires_ms: number;
}

/** A restore empties these tables, because any of their rows may have been ended since the backup. */
export const ACCESS_TABLES = [
  'sessions',
  'sign_in_steps',
  'one_time_codes',
  'invitations',
  'email_sign_ins',
  'oidc_sign_ins',
] as const;

/** Deleted rows, by table. */
export type EndedAccess = Readonly<Record<(typeof ACCESS_TABLES)[number], number>>;
