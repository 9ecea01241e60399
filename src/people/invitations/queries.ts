/** Invitations to the marketplace, which have no account. An invitation counts only while its author is an operator. */
import type { Selectable } from 'kysely';
import { countOf, isFound, type Queryable } from '../../platform/store/database.ts';
import type { InvitationsTable } from '../../platform/store/tables/accounts.ts';
import type { InvitedRole } from './invitation.ts';

export interface MarketInvitation
  extends Omit<Selectable<InvitationsTable>, 'account_id' | 'role' | 'email'> {
  readonly account_id: null;
  readonly role: InvitedRole;
  readonly email: string;
  /** `null`: the command line, or an operator key. */
  readonly invited_by: string | null;
}

const openInvitations = (db: Queryable, at: string) =>
  db
    .selectFrom('invitations')
    .leftJoin('accounts as inviter', 'inviter.id', 'invitations.invited_by_id')
    .selectAll('invitations')
    .select('inviter.name as invited_by')
    .where('invitations.account_id', 'is', null)
    .where('invitations.expires_at', '>', at)
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
  openInvitations(db, at).where('invitations.code_hash', 'in', codeHashes).executeTakeFirst();

export const findMarketInvitationById = (
  db: Queryable,
  id: string,
  at: string,
): Promise<MarketInvitation | undefined> =>
  openInvitations(db, at).where('invitations.id', '=', id).executeTakeFirst();

export const findMarketInvitationTo = (
  db: Queryable,
  email: string,
  at: string,
): Promise<MarketInvitation | undefined> =>
  openInvitations(db, at).where('invitations.email', '=', email).executeTakeFirst();

export type ListedInvitation = Awaited<ReturnType<typeof listMarketInvitations>>[number];

/** Newest first. `failure`: why the mail server has not accepted the mail; `null`: it has, or nobody has tried yet. */
export const listMarketInvitations = (db: Queryable, at: string) =>
  openInvitations(db, at)
    .leftJoin('mails', 'mails.code_hash', 'invitations.code_hash')
    .select('mails.failure')
    .orderBy('invitations.id', 'desc')
    .execute();

export const countMarketInvitations = (db: Queryable): Promise<number> =>
  countOf(db.selectFrom('invitations').where('account_id', 'is', null));

/** Whether somebody has used the account, or can: has signed in, or has set a password. */
export const isAccountInUse = async (db: Queryable, accountId: string): Promise<boolean> =>
  (await isFound(
    db.selectFrom('account_uses').select('account_id').where('account_id', '=', accountId).limit(1),
  )) || isFound(db.selectFrom('passwords').select('account_id').where('account_id', '=', accountId).limit(1));

export const isActiveOperator = (db: Queryable, accountId: string): Promise<boolean> =>
  isFound(
    db
      .selectFrom('accounts')
      .select('id')
      .where('id', '=', accountId)
      .where('operator_since', 'is not', null)
      .where('suspended_at', 'is', null),
  );
