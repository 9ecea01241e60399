/** The person to whom an account belongs is always an owner and has no row in `memberships`. */

import type { InferResult } from 'kysely';
import type { Actor } from '../../base/events/queries.ts';
import { invalid, nothingThere } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import { compileOnce } from '../../platform/store/compile-once.ts';
import type { Queryable, Transaction } from '../../platform/store/database.ts';
import type { MembershipsTable } from '../../platform/store/tables/accounts.ts';
import { MARKETPLACE_ID } from '../../platform/store/tables/webhooks.ts';
import { isUuid } from '../../platform/store/uuid.ts';

export type Role = MembershipsTable['role'];

export const MAX_MEMBERSHIPS = 50;

/** Returns the id of the acting person; `null` if the actor is not a person, for example an API key. */
export const personOf = (actor: Actor): string | null =>
  actor.startsWith('account:') ? actor.slice('account:'.length) : null;

export async function findRole(db: Queryable, accountId: string, personId: string): Promise<Role | null> {
  if (accountId === personId) return 'owner';
  const row = await db
    .selectFrom('memberships')
    .select('role')
    .where('account_id', '=', accountId)
    .where('member_id', '=', personId)
    .executeTakeFirst();
  return row?.role ?? null;
}

export const OWNERS_ONLY = message('Only owners of this account can do this.');

/**
 * A person's role in an account at this moment; `null` also while the person is suspended. Operators are the owners of
 * what belongs to the marketplace (`MARKETPLACE_ID`).
 */
export async function findActiveRole(
  db: Queryable,
  accountId: string,
  personId: string,
): Promise<Role | null> {
  const row = await db
    .selectFrom('accounts')
    .leftJoin('memberships', (join) =>
      join.onRef('memberships.member_id', '=', 'accounts.id').on('memberships.account_id', '=', accountId),
    )
    .select(['memberships.role', 'accounts.operator_since'])
    .where('accounts.id', '=', personId)
    .where('accounts.suspended_at', 'is', null)
    .where('accounts.deleted_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return null;
  if (accountId === MARKETPLACE_ID) return row.operator_since === null ? null : 'owner';
  return accountId === personId ? 'owner' : row.role;
}

/**
 * The caller must hold the account's lock, under which roles end, so the actor can't lose the role before the commit.
 */
export async function requireOwner(tx: Transaction, accountId: string, actor: Actor): Promise<void> {
  const personId = personOf(actor);
  if (personId === null) return;
  if ((await findActiveRole(tx, accountId, personId)) !== 'owner') throw invalid(OWNERS_ONLY);
}

/** Like `requireOwner`, for what every member may do. */
export async function requireMember(tx: Transaction, accountId: string, actor: Actor): Promise<void> {
  const personId = personOf(actor);
  if (personId !== null && (await findActiveRole(tx, accountId, personId)) === null) throw nothingThere();
}

export type WorkAccount = InferResult<ReturnType<typeof workAccounts>>[number];

const workAccounts = (db: Queryable, personId: string) =>
  db
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.account_id')
    .select(['accounts.id as accountId', 'accounts.name', 'memberships.role'])
    .where('memberships.member_id', '=', personId)
    .where('accounts.suspended_at', 'is', null)
    .where('accounts.deleted_at', 'is', null);

export const listWorkAccounts = (db: Queryable, personId: string) =>
  workAccounts(db, personId)
    .orderBy('memberships.created_at')
    .orderBy('accounts.id')
    .limit(MAX_MEMBERSHIPS)
    .execute();

export const findWorkAccount = async (db: Queryable, personId: string, accountId: string) =>
  isUuid(accountId)
    ? await workAccounts(db, personId).where('memberships.account_id', '=', accountId).executeTakeFirst()
    : undefined;

/**
 * Returns the account that a new session opens: the first account that the person joined. `null`: the person's own
 * account, because the person has listings or isn't a member of an active account.
 */
export const findFirstWorkAccount = async (db: Queryable, personId: string): Promise<string | null> =>
  (await selectFirstWorkAccount(db, { personId }))[0]?.accountId ?? null;

const selectFirstWorkAccount = compileOnce((db, { personId }: { personId: string }) =>
  workAccounts(db, personId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('listings').select('listings.id').where('listings.account_id', '=', personId))),
    )
    .orderBy('memberships.created_at')
    .limit(1),
);
