import type { Generated } from 'kysely';

export interface AccountsTable {
  /** Tables with compact rows, such as `claim_rows`, refer to the account by this number instead of the ID. */
  number: Generated<number>;
  id: string;
  /** Lower case; unique. */
  email: string;
  /** The email address in a form that all spellings of the same mailbox share (`mailboxOf`). */
  mailbox: string;
  name: string;
  plan: 'starter' | 'studio' | 'everything';
  operator_since: string | null;
  /** When an operator allowed the account to publish, which the policy may require. */
  publisher_since: string | null;
  suspended_at: string | null;
  email_verified_at: string | null;
  two_factor_at: string | null;
  /** The terms accepted last (`termsVersion` in `src/brand/brand.ts`), and when. */
  terms_version: string | null;
  terms_accepted_at: string | null;
  created_at: string;
  /** When the account is due to be deleted; `null`: no deletion is planned, or the deletion is complete. */
  delete_at: string | null;
  /**
   * `asked`: the person or an operator asked for it. `unused`: not used for too long; signing in cancels the deletion.
   */
  delete_reason: 'asked' | 'unused' | null;
  /** When it was deleted. The row stays, without personal data, since claims, listings and events refer to it. */
  deleted_at: string | null;
}

/** Separate from `accounts`, so that the rows of `accounts` rarely change. */
export interface AccountUsesTable {
  account_id: string;
  last_used_at: string;
}

/** Requests to the operator. Granting a request deletes it. */
export interface AccountRequestsTable {
  id: string;
  account_id: string;
  wish: 'plan' | 'publish';
  /** The requested plan; `null` for a request to publish. */
  plan: 'starter' | 'studio' | 'everything' | null;
  message: string | null;
  /** The person who asked, who may be a member of the account. */
  asked_by_id: string | null;
  created_at: string;
  declined_at: string | null;
  reason: string | null;
}

/**
 * Shows which offers were claimed by deleted accounts and former mailboxes, so that nobody claims an offer again with a
 * new account.
 */
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
  /** 2: signed in with a second factor or a passkey, or the identity provider reported several factors. */
  factors: number;
  proven_at: string;
  created_at: string;
  /** Updated at most once every few minutes. */
  last_seen_at: string;
  expires_at: string;
  /** The session ends at this time unless it is used first. */
  idle_expires_at: string;
  ip: string | null;
  user_agent: string | null;
  /** The account whose dashboard the person has open, as its member; `null`: their own. */
  works_in_id: string | null;
}

/** Other people who work in an account. The account's own person is always an owner and has no row. */
export interface MembershipsTable {
  account_id: string;
  member_id: string;
  role: 'owner' | 'member';
  created_at: string;
  /** The account of the person who sent the invitation; `null`: unknown. */
  invited_by_id: string | null;
}

/** Open invitations to an account. Using an invitation deletes it. */
export interface InvitationsTable {
  id: string;
  account_id: string;
  code_hash: string;
  role: 'owner' | 'member';
  /** The only email address that may use the invitation; `null`: anyone who has the link may use it. */
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
  /** Time step of the last accepted code; codes of this step and earlier ones are refused. */
  last_step: number | null;
}

/** Backup codes. Each can be used once in place of a code from the authenticator app. */
export interface BackupCodesTable {
  account_id: string;
  code_hash: string;
}

export interface PasskeysTable {
  id: string;
  account_id: string;
  name: string;
  /** Base64url, as the browser sends it. */
  credential_id: string;
  public_key: Uint8Array;
  /** Signature counter; 0 if the authenticator has none. */
  counter: number;
  transports: string;
  created_at: string;
  last_used_at: string | null;
}

/** One-time codes (setup, passwords, addresses, sign-in links, invitations), and the challenges that passkeys sign. */
export interface OneTimeCodesTable {
  /** HMAC of the code under the secret key, base64url. */
  code_hash: string;
  purpose: string;
  account_id: string | null;
  email: string | null;
  created_at: string;
  expires_at: string;
}

/** Pending sign-ins by email: the email contains a code and a link. */
export interface EmailSignInsTable {
  /** Hash of the code in the link, as in `one_time_codes`. If no email was sent, nobody has the code. */
  link_hash: string;
  email: string;
  /** SHA-256 of the secret in the cookie of the browser that asked, base64url. */
  browser_hash: string;
  /** HMAC, under the secret key, of the code in the email and the secret of that browser. */
  code_hash: string;
  next: string;
  /** 1: the person has already asked for the action at `next`, so it needs no further click. */
  is_intended: number;
  tries: number;
  /** JSON: keys of the rate-limit counters that counted the request. */
  counted: string;
  created_at: string;
  expires_at: string;
  finished_at: string | null;
}

/** A sign-in whose first factor was accepted and whose second is pending. */
export interface SignInStepsTable {
  /** SHA-256 of the secret in the cookie, base64url. */
  secret_hash: string;
  account_id: string;
  /** How the first factor was given; `null`: a password. */
  how: 'oidc' | 'email' | null;
  tries: number;
  /** JSON: keys of the rate-limit counters that counted the first factor. */
  counted: string;
  created_at: string;
  expires_at: string;
}

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

export interface ThrottlesTable {
  key: string;
  points: number;
  expires_ms: number;
}

/** A restore empties these tables, because access may have been revoked or used up since the backup. */
export const ACCESS_TABLES = [
  'sessions',
  'sign_in_steps',
  'one_time_codes',
  'invitations',
  'email_sign_ins',
  'oidc_sign_ins',
] as const;

export type EndedAccess = Readonly<Record<(typeof ACCESS_TABLES)[number], number>>;
