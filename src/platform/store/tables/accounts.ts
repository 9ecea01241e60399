import type { Generated } from 'kysely';

export interface AccountsTable {
  /** Tables with compact rows, such as `claim_rows`, refer to the account by this number instead of the ID. */
  number: Generated<number>;
  id: string;
  /** Lower case; unique. */
  email: string;
  /** The normalized email address, which is the same for all spellings of a mailbox (`mailboxOf`). */
  mailbox: string;
  name: string;
  plan: 'starter' | 'studio' | 'everything';
  operator_since: string | null;
  /** When an operator allowed the account to publish. The policy may require this permission. */
  publisher_since: string | null;
  /** When an operator first approved a listing of the account, or last decided against the account. */
  standing_since: string | null;
  suspended_at: string | null;
  email_verified_at: string | null;
  two_factor_at: string | null;
  /** Version of the terms that the person last accepted (`termsVersion` in `src/base/brand/brand.ts`). */
  terms_version: string | null;
  terms_accepted_at: string | null;
  created_at: string;
  /** When the account is due to be deleted; `null`: no deletion is planned, or the deletion is complete. */
  delete_at: string | null;
  /** `unused`: the account was inactive for too long; signing in cancels the deletion. */
  delete_reason: 'asked' | 'unused' | null;
  /** The row is kept, without personal data, because claims, listings and events refer to it. */
  deleted_at: string | null;
}

/** Separate from `accounts`, so that the rows of `accounts` rarely change. */
export interface AccountUsesTable {
  account_id: string;
  last_used_at: string;
}

/** Granted requests are deleted, an approved name when the approval can no longer be undone. */
export interface AccountRequestsTable {
  id: string;
  account_id: string;
  wish: 'plan' | 'publish' | 'name';
  /** The requested plan, for the wish `plan`. */
  plan: AccountsTable['plan'] | null;
  /** The proposed name of the account, for the wish `name`. */
  name: string | null;
  /** The name that the approved one replaced. */
  former_name: string | null;
  message: string | null;
  /** The person who made the request, who may be a member of the account. */
  asked_by_id: string | null;
  created_at: string;
  approved_at: string | null;
  declined_at: string | null;
  reason: string | null;
}

/** What people of deleted or moved mailboxes have claimed, so that another account can't claim it again. */
export interface MailboxMarksTable {
  account_number: number;
  offer_id: string;
  /** A keyed hash of the offer and the mailbox. */
  mark: Uint8Array;
}

/** Open sessions. Deleting a row ends the session. */
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
  /** The session expires at this time unless it is used earlier. */
  idle_expires_at: string;
  ip: string | null;
  user_agent: string | null;
  /** The account that the person is working in as a member; `null`: their own account. */
  works_in_id: string | null;
  /** SHA-256 of the issuer and the provider's ID of its session (`sid`); `null`: no ID, or signed in another way. */
  provider_session: string | null;
}

/** People who work in another person's account. The account holder is always an owner and has no row. */
export interface MembershipsTable {
  account_id: string;
  member_id: string;
  role: 'owner' | 'member';
  created_at: string;
  /** The account of the person who sent the invitation; `null`: unknown. */
  invited_by_id: string | null;
}

/**
 * Invitations to work in an account or to join the marketplace. Using an invitation deletes it. Expired ones are kept for
 * a while (`EXPIRED_INVITATION_DAYS`), so that they can be resent.
 */
export interface InvitationsTable {
  id: string;
  /** `null`: an invitation to the marketplace. */
  account_id: string | null;
  code_hash: string;
  /** `operator`: only in invitations to the marketplace, whose other role is `owner`. */
  role: 'owner' | 'member' | 'operator';
  /** Only a person with this email address may use the invitation; `null`: anyone with the link may use it. */
  email: string | null;
  /** `null`: an operator on the command line, or an operator key. */
  invited_by_id: string | null;
  created_at: string;
  expires_at: string;
  /** When the code was mailed to `email`; `null`: whoever sent the invitation passes the link on. */
  mailed_at: string | null;
  /** The name of the new account; `null`: derived from the address. */
  name: string | null;
  /** The plan that the person gets by accepting; `null`: the plan doesn't change. */
  plan: AccountsTable['plan'] | null;
  /** A sentence from the sender, for the mail. */
  note: string | null;
  /** The language of the mail (`Language.code`); `null`: the language of the marketplace. */
  language: string | null;
}

