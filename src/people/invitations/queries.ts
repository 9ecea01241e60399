/** Invitations to the marketplace, which have no account. An invitation counts only while its author is an operator. */
import type { Selectable } from 'kysely';
import { countOf, isFound, type Queryable } from '../../platform/store/database.ts';
import type { InvitationsTable } from '../../platform/store/tables/accounts.ts';
import { findByEmail } from '../accounts/queries.ts';
import { type InvitedRole, MAX_OPEN } from './invitation.ts';

export interface MarketInvitation
  extends Omit<Selectable<InvitationsTable>, 'account_id' | 'role' | 'email'> {
  readonly account_id: null;
  readonly role: InvitedRole;
  readonly email: string;
  /** `null`: the command line, or an operator key. */
  readonly invited_by: string | null;
}

/** Open and expired invitations. */
const marketInvitations = (db: Queryable) =>
  db
    .selectFrom('invitations')
    .leftJoin('accounts as inviter', 'inviter.id', 'invitations.invited_by_id')
    .selectAll('invitations')
    .select('inviter.name as invited_by')
    .where('invitations.account_id', 'is', null)
    .where((eb) =>
      eb.or([
        eb('invitations.invited_by_id', 'is', null),
        eb.and([eb('inviter.operator_since', 'is not', null), eb('inviter.suspended_at', 'is', null)]),
      ]),
    )
    .$narrowType<{ account_id: null; role: InvitedRole; email: string }>();

export const findMarketInvitation = (
  db: Queryable,
  codeHashes: readonly string[],
  at: string,
): Promise<MarketInvitation | undefined> =>
  marketInvitations(db)
    .where('invitations.code_hash', 'in', codeHashes)
    .where('invitations.expires_at', '>', at)
    .executeTakeFirst();

export const findMarketInvitationById = (db: Queryable, id: string): Promise<MarketInvitation | undefined> =>
  marketInvitations(db).where('invitations.id', '=', id).executeTakeFirst();

export const findOpenMarketInvitationTo = (
  db: Queryable,
  email: string,
  at: string,
): Promise<MarketInvitation | undefined> =>
  marketInvitations(db)
    .where('invitations.email', '=', email)
    .where('invitations.expires_at', '>', at)
    .executeTakeFirst();

export type ListedInvitation = Awaited<ReturnType<typeof listMarketInvitations>>[number];

/**
 * Open and expired invitations, the latest end first. `failure`: why the mail server has not accepted the mail; `null`: it
 * has, or nobody has tried yet.
 */
export const listMarketInvitations = (db: Queryable) =>
  marketInvitations(db)
    .leftJoin('mails', 'mails.code_hash', 'invitations.code_hash')
    .select('mails.failure')
    .orderBy('invitations.expires_at', 'desc')
    .orderBy('invitations.id', 'desc')
    .limit(MAX_OPEN)
    .execute();

export const countOpenMarketInvitations = (db: Queryable, at: string): Promise<number> =>
  countOf(db.selectFrom('invitations').where('account_id', 'is', null).where('expires_at', '>', at));

/** Whether somebody has used the account, or can: has signed in, or has set a password. */
export const isAccountInUse = async (db: Queryable, accountId: string): Promise<boolean> =>
  (await isFound(
    db.selectFrom('account_uses').select('account_id').where('account_id', '=', accountId).limit(1),
  )) || isFound(db.selectFrom('passwords').select('account_id').where('account_id', '=', accountId).limit(1));

/** Whether the person has used the account, or was invited to it before `at`. Otherwise, they may not have known of it. */
export async function isKnownToPerson(
  db: Queryable,
  accountId: string,
  { at, now }: { readonly at: string; readonly now: string },
): Promise<boolean> {
  if (await isAccountInUse(db, accountId)) return true;
  const account = await db
    .selectFrom('accounts')
    .select('email')
    .where('id', '=', accountId)
    .executeTakeFirst();
  const open = account && (await findOpenMarketInvitationTo(db, account.email, now));
  return open !== undefined && open.created_at <= at;
}

const MAX_NAMED_LISTINGS = 3;

/** Names of listings that an operator has prepared for an address whose account nobody has used. */
export async function listPreparedListings(db: Queryable, email: string): Promise<readonly string[]> {
  const account = await findByEmail(db, email);
  if (account === undefined || (await isAccountInUse(db, account.id))) return [];
  const rows = await db
    .selectFrom('listings')
    .select('name')
    .where('account_id', '=', account.id)
    .orderBy('id')
    .limit(MAX_NAMED_LISTINGS)
    .execute();
  return rows.map(({ name }) => name);
}

export const isActiveOperator = (db: Queryable, accountId: string): Promise<boolean> =>
  isFound(
    db
      .selectFrom('accounts')
      .select('id')
      .where('id', '=', accountId)
      .where('operator_since', 'is not', null)
      .where('suspended_at', 'is', null),
  );
