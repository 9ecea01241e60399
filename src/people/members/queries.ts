import type { Selectable } from 'kysely';
import { countOf, isFound, type Queryable, type Transaction } from '../../platform/store/database.ts';
import type {
  InvitationRefusalsTable,
  InvitationsTable,
  MembershipsTable,
} from '../../platform/store/tables/accounts.ts';
import type { Role } from '../accounts/membership-queries.ts';
import { isActiveKey, keysWithUses } from '../keys/queries.ts';
import { endpointsSetBy } from '../sign-in/access-queries.ts';

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

/** The accounts of other people in which a person is a member. Includes suspended accounts. */
export const listMemberships = (db: Queryable, personId: string) =>
  db
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.account_id')
    .select(['accounts.id', 'accounts.name', 'accounts.email', 'memberships.role', 'memberships.created_at'])
    .where('memberships.member_id', '=', personId)
    .orderBy('memberships.created_at')
    .execute();

export const insertInvitation = (tx: Transaction, invitation: Selectable<InvitationsTable>) =>
  tx.insertInto('invitations').values(invitation).execute();

const openInvitations = (db: Queryable, accountId: string, at: string) =>
  db.selectFrom('invitations').where('account_id', '=', accountId).where('expires_at', '>', at);

export const countOpenInvitations = (db: Queryable, accountId: string, at: string): Promise<number> =>
  countOf(openInvitations(db, accountId, at));

/** More than `MAX_INVITATIONS`, so all open ones and the newest expired ones. */
const MAX_LISTED_INVITATIONS = 40;

/** Open and expired invitations, the latest end first. */
export const listInvitations = (db: Queryable, accountId: string) =>
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
    .orderBy('invitations.expires_at', 'desc')
    .orderBy('invitations.id', 'desc')
    .limit(MAX_LISTED_INVITATIONS)
    .$narrowType<{ role: Role }>()
    .execute();

export type ListedInvitation = Awaited<ReturnType<typeof listInvitations>>[number];

export const findInvitationById = (db: Queryable, accountId: string, id: string) =>
  db
    .selectFrom('invitations')
    .select(['email', 'role', 'mailed_at'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .$narrowType<{ role: Role }>()
    .executeTakeFirst();

export const setInvitationMailed = (tx: Transaction, id: string, at: string): Promise<unknown> =>
  tx.updateTable('invitations').set({ mailed_at: at }).where('id', '=', id).execute();

export interface AccountInvitation extends Omit<Selectable<InvitationsTable>, 'account_id' | 'role'> {
  readonly account_id: string;
  readonly role: Role;
  readonly account: string;
  readonly invited_by: string;
  readonly invited_by_id: string;
}

/** Ignores expired invitations, suspended or deleted accounts, and authors who are not active owners. */
export const findInvitation = (
  db: Queryable,
  codeHashes: readonly string[],
  at: string,
): Promise<AccountInvitation | undefined> =>
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
    .where((eb) =>
      eb.or([
        eb('inviter.id', '=', eb.ref('accounts.id')),
        eb.exists(
          eb
            .selectFrom('memberships')
            .select('memberships.role')
            .whereRef('memberships.account_id', '=', 'accounts.id')
            .whereRef('memberships.member_id', '=', 'inviter.id')
            .where('memberships.role', '=', 'owner'),
        ),
      ]),
    )
    .$narrowType<{ account_id: string; invited_by_id: string; role: Role }>()
    .executeTakeFirst();

export const listKeysCreatedBy = (db: Queryable, accountId: string, personId: string, at: string) =>
  keysWithUses(db, accountId)
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
    .where('api_keys.created_by_id', '=', personId)
    .where(isActiveKey(at))
    .orderBy('api_keys.id')
    .execute();

export const listEndpointsSetBy = (db: Queryable, accountId: string, personId: string) =>
  db
    .selectFrom('webhook_endpoints')
    .select(['id', 'url', 'description', 'disabled_at'])
    .where(endpointsSetBy(accountId, personId))
    .orderBy('id')
    .execute();

export type EndpointOfMember = Awaited<ReturnType<typeof listEndpointsSetBy>>[number];

export const handOverEndpoints = async (
  tx: Transaction,
  accountId: string,
  from: string,
  to: string,
): Promise<number> =>
  (
    await tx
      .updateTable('webhook_endpoints')
      .set({ url_set_by_id: to, secret_set_by_id: to })
      .where(endpointsSetBy(accountId, from))
      .returning('id')
      .execute()
  ).length;

/** What a person could still use in the accounts of other people where they are a member. */
export async function countPowersElsewhere(db: Queryable, personId: string, at: string) {
  const keys = db
    .selectFrom('memberships')
    .innerJoin('api_keys', 'api_keys.account_id', 'memberships.account_id')
    .where('memberships.member_id', '=', personId)
    .where('api_keys.created_by_id', '=', personId)
    .where(isActiveKey(at));
  const endpoints = db
    .selectFrom('memberships')
    .innerJoin('webhook_endpoints', 'webhook_endpoints.account_id', 'memberships.account_id')
    .where('memberships.member_id', '=', personId)
    .where('webhook_endpoints.disabled_at', 'is', null)
    .where('webhook_endpoints.deleted_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('webhook_endpoints.url_set_by_id', '=', personId),
        eb('webhook_endpoints.secret_set_by_id', '=', personId),
      ]),
    );
  const [keyCount, endpointCount] = await Promise.all([countOf(keys), countOf(endpoints)]);
  return { keys: keyCount, endpoints: endpointCount };
}

export type CreatedKeyOfMember = Awaited<ReturnType<typeof listKeysCreatedBy>>[number];

export const hasRefused = (db: Queryable, mailboxHash: string): Promise<boolean> =>
  isFound(
    db.selectFrom('invitation_refusals').select('mailbox_hash').where('mailbox_hash', '=', mailboxHash),
  );

export const insertRefusal = (tx: Transaction, refusal: InvitationRefusalsTable): Promise<unknown> =>
  tx
    .insertInto('invitation_refusals')
    .values(refusal)
    .onConflict((conflict) => conflict.doNothing())
    .execute();

export const deleteRefusal = (tx: Transaction, mailboxHash: string): Promise<unknown> =>
  tx.deleteFrom('invitation_refusals').where('mailbox_hash', '=', mailboxHash).execute();
