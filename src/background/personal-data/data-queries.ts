/** Queries for the export of a person's data. The queries must not return secrets or hashes of secrets. */

import { sql } from 'kysely';
import { claimsWithOpenings } from '../../claims/queries.ts';
import { LISTING_FIELDS } from '../../marketplace/listings/fields.ts';
import { OFFER_FIELDS } from '../../marketplace/offers/fields.ts';
import type { Queryable } from '../../platform/store/database.ts';
import { numberOfAccount } from '../../platform/store/numbers.ts';
import { NIL_UUID } from '../../platform/store/uuid.ts';
import { namesOf } from '../../platform/text/fields.ts';
import { auditEventsOf, findInvitationsTo } from './erase-queries.ts';

export interface DataPage {
  readonly accountId: string;
  /** Key of the last row of the previous page; `''` for the first page. */
  readonly after: string;
  readonly limit: number;
}

export type DataRow = Readonly<Record<string, unknown>>;

export const readProfile = (db: Queryable, accountId: string) =>
  db
    .selectFrom('accounts')
    .leftJoin('account_uses', 'account_uses.account_id', 'accounts.id')
    .leftJoin('passwords', 'passwords.account_id', 'accounts.id')
    .select([
      'accounts.id',
      'accounts.email',
      'accounts.mailbox',
      'accounts.name',
      'accounts.plan',
      'accounts.created_at',
      'accounts.email_verified_at',
      'accounts.operator_since',
      'accounts.publisher_since',
      'accounts.suspended_at',
      'accounts.two_factor_at',
      'accounts.terms_version',
      'accounts.terms_accepted_at',
      'accounts.delete_at',
      'account_uses.last_used_at as last_signed_in_at',
      'passwords.created_at as password_set_at',
    ])
    .where('accounts.id', '=', accountId)
    .execute();

export const readIdentities = (db: Queryable, accountId: string) =>
  db
    .selectFrom('oidc_identities')
    .select(['issuer', 'subject', 'created_at', 'operator_since'])
    .where('account_id', '=', accountId)
    .orderBy('issuer')
    .execute();

export const readMailSettingsOfData = (db: Queryable, accountId: string) =>
  db
    .selectFrom('mail_settings')
    .select(['choices', 'refused_email', 'refused_at', 'refusal'])
    .where('account_id', '=', accountId)
    .execute();

export const readMemberships = (db: Queryable, accountId: string) =>
  db
    .selectFrom('memberships')
    .select(['account_id', 'role', 'created_at'])
    .where('member_id', '=', accountId)
    .orderBy('account_id')
    .execute();

export const readAccessGrants = (db: Queryable, accountId: string) =>
  db
    .selectFrom('access_grants')
    .innerJoin('access_links', 'access_links.id', 'access_grants.link_id')
    .select(['access_links.listing_id', 'access_grants.link_id', 'access_grants.created_at'])
    .where('access_grants.account_id', '=', accountId)
    .orderBy('access_grants.link_id')
    .execute();

/** Invitations to any spelling of the person's mailbox. */
export async function readInvitationsOf(db: Queryable, accountId: string) {
  const { mailbox } = await db
    .selectFrom('accounts')
    .select('mailbox')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const ids = await findInvitationsTo(db, mailbox);
  if (ids.length === 0) return [];
  return await db
    .selectFrom('invitations')
    .select(['account_id', 'role', 'email', 'name', 'plan', 'note', 'created_at', 'mailed_at'])
    .where('id', 'in', ids)
    .orderBy('id')
    .execute();
}

/** The waiting lists that any spelling of the person's mailbox is on. */
export const readWaitingLists = (db: Queryable, accountId: string) =>
  db
    .selectFrom('waiting_people')
    .innerJoin('accounts', 'accounts.mailbox', 'waiting_people.mailbox')
    .innerJoin('offers', 'offers.id', 'waiting_people.offer_id')
    .select([
      'waiting_people.offer_id',
      'offers.offer',
      'waiting_people.email',
      'waiting_people.created_at',
      'waiting_people.confirmed_at',
      'waiting_people.expires_at',
    ])
    .where('accounts.id', '=', accountId)
    // An account with an unconfirmed address may belong to somebody else.
    .where('accounts.email_verified_at', 'is not', null)
    .orderBy('waiting_people.id')
    .execute();

export const readReportsOfData = (db: Queryable, { accountId, after, limit }: DataPage) =>
  db
    .selectFrom('reports')
    .select(['id', 'listing_id', 'cause', 'words', 'reply_to', 'created_at', 'closed_at'])
    .where('reporter_id', '=', accountId)
    .where('id', '>', after || NIL_UUID)
    .orderBy('id')
    .limit(limit)
    .execute();

/** The invitation links that the person created, in every account. */
export const readLinksOfData = (db: Queryable, { accountId, after, limit }: DataPage) =>
  db
    .selectFrom('access_links')
    .select(['id', 'listing_id', 'name', 'max_people', 'created_at', 'expires_at'])
    .where('created_by_id', '=', accountId)
    .where('id', '>', after || NIL_UUID)
    .orderBy('id')
    .limit(limit)
    .execute();

