/** What ends when a person loses a role, or when an account passes to somebody else. */
import { expressionBuilder, sql } from 'kysely';
import type { Transaction } from '../../platform/store/database.ts';
import type { Schema } from '../../platform/store/schema.ts';
import type { EndedAccess } from '../../platform/store/tables/accounts.ts';
import { deleteRowsOf } from '../accounts/queries.ts';
import { deleteCodesOf } from './codes/queries.ts';

/** Second-factor steps, codes and links. Codes for signing in by mail belong to an address, so they stay. */
export const endSteps = (tx: Transaction, accountId: string): Promise<unknown> =>
  deleteRowsOf(tx, accountId, 'one_time_codes', 'sign_in_steps');

export type WhichInvitations =
  | { readonly id: string }
  | { readonly invitedById: string }
  | { readonly email: string; readonly expiredAt: string }
  | 'all';

/** `accountId`: `null` for invitations to the marketplace. Returns the hashes of the deleted invitations' codes. */
export async function deleteInvitations(
  tx: Transaction,
  accountId: string | null,
  which: WhichInvitations,
): Promise<readonly string[]> {
  const query = tx
    .deleteFrom('invitations')
    .where('account_id', accountId === null ? 'is' : '=', accountId)
    .returning('code_hash');
  const narrowed = () => {
    if (which === 'all') return query;
    if ('id' in which) return query.where('id', '=', which.id);
    if ('invitedById' in which) return query.where('invited_by_id', '=', which.invitedById);
    return query.where('email', '=', which.email).where('expires_at', '<=', which.expiredAt);
  };
  return (await narrowed().execute()).map(({ code_hash }) => code_hash);
}

/** Deletes codes and mail texts too. `accountId`: `null` for the marketplace. Returns how many invitations. */
export async function endInvitations(
  tx: Transaction,
  accountId: string | null,
  which: WhichInvitations,
): Promise<number> {
  const codes = await deleteInvitations(tx, accountId, which);
  await deleteCodesOf(tx, codes);
  return codes.length;
}

/**
 * Nobody else can use the invitation links that a person created, because the person may still know them. The people
 * who used them keep their access. Returns how many links ended.
 */
export async function expireLinksBy(
  tx: Transaction,
  personId: string,
  at: string,
  of: 'marketplace' | 'everything' | { readonly accountId: string },
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('access_links')
    .set({ expires_at: at })
    .where('created_by_id', '=', personId)
    .where('expires_at', '>', at)
    .$if(of === 'marketplace', (query) => query.where('listing_id', 'is', null))
    .$if(typeof of === 'object', (query) =>
      query.where('listing_id', 'in', (eb) =>
        eb
          .selectFrom('listings')
          .select('listings.id')
          .where('listings.account_id', '=', (of as { readonly accountId: string }).accountId),
      ),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** The webhook endpoints of an account, or of the marketplace, whose URL or secret the person set. */
export const endpointsSetBy = (accountId: string, personId: string) => {
  const { and, eb, or } = expressionBuilder<Schema, 'webhook_endpoints'>();
  return and([
    eb('account_id', '=', accountId),
    eb('deleted_at', 'is', null),
    or([eb('url_set_by_id', '=', personId), eb('secret_set_by_id', '=', personId)]),
  ]);
};

/** Endpoints that were already disabled get the reason too, so that whoever enables one knows what to check. */
export const pauseEndpoints = (tx: Transaction, accountId: string, personId: string, at: string) =>
  tx
    .updateTable('webhook_endpoints')
    .set(({ fn, val }) => ({
      disabled_at: fn.coalesce('disabled_at', val(at)),
      disabled_reason: 'member_gone' as const,
    }))
    .where(endpointsSetBy(accountId, personId))
    .returning(['id', 'url'])
    .execute();

/** Lets the keys that no member created expire by `until`, because the account's own person may know them. */
export async function expireOwnKeys(
  tx: Transaction,
  accountId: string,
  { at, until }: Readonly<Record<'at' | 'until', string>>,
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('api_keys')
    .set({ expires_at: sql<string>`case when expires_at < ${until} then expires_at else ${until} end` })
    .where('account_id', '=', accountId)
    .where((eb) => eb.or([eb('created_by_id', 'is', null), eb('created_by_id', '=', accountId)]))
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Returns how many keys were revoked. */
export async function endOperatorKeys(tx: Transaction, accountId: string, at: string): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('operator_keys')
    .set({ revoked_at: at })
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/**
 * Ends the invitations of a person, and what the person has in other accounts: the same parts as `endRole`
 * (`src/people/members/end-role.ts`). `everywhere`: also what other people were given in the person's own account, and its
 * integrations. Returns how many of each.
 */
export async function endIntegrations(
  tx: Transaction,
  accountId: string,
  at: string,
  where: 'everywhere' | 'elsewhere',
) {
  const isElsewhere = where === 'elsewhere';
  const keys = await tx
    .updateTable('api_keys')
    .set({ revoked_at: at })
    .where((eb) => eb.or([eb('account_id', '=', accountId), eb('created_by_id', '=', accountId)]))
    .$if(isElsewhere, (query) => query.where('account_id', '<>', accountId))
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  const endpoints = await tx
    .updateTable('webhook_endpoints')
    .set(({ fn, val }) => ({
      disabled_at: fn.coalesce('disabled_at', val(at)),
      disabled_reason: 'member_gone' as const,
    }))
    .where((eb) =>
      eb.or([
        eb('account_id', '=', accountId),
        eb('url_set_by_id', '=', accountId),
        eb('secret_set_by_id', '=', accountId),
      ]),
    )
    .$if(isElsewhere, (query) => query.where('account_id', '<>', accountId))
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  const invitations = await tx
    .deleteFrom('invitations')
    .where((eb) =>
      isElsewhere
        ? eb('invited_by_id', '=', accountId)
        : eb.or([eb('account_id', '=', accountId), eb('invited_by_id', '=', accountId)]),
    )
    .returning('code_hash')
    .execute();
  await deleteCodesOf(
    tx,
    invitations.map(({ code_hash }) => code_hash),
  );
  await expireLinksBy(tx, accountId, at, 'everything');
  const roles = await tx.deleteFrom('memberships').where('member_id', '=', accountId).executeTakeFirst();
  return {
    keys: Number(keys.numUpdatedRows),
    endpoints: Number(endpoints.numUpdatedRows),
    invitations: invitations.length,
    members: isElsewhere ? 0 : await deleteRowsOf(tx, accountId, 'memberships'),
    roles: Number(roles.numDeletedRows),
  };
}

export async function emptyTable(tx: Transaction, table: keyof EndedAccess): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom(table).executeTakeFirst();
  return Number(numDeletedRows);
}