/** Links with which people become members of the marketplace, or may see a listing that is for members only. */
export interface AccessLinksTable {
  id: string;
  /** `null`: the link is for the whole marketplace. */
  listing_id: string | null;
  /** What its author calls the link; people who use it don't see the name. */
  name: string;
  /** HMAC of the code under the secret key, as in `invitations`. */
  code_hash: string;
  max_people: number;
  created_by_id: string | null;
  created_at: string;
  /** Nobody can use the link later. People who used it before stay members. */
  expires_at: string;
}

/** People who used an access link. Deleting the link deletes these rows. */
export interface AccessGrantsTable {
  account_id: string;
  link_id: string;
  created_at: string;
}

/** People who want no invitations by mail. They may have no account. */
export interface InvitationRefusalsTable {
  /** A keyed hash of the mailbox. */
  mailbox_hash: string;
  created_at: string;
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
  /** Encrypted with a key derived from the secret key. */
  secret: string;
  /** Time step of the last accepted code. Codes of this step and earlier steps are rejected. */
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

/** Setup, passwords, email changes, sign-in links, invitations, and the challenges that passkeys sign. */
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
  /** Hash of the code in the link, as in `one_time_codes`. */
  link_hash: string;
  email: string;
  /** SHA-256 of the secret in the cookie of the browser that requested the email, base64url. */
  browser_hash: string;
  /** 1: the account of the address recognized the browser (`knownDevice`). */
  is_known: number;
  /** HMAC under the secret key. The input is the code in the email and the secret in the browser's cookie. */
  code_hash: string;
  next: string;
  /** 1: run the action at `next` without another click, because the person requested it before signing in. */
  is_intended: number;
  tries: number;
  /** JSON: keys of the rate-limit counters that the request incremented. */
  counted: string;
  /** When the mail was created. */
  created_at: string;
  /** Later than `created_at` if the browser requested another mail, and a limit on mails was reached. */
  requested_at: string;
  expires_at: string;
  finished_at: string | null;
}

/** Sign-ins that are waiting for the second factor. */
export interface SignInStepsTable {
  /** SHA-256 of the secret in the cookie, base64url. */
  secret_hash: string;
  account_id: string;
  /** Method of the first factor; `null`: password. */
  how: 'oidc' | 'email' | 'link' | null;
  /** As in `sessions`. */
  provider_session: string | null;
  tries: number;
  /** JSON: keys of the rate-limit counters that the first factor incremented. */
  counted: string;
  created_at: string;
  expires_at: string;
}

export interface OidcIdentitiesTable {
  account_id: string;
  issuer: string;
  subject: string;
  created_at: string;
  /** When the provider's claim made the account an operator's; `null`: the identity doesn't make it one. */
  operator_since: string | null;
}

/** Sign-ins in progress at the identity provider. */
export interface OidcSignInsTable {
  /** SHA-256 of the `state` parameter, base64url. */
  state_hash: string;
  /** SHA-256 of the secret in the cookie, base64url. */
  browser_hash: string;
  /** Encrypted JSON: state, nonce, PKCE verifier and the page to return to. */
  sealed: string;
  expires_at: string;
}

export interface ThrottlesTable {
  key: string;
  points: number;
  expires_ms: number;
}

/** A restore empties these tables, because their rows may have been revoked or used since the backup. */
export const ACCESS_TABLES = [
  'sessions',
  'sign_in_steps',
  'one_time_codes',
  'invitations',
  'access_links',
  'access_grants',
  'email_sign_ins',
  'oidc_sign_ins',
] as const;

export type EndedAccess = Readonly<Record<(typeof ACCESS_TABLES)[number], number>>;