/** The operator's questions about the account's listings, and the replies. */
export const readQuestionsOfData = (db: Queryable, { accountId, after, limit }: DataPage) =>
  db
    .selectFrom('listing_questions')
    .innerJoin('listings', 'listings.id', 'listing_questions.listing_id')
    .select(['listing_questions.id', 'listing_questions.listing_id', 'listing_questions.question'])
    .select(['listing_questions.asked_at', 'listing_questions.reply', 'listing_questions.replied_at'])
    .where('listings.account_id', '=', accountId)
    .where('listing_questions.id', '>', after || NIL_UUID)
    .orderBy('listing_questions.id')
    .limit(limit)
    .execute();

export const readNoticesOfData = (db: Queryable, { accountId, after, limit }: DataPage) => {
  const slash = after.indexOf('/');
  const [kind, about] = [after.slice(0, Math.max(0, slash)), after.slice(slash + 1)];
  return db
    .selectFrom('notices')
    .select(['kind', 'about', 'at'])
    .where('account_id', '=', accountId)
    .where((eb) => eb.or([eb('kind', '>', kind), eb.and([eb('kind', '=', kind), eb('about', '>', about)])]))
    .orderBy('kind')
    .orderBy('about')
    .limit(limit)
    .execute();
};

/** The columns to export from each table. The values are exported as stored, so no column may contain a secret. */
const COLUMNS = {
  account_requests: [
    ...['id', 'wish', 'plan', 'name', 'former_name', 'message'],
    ...['created_at', 'approved_at', 'declined_at', 'reason'],
  ],
  passkeys: ['id', 'name', 'created_at', 'last_used_at'],
  sessions: ['id', 'created_at', 'last_seen_at', 'expires_at', 'ip', 'user_agent'],
  listings: [
    ...['id', ...namesOf(LISTING_FIELDS), 'state', 'reason', 'created_at', 'submitted_at', 'decided_at'],
    ...['proposed_url', 'declined_reason', 'text_changes', 'reply'],
  ],
  offers: [
    ...[
      'id',
      'listing_id',
      ...namesOf(OFFER_FIELDS),
      'proposed_link',
      'declined_reason',
      'hidden_since',
      'paused_at',
      'created_at',
    ],
  ],
  pictures: [
    'id',
    'subject_id',
    'kind',
    'files',
    'bytes',
    'created_at',
    'proposed_at',
    'declined_reason',
    'replaced_at',
  ],
  api_keys: ['id', 'name', 'mode', 'start', 'networks', 'created_at', 'expires_at', 'revoked_at'],
  operator_keys: [
    'id',
    'name',
    'scopes',
    'start',
    'networks',
    'created_at',
    'expires_at',
    'revoked_at',
    'last_used_at',
    'refused_at',
    'refused_ip',
  ],
  webhook_endpoints: ['id', 'url', 'description', 'event_types', 'created_at', 'disabled_at'],
} as const;

export type TableOfData = keyof typeof COLUMNS;

export async function readRowsOf(
  db: Queryable,
  table: TableOfData,
  { accountId, after, limit }: DataPage,
): Promise<readonly (DataRow & { readonly id: string })[]> {
  const { rows } = await sql<DataRow & { readonly id: string }>`
    select ${sql.join(COLUMNS[table].map((column) => sql.ref(column)))} from ${sql.table(table)}
    where account_id = ${accountId} and id > ${after || NIL_UUID} order by id limit ${sql.lit(limit)}`.execute(
    db,
  );
  return rows;
}

export type ClaimOfData = Awaited<ReturnType<typeof readClaimsOfData>>[number];

export const readClaimsOfData = (db: Queryable, { accountId, after, limit }: DataPage) =>
  claimsWithOpenings(db)
    .select([
      'claims.seq',
      'claims.id',
      'claims.account_id',
      'claims.offer_id',
      'claims.mode',
      'listings.name as listing',
      'offers.offer',
      'offers.kind',
      'offers.code as shared_code',
      'claims.via',
      'claims.claimed_at',
      'claim_openings.opened_at',
      'claims.redeemed_at',
      'claim_references.reference',
      'claims.replaced_at',
    ])
    .where('claims.claimant_number', '=', numberOfAccount(accountId))
    .where('claims.seq', '>', Number(after))
    .orderBy('claims.seq')
    .limit(limit)
    .execute();

/** Returns session events if `isOfSessions`. Otherwise, returns all events except session events and claim events. */
export const readEventsOfData = (
  db: Queryable,
  { accountId, after, limit, isOfSessions }: DataPage & { readonly isOfSessions: boolean },
) =>
  auditEventsOf(db, accountId)
    .select(['seq', 'at', 'type', 'actor', 'data'])
    .where('type', isOfSessions ? 'like' : 'not like', 'session.%')
    .where('seq', '>', Number(after))
    .orderBy('seq')
    .limit(limit)
    .execute();
