import { type Selectable, sql } from 'kysely';
import type { Role } from '../accounts/membership-queries.ts';
import { countOf, isFound, type Queryable, type Transaction } from '../store/database.ts';
import type { InvitationsTable, MembershipsTable } from '../store/tables/accounts.ts';

export type Member = Awaited<ReturnType<typeof listMembers>>[number];

/** Ordered by the time of joining. */
export const listMembers = (db: Queryable, accountId: string) =>
  db
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.member_id')
    .select(['accounts.id', 'accounts.name', 'accounts.email', 'accounts.suspended_at'])
    .select(['memberships.role', 'memberships.created_at'])
    .where('memberships.account_id', '=', accountId)
    .orderBy('memberships.created_at')
    .orderBy('accounts.id')
    .execute();

export const findMember = async (db: Queryable, accountId: string, memberId: string) =>
  (await listMembers(db, accountId)).find(({ id }) => id === memberId);

export const countMembers = (db: Queryable, accountId: string): Promise<number> =>
  countOf(db.selectFrom('memberships').where('account_id', '=', accountId));

/** Includes memberships in suspended accounts. */
export const countMemberships = (db: Queryable, personId: string): Promise<number> =>
  countOf(db.selectFrom('memberships').where('member_id', '=', personId));

export const insertMembership = (tx: Transaction, membership: Selectable<MembershipsTable>) =>
  tx.insertInto('memberships').values(membership).execute();

/** Returns false if the person is not a member or already has this role. */
export const updateRole = (
  tx: Transaction,
  { accountId, memberId, role }: Readonly<Record<'accountId' | 'memberId', string>> & { readonly role: Role },
): Promise<boolean> =>
  isFound(
    tx
      .updateTable('memberships')
      .set({ role })
      .where('account_id', '=', accountId)
      .where('member_id', '=', memberId)
      .where('role', '<>', role)
      .returning('member_id'),
  );

export const deleteMembership = (tx: Transaction, accountId: string, memberId: string): Promise<boolean> =>
  isFound(
    tx
      .deleteFrom('memberships')
      .where('account_id', '=', accountId)
      .where('member_id', '=', memberId)
      .returning('member_id'),
  );

/** Includes suspended accounts. */
export const listWorkAccounts = (db: Queryable, personId: string) =>
  db
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.account_id')
    .select(['accounts.id', 'accounts.name', 'accounts.email', 'memberships.role', 'memberships.created_at'])
    .where('memberships.member_id', '=', personId)
    .orderBy('memberships.created_at')
    .execute();

export const insertInvitation = (tx: Transaction, invitation: Selectable<InvitationsTable>) =>
  tx.insertInto('invitations').values(invitation).execute();

/** Newest first. */
export const listInvitations = (db: Queryable, accountId: string, at: string) =>
  db
    .selectFrom('invitations')
    .innerJoin('accounts', 'accounts.id', 'invitations.invited_by_id')
    .select([
      'invitations.id',
      'invitations.email',
      'invitations.role',
      'invitations.expires_at',
      'accounts.name as invited_by',
    ])
    .where('invitations.account_id', '=', accountId)
    .where('invitations.expires_at', '>', at)
    .orderBy('invitations.id', 'desc')
    .execute();

export type OpenInvitation = Awaited<ReturnType<typeof listInvitations>>[number];

/** Ignores expired invitations, invitations by suspended inviters, and invitations to suspended or deleted accounts. */
export const findInvitation = (db: Queryable, codeHashes: readonly string[], at: string) =>
  db
    .selectFrom('invitations')
    .innerJoin('accounts', 'accounts.id', 'invitations.account_id')
    .innerJoin('accounts as inviter', 'inviter.id', 'invitations.invited_by_id')
    .selectAll('invitations')
    .select(['accounts.name as account', 'inviter.name as invited_by'])
    .where('invitations.code_hash', 'in', codeHashes)
    .where('invitations.expires_at', '>', at)
    .where('accounts.suspended_at', 'is', null)
    .where('accounts.deleted_at', 'is', null)
    .where('inviter.suspended_at', 'is', null)
    .executeTakeFirst();

export type FoundInvitation = NonNullable<Awaited<ReturnType<typeof findInvitation>>>;

/** Returns the hashes of the deleted invitations' codes. */
export async function deleteInvitations(
  tx: Transaction,
  accountId: string,
  which: { readonly id: string } | { readonly invitedById: string },
): Promise<readonly string[]> {
  const query = tx.deleteFrom('invitations').where('account_id', '=', accountId).returning('code_hash');
  const rows = await ('id' in which
    ? query.where('id', '=', which.id)
    : query.where('invited_by_id', '=', which.invitedById)
  ).execute();
  return rows.map(({ code_hash }) => code_hash);
}

export const listKeysCreatedBy = (db: Queryable, accountId: string, personId: string, at: string) =>
  db
    .selectFrom('api_keys')
    .leftJoin('api_key_uses', (join) =>
      join
        .onRef('api_key_uses.account_id', '=', 'api_keys.account_id')
        .onRef('api_key_uses.api_key_id', '=', 'api_keys.id'),
    )
    .select([
      'api_keys.id',
      'api_keys.account_id',
      'api_keys.name',
      'api_keys.mode',
      'api_keys.start',
      'api_keys.expires_at',
      'api_keys.created_by_id',
      'api_key_uses.last_used_at',
    ])
    .where('api_keys.account_id', '=', accountId)
    .where('api_keys.created_by_id', '=', personId)
    .where('api_keys.revoked_at', 'is', null)
    .where(sql<boolean>`(api_keys.expires_at is null or api_keys.expires_at > ${at})`)
    .orderBy('api_keys.id')
    .execute();

export type CreatedKeyOfMember = Awaited<ReturnType<typeof listKeysCreatedBy>>[number];
